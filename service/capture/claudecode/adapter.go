package claudecode

import (
	"path/filepath"
	"regexp"
	"strings"

	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// Agent is the adapter's name, and Prefix begins the ids of its sessions.
const (
	Agent  = "claude-code"
	Prefix = "cc"
)

// Roots are the folders that hold transcripts: $CLAUDE_CONFIG_DIR/projects, else .claude/projects in the home folder, and
// .config/claude/projects where that is used.
func Roots(env func(string) string, home string) []string {
	if dir := env("CLAUDE_CONFIG_DIR"); dir != "" {
		return []string{filepath.Join(dir, "projects")}
	}
	if home == "" {
		return nil
	}
	return []string{filepath.Join(home, ".claude", "projects"), filepath.Join(home, ".config", "claude", "projects")}
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

// Match reports whether a file may be a transcript, by its path alone.
func Match(path string) bool {
	name := filepath.Base(path)
	if !strings.HasSuffix(name, ".jsonl") || strings.Contains(name, ".orphaned-") {
		return false
	}
	parts := strings.Split(filepath.ToSlash(filepath.Dir(path)), "/")
	for _, p := range parts {
		switch p {
		case "subagents":
			return strings.HasPrefix(name, "agent-")
		case "tool-results", "memory":
			return false
		}
	}
	return name != "history.jsonl" && name != "timeline.jsonl" && name != "journal.jsonl"
}

// Identify says what file it is. head is the beginning of the file; sidecar reads a small file beside it and gives nil where
// there is none. ok is false while the file does not say enough yet.
func Identify(path string, head []byte, sidecar func(path string) []byte) (f transcript.File, ok bool) {
	f = transcript.File{Path: path}
	stem := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	id, isAgent := strings.CutPrefix(stem, "agent-")
	if !isAgent {
		f.Session = stem
		if !uuid.MatchString(stem) {
			f.Session = firstSession(path, head)
		}
		return f, f.Session != ""
	}
	f.AgentID = id
	if f.Session = sessionOfPath(path); f.Session == "" {
		f.Session = firstSession(path, head)
	}
	if meta := sidecar(strings.TrimSuffix(path, ".jsonl") + ".meta.json"); gjson.ValidBytes(meta) {
		m := gjson.ParseBytes(meta)
		f.AgentType, f.CalledBy = m.Get("agentType").String(), m.Get("toolUseId").String()
	}
	return f, f.Session != ""
}

// sessionOfPath is the session in whose folder a sub-agent's file lies: <session>/subagents/...
func sessionOfPath(path string) string {
	dir := filepath.Dir(path)
	for {
		parent := filepath.Dir(dir)
		if filepath.Base(dir) == "subagents" {
			return filepath.Base(parent)
		}
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// firstSession is the session that the first records name. A file whose records name none is a session of its own, known by
// its name.
func firstSession(path string, head []byte) string {
	id, whole := "", false
	r := transcript.NewReader(strings.NewReader(string(head)), path, transcript.Place{}, 0, nil)
	for id == "" {
		line, err := r.Next()
		if err != nil {
			break
		}
		transcript.Objects(line, func(obj []byte) {
			whole = true
			if s := gjson.GetBytes(obj, "sessionId").String(); id == "" {
				id = s
			}
		}, func(transcript.Skip) {})
	}
	if id == "" && (whole || len(head) >= HeadSize) {
		return strings.TrimSuffix(filepath.Base(path), ".jsonl")
	}
	return id
}

// HeadSize is how much of a file Identify has to see, in bytes.
const HeadSize = 256 << 10
