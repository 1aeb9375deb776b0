package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"

	"dormouse/store/memory"
)

// dataBegin is how much of a text is looked at to tell data, such as an image, from words, in bytes.
const dataBegin = 4 << 10

// isData reports whether a text begins like base64 or a data URL, which has no words to be read. It may have ends of lines and slashes
// that JSON escapes.
func isData(p []byte) bool {
	for _, b := range p {
		if !letters[b] && !bytes.ContainsRune([]byte(`=-_:;,.\`), rune(b)) {
			return false
		}
	}
	return true
}

// cutData is the data of a text that is being cut out: what Image is to say of it, and its bytes where it is an image.
type cutData struct {
	head  int // bytes of a data URL's head that are still to come
	url   string
	raw   hash.Hash // of the data as it stands
	bytes int
	dec   *decoder
	to    ImageSink // nil when it is no image, or nobody wants it
	image bool
	begun bool
}

// newCutData begins with data whose first bytes these are.
func newCutData(begin []byte, to ImageSink) *cutData {
	d := &cutData{raw: sha256.New(), to: to}
	begin, _ = unescape(nil, begin, false)
	if _, body, ok := cutDataURL(string(begin)); ok {
		d.head = len(begin) - len(body)
		d.url = string(begin[:d.head])
	}
	d.dec = newDecoder(d.decoded)
	return d
}

// write takes the next of the text.
func (d *cutData) write(p []byte) {
	n := min(d.head, len(p))
	d.head -= n
	p = p[n:]
	d.raw.Write(p)
	d.bytes += len(p)
	d.dec.write(p)
}

// decoded takes what the data stands for.
func (d *cutData) decoded(p []byte) {
	if !d.begun {
		d.begun = true
		ext := ImageKind(p)
		if d.image = ext != ""; d.image && d.to != nil {
			d.to.Begin(ext)
		}
	}
	if d.image && d.to != nil {
		d.to.Add(p)
	}
}

// end is what the data leaves of itself in the line: of an image all that stands for it, of other data what its mark says too.
func (d *cutData) end() (told string, image bool) {
	i, ok := d.dec.end()
	if !ok {
		i = memory.Image{Bytes: d.bytes, SHA256: hex.EncodeToString(d.raw.Sum(nil))}
	}
	if d.image && d.to != nil {
		d.to.End(i, !ok)
	}
	if d.image && ok {
		return d.url + fmt.Sprintf(imageMark, i.SHA256, i.Bytes), true
	}
	return fmt.Sprintf(dataMark, i.SHA256, i.Bytes), false
}

// dropTemp gives a temporary file up.
func dropTemp(f *os.File) {
	if f == nil {
		return
	}
	_ = f.Close()
	_ = os.Remove(f.Name()) // it is gone already where an open file may lose its name
}
