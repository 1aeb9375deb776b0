package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"

	"dormouse/store/memory"
)

// ImageSink takes the images that a transcript holds, one after the other. It may keep bytes but not the slices that it gets.
type ImageSink interface {
	// Begin starts an image; ext is its kind as ImageKind has it.
	Begin(ext string)
	// Add takes its next bytes.
	Add(p []byte)
	// End says what it was, which is what Image says of it. A damaged one is no base64: its bytes are not to be used.
	End(i memory.Image, damaged bool)
}

// FindImages hands over the images that JSON holds as base64, with or without a data URL around it: the texts whose first bytes
// are those of an image. Texts of JSON within texts are looked into as well. The memory that it takes does not depend on the images.
func FindImages(raw []byte, to ImageSink) {
	for {
		at := bytes.IndexByte(raw, '"')
		if at < 0 {
			return
		}
		depth := backslashes(raw[:at])
		raw = raw[at+1:]
		body := afterURL(raw)
		if ext := encodedKind(body); ext != "" {
			raw = findOne(body, ext, depth, to)
		}
	}
}

// backslashes counts those at the end.
func backslashes(p []byte) int { return len(p) - len(bytes.TrimRight(p, `\`)) }

// urlHead is how long the head of a data URL may be.
const urlHead = 200

// afterURL takes the head of a data URL off what follows a quote.
func afterURL(p []byte) []byte {
	if !bytes.HasPrefix(p, []byte("data:")) {
		return p
	}
	head := p[:min(len(p), urlHead)]
	if at := bytes.IndexAny(head, ",\""); at >= 0 && head[at] == ',' {
		return p[at+1:]
	}
	return p
}

// letters are those of base64.
var letters = func() (is [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		is[c] = true
	}
	return is
}()

// leastText is how many letters of base64 the smallest image has.
const leastText = 16

// encodedKind is the kind of the image that a text begins with; empty for none.
func encodedKind(p []byte) string {
	var text [kindHead / 3 * 4]byte
	n := 0
	for i := 0; i < len(p) && n < len(text); i++ {
		if p[i] == '\\' && i+1 < len(p) && p[i+1] == '/' {
			continue // JSON may escape a slash
		}
		if !letters[p[i]] {
			break
		}
		text[n] = p[i]
		n++
	}
	if n < leastText {
		return ""
	}
	var head [kindHead]byte
	k, err := base64.StdEncoding.Decode(head[:], text[:n&^3])
	if err != nil {
		return ""
	}
	return ImageKind(head[:k])
}

// findOne hands over the image that a text begins with, and returns what follows it.
func findOne(p []byte, ext string, depth int, to ImageSink) (rest []byte) {
	to.Begin(ext)
	d := newDecoder(to.Add)
	at := 0
	for at < len(p) && p[at] != '"' {
		n := run(p[at:])
		d.write(p[at : at+n])
		if at += n; n > 0 {
			continue
		}
		slashes := len(p[at:]) - len(bytes.TrimLeft(p[at:], `\`))
		if slashes == 0 || at+slashes == len(p) {
			break
		}
		c := p[at+slashes]
		if c == '"' && slashes == depth {
			break
		}
		if c != 'n' && c != 'r' && c != '/' {
			d.bad = true
			break
		}
		if c == '/' {
			d.write([]byte{c})
		}
		at += slashes + 1
	}
	ended := at < len(p) && (p[at] == '"' || p[at] == '\\')
	if i, ok := d.end(); ok && ended {
		to.End(i, false)
		return p[at:]
	}
	text := textEnd(p, depth)
	to.End(asItIs(p[:text], depth), true)
	return p[text:]
}

// run is how many letters of base64, and what ends it, a text begins with.
func run(p []byte) int {
	n := 0
	for n < len(p) && (letters[p[n]] || p[n] == '=') {
		n++
	}
	return n
}

// textEnd is where the text ends that began after a quote with so many backslashes.
func textEnd(p []byte, depth int) int {
	for at := 0; ; {
		i := bytes.IndexByte(p[at:], '"')
		if i < 0 {
			return len(p)
		}
		at += i
		if n := backslashes(p[:at]); n <= depth || depth == 0 && n%2 == 0 {
			return at - min(n, depth)
		}
		at++
	}
}

// asItIs is the fingerprint that a text has which is no base64.
func asItIs(p []byte, depth int) memory.Image {
	text := p
	if depth == 0 {
		text, _ = unescape(nil, p, true)
	}
	sum := sha256.Sum256(text)
	return memory.Image{Bytes: len(text), SHA256: hex.EncodeToString(sum[:])}
}
