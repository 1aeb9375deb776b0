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

// opencodeText is the plugin for opencode, as version 1 loads plugins, with marks in place of the path of dormouse-hook and of the events at
// which it asks.
//
//go:embed plugin/opencode.js
var opencodeText string

// pluginMark begins every plugin of ours.
const pluginMark = "// Dormouse: "

func opencodePlugin(hook string, asks map[string]bool) []byte {
	if runtime.GOOS == "windows" {
		hook = filepath.ToSlash(hook)
	}
	text := strings.Replace(opencodeText, `"DORMOUSE_HOOK"`, quote(hook), 1)
	var events []any
	for _, event := range slices.Sorted(maps.Keys(asks)) {
		events = append(events, event)
	}
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
