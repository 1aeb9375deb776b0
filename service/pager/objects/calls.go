package objects

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"dormouse/service/pager"
)

// call takes a call; its result is added to the object when it comes.
func (s *Store) call(i int) {
	e := &s.blocks[i]
	x := s.begin(ToolResult, i)
	x.parent = s.around()
	x.key = pager.Key(e.Tool, e.Input)
	x.path, x.span = fileOf(e.Block, x.key)
	x.edits = pager.Edits(e.Tool)
	x.check = isCheck(x.key)
	x.kind = typeOfCall(e.Block, outcome{}, x.key)
	s.calls[e.ID] = x
}

// result goes to its call. One without a call is an object of its own.
func (s *Store) result(i int) {
	e := &s.blocks[i]
	x, ok := s.calls[e.ID]
	delete(s.calls, e.ID)
	switch {
	case ok && x == nil, !ok && e.ref.Quiet:
		s.left.Quiet++
		return
	case !ok:
		x = s.begin(ToolResult, i)
		x.parent = s.around()
		s.admit(x)
		return
	}
	s.answered++
	x.put(s, i)
	c := s.blocks[x.blocks[0]]
	x.kind = typeOfCall(c.Block, outcome{text: e.Text, there: true, failed: e.Failed, exit: e.ref.Exit}, x.key)
	if s.admit(x); x.refused != "" {
		return
	}
	s.relate(x)
	s.debugging(x)
}

// relate finds what a call's object replaces and was made of, as soon as its result is there.
func (s *Store) relate(x *segment) {
	switch x.kind {
	case FileContext:
		for _, old := range s.files[x.path] {
			if old.newer == nil && x.span.covers(old.span) {
				old.newer = x
			}
		}
		s.files[x.path] = append(s.files[x.path], x)
	case ExternalReference:
		s.outside = append(s.outside, x)
	case Plan:
		if old := s.keys["plan"]; old != nil && old.newer == nil {
			old.newer = x
		}
		s.keys["plan"] = x
	case ToolResult:
		if x.edits && x.path != "" {
			if read := s.files[x.path]; len(read) > 0 {
				x.needs = append(x.needs, read[len(read)-1])
			}
		}
	}
}

// debugging follows failures: the first one opens a stretch of debugging, which ends when the same check, or any that says whether
// the work holds, passes.
func (s *Store) debugging(x *segment) {
	switch {
	case x.kind == ErrorContext && s.debug == nil && (x.check || strings.HasPrefix(x.key, "cmd:")):
		d := &segment{kind: DebuggingSession, id: derived(x.id, "debugging"), title: "Debugging: " + x.title, turns: x.turns, goal: x.goal, parent: s.phase, key: x.key}
		s.segs = append(s.segs, d)
		s.debug, x.parent = d, d
	case s.debug != nil && x.kind == ToolResult && x.key != "" && (x.key == s.debug.key || x.check):
		x.parent = s.debug
		if s.phase == nil { // it began with a prompt, and the talk goes on in it
			return
		}
		s.endDebugging()
	}
}

// endDebugging says of a stretch of debugging that ends whether it was one: what less than two calls belong to is talk like any other.
func (s *Store) endDebugging() {
	d := s.debug
	s.debug = nil
	below := 0
	for i := len(s.segs) - 1; d != nil && i >= 0 && s.segs[i].turns[1] >= d.turns[0]; i-- {
		if s.segs[i].parent == d {
			below++
		}
	}
	if d != nil && below < 2 {
		d.kind, d.title = ConversationPhase, strings.TrimPrefix(d.title, "Debugging: ")
	}
}

// lines are those of a file from one up to another, from 1; the zero value is all of it, and an unknown part covers itself alone.
type lines struct {
	from, to int
	unknown  string
}

func (a lines) covers(b lines) bool {
	switch {
	case a == lines{} || a == b:
		return true
	case b == lines{} || a.unknown != "" || b.unknown != "":
		return false
	}
	return a.from <= b.from && a.to >= b.to
}

var (
	sedRange  = regexp.MustCompile(`\bsed\s+(?:-n\s+)?['"]?(\d+)(?:,(\d+))?p['"]?`)
	headRange = regexp.MustCompile(`\bhead\s+(?:-n\s*)?-?(\d+)\b`)
	partly    = regexp.MustCompile(`\b(?:tail|sed|awk|head)\b`)
)

// fileOf is the file whose content or change a call is about, and which lines of it.
func fileOf(c pager.Block, key string) (path string, span lines) {
	var in struct {
		Path   string          `json:"file_path"`
		Path2  string          `json:"path"`
		Path3  string          `json:"target_file"`
		Offset int             `json:"offset"`
		Limit  int             `json:"limit"`
		Start  int             `json:"start_line"`
		End    int             `json:"end_line"`
		View   []int           `json:"view_range"`
		Cmd    json.RawMessage `json:"command"`
		Cmd2   json.RawMessage `json:"cmd"`
		Patch  string          `json:"input"`
	}
	_ = json.Unmarshal(c.Input, &in) // what could be read is used
	path, ok := strings.CutPrefix(key, "file:")
	if !ok {
		path = cmp.Or(in.Path, in.Path2, in.Path3, patched(in.Patch))
	}
	switch command := string(in.Cmd) + string(in.Cmd2); {
	case len(in.View) == 2 && in.View[1] > 0:
		span = lines{from: in.View[0], to: in.View[1]}
	case in.End > 0:
		span = lines{from: max(1, in.Start), to: in.End}
	case in.Limit > 0:
		span = lines{from: max(1, in.Offset), to: max(1, in.Offset) + in.Limit - 1}
	case in.Offset > 1:
		span = lines{from: in.Offset, to: 1 << 30}
	case sedRange.MatchString(command):
		m := sedRange.FindStringSubmatch(command)
		span.from, _ = strconv.Atoi(m[1])
		if span.to, _ = strconv.Atoi(m[2]); span.to == 0 {
			span.to = span.from
		}
	case headRange.MatchString(command):
		n, _ := strconv.Atoi(headRange.FindStringSubmatch(command)[1])
		span = lines{from: 1, to: n}
	case partly.MatchString(command):
		span.unknown = command
	}
	return path, span
}

var patchFile = regexp.MustCompile(`(?m)^\*\*\* (?:Update|Add|Delete) File: (\S.*)$`)

// patched is the first file of a patch.
func patched(patch string) string {
	if m := patchFile.FindStringSubmatch(head(patch, 4000)); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}
