package session

import (
	"fmt"
	"io"
	"strings"

	"dormouse/store/gitrepo"
	"dormouse/store/memory"
)

// imageRefs is the folder of the refs that keep images: <sha256>.<extension>, each of the image itself. One that nodes name by another
// hash than its own has that hash in front: <named>.<sha256>.<extension>. What a commit holds depends on the nodes alone, and whether
// images are kept is up to each machine.
const imageRefs = "refs/dormouse/images/"

// Image stores an image, or what else is no text, that nodes of the session name by a hash: named is the SHA256 of their Image, which
// is its own where they hold its data. ext is the file's extension without a dot. The content is read three times and never whole
// in memory. It is part of the session once the batch is closed, also when no node was appended. One that the session has is not
// stored again.
func (b *Batch) Image(named string, content io.ReadSeeker, ext string) (memory.File, error) {
	if !isHash(named) {
		return memory.File{}, fmt.Errorf("store an image of session %s: %q is no SHA-256", b.x.id, named)
	}
	f, err := b.File(content, ext)
	if err != nil {
		return f, err
	}
	oid, err := gitrepo.ParseOID(f.Blob)
	if err != nil {
		return f, b.fail(err)
	}
	f.Path = imageRefs + f.SHA256 + "." + ext
	if named != f.SHA256 {
		f.Path = imageRefs + named + "." + f.SHA256 + "." + ext
	}
	b.images = append(b.images, gitrepo.RefMove{Name: f.Path, To: oid})
	return f, nil
}

// keepImages gives the batch's images their refs. changed is false when there was none that is new.
func (b *Batch) keepImages() (changed bool, err error) {
	if len(b.images) == 0 {
		return false, nil
	}
	have, err := b.st.repo.Refs(imageRefs)
	if err != nil {
		return false, err
	}
	var moves []gitrepo.RefMove
	for _, m := range b.images {
		if _, known := have[m.Name]; !known {
			have[m.Name] = m.To
			moves = append(moves, m)
		}
	}
	if len(moves) == 0 {
		return false, nil
	}
	return true, b.st.repo.SetRefs(moves)
}

// isHash reports whether a text is a SHA-256 in hex.
func isHash(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }

// Images lists the images that were kept, by the hashes that nodes name them by: SHA256 is that of the image itself, Path its ref.
// One that is missing in the repository is left out.
func (x *Session) Images() (map[string]memory.File, error) {
	v, err := x.look(false)
	if err != nil {
		return nil, err
	}
	refs, err := v.repo.Refs(imageRefs)
	if err != nil {
		return nil, fmt.Errorf("images of session %s: %w", x.id, err)
	}
	out := make(map[string]memory.File, len(refs))
	r := v.repo.Reader()
	defer r.Close() //nolint:errcheck // opened for reading
	for name, oid := range refs {
		parts := strings.Split(strings.TrimPrefix(name, imageRefs), ".")
		if n, err := r.Size(oid); err == nil && len(parts) >= 2 {
			out[parts[0]] = memory.File{Path: name, Bytes: int64(n), SHA256: parts[len(parts)-2], Blob: oid.String()}
		}
	}
	return out, nil
}

// holdsImages reports whether a repository has all images of another one.
func holdsImages(has, of *gitrepo.Repo) bool {
	mine, err := has.Refs(imageRefs)
	if err != nil {
		return false
	}
	theirs, err := of.Refs(imageRefs)
	if err != nil {
		return false
	}
	for name, oid := range theirs {
		if mine[name] != oid || !has.Has(oid) {
			return false
		}
	}
	return true
}

// lostImages names the images whose content is gone.
func lostImages(repo *gitrepo.Repo) (out []string, err error) {
	refs, err := repo.Refs(imageRefs)
	for name, oid := range refs {
		if !repo.Has(oid) {
			out = append(out, name)
		}
	}
	return out, err
}
