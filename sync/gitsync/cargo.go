package gitsync

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"dormouse/store/gitrepo"
	"dormouse/sync/seal"
)

// cargo is where sessions are packed for a remote, and unpacked: a repository of its own, in which nothing stays.
type cargo struct {
	repo   *gitrepo.Repo
	remote RefRemote
	ring   *seal.Ring // nil for a remote that is not encrypted
}

// What the tree of a session holds.
const (
	sessionMark  = "dormouse-session" // the version of the form
	sessionParts = "parts"            // 6 digits each, from 0
	partSize     = seal.MaxData       // bytes of the stream in a part
	maxParts     = maxParcel/partSize + 2
)

var errLarge = errors.New("the session is too large to be carried")

func (s *Syncer) cargoOf(url string) (cargo, error) {
	ring, ok, err := s.vault.ring(url)
	if err != nil {
		return cargo{}, err
	}
	if !ok {
		return s.cargoAt(url, nil)
	}
	return s.cargoAt(url, &ring)
}

func (s *Syncer) cargoAt(url string, ring *seal.Ring) (cargo, error) {
	repo := gitrepo.OpenBare(filepath.Join(s.o.Repo.Dir(), ".git", "dormouse-sessions.git"))
	repo.Cold = func(string) bool { return true }
	if err := repo.Init(nil); err != nil {
		return cargo{}, fmt.Errorf("pack sessions: %w", err)
	}
	if err := repo.Purge(); err != nil { // what a crash has left
		return cargo{}, fmt.Errorf("pack sessions: %w", err)
	}
	remote, ok := s.o.ConnectSealed(repo, url).(RefRemote)
	if !ok {
		return cargo{}, fmt.Errorf("%s holds one branch and no sessions", url)
	}
	return cargo{repo, remote, ring}, nil
}

// ref is the ref of a session.
func (g *cargo) ref(id string) string {
	if g.ring != nil {
		return sessionRefs + g.ring.SessionName(id)
	}
	return sessionRefs + id
}

// pack writes a session's objects and gives their commit and how many bytes they have. The commit has no date: when a session was sent is
// nobody's business.
func (g *cargo) pack(p Parcel) (commit gitrepo.OID, size int64, err error) {
	w := &partWriter{g: g, files: map[string]gitrepo.OID{}}
	if g.ring != nil {
		var of [8]byte
		_, _ = rand.Read(of[:])
		w.of = sessionLog(p.ID) + hex.EncodeToString(of[:])
	}
	if err := p.Write(w); err != nil {
		return commit, 0, err
	}
	if err := w.close(); err != nil {
		return commit, 0, err
	}
	if w.files[sessionMark], err = g.repo.WriteLoose(gitrepo.Blob, []byte(sealedFormat)); err != nil {
		return commit, 0, err
	}
	tree, err := g.repo.Graft(gitrepo.OID{}, w.files)
	if err != nil {
		return commit, 0, err
	}
	commit, err = g.repo.WriteLoose(gitrepo.Commit, gitrepo.EncodeCommit(tree, nil, 0, "Session"))
	return commit, w.size, err
}

// sessionLog begins what the parts of a session are sealed with in place of a log's path. No log has such a path.
func sessionLog(id string) string { return "session " + id + " " }

// partWriter cuts a stream into parts.
type partWriter struct {
	g     *cargo
	of    string // what the parts are sealed with
	buf   []byte
	at    int64 // of the stream, where buf begins
	size  int64
	files map[string]gitrepo.OID
}

func (w *partWriter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		k := min(len(p), partSize-len(w.buf))
		w.buf = append(w.buf, p[:k]...)
		p = p[k:]
		if len(w.buf) == partSize {
			if err := w.part(); err != nil {
				return n - len(p), err
			}
		}
	}
	return n, nil
}

func (w *partWriter) part() error {
	if w.at+int64(len(w.buf)) > maxParcel {
		return errLarge
	}
	raw := w.buf
	if w.g.ring != nil {
		var err error
		if raw, err = w.g.ring.SealSegment(seal.Segment{Log: w.of, From: w.at, Data: w.buf}); err != nil {
			return err
		}
	}
	oid, err := w.g.repo.WriteLoose(gitrepo.Blob, raw)
	if err != nil {
		return err
	}
	w.files[partName(len(w.files))] = oid
	w.at, w.size, w.buf = w.at+int64(len(w.buf)), w.size+int64(len(raw)), w.buf[:0]
	return nil
}

// close writes what is left, and an empty part by which a reader knows that nothing was cut off.
func (w *partWriter) close() error {
	if len(w.buf) > 0 {
		if err := w.part(); err != nil {
			return err
		}
	}
	if w.of == "" {
		return nil
	}
	return w.part()
}

func partName(n int) string { return fmt.Sprintf("%s/%06d", sessionParts, n) }

// unpack reads a session's stream from its commit.
func (g *cargo) unpack(id string, tip gitrepo.OID) (io.ReadCloser, error) {
	x := g.repo.Reader()
	r := &partReader{g: g, x: x, id: id, parts: map[int]gitrepo.OID{}}
	err := r.list(tip)
	if err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return r, nil
}

type partReader struct {
	g     *cargo
	x     *gitrepo.Reader
	id    string
	of    string
	parts map[int]gitrepo.OID
	n     int
	at    int64
	buf   []byte
	ended bool
}

var errParts = errors.New("what the remote holds of the session is damaged, or not from one of your machines")

func (r *partReader) list(tip gitrepo.OID) error {
	if _, err := r.x.Lookup(tip, sessionMark); err != nil {
		return fmt.Errorf("%w: %w", errParts, err)
	}
	dir, err := r.x.Lookup(tip, sessionParts)
	if err != nil || !dir.IsTree() {
		return errParts
	}
	entries, err := r.x.Tree(dir.OID)
	if err != nil || len(entries) > maxParts {
		return errParts
	}
	for _, e := range entries {
		n, err := strconv.Atoi(e.Name)
		if err != nil || !plain(e) {
			return errParts
		}
		r.parts[n] = e.OID
	}
	return nil
}

func (r *partReader) Read(p []byte) (int, error) {
	for len(r.buf) == 0 {
		if r.ended || r.g.ring == nil && r.n == len(r.parts) {
			return 0, io.EOF
		}
		if err := r.part(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.buf)
	r.buf = r.buf[n:]
	return n, nil
}

// part reads the next part. Of an encrypted session all parts have to be there, in their order and of one sending.
func (r *partReader) part() error {
	oid, ok := r.parts[r.n]
	if !ok {
		return errParts
	}
	if size, err := r.x.Size(oid); err != nil || size > 2*partSize {
		return errParts
	}
	_, raw, err := r.x.Object(oid)
	if err != nil {
		return err
	}
	r.n++
	if r.g.ring == nil {
		r.buf = raw
		return nil
	}
	seg, err := r.g.ring.OpenSegment(raw)
	if err != nil {
		return fmt.Errorf("%w: %w", errParts, err)
	}
	begin := sessionLog(r.id)
	if r.of == "" && len(seg.Log) > len(begin) && seg.Log[:len(begin)] == begin {
		r.of = seg.Log
	}
	if r.of == "" || seg.Log != r.of || seg.From != r.at {
		return errParts
	}
	r.buf, r.at, r.ended = seg.Data, r.at+int64(len(seg.Data)), len(seg.Data) == 0
	return nil
}

func (r *partReader) Close() error { return r.x.Close() }
