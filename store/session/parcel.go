package session

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"dormouse/store/disk"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// A parcel is a session as it travels to another machine: lines of JSON, of which the first holds the meta data, and each further one a
// node, in the order of the history, or announces the bytes of a long text, which come before the node that needs them. Equal nodes give
// equal commits, so no object of git travels, and what comes in is written by the same code as what is captured. Images stay behind.

// parcelVersion is the version of the form.
const parcelVersion = 1

// maxParcelLine bounds one line, in bytes: a node's file is smaller.
const maxParcelLine = 64 << 20

type parcelLine struct {
	Version int             `json:"dormouse_session,omitempty"`
	Meta    *memory.Session `json:"meta,omitempty"`
	Node    *memory.Node    `json:"node,omitempty"`
	File    *memory.File    `json:"file,omitempty"`
}

// Export writes the session as a parcel: what was durable when it was called.
func (x *Session) Export(to io.Writer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	line := func(l parcelLine) error {
		raw, err := memory.Encode(l)
		if err == nil {
			_, err = w.Write(append(raw, '\n'))
		}
		return err
	}
	meta := x.Meta()
	if err := line(parcelLine{Version: parcelVersion, Meta: &meta}); err != nil {
		return err
	}
	sent := map[string]bool{}
	for n, err := range x.Nodes(0) {
		if err != nil {
			return err
		}
		for i := range n.Metadata.Files {
			f := n.Metadata.Files[i]
			if sent[f.Path] || !strings.HasPrefix(f.Path, filesDir+"/") {
				continue
			}
			sent[f.Path] = true
			if err := x.exportFile(w, f, line); err != nil && !errors.Is(err, ErrNoFile) { // an image that is not kept, or a text that is lost here too
				return err
			}
		}
		if err := line(parcelLine{Node: &n}); err != nil {
			return err
		}
	}
	return w.Flush()
}

func (x *Session) exportFile(w io.Writer, f memory.File, line func(parcelLine) error) error {
	content, err := x.File(f)
	if err != nil {
		return err
	}
	defer content.Close() //nolint:errcheck // opened for reading
	if err := line(parcelLine{File: &f}); err != nil {
		return err
	}
	if n, err := io.Copy(w, content); err != nil || n != f.Bytes {
		return errors.Join(err, fmt.Errorf("read %s of session %s: %d bytes of %d", f.Path, x.id, n, f.Bytes))
	}
	return nil
}

// Import makes the session id of a parcel. What is there already stays as it is, and the error wraps ErrThere; after any other error
// there is no such session. The parcel may come from anywhere: every part of it is checked.
func (s *Store) Import(id string, from io.Reader) (*Session, error) {
	s.sweepOnce()
	r := bufio.NewReaderSize(from, 1<<16)
	first, err := readParcelLine(r)
	if err != nil || first.Meta == nil || first.Version == 0 {
		return nil, errors.Join(errParcel, err)
	}
	if first.Version > parcelVersion {
		return nil, fmt.Errorf("session %s was sent by a newer version: update Dormouse here", id)
	}
	meta := *first.Meta
	if meta.ID != id || !safeName(id) || meta.Agent == "" || meta.AgentSessionID == "" || meta.Machine == "" {
		return nil, errParcel
	}
	x, err := s.ensure(meta)
	switch {
	case err != nil:
		return nil, err
	case x == nil:
		return nil, fmt.Errorf("%w: %s is another session here", ErrThere, id)
	case x.there():
		return nil, fmt.Errorf("%w: %s", ErrThere, id)
	}
	b := x.Begin(true)
	defer b.Abort()
	if err := s.importNodes(b, r); err != nil {
		return nil, fmt.Errorf("take in session %s: %w", id, err)
	}
	if err := b.Close(true); err != nil {
		return nil, err
	}
	return x, x.Update(func(m *memory.Session) {
		nodes, turns, redacted, root, head := m.Nodes, m.Turns, m.Redacted, m.RootID, m.HeadID
		*m = meta
		m.Nodes, m.Turns, m.Redacted, m.RootID, m.HeadID = nodes, turns, redacted, root, head
	})
}

// Errors of Import.
var (
	// ErrThere says that there is such a session already.
	ErrThere  = errors.New("there is such a session already")
	errParcel = errors.New("what was sent is not the session that was asked for, or is damaged")
)

func (s *Store) importNodes(b *Batch, r *bufio.Reader) error {
	count := 0
	for {
		l, err := readParcelLine(r)
		switch {
		case errors.Is(err, io.EOF) && count > 0:
			return nil
		case err != nil:
			return errors.Join(errParcel, err)
		case l.Node != nil:
			if _, err := b.Append(*l.Node); err != nil {
				return err
			}
			count++
		case l.File != nil:
			if err := s.importFile(b, l.File, r); err != nil {
				return err
			}
		}
	}
}

// importFile stores a long text. It is read into a file first, since its hash is what it is found by.
func (s *Store) importFile(b *Batch, f *memory.File, r io.Reader) error {
	temp, err := disk.CreateTemp(s.opts.Dir, home.TempPrefix+"*")
	if err != nil {
		return err
	}
	defer disk.Remove(temp.Name()) //nolint:errcheck // the next start removes it
	defer temp.Close()             //nolint:errcheck // it is removed
	if n, err := io.CopyN(temp, r, f.Bytes); err != nil || n != f.Bytes {
		return errors.Join(errParcel, err)
	}
	if _, err := temp.Seek(0, io.SeekStart); err != nil {
		return err
	}
	got, err := b.File(temp, strings.TrimPrefix(path.Ext(f.Path), "."))
	if err == nil && (got.Path != f.Path || got.Blob != f.Blob) {
		err = errParcel
	}
	return err
}

// readParcelLine reads a line. One without an end is damaged; io.EOF comes at the end alone.
func readParcelLine(r *bufio.Reader) (l parcelLine, err error) {
	var raw []byte
	for {
		part, err := r.ReadSlice('\n')
		raw = append(raw, part...)
		if err == nil {
			break
		}
		if errors.Is(err, io.EOF) && len(raw) == 0 {
			return l, io.EOF
		}
		if !errors.Is(err, bufio.ErrBufferFull) || len(raw) > maxParcelLine {
			return l, errParcel
		}
	}
	if err := json.Unmarshal(raw, &l); err != nil {
		return l, fmt.Errorf("%w: %w", errParcel, err)
	}
	return l, nil
}

// Drop removes a session's folder and nothing that is known of it: a copy of what another machine keeps. It comes back when it is imported
// again.
func (s *Store) Drop(id string) error {
	x, err := s.Open(id)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	dir := x.dir()
	s.forget(id, x)
	if err := removeWhole(dir); err != nil {
		return fmt.Errorf("remove the copy of session %s in %s: %w", id, filepath.Dir(dir), err)
	}
	s.opts.OnChange(id)
	return nil
}
