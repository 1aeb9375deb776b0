package codex

import (
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// Agent is the adapter's name, and Prefix begins the ids of its sessions.
const (
	Agent  = "codex"
	Prefix = "cx"
)

// HeadSize is how much of a file Identify has to see, in bytes. The first line holds the model's instructions and the
// schemas of its tools.
const HeadSize = 1 << 20

// Roots are the folders that hold rollouts: sessions and archived_sessions in $CODEX_HOME, else in .codex in the home folder.
func Roots(env func(string) string, home string) []string {
	var homes []string
	if dir := env("CODEX_HOME"); dir != "" {
		homes = []string{dir}
	} else if home != "" {
		homes = []string{filepath.Join(home, ".codex")}
		if runtime.GOOS == "darwin" {
			homes = append(homes, filepath.Join(home, "Library", "Developer", "Xcode", "CodingAssistant", "codex"))
		}
	}
	var out []string
	for _, h := range homes {
		out = append(out, filepath.Join(h, "sessions"), filepath.Join(h, "archived_sessions"))
	}
	return out
}

// Match reports whether a file may be a rollout, by its path alone. Codex compresses rollouts that have grown cold.
func Match(path string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, "rollout-") && isLines(name)
}

// Odd reports whether a file may be a rollout under another name, such as a copy.
func Odd(path string) bool { return isLines(path) && !Match(path) }

func isLines(name string) bool { return strings.HasSuffix(strings.TrimSuffix(name, ".zst"), ".jsonl") }

var id = regexp.MustCompile(`([0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})(?:_([0-9A-Za-z-]+))?$`)

// Identify says what file it is. ok is false while the file does not say enough yet.
func Identify(path string, head []byte, _ func(string) []byte) (f transcript.File, ok bool) {
	f = transcript.File{Path: path}
	stem := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".zst"), ".jsonl")
	named := id.FindStringSubmatch(stem)
	meta, whole := firstMeta(path, head)
	thread := meta.Get("id").String()
	if thread == "" && named != nil {
		thread = named[1]
	}
	if thread == "" {
		if !whole && len(head) < HeadSize {
			return f, false
		}
		thread = stem
	}
	if !whole && len(head) < HeadSize {
		return f, false // the first line is still being written; it says whether this is a sub-agent's
	}
	f.Session, f.Part = thread, thread
	if named != nil && named[2] != "" {
		f.Part = named[2]
	}
	if base := meta.Get("history_base"); base.IsObject() {
		f.Base, f.BaseEnd = base.Get("thread_id").String(), base.Get("end_byte_offset").Int()
	}
	parent := parentOf(meta)
	if parent != "" && parent != thread {
		f.AgentID, f.AgentType = thread, roleOf(meta)
		f.Session = parent
		if root := meta.Get("session_id").String(); root != "" && root != thread {
			f.Session = root
		}
	}
	return f, true
}

// firstMeta is the first session_meta of a rollout. whole says that a first record was complete.
func firstMeta(path string, head []byte) (meta gjson.Result, whole bool) {
	r := transcript.NewReader(strings.NewReader(string(head)), path, transcript.Place{}, 0, nil)
	for range 20 {
		line, err := r.Next()
		if err != nil {
			return meta, whole
		}
		transcript.Objects(line, func(obj []byte) {
			whole = true
			rec := gjson.ParseBytes(obj)
			switch {
			case meta.Exists():
			case rec.Get("type").String() == "session_meta":
				meta = rec.Get("payload")
			case !rec.Get("payload").Exists() && rec.Get("id").Exists() && rec.Get("timestamp").Exists() && !rec.Get("type").Exists():
				meta = rec
			}
		}, func(transcript.Skip) {})
		if meta.Exists() {
			return meta, true
		}
	}
	return meta, whole
}

// parentOf is the thread that started this one as a sub-agent; empty for a person's thread.
func parentOf(meta gjson.Result) string {
	spawn := meta.Get("source.subagent")
	parent := first(meta.Get("parent_thread_id").String(), spawn.Get("thread_spawn.parent_thread_id").String())
	if !spawn.Exists() && meta.Get("thread_source").String() != "subagent" {
		return ""
	}
	return parent
}

func roleOf(meta gjson.Result) string {
	spawn := meta.Get("source.subagent")
	if spawn.Type == gjson.String {
		return spawn.String()
	}
	return first(spawn.Get("thread_spawn.agent_role").String(), spawn.Get("thread_spawn.agent_nickname").String(), spawn.Get("other").String())
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}
