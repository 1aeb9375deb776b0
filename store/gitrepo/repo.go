package gitrepo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"dormouse/store/disk"
)

// MainBranch is the ref that our repositories commit to.
const MainBranch = "refs/heads/main"

// Repo is a repository of ours with a work tree. Its methods may be called from several goroutines, except that only one
// may write at a time.
type Repo struct {
	dir  string // work tree
	git  string // dir/.git; of a bare one, dir itself
	bare bool

	draft *draft // see Draft

	// Cold says of a path which is committed that it does not lie in the work tree, so that git status does not miss it. Nil
	// says so of none. It is set before the repository is used.
	Cold func(path string) bool

	writing sync.Mutex // one change of branch and index at a time

	mu    sync.Mutex
	packs []*pack // as found by the last listing; nil before the first
}

// Open is the repository whose work tree is dir. It touches nothing.
func Open(dir string) *Repo { return &Repo{dir: dir, git: filepath.Join(dir, ".git")} }

// Dir is the work tree.
func (r *Repo) Dir() string { return r.dir }

// Exists reports whether there is a repository.
func (r *Repo) Exists() bool {
	_, err := os.Stat(filepath.Join(r.git, "objects"))
	return err == nil
}

const configStart = "[core]"

// Settings of every repository that is made. Line ends are never changed, so a checkout gives the bytes that were
// committed on every system; the small stat check keeps git status clean when a folder is copied to another machine.
// Nothing is collected behind our back: gc.auto=0.
const config = configStart + `
	repositoryformatversion = 0
	filemode = false
	bare = false
	autocrlf = false
	eol = lf
	checkStat = minimal
	trustctime = false
[gc]
	auto = 0
[maintenance]
	auto = false
`

// Init makes the repository without git's templates, or fills in what an interrupted Init left out. Paths in exclude (as in
// .gitignore) are not shown by git status. What is there already stays.
func (r *Repo) Init(exclude []string) error {
	if r.draft != nil {
		return r.initDraft(exclude)
	}
	if err := r.makeFolders(); err != nil {
		return fmt.Errorf("make repository %s: %w", r.dir, err)
	}
	hidden, settings := "info/exclude", r.config()
	if r.wasDraft() {
		hidden, settings = draftExclude, draftConfig
	}
	files := map[string]string{
		"HEAD":   "ref: " + MainBranch + "\n",
		"config": settings,
		hidden:   strings.Join(exclude, "\n") + "\n",
	}
	for name, content := range files {
		path := filepath.Join(r.git, filepath.FromSlash(name))
		if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			continue
		}
		if err := r.writeBytes(path, false, []byte(content)); err != nil {
			return fmt.Errorf("make repository %s: %w", r.dir, err)
		}
	}
	return nil
}

// makeFolders makes the folders that git asks for and ours are in.
func (r *Repo) makeFolders() error {
	folders := []string{"objects/pack", "refs"}
	if !r.wasDraft() {
		folders = append(folders, "info")
	}
	for _, d := range folders {
		if err := disk.MkdirAll(filepath.Join(r.git, filepath.FromSlash(d)), dirMode); err != nil {
			return err
		}
	}
	return nil
}

// stat is os.Stat, where somebody may have written before.
func (r *Repo) stat(path string) (os.FileInfo, error) {
	if r.draft != nil {
		return nil, os.ErrNotExist
	}
	return os.Stat(path)
}

// RemoveTemps deletes what interrupted writes left behind: temporary files, locks of ours, and packs that never got their index. A pack
// that lost its index later stays, because git index-pack can make that again. It is for the only writer, before it writes.
func (r *Repo) RemoveTemps() error {
	packDir := filepath.Join(r.git, "objects", "pack")
	var doomed []string
	for _, dir := range []string{r.git, filepath.Join(r.git, "objects"), packDir} {
		names, err := list(dir, tempPrefix, "")
		if err != nil {
			return err
		}
		doomed = append(doomed, names...)
	}
	packs, err := list(packDir, "pack-", ".pack")
	if err != nil {
		return err
	}
	for _, p := range packs {
		if _, err := os.Stat(strings.TrimSuffix(p, ".pack") + ".idx"); errors.Is(err, os.ErrNotExist) && r.neverUsed(p) {
			doomed = append(doomed, p)
		}
	}
	locks, err := r.ownLocks()
	if err != nil {
		return err
	}
	for _, p := range append(doomed, locks...) {
		if err := disk.Remove(p); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove left-over %s: %w", p, err)
		}
	}
	return nil
}

// neverUsed reports whether a pack is younger than every branch's ref, so that no commit can need it: a ref moves after the
// pack is written.
func (r *Repo) neverUsed(pack string) bool {
	p, err := os.Stat(pack)
	if err != nil {
		return false
	}
	refs, err := list(r.refPath("refs/heads"), "", "")
	if err != nil {
		return false
	}
	for _, name := range append(refs, r.refPath(MainBranch), r.refPath("packed-refs")) {
		if ref, err := os.Stat(name); err == nil && !p.ModTime().After(ref.ModTime()) {
			return false
		}
	}
	return true
}

// list gives the paths of what lies in dir with this beginning and end of its name; none where there is no dir.
func list(dir, prefix, suffix string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if n := e.Name(); strings.HasPrefix(n, prefix) && strings.HasSuffix(n, suffix) {
			out = append(out, filepath.Join(dir, n))
		}
	}
	return out, nil
}

// OnMain reports whether HEAD is the main branch, that is, whether the work tree and the index show it.
func (r *Repo) OnMain() bool {
	head, err := r.Head()
	return err == nil && head == MainBranch
}
