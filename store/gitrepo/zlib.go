package gitrepo

import (
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// zlibLevel is fast and loses some five per cent of size to the default level.
const zlibLevel = 1

// compressors are zlib writers that wait for their next stream. One has tables of a megabyte, which cost more to make than a small
// session costs otherwise.
var compressors = sync.Pool{New: func() any {
	z, err := zlib.NewWriterLevel(io.Discard, zlibLevel)
	if err != nil {
		panic(err) // there is such a level
	}
	return z
}}

// deflate writes a zlib stream of what fill writes.
func deflate(w io.Writer, fill func(io.Writer) error) error {
	z := compressors.Get().(*zlib.Writer)
	defer func() {
		z.Reset(io.Discard) // so that nothing of this stream is held
		compressors.Put(z)
	}()
	z.Reset(w)
	if err := fill(z); err != nil {
		return err
	}
	return z.Close()
}
