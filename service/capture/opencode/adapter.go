package opencode

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// Variant is an agent that keeps its sessions as opencode does.
type Variant struct {
	Agent, Prefix string   // its name, and what begins the ids of its sessions
	folder        string   // of its data
	variable      string   // of the environment, which names its database
	databases     []string // what the names of its databases begin with
}

// The agents of this family. Kilo Code grew out of Cline and moved to a store like opencode's; a database that opencode's code made in
// its folder before it had a name of its own is gone on with.
var (
	OpenCode = Variant{"opencode", "oc", "opencode", "OPENCODE_DB", []string{"opencode"}}
	Kilo     = Variant{"kilo", "ki", "kilo", "KILO_DB", []string{"kilo", "opencode"}}
)

// HeadSize is how much of a file Imports has to see, in bytes.
const HeadSize = 4 << 10

// Roots is the folder of the agent's data, on every system its own in $XDG_DATA_HOME or in .local/share in the home folder, and that of
// the database which a variable names.
func (a Variant) Roots(env func(string) string, home string) []string {
	data := env("XDG_DATA_HOME")
	if data == "" && home != "" {
		data = filepath.Join(home, ".local", "share")
	}
	var out []string
	if data != "" {
		out = append(out, filepath.Join(data, a.folder))
	}
	if db := env(a.variable); filepath.IsAbs(db) && !slices.Contains(out, filepath.Dir(db)) {
		out = append(out, filepath.Dir(db))
	}
	return out
}

// kinds are the folders of the tree that hold what is read.
var kinds = []string{"session", "message", "part"}

// Match reports whether a path may be a database, its log, or a file of the tree.
func (a Variant) Match(path string) bool { return a.Of(path) != "" }

// Of is the database that a file belongs to, or the folder "storage" that it lies in.
func (a Variant) Of(path string) string {
	name := filepath.Base(path)
	if a.named(name) {
		db := strings.TrimSuffix(strings.TrimSuffix(path, "-wal"), "-journal")
		if filepath.Ext(db) == ".db" {
			return db
		}
	}
	if filepath.Ext(name) != ".json" {
		return ""
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		if slices.Contains(kinds, filepath.Base(dir)) && isStorage(up) {
			return up
		}
	}
}

// named reports whether a file is called as one of a database.
func (a Variant) named(name string) bool {
	return slices.ContainsFunc(a.databases, func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// isStorage reports whether a folder is called as a tree is: storage, or storage with a suffix, as a copy of one.
func isStorage(dir string) bool {
	name := filepath.Base(dir)
	return name == "storage" || strings.HasSuffix(name, "-storage") || strings.HasPrefix(name, "storage_") || strings.HasPrefix(name, "storage-")
}

// Prune leaves out what is beside databases and tree: snapshots of projects, logs, results of tools.
func Prune(rel string) bool {
	top, rest, _ := strings.Cut(rel, "/")
	switch top {
	case "storage":
		kind, _, _ := strings.Cut(rest, "/")
		return kind != "" && !slices.Contains(kinds, kind)
	case "snapshot", "log", "tool-output", "shell", "bin", "repos", "worktree", "plans":
		return true
	}
	return false
}

// Still leaves the folders of the tree unwatched that there is one of for each session or message.
func Still(rel string) bool {
	return strings.HasPrefix(rel, "storage/message/") || strings.HasPrefix(rel, "storage/part/")
}

// Open opens a tree, a database, or an export.
func (a Variant) Open(path string, o transcript.Options) (transcript.Library, error) {
	if o.Skip == nil {
		o.Skip = func(transcript.Skip) {}
	}
	switch {
	case filepath.Ext(path) == ".json":
		return &export{of: a, path: path, opts: o}, nil
	case isStorage(path):
		return &tree{of: a, root: path, opts: o}, nil
	default:
		return &database{of: a, path: path, opts: o}, nil
	}
}

// Imports reports whether a file is an export or a database of the agent, or a folder, which has no head, one of its trees.
//
// Trees and exports do not say of which agent of the family they are: a tree is Kilo Code's where the folder around it is called so, an
// export is opencode's.
func (a Variant) Imports(path string, head []byte) bool {
	if head == nil {
		info, err := os.Stat(filepath.Join(path, "session"))
		kilo := filepath.Base(filepath.Dir(path)) == Kilo.folder
		return isStorage(path) && err == nil && info.IsDir() && kilo == (a.folder == Kilo.folder)
	}
	if strings.HasPrefix(string(head), "SQLite format 3\x00") {
		return strings.HasPrefix(filepath.Base(path), a.databases[0]) && filepath.Ext(path) == ".db"
	}
	if filepath.Ext(path) != ".json" || a.folder == Kilo.folder {
		return false
	}
	info := gjson.GetBytes(head, "info")
	return info.IsObject() && strings.HasPrefix(info.Get("id").String(), "ses")
}

var errNoSession = errors.New("the session is not in the store any more")
