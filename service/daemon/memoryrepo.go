package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/ledger"
	"dormouse/sync/gitsync"
)

// asideDir is the folder in the state folder for what was damaged and replaced, for a person to look at.
const asideDir = "damaged"

// logDir is where the memory repository holds the logs.
const logDir = "log"

func (d *Daemon) aside() string { return filepath.Join(d.p.Home.Dir(), asideDir) }

// openRepo opens the memory repository, or makes it. One whose newest commit cannot be read is moved aside: the logs lie beside
// it as files and are committed again.
func (d *Daemon) openRepo() (*gitrepo.Repo, error) {
	dir := d.p.Home.Memory()
	git := filepath.Join(dir, ".git")
	repo := gitrepo.Open(dir)
	if _, err := committedLogs(repo); err != nil {
		if !spoilt(err) {
			return nil, fmt.Errorf("read the memory repository %s: %w", git, err)
		}
		to, moveErr := d.moveAside(git)
		if moveErr != nil {
			return nil, fmt.Errorf("the memory repository %s cannot be read (%w) and not be moved aside: %w", git, err, moveErr)
		}
		d.notes = append(d.notes, fmt.Sprintf("%s could not be read (%v): it was moved to %s, and the logs were committed to a new one", git, err, to))
		repo = gitrepo.Open(dir)
	}
	if err := mendHead(git); err != nil {
		return nil, err
	}
	repo.Cold = gitsync.Cold
	if err := errors.Join(repo.Init(derived), repo.Exclude(derived...)); err != nil {
		return nil, fmt.Errorf("make the memory repository: %w", err)
	}
	if err := repo.RemoveTemps(); err != nil {
		return nil, fmt.Errorf("tidy the memory repository: %w", err)
	}
	return repo, nil
}

// spoilt reports whether an error is about bytes that are wrong or missing, not about the machine.
func spoilt(err error) bool {
	var p *fs.PathError
	return !errors.As(err, &p) || errors.Is(err, fs.ErrNotExist)
}

// moveAside renames a file or folder to a free name among what is kept aside.
func (d *Daemon) moveAside(path string) (to string, err error) {
	if err := home.Mkdir(d.aside()); err != nil {
		return "", err
	}
	name := filepath.Base(filepath.Dir(path)) + strings.TrimPrefix(filepath.Base(path), ".git")
	for n := 1; ; n++ {
		to = filepath.Join(d.aside(), fmt.Sprintf("%s.%d", name, n))
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return to, os.Rename(path, to)
		}
	}
}

// mendHead takes away a HEAD that git would not read, so that it is made again.
func mendHead(git string) error {
	path := filepath.Join(git, "HEAD")
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the memory repository: %w", err)
	}
	head := strings.TrimSpace(string(b))
	if _, err := gitrepo.ParseOID(head); err == nil || strings.HasPrefix(head, "ref: refs/") {
		return nil
	}
	return os.Remove(path)
}

// committedLogs are the logs in the newest commit of the memory repository that belong on the disk as they were committed.
func committedLogs(repo *gitrepo.Repo) ([]ledger.Committed, error) {
	if !repo.Exists() {
		return nil, nil
	}
	tip, err := repo.Ref(gitrepo.MainBranch)
	if err != nil || tip.IsZero() {
		return nil, err
	}
	r := repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	root, err := r.Tree(tip)
	if err != nil {
		return nil, err
	}
	var out []ledger.Committed
	for _, e := range root {
		if e.Name != logDir || !e.IsTree() {
			continue
		}
		err := r.Walk(e.OID, logDir+"/", func(path string, e gitrepo.TreeEntry) {
			if !gitsync.InForce(repo.Dir(), path, e) {
				return
			}
			out = append(out, ledger.Committed{Path: path,
				Same: func(data []byte) bool { return gitrepo.Sum(gitrepo.Blob, data) == e.OID },
				Read: func() ([]byte, error) {
					_, data, err := repo.Object(e.OID)
					return data, err
				}})
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
