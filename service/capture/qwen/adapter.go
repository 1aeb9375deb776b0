package qwen

import (
	"path/filepath"
	"strings"

	"dormouse/service/capture/gemini"
	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// Agent is the agent's name, Prefix begins the ids of its sessions, HeadSize is how much of a file Identify wants to see.
const (
	Agent    = "qwen"
	Prefix   = "qw"
	HeadSize = 256 << 10
)

// Roots are the folders of the chats: that of today, and that of older versions.
func Roots(_ func(string) string, home string) []string {
	base := filepath.Join(home, ".qwen")
	return []string{filepath.Join(base, "projects"), filepath.Join(base, "tmp")}
}

// Match reports whether a path may be a chat: chats/<id>.jsonl, or chats/session-*.json of older versions.
func Match(path string) bool {
	if filepath.Base(filepath.Dir(path)) != "chats" {
		return false
	}
	ext := filepath.Ext(path)
	return ext == ".jsonl" || ext == ".json" && strings.HasPrefix(filepath.Base(path), "session-")
}

// Of is the library that a file belongs to: a document of an older version is one of its own.
func Of(path string) string { return gemini.Of(path) }

// Open opens a document of an older version.
func Open(path string, o transcript.Options) (transcript.Library, error) {
	return gemini.OpenAs(Agent)(path, o)
}

// Identify says what file of lines it is. ok is false while no record is whole.
func Identify(path string, head []byte, _ func(string) []byte) (f transcript.File, ok bool) {
	f = transcript.File{Path: path}
	r := transcript.NewReader(strings.NewReader(string(head)), path, transcript.Place{}, 0, nil)
	for range 20 {
		line, err := r.Next()
		if err != nil {
			break
		}
		transcript.Objects(line, func(obj []byte) {
			if id := gjson.GetBytes(obj, "sessionId").String(); id != "" && f.Session == "" {
				f.Session = strings.Clone(id)
			}
		}, func(transcript.Skip) {})
		if f.Session != "" {
			return f, true
		}
		ok = true
	}
	f.Session = strings.TrimSuffix(filepath.Base(path), ".jsonl")
	return f, ok || len(head) >= HeadSize
}
