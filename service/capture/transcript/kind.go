package transcript

import (
	"bytes"
	"net/http"
)

// kindHead is how many bytes of an image tell its kind.
const kindHead = 48

// kinds are the kinds of images that can be kept, and PDFs, which agents store in the same places, by their media types. SVG is none
// of them: it is a text, which may say anything, and its bytes cannot be kept and redacted at once.
var kinds = map[string]string{
	"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/bmp": "bmp", "application/pdf": "pdf",
}

// brands are the brands of images in the file format that MP4 uses too (ISO/IEC 23008-12).
var brands = map[string]string{"avif": "avif", "avis": "avif", "heic": "heic", "heix": "heic", "heim": "heic", "heis": "heic", "mif1": "heic"}

// ImageKind is the extension of an image's file, without a dot, as its first bytes tell it; empty for what is none that can be
// kept. What a transcript says of it does not count.
func ImageKind(head []byte) string {
	if len(head) >= 12 && bytes.Equal(head[4:8], []byte("ftyp")) {
		return brands[string(head[8:12])]
	}
	return kinds[http.DetectContentType(head)]
}
