package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/store/gitrepo"
)

// Fault is something that is wrong with a session's folder, and what helps.
type Fault struct {
	Text, Remedy string
	Broken       bool // nodes are lost or cannot be read; else it is in the way of something
}

// staleAfter is how old a lock must be for the git command that made it to be gone.
const staleAfter = 10 * time.Minute

// Examine looks at a session's folder and says what is wrong with it. It changes nothing and takes no lock, so it may be asked while
// the session is written to. It reads names, links and the open turn; whether every object is whole, git fsck tells.
func Examine(dir string, now time.Time) []Fault {
	out := locks(dir, now)
	meta, err := readMeta(dir)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil // deleted meanwhile
	case err != nil:
		return append(out, Fault{Text: err.Error(), Remedy: "move " + dir + " away if it is none of Dormouse's; a lost meta.json is made again from the agent's transcript"})
	}
	repo := gitrepo.Open(dir)
	st, err := load(repo)
	if err != nil {
		return append(out, Fault{Text: err.Error(), Remedy: "git -C " + dir + " fsck", Broken: true})
	}
	lost, err := lostImages(repo)
	if err != nil {
		out = append(out, Fault{Text: err.Error(), Remedy: "git -C " + dir + " for-each-ref", Broken: true})
	}
	for _, name := range lost {
		out = append(out, Fault{Text: dir + ": the image " + name + " is missing", Remedy: "restore " + filepath.Join(dir, ".git") + " from a backup, or let go of it: git -C " + dir + " update-ref -d " + name, Broken: true})
	}
	if _, err := repo.Packs(); err != nil {
		out = append(out, Fault{Text: err.Error(), Remedy: "restore " + filepath.Join(dir, ".git") + " from a backup", Broken: true})
	}
	if _, err := os.Stat(filepath.Join(dir, ".git", "HEAD")); errors.Is(err, fs.ErrNotExist) && len(st.entries) > 0 {
		out = append(out, Fault{Text: dir + ": .git/HEAD is lost, so git takes the folder for no repository", Remedy: "dormouse open " + meta.ID + " makes it again"})
	}
	st.ids()
	for _, p := range st.problems {
		out = append(out, Fault{Text: dir + ": " + p, Remedy: "git -C " + dir + " status", Broken: st.foreign != ""})
	}
	if lost := meta.Nodes - len(st.entries); lost > 0 {
		out = append(out, Fault{Text: fmt.Sprintf("%s: %d of its %d nodes are not in the history", dir, lost, meta.Nodes),
			Remedy: "what the agent's transcript still holds is captured again; the rest is in a backup of " + dir, Broken: true})
	}
	return out
}

// locks finds the locks that git commands left behind. Those of Dormouse are broken by itself.
func locks(dir string, now time.Time) (out []Fault) {
	root := filepath.Join(dir, ".git")
	paths := []string{filepath.Join(root, "index.lock"), filepath.Join(root, "HEAD.lock"), filepath.Join(root, "packed-refs.lock")}
	_ = filepath.WalkDir(filepath.Join(root, "refs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".lock") {
			paths = append(paths, path)
		}
		return nil
	})
	slices.Sort(paths)
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || now.Sub(info.ModTime()) < staleAfter || gitrepo.OwnLock(path) {
			continue
		}
		out = append(out, Fault{Text: fmt.Sprintf("%s was left by a git command %s ago; what it locks is not brought up to date", path, now.Sub(info.ModTime()).Round(time.Minute)),
			Remedy: "when no git command runs there: rm " + path})
	}
	return out
}
