package capture

import (
	"encoding/json"
	"strings"

	"dormouse/service/capture/exclude"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// Reasons why a part of a session is not kept.
const (
	partReason = "part of a session in a folder that the settings exclude"
	callReason = "what a session elsewhere read or wrote in a folder that the settings exclude"
)

// excludedText stands in the place of what is left out.
const excludedText = "excluded: this lies in a folder that capture.exclude names"

// excludedInput stands in the place of a call's arguments.
var excludedInput = json.RawMessage(`{"excluded":true}`)

// hiding leaves out what of one session lies in excluded folders: nodes that were made while it worked in one, and what calls and
// attachments took from one. It is told of every node in order; what it does depends on them and on where links lead.
type hiding struct {
	set     *exclude.Set
	cwd     map[string]string         // working directory, by sub-agent
	starter map[string]memory.Ref     // the call that started a sub-agent
	stained map[memory.Ref]bool       // calls whose sub-agent worked in an excluded folder: their results tell of it
	above   map[memory.Ref]memory.Ref // of a node that was left out, the one that its children hang on
	lost    bool                      // nodes of the main conversation were left out
	prompt  bool                      // a prompt was kept before that
	inside  bool                      // the main conversation is in an excluded folder now
}

func newHiding(set *exclude.Set) *hiding {
	if set.Empty() {
		return nil
	}
	return &hiding{set: set, cwd: map[string]string{}, starter: map[string]memory.Ref{}, stained: map[memory.Ref]bool{},
		above: map[memory.Ref]memory.Ref{}}
}

// look changes a node to what may be kept of it, and says why something is left out; keep is false where nothing may be kept. A nil
// hiding keeps everything.
func (h *hiding) look(n *memory.Node) (reason string, keep bool) {
	if h == nil {
		return "", true
	}
	agent := n.Metadata.AgentID
	if n.Metadata.Cwd != "" {
		h.cwd[agent] = n.Metadata.Cwd
	}
	cwd := h.cwd[agent]
	if cwd == "" && agent != "" {
		cwd = h.cwd[""]
	}
	if agent != "" && n.CalledBy != "" && h.starter[agent] == "" {
		h.starter[agent] = n.CalledBy
	}
	in := h.set.Holds(cwd)
	if _, gone := h.above[n.CalledBy]; gone && n.Role == memory.RoleTool {
		in = true // a call of a message that was left out
	} else if agent == "" {
		h.inside = in
		h.lost, h.prompt = h.lost || in, h.prompt || !in && !h.lost && n.StartsTurn()
	}
	if in {
		h.above[memory.Ref(n.ID)] = n.ParentID
		if agent != "" {
			h.stained[h.starter[agent]] = true
		}
		return partReason, false
	}
	h.relink(n)
	if !h.touches(n, cwd) {
		return "", true
	}
	blank(n)
	return callReason, true
}

// relink hangs a node on what was kept.
func (h *hiding) relink(n *memory.Node) {
	for range len(h.above) {
		up, gone := h.above[n.ParentID]
		if !gone {
			break
		}
		n.ParentID = up
	}
	if _, gone := h.above[n.CalledBy]; gone {
		n.CalledBy = ""
	}
	if c := n.Metadata.Compaction; c != nil {
		if _, gone := h.above[memory.Ref(c.Last)]; gone {
			short := *c
			short.Last = ""
			n.Metadata.Compaction = &short
		}
	}
}

// touches reports whether a node holds something from an excluded folder.
func (h *hiding) touches(n *memory.Node, cwd string) bool {
	for _, r := range n.Reads {
		if p, _, ok := memory.FileOf(r); ok && h.set.Path(p, cwd) {
			return true
		}
	}
	switch {
	case n.Role == memory.RoleUser:
		return n.Metadata.Kind == memory.KindCompaction && h.lost // it sums up what was left out
	case n.Role != memory.RoleTool:
		return false
	case h.stained[memory.Ref(n.ID)]:
		return true
	}
	for _, e := range n.Metadata.Edits {
		if h.set.Path(e.Path, cwd) {
			return true
		}
	}
	for _, c := range n.Metadata.Commands {
		if h.set.Command(c, cwd) {
			return true
		}
	}
	bases := []string{cwd}
	return h.argument("", gjson.ParseBytes(n.Input), &bases) || h.set.Lines(n.Output, bases...)
}

// Names of arguments: those that hold a command, and those that hold words which name files without touching them.
var (
	commandKeys = map[string]bool{"command": true, "cmd": true, "script": true, "code": true, "args": true, "input": true, "patch": true,
		"commands": true, "chars": true, "shell": true}
	wordKeys = map[string]bool{"content": true, "contents": true, "new_string": true, "old_string": true, "newString": true, "oldString": true, "new_str": true,
		"old_str": true, "file_text": true, "prompt": true, "description": true, "todos": true, "thought": true, "message": true, "text": true, "query": true, "diff": true}
	folderKeys = map[string]bool{"path": true, "cwd": true, "workdir": true, "dir": true, "directory": true, "dir_path": true, "working_directory": true}
)

// argument reports whether an argument of a call names something in an excluded folder. Folders that it names are added to bases.
func (h *hiding) argument(key string, v gjson.Result, bases *[]string) (found bool) {
	switch {
	case v.IsArray() || v.IsObject():
		v.ForEach(func(k, v gjson.Result) bool {
			name := key
			if k.Type == gjson.String && k.Str != "" {
				name = k.Str
			}
			found = h.argument(name, v, bases)
			return !found
		})
		return found
	case v.Type != gjson.String || wordKeys[key]:
		return false
	}
	for _, base := range *bases {
		if commandKeys[key] && h.set.Command(v.Str, base) || h.set.Path(v.Str, base) {
			return true
		}
	}
	if folderKeys[key] && len(*bases) < 4 && !strings.ContainsAny(v.Str, "\n*?") {
		*bases = append(*bases, exclude.Joined((*bases)[0], v.Str))
	}
	return false
}

// blank leaves of a node who spoke, when, and that something was left out.
func blank(n *memory.Node) {
	if len(n.Input) > 0 {
		n.Input = excludedInput
	}
	n.Output, n.Reads = excludedText, nil
	m := n.Metadata
	n.Metadata = memory.Metadata{SourceIDs: m.SourceIDs, Kind: m.Kind, Status: m.Status, Model: m.Model, Usage: m.Usage, Cwd: m.Cwd, AgentID: m.AgentID,
		AgentType: m.AgentType, Compaction: m.Compaction}
}

// hidden leaves out of a node what the person excluded, and counts it. What is stored already stays.
func (r *reading) hidden(n *memory.Node) (keep bool) {
	if r.act.hide == nil {
		return true
	}
	was := weight(n)
	reason, keep := r.act.hide.look(n)
	if reason == "" {
		return true
	}
	stored := !r.isNew && r.session != nil && r.session.Has(n.ID)
	if stored {
		delete(r.act.hide.above, memory.Ref(n.ID))
		return keep
	}
	r.act.tally.Add(transcript.Skip{Reason: reason, File: r.job.files[0].Path, Bytes: int64(was)})
	return keep
}
