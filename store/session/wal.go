package session

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dormouse/store/disk"
	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/memory"
)

const tempPattern = ".tmp-*"

// writeNode puts a node file into history/, whole or not at all. It is durable when its turn is committed, or once it and the
// folder were synced.
func writeNode(dir, name string, data []byte) (stat gitrepo.Stat, err error) {
	history := filepath.Join(dir, historyDir)
	path := filepath.Join(history, name)
	tmp, err := disk.CreateTemp(history, tempPattern)
	if errors.Is(err, fs.ErrNotExist) {
		if err = home.Mkdir(history); err == nil {
			tmp, err = disk.CreateTemp(history, tempPattern)
		}
	}
	if err != nil {
		return stat, fmt.Errorf("write node %s: %w", path, err)
	}
	_, err = tmp.Write(data)
	if info, statErr := tmp.Stat(); statErr == nil {
		stat = gitrepo.StatOf(info)
	}
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = disk.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = disk.Remove(tmp.Name())
		return stat, fmt.Errorf("write node %s: %w", path, err)
	}
	return stat, nil
}

// syncNode makes the content of a node file durable.
func syncNode(dir, name string) error {
	f, err := disk.OpenFile(filepath.Join(dir, historyDir, name), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// loadFiles looks at the work tree's history/: files of committed nodes are hot; the others are the open turn, as long as
// they are whole and follow on the committed ones without a gap.
func (st *state) loadFiles() error {
	list, err := os.ReadDir(filepath.Join(st.repo.Dir(), historyDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var fresh []entry
	for _, d := range list {
		_, _, id, ok := parseName(d.Name())
		if !ok {
			continue // somebody's own file, or one that was not finished
		}
		i, known := st.ids()[id]
		if known && st.entries[i].name == d.Name() {
			st.entries[i].hot = true
			if info, err := d.Info(); err == nil {
				st.entries[i].stat = gitrepo.StatOf(info)
			}
			continue
		}
		fresh = append(fresh, entry{name: d.Name(), hot: true})
	}
	slices.SortFunc(fresh, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	for _, f := range fresh {
		if err := st.addFile(f); err != nil {
			st.stale[f.seq()] = append(st.stale[f.seq()], f.name)
			st.problem("history/%s is ignored: %v", f.name, err)
		}
	}
	return nil
}

// addFile takes a file of the open turn.
func (st *state) addFile(f entry) error {
	if f.seq() != st.nextSeq() {
		return fmt.Errorf("it does not follow on node %d", st.nextSeq()-1)
	}
	if _, known := st.ids()[f.id()]; known {
		return errors.New("its node is there under another number")
	}
	path := filepath.Join(st.repo.Dir(), historyDir, f.name)
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var n memory.Node
	if err := json.Unmarshal(data, &n); err != nil {
		return fmt.Errorf("it is not whole: %w", err)
	}
	if n.ID != f.id() || n.Seq != f.seq() {
		return fmt.Errorf("it holds node %q with number %d", n.ID, n.Seq)
	}
	if info, err := os.Stat(path); err == nil {
		f.stat = gitrepo.StatOf(info)
	}
	f.oid = gitrepo.Sum(gitrepo.Blob, data)
	st.ids()[f.id()] = len(st.entries)
	st.entries = append(st.entries, f)
	st.pending = append(st.pending, headerOf(&n))
	noteSubject(st.subjects, &n)
	return nil
}

// noteSubject keeps what the turn's commit message will show: the prompt's text, or before the first prompt the first text
// that there is.
func noteSubject(of map[int]string, n *memory.Node) {
	if _, have := of[n.Metadata.Turn]; n.StartsTurn() || !have && n.Metadata.Turn == 0 && n.Output != "" {
		of[n.Metadata.Turn] = subject(n.Output)
	}
}

// dropStale removes ignored files whose number a new node takes.
func (st *state) dropStale(dir string, seq int, except string) {
	for _, name := range st.stale[seq] {
		if name != except {
			_ = disk.Remove(filepath.Join(dir, historyDir, name))
		}
	}
	delete(st.stale, seq)
}

// removeTemps deletes what interrupted writes left in a session. It is for the writer, before it writes.
func removeTemps(repo *gitrepo.Repo) error {
	if err := repo.RemoveTemps(); err != nil {
		return err
	}
	for _, dir := range []string{repo.Dir(), filepath.Join(repo.Dir(), historyDir)} {
		if err := home.RemoveTemps(dir); err != nil {
			return err
		}
	}
	return nil
}

// readEntry reads a node's file: the one in history/ while it is there unchanged, else the committed object.
func readEntry(repo *gitrepo.Repo, r *gitrepo.Reader, e *entry) ([]byte, error) {
	path := filepath.Join(repo.Dir(), historyDir, e.name)
	if e.hot {
		if data, err := os.ReadFile(path); err == nil && gitrepo.Sum(gitrepo.Blob, data) == e.oid {
			return data, nil
		}
	}
	_, data, err := r.Object(e.oid)
	if errors.Is(err, gitrepo.ErrNotFound) && e.hot {
		return nil, fmt.Errorf("read node: %s is gone or was changed since it was written, and its turn is not committed yet: %w", path, err)
	}
	return data, err
}
