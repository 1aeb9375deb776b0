package transcript

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"dormouse/store/memory"
)

// Image is the fingerprint of an image that a transcript holds as base64, with or without a data URL around it. What is
// not base64 (a link, a mask) is fingerprinted as it is.
func Image(mediaType, data string) memory.Image {
	if rest, ok := strings.CutPrefix(data, "data:"); ok {
		head, body, found := strings.Cut(rest, ",")
		if found {
			data = body
			typ, _, _ := strings.Cut(head, ";")
			if mediaType == "" {
				mediaType = typ
			}
		}
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		raw = []byte(data)
	}
	sum := sha256.Sum256(raw)
	return memory.Image{Type: mediaType, Bytes: len(raw), SHA256: hex.EncodeToString(sum[:])}
}
