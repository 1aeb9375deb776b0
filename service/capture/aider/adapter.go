package aider

import (
	"path/filepath"

	"dormouse/service/capture/transcript"
)

// Agent is the agent's name, Prefix begins the ids of its sessions, FileName is the name of a history in the folder of a project.
const (
	Agent    = "aider"
	Prefix   = "ai"
	FileName = ".aider.chat.history.md"
)

// Roots are no folders of its own: a history lies in the folder of a project.
func Roots(func(string) string, string) []string { return nil }

// Match reports whether a path is a history.
func Match(path string) bool { return filepath.Base(path) == FileName }

// Prune leaves out all folders of a project: a history lies at its top.
func Prune(string) bool { return true }

// Of is the library that a file belongs to: each is one of its own.
func Of(path string) string { return path }

// Open opens a history.
func Open(path string, o transcript.Options) (transcript.Library, error) {
	if o.Skip == nil {
		o.Skip = func(transcript.Skip) {}
	}
	return &History{path: path, opts: o}, nil
}
