package amp

import (
	"net/url"
	"path/filepath"
	"strings"

	"dormouse/service/capture/document"
	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// Agent is the agent's name, Prefix begins the ids of its sessions.
const (
	Agent  = "amp"
	Prefix = "am"
)

// Roots are the folders of the threads.
func Roots(env func(string) string, home string) []string {
	data := env("XDG_DATA_HOME")
	if data == "" {
		data = filepath.Join(home, ".local", "share")
	}
	return []string{filepath.Join(data, "amp", "threads")}
}

// Match reports whether a path may be a thread: T-*.json.
func Match(path string) bool {
	return strings.HasPrefix(filepath.Base(path), "T-") && filepath.Ext(path) == ".json"
}

// Of is the library that a file belongs to: each is one of its own.
func Of(path string) string { return path }

// Open opens a thread.
func Open(path string, o transcript.Options) (transcript.Library, error) {
	return document.Format{Session: sessionOf, Read: read}.Open(path, o), nil
}

func sessionOf(path string, head []byte) string {
	if id := gjson.GetBytes(head, "id").String(); strings.HasPrefix(id, "T-") {
		return id
	}
	return strings.TrimSuffix(filepath.Base(path), ".json")
}

// filePath is the path of a file's URL.
func filePath(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // a drive
		path = path[1:]
	}
	return path
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}
