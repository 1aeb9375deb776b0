package capture

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/service/redact"
	"dormouse/store/memory"
)

// longPrefix begins the name of a temporary file with a text that is too long for memory. It is not redacted yet, so it loses its
// name as soon as it is made, where the system allows that, and no later than it is stored.
const longPrefix = "long-"

// longTexts are the texts that were cut out of a session's lines, by their marks, until their nodes are stored.
type longTexts map[string]transcript.CutText

func (l longTexts) keep(t transcript.CutText) {
	if _, have := l[t.Mark]; have {
		dropFile(t.File)
		return
	}
	l[t.Mark] = t
}

// take keeps a text that a library had in memory, and gives what the node shows of it until it is stored; the text itself where there is
// no room for it, which is then clipped.
func (l longTexts) take(e *Engine, text string) string {
	if l == nil {
		return text
	}
	f, err := e.longFile()
	if err != nil {
		return text
	}
	t, err := transcript.KeepText(f, text)
	if err != nil {
		dropFile(f)
		return text
	}
	l.keep(t)
	return t.Short()
}

func (l longTexts) drop() {
	for mark, t := range l {
		dropFile(t.File)
		delete(l, mark)
	}
}

func dropFile(f *os.File) {
	_ = f.Close()
	_ = os.Remove(f.Name()) // it is gone already where an open file may lose its name
}

// longFile makes a file for a text that is too long for memory.
func (e *Engine) longFile() (*os.File, error) {
	dir := e.longDir()
	if dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	f, err := os.CreateTemp(dir, longPrefix+"*")
	if err == nil {
		_ = os.Remove(f.Name())
	}
	return f, err
}

// longDir is the folder of temporary files; empty means the system's.
func (e *Engine) longDir() string {
	if e.o.OwnDir == "" {
		return ""
	}
	return filepath.Join(e.o.OwnDir, "run")
}

// sweepLong removes what a process that was killed left where open files keep their names.
func (e *Engine) sweepLong() {
	dir := e.longDir()
	if dir == "" {
		return
	}
	list, _ := os.ReadDir(dir) // nothing is left where there is no folder
	for _, f := range list {
		if strings.HasPrefix(f.Name(), longPrefix) {
			_ = os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}

// storeLong stores the long texts of a node beside it, without their secrets, and counts these. What the node shows of them is
// taken from what was stored, since a secret that was cut in two is told by nobody. put names the stored files in the place of
// their marks; it is for after the node was redacted.
func (r *reading) storeLong(n *memory.Node) (secrets int, put func(), err error) {
	var names []string // marks and what takes their place, in turn
	for mark, t := range r.act.long {
		if !holds(n, mark) {
			continue
		}
		s, err := r.storeText(n, &t)
		if err != nil {
			return secrets, nil, fmt.Errorf("store a text of %d bytes: %w", t.Bytes, err)
		}
		secrets += s.secrets
		n.Metadata.Files = append(n.Metadata.Files, s.file)
		showClean(n, &t, s.clean)
		names = append(names, mark, fmt.Sprintf("[... %d bytes in all; the whole text is %s ...]", s.file.Bytes, s.file.Path))
	}
	if len(names) == 0 {
		return 0, func() {}, nil
	}
	sortFiles(n.Metadata.Files)
	return secrets, func() { rename(n, strings.NewReplacer(names...)) }, nil
}

// storedText is a text without its secrets: its file, how many it had, and what the node shows.
type storedText struct {
	file    memory.File
	secrets int
	clean   transcript.CutText
}

// storeText stores one text.
func (r *reading) storeText(n *memory.Node, t *transcript.CutText) (s storedText, err error) {
	clean, err := r.e.longFile()
	if err != nil {
		return s, err
	}
	defer dropFile(clean)
	s.secrets, err = redactAll(clean, io.NewSectionReader(t.File, 0, t.Bytes), func(text string) (string, int, error) {
		part := memory.Node{Role: n.Role, Name: n.Name, Output: text}
		count, err := r.e.o.Redact(&part)
		return part.Output, count, err
	})
	if err != nil {
		return s, err
	}
	if s.clean, err = transcript.Ends(clean, t.Mark); err != nil {
		return s, err
	}
	if _, err := clean.Seek(0, io.SeekStart); err != nil {
		return s, err
	}
	s.file, err = r.batch.File(clean, "txt")
	return s, err
}

// partBytes is how much of a long text is redacted at once.
const partBytes = 1 << 20

// redactAll copies a text in parts and takes the secrets out of them.
func redactAll(to io.Writer, from io.Reader, clean func(string) (string, int, error)) (secrets int, err error) {
	buf := make([]byte, 0, partBytes)
	private := 0 // spans that are open where a part begins
	for end := false; !end; {
		n, err := io.ReadFull(from, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		end = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !end {
			return secrets, err
		}
		cut := len(buf)
		if !end {
			cut = partEnd(buf)
		}
		part := string(buf[:cut])
		text, count, err := clean(redact.PrivateOpen(private) + part)
		if err != nil {
			return secrets, err
		}
		private = redact.PrivateDepth(part, private)
		secrets += count
		if _, err := io.WriteString(to, text); err != nil {
			return secrets, err
		}
		buf = append(buf[:0], buf[cut:]...)
	}
	return secrets, nil
}

// partEnd is where a part of a text may end so that no secret is in two: not within a key block, at an empty line or the end of a
// line, at least at a blank.
func partEnd(p []byte) int {
	if begin := bytes.LastIndex(p, []byte("-----BEGIN ")); begin > len(p)/2 && !bytes.Contains(p[begin:], []byte("-----END ")) {
		p = p[:begin]
	}
	for _, end := range []string{"\n\n", "\n", " "} {
		if i := bytes.LastIndex(p, []byte(end)); i >= len(p)/2 {
			return i + len(end)
		}
	}
	if i := bytes.LastIndexByte(p, '<'); i > 0 && len(p)-i < len("</private>") {
		return i // of a tag that ends in the next part, or its mention
	}
	return len(p)
}
