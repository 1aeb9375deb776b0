package gemini

import (
	"path/filepath"
	"strings"

	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// Agent is the agent's name, Prefix begins the ids of its sessions, HeadSize is how much of a file Identify wants to see.
const (
	Agent    = "gemini-cli"
	Prefix   = "gm"
	HeadSize = 64 << 10
)

// Roots are the folders of the chats.
func Roots(_ func(string) string, home string) []string {
	return []string{filepath.Join(home, ".gemini", "tmp")}
}

// Match reports whether a path may be a chat: chats/session-*.json, the same as .jsonl, or chats/<session>/<sub-agent>.jsonl.
func Match(path string) bool {
	dir, ext := filepath.Dir(path), filepath.Ext(path)
	if filepath.Base(dir) == "chats" {
		return (ext == ".json" || ext == ".jsonl") && strings.HasPrefix(filepath.Base(path), "session-")
	}
	return ext == ".jsonl" && filepath.Base(filepath.Dir(dir)) == "chats"
}

// Identify says what file of lines it is. ok is false while the first line is not whole.
func Identify(path string, head []byte, sidecar func(string) []byte) (f transcript.File, ok bool) {
	f = transcript.File{Path: path}
	meta := firstLine(path, head)
	if !meta.Exists() {
		return f, false
	}
	stem := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	f.Session = first(meta.Get("sessionId").String(), stem)
	chats := filepath.Dir(path)
	if up := filepath.Dir(chats); filepath.Base(up) == "chats" {
		f.AgentID, f.Session = stem, filepath.Base(chats)
		chats = up
	}
	f.Cwd = projectRoot(chats, sidecar)
	return f, true
}

func firstLine(path string, head []byte) (meta gjson.Result) {
	r := transcript.NewReader(strings.NewReader(string(head)), path, transcript.Place{}, 0, nil)
	for range 20 {
		line, err := r.Next()
		if err != nil {
			return meta
		}
		transcript.Objects(line, func(obj []byte) {
			if !meta.Exists() {
				meta = gjson.ParseBytes(obj)
			}
		}, func(transcript.Skip) {})
		if meta.Exists() {
			return meta
		}
	}
	return meta
}

// projectRoot is the folder that the chats are about, which a file beside them names.
func projectRoot(chats string, sidecar func(string) []byte) string {
	if sidecar == nil {
		return ""
	}
	root := strings.TrimSpace(string(sidecar(filepath.Join(filepath.Dir(chats), ".project_root"))))
	if strings.ContainsAny(root, "\n\x00") || len(root) > 4096 {
		return ""
	}
	return root
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}
