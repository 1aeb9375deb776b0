package capture

import (
	"dormouse/service/capture/aider"
	"dormouse/service/capture/amp"
	"dormouse/service/capture/antigravity"
	"dormouse/service/capture/chatgpt"
	"dormouse/service/capture/claudeai"
	"dormouse/service/capture/claudecode"
	"dormouse/service/capture/cline"
	"dormouse/service/capture/codex"
	"dormouse/service/capture/copilot"
	"dormouse/service/capture/cursor"
	"dormouse/service/capture/gemini"
	"dormouse/service/capture/goose"
	"dormouse/service/capture/opencode"
	"dormouse/service/capture/openprogram"
	"dormouse/service/capture/pi"
	"dormouse/service/capture/qwen"
	"dormouse/service/capture/transcript"
	"path/filepath"
	"time"
)

// Adapter is what the engine has to know of one agent.
type Adapter struct {
	Name   string // of the agent; a session's agent field
	Prefix string // begins the ids of its sessions
	// Roots are the folders that hold its transcripts, given the environment and the user's home folder.
	Roots func(env func(string) string, home string) []string
	// InProjects is the name of its transcripts where they lie at the top of the folders of projects; else empty.
	InProjects string
	// Match reports whether a path may be a transcript. It does no I/O.
	Match func(path string) bool
	// Odd, which may be nil, tells of a file that Match refuses that it may be a transcript all the same, under another name: such files
	// are counted and not read. It does no I/O.
	Odd func(path string) bool
	// Identify says what file it is, from its path and its first HeadSize bytes; sidecar reads a small file beside it. ok is
	// false while the file does not say enough yet.
	Identify func(path string, head []byte, sidecar func(string) []byte) (f transcript.File, ok bool)
	HeadSize int
	New      func(transcript.Options) transcript.Parser
	// Prune, which may be nil, tells the folders below a root that hold no transcripts, by their path from the root with slashes: they
	// are neither walked nor watched.
	Prune func(rel string) bool
	// Still, which may be nil, tells those whose files are not watched, because there are too many of them and they do not grow any
	// more: they are scanned every minute. What lies below such a folder is still too.
	Still func(rel string) bool
	// Retention, which may be nil, is how long the agent keeps a transcript after it was written last, by its settings; 0 where it deletes
	// none. read gives a small file, nil where there is none.
	Retention func(env func(string) string, home string, read func(path string) []byte) time.Duration
	// ImportOnly is set for one whose folders are not looked through: it takes part in Engine.Import alone.
	ImportOnly bool
	// Libraries is set instead of Identify and New by an agent whose sessions lie in stores that are rewritten. An agent that
	// changed from one form to the other has both: a file is a library's where Libraries.Of says so.
	Libraries *Libraries
}

// Libraries are the stores of an agent.
type Libraries struct {
	// Of is the library that a matched file belongs to, as a path to be opened: the file itself, the database whose log it is, the
	// folder of the tree. It is empty for a file that is read by line. It does no I/O.
	Of func(path string) string
	// Open opens the library at a path.
	Open func(path string, o transcript.Options) (transcript.Library, error)
	// Imports, which may be nil, reports whether a file, wherever it lies, is one that Open reads: an export, or a copy of a store. head
	// is its beginning, HeadSize bytes of it or less; nil for a folder.
	Imports func(path string, head []byte) bool
}

// library is the library that a matched file belongs to; empty for one that is read by line.
func (a *Adapter) library(path string) string {
	if a.Libraries == nil {
		return ""
	}
	return a.Libraries.Of(path)
}

// prunes reports whether a folder below a root is left out.
func (a *Adapter) prunes(root, dir string) bool { return below(a.Prune, root, dir) }

// still reports whether a folder below a root is not watched.
func (a *Adapter) still(root, dir string) bool { return below(a.Still, root, dir) }

func below(tell func(rel string) bool, root, dir string) bool {
	if tell == nil {
		return false
	}
	rel, err := filepath.Rel(root, dir)
	return err == nil && rel != "." && tell(filepath.ToSlash(rel))
}

// Imported is the adapter for imports alone; ok is false where there is nothing to import of the agent.
func (a Adapter) Imported() (out Adapter, ok bool) {
	if a.Libraries == nil || a.Libraries.Imports == nil {
		return a, false
	}
	a.ImportOnly, a.InProjects = true, ""
	a.Roots = func(func(string) string, string) []string { return nil }
	a.Match = func(string) bool { return false }
	return a, true
}

// Table lists the agents.
func Table() []Adapter {
	return []Adapter{
		{Name: claudecode.Agent, Prefix: claudecode.Prefix, Roots: claudecode.Roots, Match: claudecode.Match,
			Identify: claudecode.Identify, HeadSize: claudecode.HeadSize, Retention: claudecode.Retention,
			New: func(o transcript.Options) transcript.Parser { return claudecode.New(o) }},
		{Name: codex.Agent, Prefix: codex.Prefix, Roots: codex.Roots, Match: codex.Match, Odd: codex.Odd,
			Identify: codex.Identify, HeadSize: codex.HeadSize,
			New: func(o transcript.Options) transcript.Parser { return codex.New(o) }},
		{Name: gemini.Agent, Prefix: gemini.Prefix, Roots: gemini.Roots, Match: gemini.Match,
			Identify: gemini.Identify, HeadSize: gemini.HeadSize, Retention: gemini.Retention,
			New:       func(o transcript.Options) transcript.Parser { return gemini.New(o) },
			Libraries: &Libraries{Of: gemini.Of, Open: gemini.Open}},
		{Name: copilot.Agent, Prefix: copilot.Prefix, Roots: copilot.Roots, Match: copilot.Match,
			Identify: copilot.Identify, HeadSize: copilot.HeadSize,
			New: func(o transcript.Options) transcript.Parser { return copilot.New(o) }},
		{Name: qwen.Agent, Prefix: qwen.Prefix, Roots: qwen.Roots, Match: qwen.Match,
			Identify: qwen.Identify, HeadSize: qwen.HeadSize,
			New:       func(o transcript.Options) transcript.Parser { return qwen.New(o) },
			Libraries: &Libraries{Of: qwen.Of, Open: qwen.Open}},
		{Name: antigravity.Agent, Prefix: antigravity.Prefix, Roots: antigravity.Roots, Match: antigravity.Match,
			Identify: antigravity.Identify, HeadSize: antigravity.HeadSize,
			New: func(o transcript.Options) transcript.Parser { return antigravity.New(o) }},
		{Name: pi.Agent, Prefix: pi.Prefix, Roots: pi.Roots, Match: pi.Match,
			Identify: pi.Identify, HeadSize: pi.HeadSize,
			New: func(o transcript.Options) transcript.Parser { return pi.New(o) }},
		{Name: pi.OmpAgent, Prefix: pi.OmpPrefix, Roots: pi.OmpRoots, Match: pi.Match,
			Identify: pi.Identify, HeadSize: pi.HeadSize,
			New: func(o transcript.Options) transcript.Parser { return pi.NewOmp(o) }},
		family(cline.Cline), family(cline.Roo), kilo(),
		{Name: amp.Agent, Prefix: amp.Prefix, Roots: amp.Roots, Match: amp.Match,
			Libraries: &Libraries{Of: amp.Of, Open: amp.Open}},
		database(opencode.OpenCode),
		{Name: aider.Agent, Prefix: aider.Prefix, Roots: aider.Roots, InProjects: aider.FileName, Match: aider.Match, Prune: aider.Prune,
			Libraries: &Libraries{Of: aider.Of, Open: aider.Open}},
		{Name: goose.Agent, Prefix: goose.Prefix, Roots: goose.Roots, Match: goose.Match,
			Libraries: &Libraries{Of: goose.Of, Open: goose.Open}},
		{Name: cursor.Agent, Prefix: cursor.Prefix, Roots: cursor.Roots, Match: cursor.Match, Prune: cursor.Prune,
			Libraries: &Libraries{Of: cursor.Of, Open: cursor.Open, Imports: cursor.Imports}},
		{Name: openprogram.Agent, Prefix: openprogram.Prefix, Roots: openprogram.Roots, Match: openprogram.Match, Prune: openprogram.Prune,
			Libraries: &Libraries{Of: openprogram.Of, Open: openprogram.Open, Imports: openprogram.Imports}},
		export(chatgpt.Agent, chatgpt.Prefix, Libraries{Open: chatgpt.Open, Imports: chatgpt.Imports}),
		export(claudeai.Agent, claudeai.Prefix, Libraries{Open: claudeai.Open, Imports: claudeai.Imports}),
	}
}

// export is the row of what is not on this machine by itself.
func export(name, prefix string, l Libraries) Adapter {
	l.Of = func(path string) string { return path }
	a, _ := Adapter{Name: name, Prefix: prefix, Libraries: &l}.Imported()
	return a
}

// family is the row of an agent that keeps its tasks as Cline does.
func family(v cline.Variant) Adapter {
	return Adapter{Name: v.Agent, Prefix: v.Prefix, Roots: v.Roots, Match: cline.Match, Prune: cline.Prune,
		Libraries: &Libraries{Of: cline.Of, Open: v.Open}}
}

// database is the row of an agent that keeps its sessions as opencode does.
func database(v opencode.Variant) Adapter {
	return Adapter{Name: v.Agent, Prefix: v.Prefix, Roots: v.Roots, Match: v.Match, HeadSize: opencode.HeadSize, Prune: opencode.Prune,
		Still: opencode.Still, Libraries: &Libraries{Of: v.Of, Open: v.Open, Imports: v.Imports}}
}

// kilo is the row of Kilo Code, which kept tasks as Cline does and then sessions as opencode does. Their ids have nothing in common.
func kilo() Adapter {
	tasks, a := family(cline.Kilo), database(opencode.Kilo)
	now := a
	a.Roots = func(env func(string) string, home string) []string {
		return append(now.Roots(env, home), tasks.Roots(env, home)...)
	}
	a.Match = func(path string) bool { return now.Match(path) || tasks.Match(path) }
	a.Prune = func(rel string) bool { return now.Prune(rel) || tasks.Prune(rel) }
	a.Libraries = &Libraries{Imports: now.Libraries.Imports, Of: func(path string) string {
		if library := now.Libraries.Of(path); library != "" {
			return library
		}
		return tasks.Libraries.Of(path)
	}, Open: func(path string, o transcript.Options) (transcript.Library, error) {
		if filepath.Base(path) == "tasks" {
			return tasks.Libraries.Open(path, o)
		}
		return now.Libraries.Open(path, o)
	}}
	return a
}
