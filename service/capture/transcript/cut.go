package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"dormouse/store/memory"
)

// Sizes of what is cut out of long lines, in bytes.
const (
	cutOver  = 1 << 20   // a text that is longer leaves the line
	cutImage = 64 << 10  // so does an image that is longer
	cutKept  = 64 << 10  // remains of a text at each end
	cutRoom  = 256 << 10 // decoded before it is written
)

// CutText is a text that was cut out of a line: whole, decoded, in a temporary file.
type CutText struct {
	// Mark stands for it in the line, between its head and its tail. It depends on the text alone.
	Mark string
	// Head and Tail are what remains of it in the line, before and after "\n" + Mark + "\n".
	Head, Tail string
	Bytes      int64
	File       *os.File
}

// Short is what stands in the line in the place of the text.
func (t *CutText) Short() string { return t.Head + "\n" + t.Mark + "\n" + t.Tail }

// IsCut reports whether a text is what a line shows of a longer one.
func IsCut(text string) bool { return strings.Contains(text, "\u2063[cut ") }

// mark is what stands for a text with this SHA-256.
func mark(sum []byte) string { return "\u2063[cut " + hex.EncodeToString(sum[:12]) + "]\u2063" }

// cutter copies the JSON of one line and takes its long texts out. It is fed the line in pieces, so that no more of it than
// what remains is ever in memory. What is no JSON passes through as it is.
type cutter struct {
	keep   func(CutText)            // gets every text that was cut out
	make   func() (*os.File, error) // nil throws the texts away
	images ImageSink                // gets the images that were cut out; may be nil
	over   int                      // how long a text must be, in bytes
	out    []byte
	text   int // where the text that is being read begins in out, after its quote; -1 outside of one
	esc    bool
	looked bool      // the text that is being read is no image
	long   *longText // the text that is being cut out
	err    error
}

func newCutter(out []byte, make func() (*os.File, error), keep func(CutText), images ImageSink) *cutter {
	return &cutter{over: cutOver, out: out, text: -1, make: make, keep: keep, images: images}
}

// feed takes the next piece of the line.
func (c *cutter) feed(p []byte) {
	for len(p) > 0 && c.err == nil {
		if c.text < 0 {
			p = c.outside(p)
		} else {
			p = c.inside(p)
		}
	}
}

// outside copies up to the start of the next text.
func (c *cutter) outside(p []byte) []byte {
	for i, b := range p {
		if b == '"' {
			c.out = append(c.out, p[:i+1]...)
			c.text, c.looked = len(c.out), false
			return p[i+1:]
		}
	}
	c.out = append(c.out, p...)
	return nil
}

// inside takes what belongs to the text that is being read.
func (c *cutter) inside(p []byte) []byte {
	end := len(p)
	done := false
	for i, b := range p {
		if c.esc {
			c.esc = false
		} else if b == '\\' {
			c.esc = true
		} else if b == '"' {
			end, done = i, true
			break
		}
	}
	c.take(p[:end])
	if !done {
		return nil
	}
	c.finish()
	c.out = append(c.out, '"')
	c.text = -1
	return p[end+1:]
}

// take adds a piece to the text, or to the file when it has become too long.
func (c *cutter) take(p []byte) {
	if c.long != nil {
		c.fail(c.long.write(p))
		return
	}
	c.out = append(c.out, p...)
	if n := len(c.out) - c.text; n <= c.over && (c.looked || n <= cutImage) {
		return
	}
	if image := encodedKind(afterURL(c.out[c.text:])) != ""; len(c.out)-c.text <= c.over && !image {
		c.looked = true
		return
	}
	var f *os.File
	if c.make != nil {
		var err error
		if f, err = c.make(); err != nil {
			c.fail(err)
			return
		}
	}
	c.long = &longText{file: f, sum: sha256.New()}
	if begin := c.out[c.text:][:min(dataBegin, c.over)]; isData(begin) {
		c.long.data = newCutData(begin, c.images)
	}
	c.fail(c.long.write(c.out[c.text:]))
	c.out = c.out[:c.text]
}

func (c *cutter) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// finish puts head, mark and tail in the place of a text that was cut out; in that of an image its mark alone.
func (c *cutter) finish() {
	l := c.long
	c.long = nil
	if l == nil || c.err != nil {
		return
	}
	if c.fail(l.flush(true)); c.err != nil {
		return
	}
	cut := CutText{Mark: mark(l.sum.Sum(nil)), Head: string(l.head), Tail: string(l.tail.bytes()), Bytes: l.bytes, File: l.file}
	if l.data != nil {
		told, image := l.data.end()
		if image {
			dropTemp(l.file)
			c.put(told)
			return
		}
		cut.Mark += told
	}
	c.put(cut.Short())
	if c.err == nil {
		c.keep(cut)
	}
}

// put adds a text to the line.
func (c *cutter) put(s string) {
	quoted, err := memory.Encode(s)
	if err != nil {
		c.fail(err)
		return
	}
	c.out = append(c.out, quoted[1:len(quoted)-1]...)
}

// close ends the line. whole is false when it broke off within a text that was to be cut out.
func (c *cutter) close() (whole bool, err error) {
	if c.long != nil {
		dropTemp(c.long.file)
		return false, c.err
	}
	return true, c.err
}

// KeepText makes of a text that is in memory what a cutter makes of one that is too long for a line: file takes the whole.
func KeepText(file *os.File, text string) (CutText, error) {
	if _, err := io.WriteString(file, text); err != nil {
		return CutText{}, err
	}
	sum := sha256.Sum256([]byte(text))
	return Ends(file, mark(sum[:]))
}

// Ends makes of a text in a file what a line shows of it: its two ends, with this mark.
func Ends(f *os.File, mark string) (t CutText, err error) {
	info, err := f.Stat()
	if err != nil {
		return t, err
	}
	t = CutText{Mark: mark, Bytes: info.Size(), File: f}
	head, tail := make([]byte, min(cutKept, t.Bytes)), make([]byte, min(cutKept, t.Bytes))
	if _, err := f.ReadAt(head, 0); err != nil {
		return t, err
	}
	if _, err := f.ReadAt(tail, t.Bytes-int64(len(tail))); err != nil {
		return t, err
	}
	t.Head, t.Tail = string(head[:wholeRunes(head)]), string((&lastBytes{tail}).bytes())
	return t, nil
}

// longText is a text on its way into a file: decoded, summed, with its two ends.
type longText struct {
	file  *os.File // nil where it is thrown away
	sum   hash.Hash
	raw   []byte // not decoded yet
	plain []byte // decoded, not written yet
	head  []byte
	tail  lastBytes
	bytes int64
	data  *cutData // that it is, and no words
}

// addHead keeps the first cutKept bytes, without a character that goes on after them.
func (l *longText) addHead(p []byte) {
	if l.bytes >= cutKept {
		return
	}
	l.head = append(l.head, p[:min(len(p), cutKept-len(l.head))]...)
	if len(l.head) == cutKept {
		l.head = l.head[:wholeRunes(l.head)]
	}
}

func (l *longText) write(p []byte) error {
	for len(p) > 0 {
		n := min(len(p), cutRoom)
		l.raw = append(l.raw, p[:n]...)
		p = p[n:]
		if err := l.flush(false); err != nil {
			return err
		}
	}
	return nil
}

// flush decodes what is there, but for an escape that may go on.
func (l *longText) flush(end bool) error {
	var n int
	l.plain, n = unescape(l.plain[:0], l.raw, end)
	l.raw = append(l.raw[:0], l.raw[n:]...)
	l.addHead(l.plain)
	l.tail.add(l.plain)
	l.sum.Write(l.plain)
	if l.data != nil {
		l.data.write(l.plain)
	}
	l.bytes += int64(len(l.plain))
	if l.file == nil {
		return nil
	}
	_, err := l.file.Write(l.plain)
	return err
}

// wholeRunes is the length of the longest beginning that ends with a whole character.
func wholeRunes(p []byte) int {
	for n := len(p); n > 0 && n > len(p)-utf8.UTFMax; n-- {
		if utf8.RuneStart(p[n-1]) {
			if utf8.FullRune(p[n-1:]) {
				return len(p)
			}
			return n - 1
		}
	}
	return len(p)
}

// lastBytes keeps the last cutKept bytes of what is added.
type lastBytes struct{ buf []byte }

func (t *lastBytes) add(p []byte) {
	t.buf = append(t.buf, p...)
	if len(t.buf) > 8*cutKept {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-cutKept:]...)
	}
}

// bytes begins with a whole character.
func (t *lastBytes) bytes() []byte {
	p := t.buf[max(0, len(t.buf)-cutKept):]
	for len(p) > 0 && !utf8.RuneStart(p[0]) {
		p = p[1:]
	}
	return p
}
