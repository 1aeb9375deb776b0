package openprogram

import (
	"slices"

	"dormouse/service/capture/blocks"
	"dormouse/service/capture/chain"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// tell makes the nodes of one.
func (t *teller) tell(s *chain.Stream, o *outline, v value) {
	t.b.Look(v.Raw)
	at := chain.At{File: o.file.path, Line: 1, Time: seconds(v.Get("created_at")), Source: o.id}
	key := []string{t.session, o.id}
	t.b.Look(v.Raw)
	text, images := said(v)
	switch {
	case o.id == rootID || v.Get("metadata.display").String() == "root":
	case o.role != nobody && summary(v):
		s.Compact(at, text, t.compaction(v), key...)
	case o.role == nobody:
		t.b.Unknown(at, "role "+v.Get("role").String(), len(v.Raw))
	case hidden(v):
		s.Client(at, memory.KindHarness, text, key...)
	case o.role == user && o.spawned:
		s.Prompt(at, text, images, key...)
	case scheduled(v):
		s.Client(at, memory.KindHarness, text, key...)
	case o.role == user:
		s.Client(at, memory.KindHarness, attached(v), append(slices.Clone(key), "attached")...)
		s.Prompt(at, text, images, key...)
	case o.role == model:
		t.say(s, o, at, v, key)
	default:
		s.By(t.spoke[o.caller])
		s.Say(at, chain.Message{Calls: []chain.Call{called(o, v)}}, key...)
	}
}

// compaction is what a summary covers.
func (t *teller) compaction(v value) (c memory.Compaction) {
	covered := extra(v).Get("covers_ids").Array()
	if len(covered) == 0 {
		covered = v.Get("metadata.covers_ids").Array()
	}
	for _, id := range covered {
		if tip := t.tips[id.String()]; tip != "" {
			c.Last = tip
		}
	}
	return c
}

// say tells a message of a model. One that a function asked begins with what was asked.
func (t *teller) say(s *chain.Stream, o *outline, at chain.At, v value, key []string) {
	if s.Agent() != "" && o.caller != "" {
		s.Prompt(at, asked(v), nil, append(slices.Clone(key), "asked")...)
	}
	text, images := said(v)
	out := chain.Message{Text: text, Images: images, Usage: usage(v), Status: state(v), Model: first(v, "metadata.model", "name", "metadata.token_model")}
	if o.running {
		out.Version = "part" // it may be said to its end later
	}
	var calls []value
	out.Thinking, calls = parts(v)
	s.Say(at, out, key...)
	say := append(slices.Clone(key), "say")
	if out.Version != "" {
		say = append(say, out.Version)
	}
	if id := t.b.ID(say...); t.b.Has(id) {
		t.spoke[o.id] = id
	}
	for _, c := range calls {
		if call, ok := t.shown(o, c); ok {
			s.By(t.spoke[o.id])
			s.Say(at, chain.Message{Calls: []chain.Call{call}}, t.session, call.ID)
		}
	}
}

// shown is a call that a message shows and that has no node of its own. It is called as that would be.
func (t *teller) shown(o *outline, c value) (chain.Call, bool) {
	id, name := first(c, "tool_call_id", "id"), first(c, "tool", "name")
	for _, made := range t.made[o.id] {
		if made == name || id != "" && (made == id || made == o.id+"_t_"+id) {
			return chain.Call{}, false
		}
	}
	out := chain.Call{ID: o.id + "_t_" + id, Name: name, Input: blocks.Input(c.Get("input"))}
	if r := c.Get("result"); r.Exists() && r.Type != gjson.Null {
		out.Result = &chain.Result{Text: r.String()}
		if c.Get("is_error").Bool() {
			out.Result.Status = memory.StatusError
		}
	}
	return out, true
}

// called is a call with its result, where it has one.
func called(o *outline, v value) chain.Call {
	c := chain.Call{ID: o.id, Name: o.name, Input: blocks.Input(v.Get("input"))}
	out := v.Get("output")
	if o.running || (!out.Exists() || out.Type == gjson.Null) && v.Get("metadata.status").String() == "" {
		return c
	}
	r := &chain.Result{Status: state(v), MS: took(v), Source: o.id}
	r.Text, r.Images = said(v)
	if e := out.Get("error"); out.IsObject() && e.Type == gjson.String && r.Status == memory.StatusError {
		r.Text = e.Str
	}
	for _, name := range []string{"exit_code", "exitCode", "returncode"} {
		if n := out.Get(name); out.IsObject() && n.Type == gjson.Number {
			exit := int(n.Int())
			r.Exit = &exit
			break
		}
	}
	c.Result = r
	return c
}
