package session

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// errInvalid says that a folder is no session: it has no meta.json, or one that is no JSON object.
var errInvalid = errors.New("not a valid session")

// readMeta reads a session folder's meta.json. The folder's name is the session's id, whatever the file says.
func readMeta(dir string) (memory.Session, error) {
	var m memory.Session
	b, err := os.ReadFile(filepath.Join(dir, metaFile))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(dir); err != nil {
			return m, fmt.Errorf("%w: %s", ErrNotFound, filepath.Base(dir))
		}
		return m, fmt.Errorf("%w: %s has no %s", errInvalid, dir, metaFile)
	}
	if info, serr := os.Stat(filepath.Join(dir, metaFile)); err != nil && serr == nil && info.IsDir() {
		return m, fmt.Errorf("%w: %w; move it away", errInvalid, err)
	}
	if err != nil {
		return m, fmt.Errorf("open session: %w", err)
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, fmt.Errorf("%w: %s: %w", errInvalid, filepath.Join(dir, metaFile), err)
	}
	if b = bytes.TrimSpace(b); b[0] != '{' {
		return m, fmt.Errorf("%w: %s holds no JSON object", errInvalid, filepath.Join(dir, metaFile))
	}
	m.ID = filepath.Base(dir)
	return m, nil
}

func writeMeta(dir string, m memory.Session) error { return writeMetaOf(gitrepo.Open(dir), m) }

func writeMetaOf(repo *gitrepo.Repo, m memory.Session) error {
	b, err := memory.Encode(m)
	if err != nil {
		return err
	}
	path := filepath.Join(repo.Dir(), metaFile)
	err = repo.Replace(path, "meta", append(b, '\n'))
	if errors.Is(err, fs.ErrNotExist) { // somebody removed .git: what is left of the session still has its facts
		return home.WriteFile(path, append(b, '\n'))
	}
	return err
}

// note brings what is derived from the nodes up to date with one more node; at is its place in history/, from 1.
func note(m *memory.Session, id string, h header, at int) {
	m.Nodes = at
	m.Turns = max(m.Turns, h.turn)
	m.Redacted += h.redacted
	if at == 1 {
		m.RootID = memory.Ref(id)
	}
	m.UpdatedAt = max(m.UpdatedAt, h.created)
	if m.CreatedAt == 0 {
		m.CreatedAt = h.created
	}
	if h.agent == "" {
		m.HeadID = memory.Ref(id)
	}
}

// modelOf is the model of an answer in the main conversation, else empty.
func modelOf(n *memory.Node) string {
	if n.Role != memory.RoleAssistant || n.Metadata.AgentID != "" {
		return ""
	}
	return n.Metadata.Model
}

// repaired is what meta should say of a history that has other nodes than it counts. The nodes after those that it counts
// are noted anew; when it counts more than there are, all are.
func repaired(m memory.Session, st *state) (memory.Session, error) {
	from := m.Nodes
	if from > len(st.entries) {
		from, m.Turns, m.Redacted, m.HeadID, m.UpdatedAt = 0, 0, 0, "", 0
	}
	r := st.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	for i := from; i < len(st.entries); i++ {
		n, err := readNode(st.repo, r, &st.entries[i])
		if err != nil {
			return m, err
		}
		note(&m, n.ID, headerOf(&n), i+1)
		m.Model = cmp.Or(modelOf(&n), m.Model)
	}
	m.Nodes = len(st.entries)
	return m, nil
}
