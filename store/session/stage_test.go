package session

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dormouse/store/disk"
	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// stage is a state folder and a project's, in which one operation is tried again and again from one beginning.
type stage struct {
	t     *testing.T
	root  string
	bound bool // the project is: its sessions are to live in its folder
	began map[string]original
	asked map[string]bool // what stock git had nothing to say to
}

// original is a file of the beginning, or a folder.
type original struct {
	data []byte
	mode fs.FileMode
	time time.Time
}

// quickDir is a temporary folder in memory where the system has a place for that: each step that is flushed would else wait for a disk.
func quickDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "dormouse-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func (w *stage) project() string { return filepath.Join(w.root, "shop") }

// store is the stage's store as a new process finds it.
func (w *stage) store() *Store {
	return New(Options{Dir: filepath.Join(w.root, "state", "sessions"), Machine: "00000001", Temps: []string{},
		Now: func() time.Time { return time.Unix(1_800_000_000, 0) },
		Inside: func(m memory.Session) string {
			if w.bound {
				return w.project()
			}
			return ""
		}})
}

// walk calls use for all that lies in the stage's folder, itself apart.
func (w *stage) walk(use func(rel string, d fs.DirEntry) error) {
	w.t.Helper()
	err := filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == w.root {
			return err
		}
		rel, err := filepath.Rel(w.root, path)
		if err != nil {
			return err
		}
		return use(filepath.ToSlash(rel), d)
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// keep notes the beginning.
func (w *stage) keep() {
	w.began = map[string]original{}
	w.walk(func(rel string, d fs.DirEntry) error {
		info, err := d.Info()
		if err != nil {
			return err
		}
		k := original{mode: info.Mode(), time: info.ModTime()}
		if !d.IsDir() {
			k.data, err = os.ReadFile(filepath.Join(w.root, rel))
		}
		w.began[rel] = k
		return err
	})
}

// reset brings the beginning back, with the times by which git knows files and we know packs. What is as it was is let be.
func (w *stage) reset() {
	w.t.Helper()
	same := map[string]bool{}
	w.walk(func(rel string, d fs.DirEntry) error {
		info, err := d.Info()
		k, was := w.began[rel]
		if same[rel] = err == nil && was && (d.IsDir() || k.time.Equal(info.ModTime()) && int64(len(k.data)) == info.Size()); same[rel] {
			return nil
		}
		if err := os.RemoveAll(filepath.Join(w.root, rel)); err != nil || !d.IsDir() {
			return err
		}
		return fs.SkipDir
	})
	for _, rel := range slices.Sorted(maps.Keys(w.began)) {
		k, path := w.began[rel], filepath.Join(w.root, filepath.FromSlash(rel))
		var err error
		switch {
		case same[rel]:
			continue
		case k.mode.IsDir():
			err = os.Mkdir(path, k.mode.Perm())
		default:
			err = errors.Join(os.WriteFile(path, k.data, k.mode.Perm()), os.Chtimes(path, k.time, k.time))
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// scene is what can be told of a session from outside.
type scene struct {
	dir   string // below the stage's folder
	meta  memory.Session
	nodes []string // as they are stored
	refs  string
	files string // in the work tree
}

// scenes looks at all sessions of a store.
func (w *stage) scenes(s *Store) map[string]scene {
	w.t.Helper()
	valid, invalid, err := s.List()
	if err != nil || len(invalid) > 0 {
		w.t.Fatalf("%v; these folders are no sessions: %q", err, invalid)
	}
	out := map[string]scene{}
	for _, m := range valid {
		x, err := s.Open(m.ID)
		if err != nil {
			w.t.Fatal(err)
		}
		c := scene{dir: strings.TrimPrefix(x.Dir(), w.root), refs: refsIn(w.t, x.Dir())}
		for _, n := range all(w.t, x) {
			data, err := n.MarshalJSON()
			if err != nil {
				w.t.Fatal(err)
			}
			c.nodes = append(c.nodes, string(data))
		}
		c.meta = x.Meta()
		list, _ := os.ReadDir(filepath.Join(x.Dir(), historyDir))
		for _, f := range list {
			c.files += f.Name() + "\n"
		}
		out[m.ID] = c
	}
	return out
}

func refsIn(t *testing.T, dir string) string {
	t.Helper()
	refs, err := gitrepo.Open(dir).Refs("refs/")
	if err != nil {
		t.Fatal(err)
	}
	head, err := gitrepo.Open(dir).Head()
	if err != nil {
		t.Fatal(err)
	}
	out := "HEAD " + head + "\n"
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		out += fmt.Sprintf("%s %s\n", name, refs[name])
	}
	return out
}

// fsck has stock git look for damage in every repository in the stage's folder.
func (w *stage) fsck() {
	w.t.Helper()
	w.ask(func(name string, data []byte) []byte { return data }, "fsck", "--strict", "--full", "--no-dangling")
}

// clean has stock git compare the sessions' work trees with what was committed.
func (w *stage) clean() {
	w.t.Helper()
	w.ask(func(name string, data []byte) []byte {
		if name == "index" {
			return withoutTimes(data)
		}
		return data
	}, "status", "--porcelain")
}

// ask asks stock git in every repository of a session, unless it was asked in just the same one. It is to say nothing. The content
// of files is compared as content gives it.
func (w *stage) ask(content func(name string, data []byte) []byte, args ...string) {
	w.t.Helper()
	var repos []string
	sums := map[string]hash.Hash{}
	w.walk(func(rel string, d fs.DirEntry) error {
		if d.Name() == ".git" && strings.Contains(rel, "/cc_") && exists(filepath.Join(w.root, rel, "HEAD")) {
			repo := filepath.Dir(rel)
			repos = append(repos, repo)
			sums[repo] = sha256.New()
			fmt.Fprintln(sums[repo], args)
		}
		for _, r := range repos {
			if strings.HasPrefix(rel, r+"/") && d.Type().IsRegular() && !strings.HasPrefix(d.Name(), "tmp_") {
				data, err := os.ReadFile(filepath.Join(w.root, rel))
				data = content(d.Name(), data)
				fmt.Fprintf(sums[r], "%s %d\n", rel, len(data))
				_, _ = sums[r].Write(data)
				return err
			}
		}
		return nil
	})
	for _, r := range repos {
		sum := string(sums[r].Sum(nil))
		if w.asked[sum] {
			continue
		}
		for line := range strings.Lines(stock(w.t, filepath.Join(w.root, r), args...)) {
			if !strings.HasPrefix(line, "notice: ") { // that there is no commit yet
				w.t.Errorf("git %v in %s says: %s", args, r, line)
			}
		}
		w.asked[sum] = true
	}
}

// withoutTimes is git's index without what it says of times and sizes of the files, nor its sum.
func withoutTimes(index []byte) []byte {
	out := slices.Clone(index[:max(len(index)-20, 0)])
	for at := 12; at+62 < len(out); { // gitformat-index: 62 bytes of an entry before its path, or 64
		clear(out[at : at+40])
		path := at + 62
		if out[at+60]&0x40 != 0 {
			path += 2
		}
		end := bytes.IndexByte(out[path:], 0)
		if end < 0 {
			break
		}
		at += (path + end - at + 8) &^ 7
	}
	return out
}

// leftovers are unfinished files and folders, and locks.
func (w *stage) leftovers() (out []string) {
	w.walk(func(rel string, d fs.DirEntry) error {
		n := d.Name()
		for _, mark := range []string{".tmp-", newPrefix, gonePrefix, "tmp_"} {
			if strings.HasPrefix(n, mark) && !strings.HasPrefix(n, "tmp_spare_") {
				out = append(out, rel)
			}
		}
		if strings.HasSuffix(n, ".lock") {
			out = append(out, rel)
		}
		return nil
	})
	return out
}

// end is how the step with a number goes wrong. taken counts the steps.
type end struct {
	name string
	at   func(k int, taken *int) func(disk.Step) error
}

var ends = []end{{"fails at", fails}, {"dies before", dies}, {"dies within", diesWithin}, {"loses power at", powerFails}}

var errDead = errors.New("this process is dead")

// fails has one step fail: there is no room, or the disk does not do it.
func fails(k int, taken *int) func(disk.Step) error {
	return func(s disk.Step) error {
		if *taken++; *taken != k {
			return nil
		}
		why := syscall.EIO
		switch s.Op {
		case "create", "write", "make folder", "make folders":
			why = syscall.ENOSPC
		}
		return &fs.PathError{Op: s.Op, Path: s.Path, Err: why}
	}
}

// dies ends the process before a step: neither that one nor any other reaches the disk, those that tidy up included.
func dies(k int, taken *int) func(disk.Step) error {
	return func(disk.Step) error {
		if *taken++; *taken >= k {
			return errDead
		}
		return nil
	}
}

// diesWithin is dies in the middle of a step: half of the bytes are written, half of a folder is removed.
func diesWithin(k int, taken *int) func(disk.Step) error {
	return func(s disk.Step) error {
		if *taken++; *taken < k {
			return nil
		}
		if half := s.Data[:len(s.Data)/2]; *taken == k && len(half) > 0 {
			if s.At < 0 {
				_, _ = s.File.Write(half)
			} else {
				_, _ = s.File.WriteAt(half, s.At)
			}
		}
		if *taken == k && s.Op == "remove all" {
			n := 0
			_ = filepath.WalkDir(s.Path, func(path string, d fs.DirEntry, err error) error {
				if n++; err == nil && !d.IsDir() && n%2 == 0 {
					return os.Remove(path)
				}
				return nil
			})
		}
		return errDead
	}
}

// powerFails is dies where what was written and not flushed is lost as well.
func powerFails(k int, taken *int) func(disk.Step) error {
	loose := map[string]bool{}
	return func(s disk.Step) error {
		if *taken++; *taken > k {
			return errDead
		}
		if *taken == k {
			for path := range loose {
				_ = os.Truncate(path, 0)
			}
			return errDead
		}
		switch s.Op {
		case "write", "cut":
			loose[s.Path] = true
		case "flush":
			delete(loose, s.Path)
		case "rename":
			if delete(loose, s.To); loose[s.Path] {
				delete(loose, s.Path)
				loose[s.To] = true
			}
		}
		return nil
	}
}
