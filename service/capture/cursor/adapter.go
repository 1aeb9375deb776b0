package cursor

import (
	"path/filepath"
	"strings"

	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

type value = gjson.Result

// Agent is the agent's name, and Prefix begins the ids of its sessions.
const (
	Agent  = "cursor"
	Prefix = "cu"
)

// Ranks of the stores; see transcript.Entry.
const (
	rankTranscript = iota
	rankStore
	rankState
)

// Roots are the folders of the editor's databases on each system, and those of chats and transcripts in $CURSOR_CONFIG_DIR, else in
// .cursor in the home folder.
func Roots(env func(string) string, home string) []string {
	var users []string
	if home != "" {
		users = append(users, filepath.Join(home, "Library", "Application Support", "Cursor", "User"))
	}
	if config := env("XDG_CONFIG_HOME"); config != "" {
		users = append(users, filepath.Join(config, "Cursor", "User"))
	} else if home != "" {
		users = append(users, filepath.Join(home, ".config", "Cursor", "User"))
	}
	if app := env("APPDATA"); app != "" {
		users = append(users, filepath.Join(app, "Cursor", "User"))
	}
	var out []string
	for _, u := range users {
		out = append(out, filepath.Join(u, "globalStorage"), filepath.Join(u, "workspaceStorage"))
	}
	dir := env("CURSOR_CONFIG_DIR")
	if dir == "" && home != "" {
		dir = filepath.Join(home, ".cursor")
	}
	if dir != "" {
		out = append(out, filepath.Join(dir, "projects"), filepath.Join(dir, "chats"))
	}
	return out
}

// Match reports whether a path may be a database, its log, or a transcript.
func Match(path string) bool { return Of(path) != "" }

const transcripts = "agent-transcripts"

// Of is the database that a file belongs to, or the transcript with those of its sub-agents.
func Of(path string) string {
	db := strings.TrimSuffix(strings.TrimSuffix(path, "-wal"), "-journal")
	switch filepath.Base(db) {
	case "state.vscdb", "store.db":
		return db
	}
	if filepath.Ext(path) != ".jsonl" {
		return ""
	}
	for at := path; ; {
		up := filepath.Dir(at)
		if up == at {
			return ""
		}
		if filepath.Base(up) == transcripts {
			return at
		}
		at = up
	}
}

// Prune leaves out what extensions keep beside the databases, and of a project all but its transcripts.
func Prune(rel string) bool {
	parts := strings.Split(rel, "/")
	if len(parts) < 2 || parts[1] == transcripts {
		return false
	}
	return len(parts) > 2 || !isID(parts[1])
}

// isID reports whether a folder is called as the command line calls its chats.
func isID(name string) bool { return len(name) == 36 && strings.Count(name, "-") == 4 }

// Open opens a database, or a transcript.
func Open(path string, o transcript.Options) (transcript.Library, error) {
	if o.Skip == nil {
		o.Skip = func(transcript.Skip) {}
	}
	switch filepath.Ext(path) {
	case ".vscdb":
		return &state{path: path, opts: o}, nil
	case ".db":
		return &store{path: path, opts: o}, nil
	default:
		return &lines{path: path, opts: o}, nil
	}
}

// Imports reports whether a file is a database of the editor.
func Imports(path string, head []byte) bool {
	return filepath.Ext(path) == ".vscdb" && strings.HasPrefix(string(head), "SQLite format 3\x00")
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}
