package gitsync

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// asideDir is the folder, in the memory folder, of logs that were set aside.
const asideDir = "quarantine"

// Aside is a log of the remote that was not taken.
type Aside struct {
	Log    string `json:"log"`    // its path, with slashes
	Reason string `json:"reason"` // why it was not taken
	Blob   string `json:"blob"`   // the git name of the remote's version
	At     int64  `json:"at"`     // when it was seen first, in Unix seconds
	// Kept is the file that holds the remote's version; empty where that is too large or no file.
	Kept string `json:"kept"`
}

// String is the aside in words.
func (a Aside) String() string {
	return fmt.Sprintf("sync: %s of the remote is not taken: %s. What was known before stays in force.%s", a.Log, a.Reason, a.kept())
}

func (a Aside) kept() string {
	if a.Kept == "" {
		return ""
	}
	return " The remote's version is in " + a.Kept
}

// asidePath is where the remote's version of a log is kept; the reason lies beside it.
func (s *Syncer) asidePath(log string) string {
	return filepath.Join(s.o.Repo.Dir(), asideDir, filepath.FromSlash(strings.TrimPrefix(log, logDir+"/")))
}

const reasonExt = ".reason.json"

// Asides lists the logs that are set aside, by path.
func (s *Syncer) Asides() ([]Aside, error) {
	names, err := filepath.Glob(filepath.Join(s.o.Repo.Dir(), asideDir, "*", "*"+reasonExt))
	if err != nil {
		return nil, err
	}
	var out []Aside
	for _, n := range names {
		raw, err := os.ReadFile(n)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("list what sync has set aside: %w", err)
		}
		var a Aside
		if err := json.Unmarshal(raw, &a); err != nil || !IsLog(a.Log) || s.asidePath(a.Log)+reasonExt != n {
			return nil, fmt.Errorf("list what sync has set aside: %s is damaged; delete it to take the remote's version", n)
		}
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b Aside) int { return strings.Compare(a.Log, b.Log) })
	return out, nil
}

// InForce reports whether a file of our newest commit is one that belongs on the disk, in the memory folder dir, as it was
// committed: a log that is a plain file and of which no other version is in force. Whoever brings files back from the
// commit asks this first.
func InForce(dir, path string, e gitrepo.TreeEntry) bool {
	if !IsLog(path) || !plain(e) {
		return false
	}
	_, err := os.Lstat(filepath.Join(dir, asideDir, filepath.FromSlash(strings.TrimPrefix(path, logDir+"/"))+reasonExt))
	return errors.Is(err, fs.ErrNotExist)
}

// setAside keeps the remote's version of a log and the reason why it was not taken. data is nil where it is too large or no
// file. What is there already for this version stays.
func (s *Syncer) setAside(log, reason string, blob gitrepo.OID, data []byte, have map[string]Aside) error {
	if old, ok := have[log]; ok && old.Blob == blob.String() && old.Reason == reason {
		return nil
	}
	a := Aside{Log: log, Reason: reason, Blob: blob.String(), At: s.o.Now().Unix()}
	path := s.asidePath(log)
	for _, dir := range []string{filepath.Dir(filepath.Dir(path)), filepath.Dir(path)} {
		if err := home.Mkdir(dir); err != nil {
			return err
		}
	}
	if data != nil {
		a.Kept = path
		if err := home.WriteFile(path, data); err != nil {
			return err
		}
	}
	raw, err := memory.Encode(a)
	if err != nil {
		return err
	}
	return home.WriteFile(path+reasonExt, append(raw, '\n'))
}

// takeBack removes what was set aside of a log that is all right now. The reason goes last: as long as it is there, what lies
// on the disk is what is in force.
func (s *Syncer) takeBack(log string) error {
	path := s.asidePath(log)
	for _, p := range []string{path, path + reasonExt} {
		if err := os.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clear what sync had set aside: %w", err)
		}
	}
	return nil
}
