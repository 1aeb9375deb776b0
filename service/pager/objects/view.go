package objects

import (
	"fmt"
	"slices"
	"strings"

	"dormouse/service/pager"
)

// View is the objects of all conversations of a session.
type View struct {
	Objects   []Object
	Relations []Relation
	Refused   []Refusal
	Stats     Stats
}

// Stats are counts over a view. Sizes are bytes of UTF-8, of what is in objects.
type Stats struct {
	Turns      int          `json:"turns"`
	Blocks     int          `json:"blocks"` // all, also those in no object
	Objects    int          `json:"objects"`
	Bytes      int          `json:"bytes"`
	Tokens     int          `json:"tokens"`
	Mean       float64      `json:"mean"`   // tokens an object
	Median     int          `json:"median"` // tokens
	Types      map[Type]int `json:"types"`
	Levels     [5]int       `json:"levels"`     // objects by how much of them is shown, L0 first
	Superseded int          `json:"superseded"` // objects of which there is a newer copy
	Joined     int          `json:"joined"`     // objects that became part of another one
	Goals      int          `json:"goals"`
	Calls      int          `json:"calls"`         // calls with a result
	Refused    int          `json:"refused"`       // things that were not stored
	RefusedOf  int          `json:"refused_calls"` // of them, calls
	Left       Left         `json:"left"`
}

// Of are the objects of a session's conversations, with the levels at which the pager would show them in the next request.
func Of(threads []Thread, o Options) *View {
	v := &View{Stats: Stats{Types: map[Type]int{}}}
	first := map[string]string{} // by the agent, its first object
	callers := map[string]string{}
	base := 0
	for _, t := range threads {
		s := New(o, t.Agent)
		var levels []pager.Level
		for i, w := range t.Windows {
			for _, m := range w {
				s.Add(m)
			}
			levels = append(levels, levelsOf(w, o.Pager, i+1 < len(t.Windows))...)
		}
		part := s.view(levels, base)
		base += len(s.blocks)
		if len(part.Objects) > 0 && t.Caller != "" {
			first[t.Agent], callers[t.Agent] = part.Objects[0].ID, t.Caller
		}
		v.add(part)
	}
	for _, t := range threads { // what a sub-agent did belongs to the call that started it
		for _, x := range v.Objects {
			if callers[t.Agent] != "" && slices.ContainsFunc(x.Parts, func(p Part) bool { return p.Node == callers[t.Agent] }) {
				v.Relations = append(v.Relations, Relation{x.ID, ParentOf, first[t.Agent]})
				break
			}
		}
	}
	v.Stats.finish(v.Objects)
	return v
}

// View are the objects so far. Levels are those of the blocks, in their order; nil for all in full.
func (s *Store) View(levels []pager.Level) *View {
	v := s.view(levels, 0)
	v.Stats.finish(v.Objects)
	return v
}

// levelsOf are the levels of the blocks of a window when its last request goes out. What was said before a compaction is not shown.
func levelsOf(w []Message, o pager.Options, gone bool) (out []pager.Level) {
	e := pager.New(o)
	for _, m := range w {
		if !m.User && !gone { // a request went out before the assistant spoke
			for _, x := range e.Request(m.Time) {
				out[x.Block] = x.Level
			}
		}
		e.Add(m.Message)
		out = append(out, make([]pager.Level, len(m.Blocks))...)
	}
	if gone {
		for i := range out {
			out[i] = pager.Evicted
		}
	}
	return out
}

func (v *View) add(p *View) {
	v.Objects = append(v.Objects, p.Objects...)
	v.Relations = append(v.Relations, p.Relations...)
	v.Refused = append(v.Refused, p.Refused...)
	a, b := &v.Stats, p.Stats
	a.Turns, a.Blocks, a.Joined, a.Goals = max(a.Turns, b.Turns), a.Blocks+b.Blocks, a.Joined+b.Joined, max(a.Goals, b.Goals)
	a.Calls, a.Refused, a.RefusedOf = a.Calls+b.Calls, a.Refused+b.Refused, a.RefusedOf+b.RefusedOf
	a.Left = Left{a.Left.Quiet + b.Left.Quiet, a.Left.Other + b.Left.Other, a.Left.Empty + b.Left.Empty}
}

// view are the objects so far, with the numbers of blocks counted from base on.
func (s *Store) view(levels []pager.Level, base int) *View {
	v := &View{Stats: Stats{Types: map[Type]int{}, Turns: s.turn, Blocks: len(s.blocks), Goals: s.goal, Calls: s.answered, Refused: len(s.refused), Left: s.left}}
	for _, x := range s.segs {
		if x.into != nil {
			v.Stats.Joined++
		}
		if x.shown() {
			v.Objects = append(v.Objects, s.objects(x, levels, base)...)
		}
	}
	v.Refused = slices.Clone(s.refused)
	for i := range v.Refused {
		if v.Refused[i].tool {
			v.Stats.RefusedOf++
		}
		v.Refused[i].Parts = shifted(v.Refused[i].Parts, base)
	}
	v.Relations = s.relations()
	return v
}

// objects are those that an object under way gives: more than one where it is too long.
func (s *Store) objects(x *segment, levels []pager.Level, base int) []Object {
	pieces := [][]Part{}
	size := x.size(s)
	if size > s.o.Split*BytesPerToken {
		pieces = s.cutParts(x)
	} else {
		var all []Part
		for _, i := range x.blocks {
			e := &s.blocks[i]
			all = append(all, Part{Block: i, Node: e.ref.Node, Turn: e.ref.Turn, To: e.size()})
		}
		pieces = append(pieces, all)
	}
	out := make([]Object, 0, len(pieces))
	for n, parts := range pieces {
		o := Object{ID: x.id, Type: x.kind, Title: x.title, Key: strings.TrimPrefix(x.key, "file:"), Agent: s.agent, Goal: x.goal, Also: x.also}
		if n > 0 {
			o.ID, o.Also = derived(x.id, fmt.Sprint("piece ", n)), nil
		}
		if x.path != "" && x.kind == FileContext {
			o.Key = x.path
		}
		if x.newer != nil && x.newer.whole().shown() {
			o.Superseded = x.newer.whole().id
		}
		o.Turns = [2]int{parts[0].Turn, parts[len(parts)-1].Turn}
		most := -1
		for _, p := range parts {
			o.Bytes += p.To - p.From
			if p.Block < len(levels) && p.To-p.From > most {
				most, o.Level = p.To-p.From, levels[p.Block]
			}
		}
		o.Tokens = (o.Bytes + BytesPerToken - 1) / BytesPerToken
		o.text = func() string { return s.partText(parts) }
		o.Parts = shifted(parts, base)
		out = append(out, o)
	}
	return out
}

func (s *Store) partText(parts []Part) string {
	var out []string
	for _, p := range parts {
		out = append(out, s.blocks[p.Block].content()[p.From:p.To])
	}
	return strings.Join(out, "\n")
}

func shifted(parts []Part, by int) []Part {
	out := slices.Clone(parts)
	for i := range out {
		out[i].Block += by
	}
	return out
}

// finish counts what is counted at the end.
func (t *Stats) finish(all []Object) {
	var sizes []int
	for _, o := range all {
		t.Objects++
		t.Bytes += o.Bytes
		t.Tokens += o.Tokens
		t.Types[o.Type]++
		t.Levels[min(int(o.Level), 4)]++
		if o.Superseded != "" {
			t.Superseded++
		}
		sizes = append(sizes, o.Tokens)
	}
	if len(sizes) > 0 {
		slices.Sort(sizes)
		t.Mean, t.Median = float64(t.Tokens)/float64(len(sizes)), sizes[len(sizes)/2]
	}
}
