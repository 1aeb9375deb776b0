package capture

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// MaxImage is the largest image that is kept, in bytes.
const MaxImage = 20 << 20

// Reasons why an image is not kept.
const (
	imageTooLarge  = "image over 20 MB (not kept)"
	imageDamaged   = "image that is damaged (not kept)"
	imageElsewhere = "image that the transcript names only, or of a kind that is not kept"
)

// spoolBytes and spoolImages bound what waits for its node, but for what was read since nodes were handed on last.
const (
	spoolBytes  = 64 << 20
	spoolImages = 4096
)

// imageSpool holds the images that were found in a transcript until the nodes come that name them. Not all are: agents write images
// twice, and texts hold some. The older half is forgotten now and then; their bytes lie in a file without a name.
type imageSpool struct {
	make        func() (*os.File, error)
	at          transcript.Skip // where an image is that is found now; without its reason
	now, before spoolPart
	ext         string // of the image that is being taken
	bytes       int64
	err         error // nothing is kept since
}

// spoolPart is a part of the spool that is forgotten as a whole.
type spoolPart struct {
	file *os.File
	size int64
	by   map[string]spooled // by the hashes that nodes name
}

// spooled is an image, or with a reason, why it is not kept.
type spooled struct {
	content *io.SectionReader
	sum     string // its SHA-256
	ext     string
	reason  string
	at      transcript.Skip
}

// Begin, Add and End make it a transcript.ImageSink.
func (s *imageSpool) Begin(ext string) { s.ext, s.bytes = ext, 0 }

// Add takes the next bytes of an image.
func (s *imageSpool) Add(p []byte) {
	s.bytes += int64(len(p))
	if s.err != nil || s.bytes > MaxImage {
		return
	}
	if s.now.file == nil {
		if s.now.file, s.err = s.make(); s.err != nil {
			return
		}
	}
	_, s.err = s.now.file.WriteAt(p, s.now.size+s.bytes-int64(len(p)))
}

// End takes over the image, unless it is there.
func (s *imageSpool) End(i memory.Image, damaged bool) { s.end(i.SHA256, i, damaged) }

// end takes over an image that nodes name by this hash.
func (s *imageSpool) end(named string, i memory.Image, damaged bool) {
	if _, have := s.find(named); have || s.err != nil {
		return
	}
	one := spooled{ext: s.ext, at: s.at, sum: i.SHA256}
	one.at.Bytes = int64(i.Bytes)
	switch {
	case damaged:
		one.reason = imageDamaged
	case s.bytes > MaxImage:
		one.reason = imageTooLarge
	default:
		one.content = io.NewSectionReader(s.now.file, s.now.size, s.bytes)
		s.now.size += s.bytes
	}
	if s.now.by == nil {
		s.now.by = map[string]spooled{}
	}
	s.now.by[named] = one
}

func (s *imageSpool) find(sum string) (spooled, bool) {
	one, ok := s.now.by[sum]
	if !ok {
		one, ok = s.before.by[sum]
	}
	return one, ok
}

// rest forgets the older half when there is much. It is called when nodes were handed on.
func (s *imageSpool) rest() {
	if s != nil && (s.now.size > spoolBytes || len(s.now.by) > spoolImages) {
		s.before.drop()
		s.before, s.now = s.now, spoolPart{}
	}
}

// drop gives all of it up; a spool that is nil has nothing.
func (s *imageSpool) drop() {
	if s != nil {
		s.now.drop()
		s.before.drop()
	}
}

func (p *spoolPart) drop() {
	if p.file != nil {
		dropFile(p.file)
	}
	*p = spoolPart{}
}

// spool is where the images of a session go; nil where they are not kept.
func (e *Engine) spool() *imageSpool {
	if !e.o.KeepImages {
		return nil
	}
	return &imageSpool{make: e.longFile}
}

// sourceImages takes the images of one file, which it tells the places of.
type sourceImages struct {
	*imageSpool
	s *source
}

func (i sourceImages) End(image memory.Image, damaged bool) {
	i.at = transcript.Skip{File: i.s.file.Path, Line: i.s.lines.Place().Line + 1}
	i.imageSpool.End(image, damaged)
}

// sink is where images go that are cut out of a source's lines.
func (s *imageSpool) sink(from *source) transcript.ImageSink {
	if s == nil {
		return nil
	}
	return sourceImages{s, from}
}

// look takes the images out of a part of a transcript.
func (s *imageSpool) look(raw []byte, at transcript.Skip) {
	if s != nil {
		s.at = at
		transcript.FindImages(raw, s)
	}
}

// lookText is look for what a library holds.
func (s *imageSpool) lookText(raw, file string) {
	if s != nil {
		s.look([]byte(raw), transcript.Skip{File: file})
	}
}

// imageHead is how much of a file tells its kind, in bytes.
const imageHead = 64

// file takes an image that a library holds in a file of its own; false says that it is none of a kind that is kept.
func (s *imageSpool) file(named string, open func() (io.ReadCloser, error), library string) bool {
	if s == nil {
		return true
	}
	if _, have := s.find(named); have {
		return true
	}
	s.at = transcript.Skip{File: library}
	in, err := open()
	if err != nil {
		s.end(named, memory.Image{}, true)
		return true
	}
	defer in.Close() //nolint:errcheck // opened for reading
	head := bufio.NewReader(io.LimitReader(in, MaxImage+1))
	begin, _ := head.Peek(imageHead) // an error comes again
	ext := transcript.ImageKind(begin)
	if ext == "" {
		return false
	}
	s.Begin(ext)
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(sum, adder{s}), head)
	s.end(named, memory.Image{Bytes: int(n), SHA256: hex.EncodeToString(sum.Sum(nil))}, err != nil)
	return true
}

// adder makes a writer of a spool.
type adder struct{ s *imageSpool }

func (a adder) Write(p []byte) (int, error) {
	a.s.Add(p)
	return len(p), nil
}

// keepImages stores the images of a node that the session does not have yet, and counts those that it cannot.
func (r *reading) keepImages(n *memory.Node) error {
	s := r.act.images
	if s == nil || len(n.Metadata.Images) == 0 {
		return nil
	}
	if s.err != nil {
		return fmt.Errorf("keep an image: %w", s.err)
	}
	have, err := r.imagesThere()
	if err != nil {
		return err
	}
	for _, i := range n.Metadata.Images {
		one, found := s.find(i.SHA256)
		switch {
		case have[i.SHA256]:
		case !found:
			r.act.tally.Add(transcript.Skip{Reason: imageElsewhere, File: r.job.files[0].Path, Bytes: int64(i.Bytes)})
		case one.reason != "":
			one.at.Reason = one.reason
			r.act.tally.Add(one.at)
		default:
			f, err := r.batch.Image(i.SHA256, io.NewSectionReader(one.content, 0, one.content.Size()), one.ext)
			if err != nil {
				return err
			}
			if f.SHA256 != one.sum {
				return fmt.Errorf("keep an image: %s came back as %s", one.sum, f.SHA256)
			}
			have[i.SHA256] = true
		}
	}
	return nil
}

// imagesThere are the images that the session has, with those of the batch.
func (r *reading) imagesThere() (map[string]bool, error) {
	if r.images != nil {
		return r.images, nil
	}
	list, err := r.session.Images()
	if err != nil {
		return nil, err
	}
	r.images = map[string]bool{}
	for sum := range list {
		r.images[sum] = true
	}
	return r.images, nil
}

// wantsImages reports whether images of what was read before are to be kept, which they were not then.
func (r *reading) wantsImages() bool { return r.e.o.KeepImages && !r.cursor.Images }

// unseen is wantsImages of a session that was read before. Callers hold e.mu.
func (e *Engine) unseen(key sessionKey) bool {
	return e.o.KeepImages && e.captured(key) > 0 && !e.looked[key]
}
