package gitsync

import (
	"cmp"
	"fmt"
	"strings"

	"dormouse/store/gitrepo"
	"dormouse/store/ledger"
)

// CopiedError says that another machine goes on with this machine's log, from a place that both have: the state folder was copied, or
// brought back from a backup. Nothing was sent. The caller can go on under a new id: see ledger.Copied.
type CopiedError struct {
	Machine string
	Common  map[string]int64 // how many bytes of each file of the log both have
	URL     string
}

func (e *CopiedError) Error() string {
	return fmt.Sprintf("%v: %s holds lines that were written under this machine's id %s elsewhere, so this state folder is a copy of another "+
		"machine's or from a backup", ErrOwnLog, e.URL, e.Machine)
}

// Unwrap is ErrOwnLog.
func (e *CopiedError) Unwrap() error { return ErrOwnLog }

// foreignOwn says that the remote holds lines of this machine's log that it does not have: as a CopiedError where they go on as a machine
// itself writes; else with the way out for the person.
func (s *Syncer) foreignOwn(x *gitrepo.Reader, url string, main, tip gitrepo.OID, paths []string) error {
	return cmp.Or(s.copied(x, url, main, tip), fmt.Errorf("%w: %s of %s is neither what this machine wrote nor goes on from it as a machine writes: somebody or something "+
		"changed the remote. Put this machine's log back with: %s. Until then other machines' logs are taken in and nothing is sent", ErrOwnLog, strings.Join(paths, ", "), url, s.restoring(url)))
}

// copied is a CopiedError where one has to be told, or what went wrong while that was looked at.
func (s *Syncer) copied(x *gitrepo.Reader, url string, main, tip gitrepo.OID) error {
	if main.IsZero() || tip.IsZero() {
		return nil
	}
	ours, err := s.ownIn(x, main)
	if err != nil {
		return err
	}
	theirs, err := s.ownIn(x, tip)
	if err != nil || theirs == nil {
		return err
	}
	if common, ok := ledger.Fork(s.o.Machine, ours, theirs, s.erasures()); ok {
		return &CopiedError{Machine: s.o.Machine, Common: common, URL: url}
	}
	return nil
}

// ownIn are the files of this machine's log in a commit, by name; nil where one cannot be a log.
func (s *Syncer) ownIn(x *gitrepo.Reader, commit gitrepo.OID) (map[string][]byte, error) {
	all, err := logsIn(x, commit)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for path, e := range all {
		if machineOf(path) != s.o.Machine {
			continue
		}
		if reason, err := unfit(x, e); err != nil || reason != "" {
			return nil, err
		}
		if out[path[strings.LastIndexByte(path, '/')+1:]], err = read(x, e); err != nil {
			return nil, err
		}
	}
	return out, nil
}
