package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// shelf is what the engine knows of one library. Its fields are guarded by Engine.mu, but for those of a round.
type shelf struct {
	agent, path string
	files       map[string]stat // that the newest walk found and the system told of since
	cursor      shelfCursor
	loaded      bool
	again       bool              // its sessions are looked through whatever its files say
	versions    map[string]string // of its sessions, as they were captured; of a round
}

// shelfCursor is what is stored of a library.
type shelfCursor struct {
	Path string `json:"path"`
	// Signature is that of its files when everything in it was captured; empty while something is left.
	Signature string `json:"signature"`
	// Open are the sessions that are not over, with the times of their newest records.
	Open map[string]int64 `json:"open,omitempty"`
	// Images says that its sessions were looked through for images to keep.
	Images bool `json:"images,omitempty"`
}

// shelving collects the files of libraries during a walk.
type shelving map[[2]string]map[string]stat

func (s shelving) add(agent, library, path string, st stat) {
	key := [2]string{agent, library}
	if s[key] == nil {
		s[key] = map[string]stat{}
	}
	s[key][path] = st
}

// shelf is the library of an agent at a path.
func (e *Engine) shelf(agent, path string) *shelf {
	key := agent + "\x00" + path
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.shelves[key]
	if s == nil {
		s = &shelf{agent: agent, path: path, files: map[string]stat{}, versions: map[string]string{}}
		e.shelves[key] = s
	}
	return s
}

// note takes a version of one of the files.
func (s *shelf) note(e *Engine, path string, st stat) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s.files[path] = st
}

// shelve takes over what a walk found.
func (e *Engine) shelve(found shelving) {
	for key, files := range found {
		s := e.shelf(key[0], key[1])
		e.mu.Lock()
		s.files = files
		e.mu.Unlock()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for name, s := range e.shelves {
		if found[[2]string{s.agent, s.path}] == nil {
			delete(e.shelves, name)
		}
	}
}

// load loads what an earlier process stored of a library. Callers hold e.mu.
func (s *shelf) load(e *Engine) {
	if s.loaded {
		return
	}
	s.loaded = true
	if ok, err := e.get(shelfKey(s), &s.cursor); err != nil || !ok || s.cursor.Path != s.path {
		s.cursor = shelfCursor{Path: s.path}
	}
	for id, updated := range s.cursor.Open {
		key := sessionKey{s.agent, id}
		e.open[key] = max(e.open[key], updated)
	}
}

// due reports whether the library may hold something new. Callers hold e.mu.
func (s *shelf) due(e *Engine) bool {
	s.load(e)
	if len(s.files) == 0 {
		return false
	}
	if s.again || e.o.KeepImages && !s.cursor.Images || s.cursor.Signature != signature(s.files) {
		return true
	}
	for id := range s.cursor.Open {
		if updated, open := e.open[sessionKey{s.agent, id}]; open && e.over(updated) {
			return true
		}
	}
	for key := range e.unplaced {
		if key.agent == s.agent && e.askAgain(key) {
			return true
		}
	}
	return false
}

// dueShelves are the libraries with something to do: all of them, or with only, those that hold one of its paths.
func (e *Engine) dueShelves(only map[string]bool) []*shelf {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []*shelf
	for _, name := range slices.Sorted(maps.Keys(e.shelves)) {
		s := e.shelves[name]
		if only != nil && !s.holds(only) {
			continue
		}
		if p := e.problems[s.place()]; p != nil && e.o.Now().Before(p.Next) {
			continue
		}
		if s.due(e) {
			out = append(out, s)
		}
	}
	return out
}

// place is where a Problem says that the library cannot be read.
func (s *shelf) place() string { return "store " + s.path }

// shelfTrouble notes that a library could not be read. When it goes away before it could, that counts as a loss.
func (e *Engine) shelfTrouble(s *shelf, err error) {
	e.trouble(s.agent, s.place(), err)
	e.mu.Lock()
	defer e.mu.Unlock()
	if p := e.problems[s.place()]; p != nil {
		p.paths = []string{s.path}
	}
}

func (s *shelf) holds(paths map[string]bool) bool {
	for p := range paths {
		if _, ok := s.files[p]; ok {
			return true
		}
	}
	return false
}

// isFile reports whether the library is one file and not a folder of them.
func (s *shelf) isFile() bool {
	_, ok := s.files[s.path]
	return ok
}

// isDatabase reports whether the library is a file that may have a log beside it. Callers hold e.mu.
func (s *shelf) isDatabase() bool {
	switch filepath.Ext(s.path) {
	case ".db", ".vscdb", ".sqlite":
		return s.isFile()
	}
	return false
}

// signature tells versions of a set of files apart.
func signature(files map[string]stat) string {
	var all [16]byte
	for path, st := range files {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d\x00%d", path, st.size, st.mtime, st.inode))
		for i := range all {
			all[i] ^= sum[i]
		}
	}
	return fmt.Sprintf("%d.%s", len(files), hex.EncodeToString(all[:]))
}

func shelfKey(s *shelf) string {
	sum := sha256.Sum256([]byte(s.path))
	return "capture/library/" + s.agent + "/" + hex.EncodeToString(sum[:16])
}

func entryKey(s *shelf, session string) string {
	sum := sha256.Sum256([]byte(s.path + "\x00" + session))
	return "capture/entry/" + s.agent + "/" + hex.EncodeToString(sum[:16])
}

// version is the version of a session as it was captured from this library; empty where it was not.
func (s *shelf) version(e *Engine, session string) string {
	v, ok := s.versions[session]
	if !ok {
		if _, err := e.get(entryKey(s, session), &v); err != nil {
			v = ""
		}
		s.versions[session] = v
	}
	return v
}

// told stands for a parser where a library hands the nodes over.
type told struct {
	nodes []memory.Node
	bytes int
	facts transcript.Facts
}

func (t *told) Open(transcript.File) {}
func (t *told) Feed(transcript.Line) {}

func (t *told) Facts() transcript.Facts { return t.facts }

func (t *told) Drain(transcript.Settle) []memory.Node {
	out := t.nodes
	t.nodes, t.bytes = nil, 0
	return out
}

// put takes a node, and from it what has to be known of a session before anything of it is stored.
func (t *told) put(n memory.Node) {
	f := &t.facts
	if f.Cwd == "" {
		f.Cwd = n.Metadata.Cwd
	}
	if f.Created == 0 || n.CreatedAt > 0 && n.CreatedAt < f.Created {
		f.Created = n.CreatedAt
	}
	if f.FirstPrompt == "" && n.StartsTurn() {
		f.FirstPrompt = n.Output
		f.Own = strings.Contains(n.Output, transcript.OwnMark)
	}
	if t.nodes == nil {
		t.nodes = make([]memory.Node, 0, 8)
	}
	t.nodes = append(t.nodes, n)
	t.bytes += weight(&n)
}

// weight is about how long a node is, in bytes.
func weight(n *memory.Node) int {
	total := 300 + len(n.Input) + len(n.Output) + len(n.Metadata.Thinking)
	for i := range n.Metadata.Edits {
		total += len(n.Metadata.Edits[i].Diff)
	}
	return total
}
