package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tidwall/gjson"
)

// Cut is where the texts go that are cut out of what is too long for memory. The empty one throws them away, for who only looks.
type Cut struct {
	File   func() (*os.File, error) // makes a temporary file; nil throws the texts away
	Keep   func(CutText)            // gets every text in its file; nil where File is
	Images ImageSink                // gets the images among them; nil where nobody wants them
}

// ErrNotJSON says that a document is damaged, and not that it could not be read.
var ErrNotJSON = errors.New("it is no valid JSON")

// Value is a value of a JSON document.
type Value struct {
	Raw    []byte // its JSON, which is valid; long texts of a long value are cut out as those of a long line are. Whoever asked may keep it
	Offset int64  // where it begins in the document, in bytes
	Bytes  int64  // its length there
	Reason string // why it cannot be used, TooLong or TooDeep; then Raw is nil
}

// Values reads the values of a JSON document one after the other. Memory is bounded whatever the document holds: a value is in memory by
// itself, without its long texts, and one of more than MaxLine bytes without those is passed over. A document that ends too early is an
// error that wraps io.ErrUnexpectedEOF: it is being written.
type Values struct {
	Cut Cut       // of the values that come
	Sum io.Writer // gets the bytes of every value as they stand; may be nil

	in    *bufio.Reader
	at    int64
	small []byte // holds values that are not long
	large []byte // holds a long one without its long texts

	value  Value // that is being read
	buf    []byte
	cutter *cutter
	texts  []CutText
}

// NewValues reads a document from its beginning.
func NewValues(r io.Reader, cut Cut) *Values {
	return &Values{in: bufio.NewReaderSize(r, 64<<10), Cut: cut}
}

// Next is the next byte that is no blank. It stays where it is.
func (v *Values) Next() (byte, error) {
	for {
		b, err := v.in.ReadByte()
		if err != nil {
			return 0, cutShort(err)
		}
		switch b {
		case ' ', '\t', '\r', '\n':
			v.at++
			continue
		}
		return b, v.in.UnreadByte()
	}
}

// pass takes the next byte that is no blank, which is to be this one.
func (v *Values) pass(want byte) error {
	b, err := v.Next()
	if err != nil {
		return err
	}
	if b != want {
		return fmt.Errorf("%w: invalid character %q in place of %q", ErrNotJSON, b, want)
	}
	v.at++
	_, err = v.in.Discard(1)
	return err
}

// List calls use before each item of a list, which use takes.
func (v *Values) List(use func() error) error {
	return v.each('[', ']', use)
}

// Object calls use with the name of each field of an object, whose value use takes.
func (v *Values) Object(use func(name string) error) error {
	return v.each('{', '}', func() error {
		if b, err := v.Next(); err != nil || b != '"' {
			if err == nil {
				err = fmt.Errorf("%w: invalid character %q in place of a name", ErrNotJSON, b)
			}
			return err
		}
		cut, sum := v.Cut, v.Sum
		v.Cut, v.Sum = Cut{}, nil
		name, err := v.Take()
		v.Cut, v.Sum = cut, sum
		if err == nil {
			err = v.pass(':')
		}
		if err != nil {
			return err
		}
		return use(gjson.ParseBytes(name.Raw).String())
	})
}

// each calls use for what stands between two brackets, with commas between.
func (v *Values) each(open, shut byte, use func() error) error {
	if err := v.pass(open); err != nil {
		return err
	}
	b, err := v.Next()
	if err == nil && b == shut {
		return v.pass(shut)
	}
	for err == nil {
		if err = use(); err != nil {
			return err
		}
		if b, err = v.Next(); err != nil {
			return err
		}
		if b == shut {
			return v.pass(shut)
		}
		err = v.pass(',')
	}
	return err
}

// Take is the next value.
func (v *Values) Take() (Value, error) {
	first, err := v.Next()
	if err != nil {
		return Value{}, err
	}
	if bytes.IndexByte([]byte("}],:"), first) >= 0 {
		return Value{}, fmt.Errorf("%w: invalid character %q looking for beginning of value", ErrNotJSON, first)
	}
	v.value, v.buf, v.cutter = Value{Offset: v.at}, v.small[:0], nil
	defer v.dropTexts()
	end := ending{}
	for ended := false; !ended; {
		if _, err := v.in.Peek(1); err != nil {
			if errors.Is(err, io.EOF) && end.bare() {
				break
			}
			return Value{}, cutShort(err)
		}
		p, _ := v.in.Peek(v.in.Buffered()) // cannot fail
		var n int
		n, ended = end.find(p)
		v.load(p[:n])
		v.at += int64(n)
		if _, err := v.in.Discard(n); err != nil {
			return Value{}, err
		}
	}
	return v.finish()
}

// load adds a piece to the value.
func (v *Values) load(p []byte) {
	v.value.Bytes += int64(len(p))
	if v.Sum != nil {
		_, _ = v.Sum.Write(p) // of a hash, which never fails
	}
	switch {
	case v.value.Reason != "":
		return
	case v.cutter == nil && len(v.buf)+len(p) <= longLine:
		v.buf = append(v.buf, p...)
		v.small = v.buf
		return
	case v.cutter == nil:
		if v.large == nil {
			v.large = make([]byte, 0, MaxLine+len(p))
		}
		v.cutter = newCutter(v.large[:0], v.Cut.File, func(t CutText) { v.texts = append(v.texts, t) }, v.Cut.Images)
		v.cutter.feed(v.buf)
	}
	if len(v.cutter.out)+len(p) > MaxLine && v.cutter.long == nil {
		v.value.Reason = TooLong
		return
	}
	v.cutter.feed(p)
	v.buf = v.cutter.out
}

// finish hands the value over that was read.
func (v *Values) finish() (Value, error) {
	if v.cutter != nil {
		if _, err := v.cutter.close(); err != nil {
			return Value{}, fmt.Errorf("keep a long text: %w", err)
		}
	}
	out := v.value
	if out.Reason != "" {
		return out, nil
	}
	if deep(v.buf) {
		out.Reason = TooDeep
		return out, nil
	}
	if !gjson.ValidBytes(v.buf) {
		return Value{}, fmt.Errorf("%w: at byte %d", ErrNotJSON, out.Offset)
	}
	if len(v.buf) > longLine {
		out.Raw, v.large = v.buf, nil // to copy it would take its size twice
	} else {
		out.Raw = bytes.Clone(v.buf)
	}
	if v.Cut.File != nil {
		for _, t := range v.texts {
			v.Cut.Keep(t)
		}
		v.texts = nil
	}
	return out, nil
}

// dropTexts closes the texts of a value that is not used.
func (v *Values) dropTexts() {
	for _, t := range v.texts {
		dropTemp(t.File)
	}
	v.texts = nil
}

func cutShort(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// ending finds the end of a value in pieces of it. Whether it is valid JSON is not its business.
type ending struct {
	begun, text, esc bool
	scalar           bool // it is a number or a word, and ends before the byte that follows
	depth            int
}

// bare reports whether the value may end where the document does.
func (e *ending) bare() bool { return e.scalar }

// find is how many of these bytes belong to the value, and whether it ends with them.
func (e *ending) find(p []byte) (n int, ended bool) {
	for n < len(p) {
		if e.text {
			k, closed := e.inText(p[n:])
			if n += k; closed && e.depth == 0 {
				return n, true
			}
			continue
		}
		if e.scalar {
			if bytes.IndexByte([]byte(" \t\r\n,:[]{}\""), p[n]) >= 0 {
				return n, true
			}
			n++
			continue
		}
		switch p[n] {
		case '"':
			e.text = true
		case '[', '{':
			e.depth++
		case ']', '}':
			e.depth--
			if e.depth == 0 {
				return n + 1, true
			}
		default:
			e.scalar = e.depth == 0 && !e.begun
		}
		e.begun = true
		n++
	}
	return n, false
}

// inText is how many bytes belong to a text, with the quote that closes it.
func (e *ending) inText(p []byte) (n int, closed bool) {
	if e.esc {
		e.esc = false
		return 1, false
	}
	at := bytes.IndexByte(p, '"')
	if at < 0 {
		at = len(p)
	}
	if i := bytes.IndexByte(p[:at], '\\'); i >= 0 {
		e.esc = true
		return i + 1, false
	}
	if at == len(p) {
		return at, false
	}
	e.text = false
	return at + 1, true
}
