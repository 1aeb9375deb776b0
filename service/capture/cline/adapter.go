package cline

import (
	"path/filepath"
	"strings"

	"dormouse/service/capture/document"
	"dormouse/service/capture/transcript"
)

// Variant is one of the agents of this family.
type Variant struct {
	Agent, Prefix string
	extension     string // name of its folder in an editor's storage
}

// The agents of this family.
var (
	Cline = Variant{"cline", "cl", "saoudrizwan.claude-dev"}
	Roo   = Variant{"roo", "ro", "rooveterinaryinc.roo-cline"}
	Kilo  = Variant{"kilo", "ki", "kilocode.kilo-code"}
)

// editors are the folders of VS Code and of editors that grew out of it.
var editors = []string{"Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf", "Trae", "Positron", "Antigravity"}

// Roots are the folders of the tasks: in the storage of each editor, on a machine that is edited on from another one, and of the
// command line.
func (v Variant) Roots(env func(string) string, home string) []string {
	var out []string
	bases := []string{filepath.Join(home, ".config"), filepath.Join(home, "Library", "Application Support")}
	if d := env("APPDATA"); d != "" {
		bases = append(bases, d)
	}
	for _, base := range bases {
		for _, e := range editors {
			out = append(out, filepath.Join(base, e, "User", "globalStorage", v.extension, "tasks"))
		}
	}
	for _, server := range []string{".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server"} {
		out = append(out, filepath.Join(home, server, "data", "User", "globalStorage", v.extension, "tasks"))
	}
	if v.Agent == Cline.Agent {
		out = append(out, filepath.Join(home, ".cline", "data", "tasks"), filepath.Join(home, ".cline", "data", "sessions"))
	}
	return out
}

// Names of the documents of a task, and endings of those of a session in the newer store.
const (
	historyName    = "api_conversation_history.json"
	shownName      = "ui_messages.json"
	itemName       = "history_item.json"
	messagesSuffix = ".messages.json"
	compactSuffix  = ".compaction.json"
)

// Match reports whether a path is a document that is read.
func Match(path string) bool {
	name, folder := filepath.Base(path), filepath.Dir(path)
	switch name {
	case historyName, itemName:
		return filepath.Base(filepath.Dir(folder)) == "tasks"
	}
	return (strings.HasSuffix(name, messagesSuffix) || strings.HasSuffix(name, compactSuffix)) &&
		filepath.Base(filepath.Dir(folder)) == "sessions"
}

// Prune tells the folders that hold no documents: the agents' own git repositories.
func Prune(rel string) bool { return strings.HasSuffix(rel, "/checkpoints") }

// Of is the library that a document belongs to: the folder of all tasks, because tasks start others, or one session.
func Of(path string) string {
	if name, ok := strings.CutSuffix(path, compactSuffix); ok {
		return name + messagesSuffix
	}
	if strings.HasSuffix(path, messagesSuffix) {
		return path
	}
	return filepath.Dir(filepath.Dir(path))
}

// Open opens a library.
func (v Variant) Open(path string, o transcript.Options) (transcript.Library, error) {
	if strings.HasSuffix(path, messagesSuffix) {
		return document.Format{Session: sessionOf, Updated: updatedOf, Read: v.readSession}.Open(path, o), nil
	}
	if o.Skip == nil {
		o.Skip = func(transcript.Skip) {}
	}
	return &Tasks{v: v, dir: path, opts: o, known: map[string]about{}}, nil
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}
