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
	path := r.refPath(name)
	if r.draft && filepath.Dir(path) == r.refPath("refs/heads") {
		return r.Replace(path, "ref", []byte(to.String()+"\n"))
	}
	if err := disk.MkdirAll(filepath.Dir(path), dirMode); err != nil {
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

func (r *Repo) refPath(name string) string { return filepath.Join(r.git, filepath.FromSlash(name)) }
