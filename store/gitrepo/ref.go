package gitrepo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dormouse/store/disk"
)

// ErrMoved says that a ref no longer names the commit that the writer built on.
var ErrMoved = errors.New("the branch was moved by somebody else")

// Ref is the object that a ref such as refs/heads/main names. A ref that is not there is the zero OID.
func (r *Repo) Ref(name string) (OID, error) {
	if r.draft != nil {
		return r.draft.refs[name].oid, nil
	}
	b, err := os.ReadFile(r.refPath(name))
	if err == nil {
		o, err := ParseOID(strings.TrimSpace(string(b)))
		if err != nil {
			return OID{}, fmt.Errorf("read ref %s of %s: %w", name, r.dir, err)
		}
		return o, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return OID{}, fmt.Errorf("read ref %s: %w", name, err)
	}
	packed, err := r.packedRefs()
	return packed[name].oid, err
}

// SetRef moves a ref from one object to another (zero where it is new), durably. All that it names must be durable
// before. When the ref names something else than from, it fails with ErrMoved and changes nothing.
func (r *Repo) SetRef(name string, from, to OID) (err error) {
	if r.draft != nil {
		return r.draft.move(RefMove{Name: name, From: from, To: to})
	}
	path := r.refPath(name)
	if err := makeRefFolder(filepath.Dir(path)); err != nil {
		return fmt.Errorf("move %s: %w", name, err)
	}
	unlock, err := r.lock(path)
	if err != nil {
		return fmt.Errorf("move %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	now, err := r.Ref(name)
	if err != nil {
		return err
	}
	if now != from {
		return fmt.Errorf("move %s of %s from %s: it is at %s: %w", name, r.dir, from, now, ErrMoved)
	}
	return r.Replace(path, "ref", []byte(to.String()+"\n"))
}

// makeRefFolder makes the folder of a ref, which a repository whose refs are all packed may lack, and makes durable that it is there.
func makeRefFolder(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if err := disk.MkdirAll(dir, dirMode); err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(dir))
}

func (r *Repo) refPath(name string) string { return filepath.Join(r.git, filepath.FromSlash(name)) }
