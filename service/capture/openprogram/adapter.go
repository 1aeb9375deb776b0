package openprogram

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"dormouse/service/capture/share"
	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// Agent is the agent's name, and Prefix begins the ids of its sessions.
const (
	Agent  = "openprogram"
	Prefix = "op"
)

const (
	sessionsFolder = "sessions"
	historyFolder  = "history"
	metaName       = "meta.json"
	stateName      = ".openprogram"
)

// nodeFile is the name of a node's file: number, first letter of the role, id.
var nodeFile = regexp.MustCompile(`^([0-9]+)-([a-z])-(.+)\.json$`)

// Roots are the folders of sessions: those of the profiles in the home folder, and those in projects that their locations name.
func Roots(_ func(string) string, home string) []string {
	if home == "" {
		return nil
	}
	states, _ := filepath.Glob(filepath.Join(home, stateName+"-*")) // the pattern is a good one
	var out []string
	for _, state := range append([]string{filepath.Join(home, stateName)}, states...) {
		root := filepath.Join(state, sessionsFolder)
		out = append(out, root)
		for _, dir := range locations(root) {
			if up := filepath.Dir(dir); filepath.Base(up) == sessionsFolder && !slices.Contains(out, up) {
				out = append(out, up)
			}
		}
	}
	return out
}

// Match reports whether a path may be a file of a session.
func Match(path string) bool { return Of(path) != "" }

// Of is the folder of the session that a file belongs to.
func Of(path string) string {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if filepath.Base(dir) == historyFolder && nodeFile.MatchString(name) {
		dir = filepath.Dir(dir)
	} else if name != metaName {
		return ""
	}
	if filepath.Base(filepath.Dir(dir)) != sessionsFolder {
		return ""
	}
	return dir
}

// Prune leaves out what is beside the nodes in a session's folder: its repository, its work, its contexts.
func Prune(rel string) bool {
	_, inside, ok := strings.Cut(rel, "/")
	return ok && inside != historyFolder
}

// Open opens a state folder, or a part of it.
func Open(path string, o transcript.Options) (transcript.Library, error) {
	if o.Skip == nil {
		o.Skip = func(transcript.Skip) {}
	}
	return &library{path: path, opts: o}, nil
}

// Imports reports whether a folder, which has no head, holds sessions. Those of Dormouse itself, which lie alike, are none.
func Imports(path string, head []byte) bool {
	if head != nil {
		return false
	}
	l := &library{path: path, opts: transcript.Options{Skip: func(transcript.Skip) {}}}
	dirs, err := l.folders()
	if err != nil {
		return false
	}
	pages := map[string][]folder{}
	if err := l.lookForPages(context.Background(), pages); err == nil && len(pages) > 0 && !isFolder(filepath.Join(path, memoryFolder, "log")) {
		return true
	}
	return slices.ContainsFunc(dirs, func(dir string) bool {
		files, _, err := nodeFiles(dir)
		return err == nil && len(files) > 0 && !gjson.GetBytes(small(filepath.Join(dir, metaName)), "agent_session_id").Exists()
	})
}

// locations are the folders of the sessions that lie in projects.
func locations(root string) []string {
	by := map[string]string{}
	if json.Unmarshal(small(filepath.Join(root, "locations.json")), &by) != nil {
		return nil
	}
	var out []string
	for _, dir := range by {
		if filepath.IsAbs(dir) {
			out = append(out, filepath.Clean(dir))
		}
	}
	slices.Sort(out)
	return out
}

// smallSize is how long a file beside the nodes may be, in bytes.
const smallSize = 8 << 20

// small is the whole of a file beside the nodes; nil where there is none, or one too long.
func small(path string) []byte {
	in, err := share.Open(path)
	if err != nil {
		return nil
	}
	defer in.Close() //nolint:errcheck // opened for reading
	b, err := io.ReadAll(io.LimitReader(in, smallSize+1))
	if err != nil || len(b) > smallSize {
		return nil
	}
	return b
}
