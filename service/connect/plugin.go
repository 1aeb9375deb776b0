package connect

import (
	"bytes"
	_ "embed"
	"errors"
	"path/filepath"
	"runtime"
	"strings"
)

// opencodeText is the plugin for opencode, as version 1 loads plugins, with a mark in place of the path of dormouse-hook.
//
//go:embed plugin/opencode.js
var opencodeText string

// pluginMark begins every plugin of ours.
const pluginMark = "// Dormouse: "

func opencodePlugin(hook string) []byte {
	if runtime.GOOS == "windows" {
		hook = filepath.ToSlash(hook)
	}
	return []byte(strings.Replace(opencodeText, `"DORMOUSE_HOOK"`, quote(hook), 1))
}

// withPlugin is the file as it is to be. A file of that name that is not ours is left alone.
func (a Agent) withPlugin(text []byte, hook string) ([]byte, error) {
	if len(bytes.TrimSpace(text)) > 0 && !isPlugin(text) {
		return nil, errors.New("it is not the plugin that Dormouse writes there; move it away")
	}
	return a.plugin(hook), nil
}

func withoutPlugin(text []byte) []byte {
	if isPlugin(text) {
		return []byte{}
	}
	return text
}

func isPlugin(text []byte) bool { return bytes.HasPrefix(text, []byte(pluginMark)) }
