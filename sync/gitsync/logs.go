package gitsync

import (
	"errors"
	"regexp"
	"strings"

	"dormouse/store/gitrepo"
	"dormouse/store/ledger"
)

// logDir is the folder of the tree that holds a folder for each machine.
const logDir = "log"

// machineName is the form of a machine's id: hex digits, so that it is a safe folder name on every system.
var machineName = regexp.MustCompile(`^[0-9a-f]{2,64}$`)

// IsLog reports whether a path of the memory repository is that of a log. All other paths are carried on unread and never
// written to the disk.
func IsLog(path string) bool {
	dir, rest, _ := strings.Cut(path, "/")
	machine, name, ok := strings.Cut(rest, "/")
	return ok && dir == logDir && machineName.MatchString(machine) && ledger.ValidName(name)
}

// Cold is IsLog the other way round, as gitrepo.Repo wants it.
func Cold(path string) bool { return !IsLog(path) }

// machineOf is the machine of a log's path.
func machineOf(path string) string {
	_, rest, _ := strings.Cut(path, "/")
	machine, _, _ := strings.Cut(rest, "/")
	return machine
}

// logs are the log files of a tree, by path. What stands there may still be no plain file.
type logs map[string]gitrepo.TreeEntry

// logsIn lists the logs of a commit or tree; zero has none. It reads the folders of machines alone.
func logsIn(x *gitrepo.Reader, root gitrepo.OID) (logs, error) {
	out := logs{}
	if root.IsZero() {
		return out, nil
	}
	top, err := x.Lookup(root, logDir)
	if errors.Is(err, gitrepo.ErrNotFound) || err == nil && !top.IsTree() {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	machines, err := x.Tree(top.OID)
	if err != nil {
		return nil, err
	}
	for _, m := range machines {
		if !m.IsTree() || !machineName.MatchString(m.Name) {
			continue
		}
		files, err := x.Tree(m.OID)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if ledger.ValidName(f.Name) {
				out[logDir+"/"+m.Name+"/"+f.Name] = f
			}
		}
	}
	return out, nil
}

// unfit says why a tree's entry cannot be a log: "" when it can.
func unfit(x *gitrepo.Reader, e gitrepo.TreeEntry) (reason string, err error) {
	if !plain(e) {
		return reasonLink, nil
	}
	size, err := x.Size(e.OID)
	if err == nil && size > maxLog {
		return reasonLarge, nil
	}
	return "", err
}

// plain reports whether a tree's entry is a file, and no folder, link or submodule.
func plain(e gitrepo.TreeEntry) bool { return e.Mode&0o170000 == gitrepo.ModeFile&0o170000 }

// read is the content of a log; none for a zero entry.
func read(x *gitrepo.Reader, e gitrepo.TreeEntry) ([]byte, error) {
	if e.OID.IsZero() {
		return nil, nil
	}
	_, data, err := x.Object(e.OID)
	return data, err
}

// harmless are what forges put into a new repository.
var harmless = regexp.MustCompile(`^(?i:readme|licen[cs]e|copying|\.git(ignore|attributes|hub|lab.*)$)`)

// isMemory reports whether a remote that was never met may be joined: it holds logs, or nothing that anybody works on.
func isMemory(x *gitrepo.Reader, tip gitrepo.OID, have logs) (bool, error) {
	if len(have) > 0 {
		return true, nil
	}
	entries, err := x.Tree(tip)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		if !harmless.MatchString(e.Name) && e.Name != logDir {
			return false, nil
		}
	}
	return true, nil
}
