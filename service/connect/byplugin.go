package connect

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
)

// ByPlugin tells whether the agent has Dormouse by a plugin of its own means (packaging/plugins), and how that is removed there; empty where it has
// none, or where that cannot be told. Such an agent needs no hooks besides: it would report everything twice.
func (a Agent) ByPlugin(env func(string) string, home string) (remove string) {
	dir := a.Folder(env, home)
	if dir == "" {
		return ""
	}
	switch a.Name {
	case "claude-code":
		var s struct {
			Enabled map[string]bool `json:"enabledPlugins"`
		}
		readJSON(filepath.Join(dir, "settings.json"), &s)
		for name, on := range s.Enabled {
			if on && strings.HasPrefix(name, serverName+"@") {
				return "claude plugin uninstall " + name
			}
		}
	case "codex":
		var s struct {
			Plugins map[string]struct {
				Enabled bool `toml:"enabled"`
			} `toml:"plugins"`
		}
		text, err := os.ReadFile(filepath.Join(dir, "config.toml"))
		if err != nil || toml.Unmarshal(bytes.TrimPrefix(text, []byte(bom)), &s) != nil {
			return ""
		}
		for name, p := range s.Plugins {
			if p.Enabled && strings.HasPrefix(name, serverName+"@") {
				return "codex plugin remove " + name
			}
		}
	case "gemini-cli":
		if isThere(filepath.Join(dir, "extensions", serverName)) {
			return "gemini extensions uninstall " + serverName
		}
	case "opencode":
		return inOpencode(dir)
	}
	return ""
}

// inOpencode looks for the package among opencode's plugins.
func inOpencode(dir string) string {
	for _, name := range []string{"opencode.json", "opencode.jsonc"} {
		var s struct {
			Plugin []any `json:"plugin"`
		}
		readJSON(filepath.Join(dir, name), &s)
		for _, p := range s.Plugin {
			if p, ok := p.(string); ok && (strings.HasPrefix(p, "dormouse-opencode") || strings.HasSuffix(p, "/opencode/index.js") && strings.Contains(p, serverName)) {
				return "take " + p + " out of \"plugin\" in " + filepath.Join(dir, name)
			}
		}
	}
	return ""
}

// readJSON reads a file of JSON with comments; one that cannot be read says nothing.
func readJSON(path string, to any) {
	text, err := os.ReadFile(path)
	if err != nil {
		return
	}
	text, err = hujson.Standardize(join(bytes.TrimPrefix(text, []byte(bom)), "\n"))
	if err == nil {
		_ = json.Unmarshal(text, to) // what has another type says nothing
	}
}
