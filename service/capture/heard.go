package capture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"dormouse/service/capture/transcript"
)

// Heard is what an agent's hook told of a session.
type Heard struct {
	Agent   string // its name; may be empty
	Path    string // of the transcript; may be empty
	Session string // the agent's own id
	Over    bool   // the session has ended
}

// Hear reads the session that a hook told of, without waiting for the system to tell of a changed file, which it does not do on
// every file system. A transcript outside the agents' folders is not read: it becomes a Problem that names the setting.
func (e *Engine) Hear(ctx context.Context, h Heard) {
	how := transcript.Growing
	if h.Over {
		how = transcript.Over
	}
	paths := e.pathsOf(h)
	if h.Path != "" {
		path, err := filepath.EvalSymlinks(h.Path)
		if err != nil {
			path = h.Path // not there yet
		}
		if e.adapterOf(path) != nil {
			paths[path] = true
			e.fine(hookPlace(h))
		} else if _, err := os.Stat(path); err == nil && len(paths) == 0 {
			e.trouble(h.Agent, hookPlace(h), fmt.Errorf("its hook tells of %s, which lies in none of its folders; add the folder to capture.roots in config.toml", h.Path))
		}
	}
	if h.Path == "" && len(paths) == 0 {
		paths = e.storesOf(h)
	}
	e.follow(ctx, paths, how)
}

// storesOf are the files of the libraries of the agent that a hook named without a transcript. Those whose files did not change are not
// opened. A database's log may have come since they were looked for.
func (e *Engine) storesOf(h Heard) map[string]bool {
	out := map[string]bool{}
	if h.Session == "" || h.Agent == "" {
		return out
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.shelves {
		if s.agent != h.Agent {
			continue
		}
		for path := range s.files {
			out[path] = true
		}
		if s.isDatabase() {
			out[s.path+"-wal"] = true
		}
	}
	return out
}

func hookPlace(h Heard) string { return "hook in " + filepath.Dir(h.Path) }

// pathsOf are the known files of the session that a hook told of.
func (e *Engine) pathsOf(h Heard) map[string]bool {
	out := map[string]bool{}
	if h.Session == "" {
		return out
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for path := range e.found {
		if f := e.files[path]; f != nil && f.known && f.cursor.File.Session == h.Session && (h.Agent == "" || f.agent == h.Agent) {
			out[path] = true
		}
	}
	return out
}
