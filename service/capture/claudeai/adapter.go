package claudeai

import (
	"time"

	"dormouse/service/capture/archive"
	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// Agent is the agent's name, and Prefix begins the ids of its sessions.
const (
	Agent  = "claude-ai"
	Prefix = "ca"
)

var format = archive.Format{Mark: "chat_messages", Entry: entry, Read: read}

// Open opens an export.
func Open(path string, o transcript.Options) (transcript.Library, error) {
	return format.Open(path, o), nil
}

// Imports reports whether a path is an export of Claude.ai.
func Imports(path string, head []byte) bool { return format.Imports(path, head) }

func entry(raw []byte) transcript.Entry {
	v := gjson.GetManyBytes(raw, "uuid", "updated_at", "created_at")
	return transcript.Entry{Session: v[0].String(), Updated: max(unix(v[1]), unix(v[2]))}
}

// unix is a time of the export in Unix seconds; one without a zone is UTC.
func unix(v gjson.Result) int64 {
	if t := transcript.Unix(v.String()); t > 0 {
		return t
	}
	t, err := time.Parse("2006-01-02T15:04:05.999999999", v.String())
	if err != nil {
		return 0
	}
	return max(t.Unix(), 0)
}
