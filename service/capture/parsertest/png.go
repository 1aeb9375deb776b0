package parsertest

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"math/rand/v2"
	"testing"
)

// PNG is a picture of noise, which does not compress: of about width x height bytes.
func PNG(t testing.TB, width, height int) []byte {
	t.Helper()
	p := image.NewGray(image.Rect(0, 0, width, height))
	r := rand.New(rand.NewPCG(uint64(width), uint64(height)))
	for i := range p.Pix {
		p.Pix[i] = byte(r.Uint32())
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// LargePNG is a picture with some megabytes behind its end, which belong to the file as well.
func LargePNG(t testing.TB) []byte {
	t.Helper()
	more := make([]byte, 33<<17)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(more) // it never fails
	return append(PNG(t, 50, 50), more...)
}

// Base64 is how transcripts hold an image.
func Base64(p []byte) string { return base64.StdEncoding.EncodeToString(p) }
