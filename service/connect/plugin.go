package connect

import (
	"bytes"
	_ "embed"
	"errors"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// opencodeText is the plugin for opencode, as its versions 1 and 2 load plugins, and for agents that grew out of it, with marks in place of the
// path of dormouse-hook, of the agent's name and of the events at which it asks. Version 2 is built from its sources, and was not run.
//
//go:embed plugin/opencode.js
var opencodeText string

// pluginMark begins every plugin of ours.
const pluginMark = "// Dormouse: "

// pluginOf is the plugin for an agent of opencode's family.
func pluginOf(agent string) func(hook string, asks map[string]bool) []byte {
	return func(hook string, asks map[string]bool) []byte { return opencodePlugin(agent, hook, asks) }
}

func opencodePlugin(agent, hook string, asks map[string]bool) []byte {
	if runtime.GOOS == "windows" {
		hook = filepath.ToSlash(hook)
	}
	text := strings.Replace(opencodeText, `"DORMOUSE_HOOK"`, quote(hook), 1)
	var events []any
	for _, event := range slices.Sorted(maps.Keys(asks)) {
		events = append(events, event)
	}
	text = strings.ReplaceAll(text, "DORMOUSE_AGENT", agent)
	return []byte(strings.Replace(text, `["DORMOUSE_ASKS"]`, render(events, "", "", ""), 1))
}

// withPlugin is the file as it is to be. A file of that name that is not ours is left alone.
func (a Agent) withPlugin(text []byte, hook string) ([]byte, error) {
	if len(bytes.TrimSpace(text)) > 0 && !isPlugin(text) {
		return nil, errors.New("it is not the plugin that Dormouse writes there; move it away")
	}
	return a.plugin(hook, a.asks), nil
}

func withoutPlugin(text []byte) []byte {
	if isPlugin(text) {
		return []byte{}
	}
	return text
}

func isPlugin(text []byte) bool { return bytes.HasPrefix(text, []byte(pluginMark)) }

// isPluginOf reports whether a text is a plugin of ours, of this or an older version, that starts this dormouse-hook.
func (a Agent) isPluginOf(text []byte, hook string) bool {
	if runtime.GOOS == "windows" {
		hook = filepath.ToSlash(hook)
	}
	return isPlugin(text) && bytes.Contains(text, []byte("const hook = "+quote(hook)+"\n"))
}
