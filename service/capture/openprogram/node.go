package openprogram

import (
	"math"
	"slices"
	"strings"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

type value = gjson.Result

// role is who speaks in a node.
type role int

const (
	nobody role = iota
	user
	model
	code
)

func roleOf(v value) role {
	switch v.Get("role").String() {
	case "user":
		return user
	case "llm", "assistant":
		return model
	case "code", "tool":
		return code
	}
	return nobody
}

// edges are the nodes that a node names: the one before it in the conversation, and the one that it was made by. Both are empty at the
// beginning.
func edges(v value) (before, caller string) {
	before, caller = first(v, "predecessor", "parent_id"), first(v, "caller", "called_by", "metadata.caller")
	if before == rootID {
		before = ""
	}
	if caller == rootID {
		caller = ""
	}
	return strings.Clone(before), strings.Clone(caller)
}

// rootID stands for the beginning of a session.
const rootID = "ROOT"

// hidden reports whether a node records what the program did and not what anybody said.
func hidden(v value) bool {
	return v.Get("metadata.display").String() == "runtime" || strings.HasPrefix(v.Get("name").String(), "context/")
}

// summary reports whether a node is a summary that replaced others.
func summary(v value) bool {
	return v.Get("name").String() == "context/summary" || v.Get("metadata.covers_ids").IsArray() || v.Get("metadata.extra.covers_ids").IsArray()
}

// scheduled reports whether the program put a turn there itself.
func scheduled(v value) bool {
	switch v.Get("metadata.source").String() {
	case "goal_continue", "hook_continue", "merge_turn", "job_followup", "scheduler", "agent_spawn":
		return true
	}
	return v.Get("metadata.role").String() == "system"
}

// spawned reports whether a node begins the work of an agent that was started.
func spawned(v value) bool {
	return v.Get("metadata.spawn_branch_root").Bool() || v.Get("metadata.source").String() == "agent_spawn"
}

// running reports whether a node is not finished.
func running(v value) bool {
	switch v.Get("metadata.status").String() {
	case "running", "pending", "streaming", "cancelling":
		return true
	}
	return false
}

// state is how a message or a call ended.
func state(v value) memory.Status {
	switch v.Get("metadata.status").String() {
	case "error", "failed":
		return memory.StatusError
	case "cancelled", "interrupted", "running", "pending", "streaming", "cancelling":
		return memory.StatusInterrupted
	}
	if v.Get("metadata.is_error").Bool() || v.Get("metadata.error").String() != "" {
		return memory.StatusError
	}
	return ""
}

// said is the text of a node, and its images.
func said(v value) (string, []memory.Image) {
	out := v.Get("output")
	if !out.Exists() || out.Type == gjson.Null {
		out = v.Get("content")
	}
	switch {
	case out.Type == gjson.Null:
		return "", nil
	case out.IsArray() && out.Get("0.type").Type == gjson.String:
		if c := blocks.Anthropic(out); len(c.Texts) > 0 || len(c.Images) > 0 {
			return c.Text(), c.Images
		}
		return out.Raw, nil
	case out.IsArray(), out.IsObject():
		return out.Raw, nil
	}
	return out.String(), nil
}

// asked is what a model was asked by a function.
func asked(v value) string {
	if s := v.Get("metadata.prompt_text").String(); s != "" {
		return s
	}
	switch in := v.Get("input"); {
	case in.Type == gjson.String:
		return in.Str
	case in.IsArray():
		c := blocks.Anthropic(in)
		return c.Text()
	}
	return ""
}

// attached names what a prompt came with.
func attached(v value) string {
	var names []string
	extra(v).Get("attachments").ForEach(func(_, a value) bool {
		if name := first(a, "name", "path", "media_type", "type"); name != "" {
			names = append(names, "Attached: "+name)
		}
		return true
	})
	return strings.Join(names, "\n")
}

// extra is what a node carries beside its fields: in its metadata, or as a text of JSON in it.
func extra(v value) value {
	meta := v.Get("metadata")
	switch x := meta.Get("extra"); {
	case x.IsObject():
		return x
	case x.Type == gjson.String && gjson.Valid(x.Str):
		return gjson.Parse(x.Str)
	}
	return meta
}

// parts are the thoughts of a message, and the calls that it shows.
func parts(v value) (thoughts string, calls []value) {
	list := extra(v).Get("blocks")
	if !list.IsArray() {
		list = v.Get("metadata.blocks")
	}
	var all []string
	list.ForEach(func(_, b value) bool {
		switch b.Get("type").String() {
		case "thinking", "reasoning":
			if s := first(b, "text", "thinking"); strings.TrimSpace(s) != "" {
				all = append(all, s)
			}
		case "tool":
			calls = append(calls, b)
		}
		return true
	})
	return strings.Join(all, "\n\n"), calls
}

// usage is the tokens of a message; nil where none were counted.
func usage(v value) *memory.Usage {
	m := v.Get("metadata")
	u := m.Get("usage")
	if !u.IsObject() {
		u = m
	}
	count := func(names ...string) int64 {
		for _, n := range names {
			if c := u.Get(n).Int(); c > 0 {
				return c
			}
		}
		return 0
	}
	out := memory.Usage{Input: count("input_tokens", "input"), Output: count("output_tokens", "output"),
		CacheRead: count("cache_read_tokens", "cache_read", "cache_read_input_tokens"), CacheWrite: count("cache_write_tokens", "cache_write", "cache_create", "cache_creation_input_tokens")}
	if out == (memory.Usage{}) {
		return nil
	}
	return &out
}

// seconds is a time in Unix seconds: a number of seconds or milliseconds, or a text; 0 where it is none.
func seconds(v value) int64 {
	switch v.Type {
	case gjson.Number:
		n := v.Num
		if math.Abs(n) > 1e11 {
			n /= 1000
		}
		if n > 0 && n < 1e11 {
			return int64(n)
		}
	case gjson.String:
		return transcript.Unix(v.Str)
	}
	return 0
}

// took is how long a call ran, in milliseconds.
func took(v value) int64 {
	if d := v.Get("metadata.duration_seconds").Num; d > 0 && d < 1e9 {
		return int64(math.Round(d * 1000))
	}
	return max(v.Get("metadata.duration_ms").Int(), 0)
}

// first is the first of some fields that is a text and not empty.
func first(v value, fields ...string) string {
	for _, f := range fields {
		if s := v.Get(f); s.Type == gjson.String && s.Str != "" {
			return s.Str
		}
	}
	return ""
}

// excerpt reports whether a title is only the beginning of the first prompt, or none.
func excerpt(title, prompt string) bool {
	title = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(title), "…"), "..."))
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	return slices.Contains([]string{"", "New conversation", "New chat", "Untitled"}, title) || strings.HasPrefix(line, title)
}
