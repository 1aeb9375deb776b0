package antigravity

import (
	"bytes"
	"path/filepath"
	"strings"

	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// Agent is the agent's name, Prefix begins the ids of its sessions, HeadSize is how much of a file Identify wants to see.
const (
	Agent    = "antigravity-cli"
	Prefix   = "ag"
	HeadSize = 4 << 10
)

const fileName = "transcript_full.jsonl"

// Roots are the folders of the transcripts.
func Roots(_ func(string) string, home string) []string {
	return []string{filepath.Join(home, ".gemini", "antigravity-cli", "brain")}
}

// Match reports whether a path may be a transcript: <conversation>/.system_generated/logs/transcript_full.jsonl. The file beside it
// says less.
func Match(path string) bool { return filepath.Base(path) == fileName }

// Identify says what file it is. The path alone tells.
func Identify(path string, head []byte, sidecar func(string) []byte) (f transcript.File, ok bool) {
	f = transcript.File{Path: path, Session: strings.TrimSuffix(filepath.Base(path), ".jsonl")}
	if len(head) == 0 {
		return f, false
	}
	if filepath.Base(path) != fileName {
		return f, true
	}
	conversation := filepath.Dir(filepath.Dir(filepath.Dir(path)))
	f.Session = filepath.Base(conversation)
	if sidecar != nil {
		f.Cwd = workspace(sidecar(filepath.Join(filepath.Dir(filepath.Dir(conversation)), "history.jsonl")), f.Session)
	}
	return f, true
}

// workspace is the folder that the list of prompts names for a conversation.
func workspace(history []byte, session string) string {
	for line := range bytes.Lines(history) {
		if r := gjson.ParseBytes(line); r.Get("conversationId").String() == session {
			if w := r.Get("workspace").String(); filepath.IsAbs(w) {
				return strings.Clone(w)
			}
		}
	}
	return ""
}
