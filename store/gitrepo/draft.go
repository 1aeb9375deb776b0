package gitrepo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dormouse/store/disk"
)

// draft is what is in memory of a repository that is being made. Its refs and what is checked out are written by Settle.
type draft struct {
	head    string
	refs    map[string]packedRef
	exclude []string
}

// Draft is a repository that is being made in a folder which gets its place only when all is in it: nobody else sees it, and what a crash
// leaves of it is thrown away. So its files are written once, without a lock, a second name or a flush of their folder; Settle writes
// what is left and flushes the folders. A file or a folder costs more than what is in it, so there are no more of them than git needs.
// Dir must be there and hold no repository.
func Draft(dir string) *Repo {
	r := Open(dir)
	r.draft, r.packs = &draft{head: MainBranch, refs: map[string]packedRef{}}, []*pack{}
	return r
}

// draftFolders are those that git takes a folder for a repository by, and the one of the packs.
var draftFolders = []string{"", "objects", "objects/pack", "refs"}

// draftExclude is the file in .git with the paths that git status does not show. It has a name of its own, since the usual one needs a
// folder of its own.
const draftExclude = "exclude"

// wasDraft reports whether the repository began as a draft, and not with Init.
func (r *Repo) wasDraft() bool {
	_, err := os.Lstat(filepath.Join(r.git, draftExclude))
	return err == nil
}

// draftConfig are the settings of a draft. Git looks for the file from the top of the work tree.
var draftConfig = strings.Replace(config, "[gc]", "\texcludesFile = .git/"+draftExclude+"\n[gc]", 1)

// initDraft makes the folders.
func (r *Repo) initDraft(exclude []string) error {
	r.draft.exclude = exclude
	for _, d := range draftFolders {
		if err := disk.Mkdir(filepath.Join(r.git, filepath.FromSlash(d)), dirMode); err != nil {
			return fmt.Errorf("make repository %s: %w", r.dir, err)
		}
	}
	return nil
}

// move moves refs, all or none.
func (d *draft) move(moves ...RefMove) error {
	for _, m := range moves {
		if now := d.refs[m.Name].oid; now != m.From {
			return fmt.Errorf("move %s from %s: it is at %s: %w", m.Name, m.From, now, ErrMoved)
		}
	}
	for _, m := range moves {
		d.refs[m.Name] = packedRef{oid: m.To}
		if m.To.IsZero() {
			delete(d.refs, m.Name)
		}
	}
	return nil
}

// below gives the refs below a folder.
func (d *draft) below(folder string) map[string]OID {
	out := map[string]OID{}
	for name, p := range d.refs {
		if strings.HasPrefix(name, folder) {
			out[name] = p.oid
		}
	}
	return out
}

// Settle writes what is in memory of a draft and makes all of it durable. It comes before its folder gets its place.
func (r *Repo) Settle() error {
	type file struct {
		name    string
		durable bool
		content []byte
	}
	files := []file{
		{"HEAD", false, []byte(symbolic + r.draft.head + "\n")}, // these three, Init makes again
		{"config", false, []byte(draftConfig)},
		{draftExclude, false, []byte(strings.Join(r.draft.exclude, "\n") + "\n")},
	}
	if len(r.draft.refs) > 0 {
		files = append(files, file{"packed-refs", true, encodeRefs(r.draft.refs)})
	}
	for _, f := range files {
		if err := r.writeBytes(filepath.Join(r.git, f.name), f.durable, f.content); err != nil {
			return fmt.Errorf("make repository %s: %w", r.dir, err)
		}
	}
	for _, dir := range []string{"objects/pack", ""} {
		if err := disk.SyncDir(filepath.Join(r.git, filepath.FromSlash(dir))); err != nil {
			return fmt.Errorf("make repository %s: %w", r.dir, err)
		}
	}
	return nil
}

// Settled is the repository of a draft whose folder got its place, with what is known of its packs.
func (r *Repo) Settled(dir string) *Repo {
	out := Open(dir)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.packs {
		out.packs = append(out.packs, &pack{base: filepath.Join(out.git, "objects", "pack", filepath.Base(p.base)), idx: p.idx})
	}
	return out
}

// writeOnce writes a file of a draft.
func writeOnce(path string, durable bool, data []byte) error {
	if err := disk.WriteNew(path, fileMode, durable, data); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
