package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"dormouse/service/connect"
	"dormouse/service/inject"
)

// hookProgram is how plugins name the program: it is on PATH where Dormouse is installed.
const hookProgram = "dormouse-hook"

// moments are those at which all plugins ask: the settings of Dormouse decide whether they are told anything.
var moments = []inject.Moment{inject.Start, inject.Prompt}

// written is the file that "dormouse agents connect" would write for an agent in an empty home folder.
func written(name string) ([]byte, error) {
	agent, ok := connect.Find(connect.Table(), name)
	if !ok {
		return nil, fmt.Errorf("no agent %q", name)
	}
	empty, err := os.MkdirTemp("", "dormouse-plugins-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(empty) //nolint:errcheck // nothing lies in it
	plan, err := agent.Asking(moments...).Connect(func(string) string { return "" }, empty, hookProgram)
	return plan.After, err
}

// hooks is the same as a plugin's file: each command does nothing where the program is gone, so that no agent shows an error.
func hooks(name string) ([]byte, error) {
	text, err := written(name)
	if err != nil {
		return nil, err
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	return indented(guarded(v))
}

// guarded puts a check before every command.
func guarded(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if s, ok := x.(string); ok && k == "command" && strings.HasPrefix(s, hookProgram+" ") {
				v[k] = "command -v " + hookProgram + " >/dev/null 2>&1 || exit 0; exec " + s
				continue
			}
			v[k] = guarded(x)
		}
	case []any:
		for i := range v {
			v[i] = guarded(v[i])
		}
	}
	return v
}

func indented(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return []byte(b.String()), err
}
