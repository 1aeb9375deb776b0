package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"dormouse/store/memory"
)

// Image is the fingerprint of an image that a transcript holds as base64, with or without a data URL around it. What is
// not base64 (a link, a mask) is fingerprinted as it is. Data that was cut out of its line has its fingerprint in its mark.
func Image(mediaType, data string) memory.Image {
	if typ, body, ok := cutDataURL(data); ok {
		data = body
		if mediaType == "" {
			mediaType = typ
		}
	}
	i, ok := marked(data)
	if !ok {
		i = sumOf(data)
	}
	i.Type = mediaType
	return i
}

// cutDataURL takes the head of a data URL off.
func cutDataURL(s string) (mediaType, body string, ok bool) {
	rest, ok := strings.CutPrefix(s, "data:")
	if !ok {
		return "", s, false
	}
	head, body, found := strings.Cut(rest, ",")
	if !found {
		return "", s, false
	}
	mediaType, _, _ = strings.Cut(head, ";")
	return mediaType, body, true
}

// sumOf is the fingerprint of data: of what its base64 stands for, or of itself where it is none.
func sumOf(data string) memory.Image {
	d := newDecoder(nil)
	for rest := data; len(rest) > 0 && !d.bad; {
		n := min(len(rest), decodeRoom)
		d.write([]byte(rest[:n]))
		rest = rest[n:]
	}
	if i, ok := d.end(); ok {
		return i
	}
	sum := sha256.Sum256([]byte(data))
	return memory.Image{Bytes: len(data), SHA256: hex.EncodeToString(sum[:])}
}

// The marks of data that was cut out of a line: of an image, which is gone, and within the mark of a text.
const (
	imageMark = "\u2063[image %s %d]\u2063"
	dataMark  = "\u2063[data %s %d]\u2063"
)

// marked is the fingerprint that a mark tells.
func marked(data string) (i memory.Image, ok bool) {
	form := imageMark
	at := 0
	if !strings.HasPrefix(data, "\u2063[image ") {
		if len(data) > 3*cutKept || !strings.Contains(data, "\u2063[cut ") {
			return i, false
		}
		form, at = dataMark, strings.Index(data, "\u2063[data ")
	}
	if at < 0 {
		return i, false
	}
	n, err := fmt.Sscanf(data[at:], form, &i.SHA256, &i.Bytes)
	return i, n == 2 && err == nil && len(i.SHA256) == sha256.Size*2
}
