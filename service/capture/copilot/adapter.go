package copilot

import (
	"path/filepath"
	"strings"

	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// Agent is the agent's name, Prefix begins the ids of its sessions, HeadSize is how much of a file Identify wants to see.
const (
	Agent    = "copilot-cli"
	Prefix   = "gh"
	HeadSize = 16 << 10
)

// Roots are the folders of the logs.
func Roots(env func(string) string, home string) []string {
	base := env("COPILOT_HOME")
	if base == "" {
		base = filepath.Join(home, ".copilot")
	}
	return []string{filepath.Join(base, "session-state")}
}

// Match reports whether a path may be a log: session-state/<id>/events.jsonl, or session-state/<id>.jsonl of older versions.
func Match(path string) bool {
	dir := filepath.Dir(path)
	if filepath.Base(path) == "events.jsonl" {
		return filepath.Base(filepath.Dir(dir)) == "session-state"
	}
	return filepath.Ext(path) == ".jsonl" && filepath.Base(dir) == "session-state"
}

// Identify says what file it is. ok is false while the first line is not whole.
func Identify(path string, head []byte, _ func(string) []byte) (f transcript.File, ok bool) {
	f = transcript.File{Path: path}
	r := transcript.NewReader(strings.NewReader(string(head)), path, transcript.Place{}, 0, nil)
	line, err := r.Next()
	if err != nil && len(head) < HeadSize {
		return f, false
	}
	f.Session = strings.TrimSuffix(filepath.Base(path), ".jsonl")
	if f.Session == "events" {
		f.Session = filepath.Base(filepath.Dir(path))
	}
	if err == nil {
		first := gjson.ParseBytes(line.Data)
		if id := first.Get("data.sessionId").String(); first.Get("type").String() == "session.start" && id != "" {
			f.Session = strings.Clone(id)
		}
	}
	return f, true
}
