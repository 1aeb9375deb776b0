package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// MaxLine is the longest line that is loaded, in bytes. A longer one is skipped and counted.
const MaxLine = 64 << 20

// Place is where reading stopped. It is stored, so that a later reader goes on there.
type Place struct {
	Offset int64 `json:"offset"` // bytes that are done with
	Line   int   `json:"line"`   // number of the last line that was begun and is done with
	// Mid is set when the last line was read before its end had arrived, because it was one whole object.
	Mid bool `json:"mid,omitempty"`
}

// Reader reads the complete lines of a file that may still be written to.
type Reader struct {
	in    *bufio.Reader
	file  string
	at    Place
	limit int
	skip  func(Skip)
	long  func()
	buf   []byte
	small []byte // holds the lines that are not long
	large []byte // holds the long ones, once there was one

	makeFile func() (*os.File, error) // for texts that are cut out of long lines; nil leaves them in
	keep     func(CutText)
	images   ImageSink
	cut      *cutter   // of the line that is being read, when it is long
	texts    []CutText // that were cut out of it
}

// longLine is the size at which a line counts as long, in bytes: one that costs memory, several times its size once it is taken
// apart.
const longLine = 4 << 20

// OnLong has f called before more than longLine bytes of a line are loaded, so that it may wait until there is memory for it.
func (r *Reader) OnLong(f func()) { r.long = f }

// OnCut has texts of more than a megabyte cut out of long lines: a text's two ends and its mark remain, and keep gets the whole of
// it, in a file from make, before the line is returned. Such a line may be of any length. Of an image its fingerprint alone remains, in a
// mark that Image knows; images, which may be nil, gets its bytes, also of a line that is not returned in the end.
func (r *Reader) OnCut(make func() (*os.File, error), keep func(CutText), images ImageSink) {
	r.makeFile, r.keep, r.images = make, keep, images
}

// NewReader reads from r, which stands at at.Offset of the file named file. skip, which may be nil, is told of lines longer
// than limit bytes; limit 0 means MaxLine.
func NewReader(r io.Reader, file string, at Place, limit int, skip func(Skip)) *Reader {
	if limit <= 0 {
		limit = MaxLine
	}
	if skip == nil {
		skip = func(Skip) {}
	}
	size := int64(64 << 10)
	if part, ok := r.(interface{ Size() int64 }); ok {
		size = min(size, part.Size()+1) // so that its end shows with its last byte
	}
	return &Reader{in: bufio.NewReaderSize(r, int(size)), file: file, at: at, limit: limit, skip: skip, long: func() {}}
}

// Again goes on with another part of the file, in the memory that there is. at and skip are as for NewReader.
func (r *Reader) Again(in io.Reader, at Place, skip func(Skip)) {
	if skip == nil {
		skip = func(Skip) {}
	}
	r.dropTexts()
	r.in.Reset(in)
	r.at, r.skip, r.buf, r.cut = at, skip, nil, nil
}

// Place is where the next call of Next goes on.
func (r *Reader) Place() Place { return r.at }

// Next is the next complete line, without its end. At the end of what is complete it returns io.EOF; what is left over
// there waits for a later reader that starts at Place.
func (r *Reader) Next() (Line, error) {
	for {
		n, whole, tooLong, err := r.readLine()
		if err != nil {
			return Line{}, err
		}
		number := r.at.Line + 1
		if r.at.Mid {
			number = r.at.Line
		}
		line := Line{File: r.file, Number: number, Offset: r.at.Offset, Length: n, Data: r.buf}
		if !whole && !(len(r.buf) > 0 && !tooLong && isObject(r.buf)) {
			r.dropTexts()
			return Line{}, io.EOF
		}
		r.at = Place{Offset: r.at.Offset + n, Line: number, Mid: !whole}
		if tooLong {
			r.skip(Skip{Reason: TooLong, File: r.file, Line: number, Bytes: n})
			r.dropTexts()
			continue
		}
		for _, t := range r.texts {
			r.keep(t)
		}
		r.texts = nil
		return line, nil
	}
}

// load adds to buf. A long line moves to a buffer that holds the longest one and is taken once: growing step by step would
// need its size twice.
func (r *Reader) load(part []byte) {
	if r.cut != nil {
		r.cut.feed(part)
		r.buf = r.cut.out
		return
	}
	long := len(r.buf)+len(part) > longLine
	if long && len(r.buf) <= longLine {
		r.long()
		if r.large == nil {
			r.large = make([]byte, 0, r.limit+2)
		}
		if r.makeFile != nil {
			r.cut = newCutter(r.large[:0], r.makeFile, func(t CutText) { r.texts = append(r.texts, t) }, r.images)
			r.cut.feed(r.buf)
			r.load(part)
			return
		}
		r.buf = append(r.large[:0], r.buf...)
	}
	r.buf = append(r.buf, part...)
	if !long {
		r.small = r.buf
	}
}

// dropTexts closes the texts of a line that is not used.
func (r *Reader) dropTexts() {
	for _, t := range r.texts {
		dropTemp(t.File)
	}
	r.texts = nil
}

// readLine reads up to the end of the line or of the file into buf. n counts the bytes with the line's end. Of a line that
// is too long, or that breaks off within a text that was to be cut out, only the length is kept.
func (r *Reader) readLine() (n int64, whole, tooLong bool, err error) {
	r.dropTexts()
	r.cut = nil
	n, whole, tooLong, err = r.readPieces()
	if r.cut == nil {
		return n, whole, tooLong, err
	}
	ended, cutErr := r.cut.close()
	if err == nil && cutErr != nil {
		r.dropTexts()
		err = fmt.Errorf("keep a long text of %s: %w", r.file, cutErr)
	}
	return n, whole, tooLong || !ended, err
}

func (r *Reader) readPieces() (n int64, whole, tooLong bool, err error) {
	r.buf = r.small[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		n += int64(len(part))
		if !tooLong {
			tooLong = len(r.buf)+len(part) > r.limit+1 && (r.cut == nil || r.cut.long == nil)
			if tooLong {
				r.buf = nil
			} else {
				r.load(part)
			}
		}
		switch {
		case err == nil:
			r.buf = bytes.TrimSuffix(bytes.TrimSuffix(r.buf, []byte("\n")), []byte("\r"))
			return n, true, tooLong, nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF):
			if n == 0 {
				return 0, false, false, io.EOF
			}
			return n, false, tooLong, nil
		default:
			return 0, false, false, err
		}
	}
}
