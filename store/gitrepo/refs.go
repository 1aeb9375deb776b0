package gitrepo

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/store/disk"
)

// RefMove is the change of one ref from an object to another. From is zero where the ref is new.
type RefMove struct {
	Name     string
	From, To OID
}

// packedHead is the first line of packed-refs: that its refs are sorted, and that tags have the line of what they name.
const packedHead = "# pack-refs with: peeled fully-peeled sorted \n"

// Refs gives the refs below a folder such as refs/heads/, by their full names: those of one moment, though SetRefs moves several
// of them meanwhile.
func (r *Repo) Refs(folder string) (map[string]OID, error) {
	if r.draft != nil {
		return r.draft.below(folder), nil
	}
	packed, err := r.packedRefs()
	for err == nil {
		var out map[string]OID
		var after map[string]packedRef
		if out, err = r.looseRefs(folder); err != nil {
			return nil, fmt.Errorf("list refs of %s: %w", r.dir, err)
		}
		if after, err = r.packedRefs(); err != nil || !maps.Equal(packed, after) {
			packed = after
			continue // what was loose may be packed now
		}
		for name, p := range packed {
			if _, lies := out[name]; !lies && strings.HasPrefix(name, folder) {
				out[name] = p.oid
			}
		}
		return out, nil
	}
	return nil, err
}

// looseRefs gives the refs below a folder that have a file of their own, which counts before packed-refs.
func (r *Repo) looseRefs(folder string) (map[string]OID, error) {
	out := map[string]OID{}
	root := r.refPath(strings.TrimSuffix(folder, "/"))
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // moved to packed-refs meanwhile, or there are none
		}
		if err != nil || d.IsDir() || strings.HasSuffix(path, lockSuffix) {
			return err
		}
		rel, err := filepath.Rel(r.git, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		oid, err := r.Ref(name)
		if err == nil && !oid.IsZero() {
			out[name] = oid
		}
		return err
	})
	return out, err
}

// SetRefs moves several refs, durably, and all of them or none: they are written into packed-refs, which is one file. All
// that they name must be durable before. When one of them names something else than its From, it fails with ErrMoved and
// changes nothing. A ref whose From equals its To is moved into packed-refs; one whose To is zero is removed.
func (r *Repo) SetRefs(moves []RefMove) (err error) {
	if r.draft != nil {
		return r.draft.move(moves...)
	}
	moves = slices.SortedFunc(slices.Values(moves), func(a, b RefMove) int { return strings.Compare(a.Name, b.Name) })
	for _, m := range moves {
		path := r.refPath(m.Name)
		if err := disk.MkdirAll(filepath.Dir(path), dirMode); err != nil {
			return fmt.Errorf("move %s: %w", m.Name, err)
		}
		unlock, lockErr := r.lock(path)
		if lockErr != nil {
			return fmt.Errorf("move %s: %w", m.Name, lockErr)
		}
		defer func() { err = errors.Join(err, unlock()) }() // of the function, and not of the loop
		now, refErr := r.Ref(m.Name)
		if refErr != nil {
			return refErr
		}
		if now != m.From {
			return fmt.Errorf("move %s of %s from %s: it is at %s: %w", m.Name, r.dir, m.From, now, ErrMoved)
		}
	}
	if err := r.packLoose(moves); err != nil {
		return err
	}
	return r.writePacked(moves)
}

// packLoose moves refs that have a file of their own into packed-refs as they are. Such a file counts before packed-refs: were it
// removed after the move instead, a crash between the two would take back the moves of some refs and not of others.
func (r *Repo) packLoose(moves []RefMove) error {
	var loose []RefMove
	for _, m := range moves {
		if _, err := os.Lstat(r.refPath(m.Name)); err == nil {
			loose = append(loose, RefMove{Name: m.Name, From: m.From, To: m.From})
		} else if !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("move %s: %w", m.Name, err)
		}
	}
	if len(loose) == 0 {
		return nil
	}
	if err := r.writePacked(loose); err != nil {
		return err
	}
	folders := map[string]bool{}
	for _, m := range loose {
		path := r.refPath(m.Name)
		if err := disk.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("move %s: %w", m.Name, err)
		}
		folders[filepath.Dir(path)] = true
	}
	for dir := range folders {
		if err := disk.SyncDir(dir); err != nil {
			return fmt.Errorf("move refs: %w", err)
		}
	}
	return nil
}

// packedRef is a line of packed-refs. peeled is the line that follows it under a tag.
type packedRef struct {
	oid    OID
	peeled string
}

// packedRefs reads the file that git pack-refs writes: lines "<oid> <name>", with comments and peeled tags between.
func (r *Repo) packedRefs() (map[string]packedRef, error) {
	out := map[string]packedRef{}
	f, err := os.Open(filepath.Join(r.git, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read refs of %s: %w", r.dir, err)
	}
	defer f.Close() //nolint:errcheck // opened for reading
	last := ""
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		line := sc.Text()
		if strings.HasPrefix(line, "^") && last != "" {
			p := out[last]
			p.peeled = line
			out[last] = p
		}
		oid, name, ok := strings.Cut(line, " ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		o, err := ParseOID(oid)
		if err != nil {
			return nil, fmt.Errorf("read packed-refs of %s: %w", r.dir, err)
		}
		out[name], last = packedRef{oid: o}, name
	}
	return out, sc.Err()
}

// writePacked puts the refs into packed-refs.
func (r *Repo) writePacked(moves []RefMove) (err error) {
	path := filepath.Join(r.git, "packed-refs")
	unlock, err := r.lock(path)
	if err != nil {
		return fmt.Errorf("move refs: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	all, err := r.packedRefs()
	if err != nil {
		return err
	}
	for _, m := range moves {
		all[m.Name] = packedRef{oid: m.To}
		if m.To.IsZero() {
			delete(all, m.Name)
		}
	}
	return writeFile(path, true, func(w io.Writer) error {
		_, err := w.Write(encodeRefs(all))
		return err
	})
}

// encodeRefs is the content of packed-refs.
func encodeRefs(all map[string]packedRef) []byte {
	b := []byte(packedHead)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b = fmt.Appendf(b, "%s %s\n", all[name].oid, name)
		if p := all[name].peeled; p != "" {
			b = append(append(b, p...), '\n')
		}
	}
	return b
}

// symbolic begins a ref that names another one.
const symbolic = "ref: "

// Head is the full name of the branch that the work tree and the index show; empty when HEAD names a commit.
func (r *Repo) Head() (string, error) {
	if r.draft != nil {
		return r.draft.head, nil
	}
	b, err := os.ReadFile(r.refPath("HEAD"))
	if err != nil {
		return "", fmt.Errorf("read HEAD: %w", err)
	}
	name, ok := strings.CutPrefix(strings.TrimSpace(string(b)), symbolic)
	if !ok {
		return "", nil
	}
	return strings.TrimSpace(name), nil
}

// SetHead makes a branch the one that is checked out, durably. Index and work tree are the caller's.
func (r *Repo) SetHead(branch string) (err error) {
	if r.draft != nil {
		r.draft.head = branch
		return nil
	}
	path := r.refPath("HEAD")
	unlock, err := r.lock(path)
	if err != nil {
		return fmt.Errorf("switch to %s: %w", branch, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return r.writeBytes(path, true, []byte(symbolic+branch+"\n"))
}
