package pi

import (
	"path/filepath"
	"strings"

	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// The names of the two agents, the beginnings of their sessions' ids, and how much of a file Identify wants to see.
const (
	Agent     = "pi"
	Prefix    = "pi"
	OmpAgent  = "omp"
	OmpPrefix = "om"
	HeadSize  = 64 << 10
)

// Roots are the folders of pi's sessions.
func Roots(env func(string) string, home string) []string {
	base := env("PI_CODING_AGENT_DIR")
	if base == "" {
		base = filepath.Join(home, ".pi", "agent")
	}
	return []string{filepath.Join(base, "sessions")}
}

// OmpRoots are the folders of omp's sessions.
func OmpRoots(_ func(string) string, home string) []string {
	return []string{filepath.Join(home, ".omp", "agent", "sessions")}
}

// Match reports whether a path may be a session: any file of JSON lines.
func Match(path string) bool { return filepath.Ext(path) == ".jsonl" }

// Identify says what file it is. A file in a folder that is named as a session beside it belongs to that session. ok is false while
// the header is not whole, and for a file of something else.
func Identify(path string, head []byte, sidecar func(string) []byte) (f transcript.File, ok bool) {
	f = transcript.File{Path: path}
	h, ok := header(path, head)
	if !ok {
		return f, false
	}
	f.Session = first(h.id, strings.TrimSuffix(filepath.Base(path), ".jsonl"))
	if sidecar == nil {
		return f, true
	}
	up := filepath.Dir(path) + ".jsonl"
	if parent, ok := header(up, sidecar(up)); ok && parent.id != "" && parent.id != f.Session {
		f.AgentID, f.AgentType = strings.TrimSuffix(filepath.Base(path), ".jsonl"), h.agent
		f.Session = parent.id
	}
	return f, true
}

// about is what the first lines of a session say.
type about struct{ id, agent string }

// header reads the session's record, which may stand behind one of its title, and the sub-agent's that follows it.
func header(path string, head []byte) (a about, ok bool) {
	r := transcript.NewReader(strings.NewReader(string(head)), path, transcript.Place{}, 0, nil)
	for range 8 {
		line, err := r.Next()
		if err != nil {
			return a, ok
		}
		transcript.Objects(line, func(obj []byte) {
			switch v := gjson.ParseBytes(obj); v.Get("type").String() {
			case "session":
				a.id, ok = v.Get("id").String(), true
			case "session_init":
				a.agent = v.Get("agent").String()
			case "message":
				ok = ok || v.Get("message.role").Exists() // a session without a header
			}
		}, func(transcript.Skip) {})
	}
	return a, ok
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}
