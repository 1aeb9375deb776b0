package daemon

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"unicode"

	"dormouse/service/api"
)

// beforeTool are the agents' names of the event before a tool runs, in small letters without marks.
var beforeTool = map[string]bool{"pretooluse": true, "beforetool": true}

// aboutTo is what a hook tells of an edit that is about to be made.
type aboutTo struct {
	Event string `json:"hook_event_name"`
	Cwd   string `json:"cwd"`
	Input struct {
		Path      string `json:"file_path"`
		PathCamel string `json:"filePath"`
		Notebook  string `json:"notebook_path"`
	} `json:"tool_input"`
}

// seeBefore reads the file that an agent is about to edit, where its project is kept: the agent waits, so it lies there as it was.
func (d *Daemon) seeBefore(h api.Hook) {
	if !d.p.Config.Shadow.Enabled {
		return
	}
	var a aboutTo
	if json.Unmarshal(h.Payload, &a) != nil {
		return
	}
	event := h.Event
	if event == "" {
		event = a.Event
	}
	letters := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, event)
	file := a.Input.Path + a.Input.PathCamel + a.Input.Notebook
	if !beforeTool[letters] || file == "" {
		return
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(a.Cwd, file)
	}
	if d.isExcluded(file) {
		return
	}
	list, err := d.projects.List()
	if err != nil {
		return // status tells of it
	}
	for i := range list {
		if p := &list[i]; p.Shadowed() {
			d.shadow.store.See(append([]string{p.Path}, p.Roots...), file, d.p.Now())
		}
	}
}
