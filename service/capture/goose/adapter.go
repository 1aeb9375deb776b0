package goose

import (
	"path/filepath"
	"runtime"
	"strings"

	"dormouse/service/capture/transcript"
)

// Agent is the agent's name, and Prefix begins the ids of its sessions.
const (
	Agent  = "goose"
	Prefix = "go"
)

// Roots are the folders of the sessions: that of $GOOSE_PATH_ROOT, else those of the system.
func Roots(env func(string) string, home string) []string {
	if root := env("GOOSE_PATH_ROOT"); root != "" {
		return []string{filepath.Join(root, "data", "sessions")}
	}
	var out []string
	switch data := env("XDG_DATA_HOME"); {
	case data != "":
		out = append(out, filepath.Join(data, "goose", "sessions"))
	case home != "":
		out = append(out, filepath.Join(home, ".local", "share", "goose", "sessions"))
	}
	if home != "" && runtime.GOOS == "darwin" {
		out = append(out, filepath.Join(home, "Library", "Application Support", "Block", "goose", "sessions"))
	}
	if app := env("APPDATA"); app != "" {
		out = append(out, filepath.Join(app, "Block", "goose", "data", "sessions"))
	}
	return out
}

// Match reports whether a path may be a database of sessions, its log, or an old session.
func Match(path string) bool { return Of(path) != "" }

// Of is the database that a file belongs to, or the old session itself.
func Of(path string) string {
	if filepath.Base(filepath.Dir(path)) != "sessions" {
		return ""
	}
	db := strings.TrimSuffix(strings.TrimSuffix(path, "-wal"), "-journal")
	switch filepath.Ext(db) {
	case ".db":
		return db
	case ".jsonl":
		return path
	}
	return ""
}

// Open opens a database or an old session.
func Open(path string, o transcript.Options) (transcript.Library, error) {
	if o.Skip == nil {
		o.Skip = func(transcript.Skip) {}
	}
	if filepath.Ext(path) == ".jsonl" {
		return &lines{path: path, opts: o}, nil
	}
	return &database{path: path, opts: o}, nil
}

// ranks of the two kinds of library.
const (
	rankLines = iota
	rankDatabase
)
