package chatgpt

import (
	"dormouse/service/capture/archive"
	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// Agent is the agent's name, and Prefix begins the ids of its sessions.
const (
	Agent  = "chatgpt"
	Prefix = "gp"
)

var format = archive.Format{Mark: "mapping", Entry: entry, Read: read, Assets: assets}

// Open opens an export.
func Open(path string, o transcript.Options) (transcript.Library, error) {
	return format.Open(path, o), nil
}

// Imports reports whether a path is an export of ChatGPT.
func Imports(path string, head []byte) bool { return format.Imports(path, head) }

func entry(raw []byte) transcript.Entry {
	v := gjson.GetManyBytes(raw, "conversation_id", "id", "update_time", "create_time")
	id := v[0].String()
	if id == "" {
		id = v[1].String()
	}
	return transcript.Entry{Session: id, Updated: max(v[2].Int(), v[3].Int())}
}
