package main

import (
	"dormouse/service/pager"
	"dormouse/service/pager/objects"
)

// refusals are what was refused for one reason or of one type, and what of it was needed later.
type refusals struct {
	Calls int `json:"calls"` // with their results
	Texts int `json:"texts"`
	// The same was asked for again and at least half of its lines had not changed (F2), or an edit quoted a line of it (F3), and no object
	// that was stored before holds those lines.
	F2 int `json:"f2"`
	F3 int `json:"f3"`
}

// refusedBy are refusals by a word: a reason, or a type.
type refusedBy map[string]*refusals

func (r refusedBy) of(word string) *refusals {
	if r[word] == nil {
		r[word] = &refusals{}
	}
	return r[word]
}

// refusedLook goes through a conversation and notes what of it was refused and needed.
type refusedLook struct {
	gone    map[int]*objects.Refusal // by block
	calls   map[string]pager.Block
	stored  map[string]bool // lines
	refused map[string]*objects.Refusal
	last    map[string]refusedResult // by key, the newest result, where that was refused
	note    func(*objects.Refusal, func(*refusals))
}

type refusedResult struct {
	lines []string
	by    *objects.Refusal
}

// needAfterRefusal counts what was refused, and what was needed after that; see refusals.
func needAfterRefusal(t objects.Thread, v *objects.View, note func(*objects.Refusal, func(*refusals))) {
	l := refusedLook{gone: map[int]*objects.Refusal{}, calls: map[string]pager.Block{}, stored: map[string]bool{}, refused: map[string]*objects.Refusal{},
		last: map[string]refusedResult{}, note: note}
	for i := range v.Refused {
		r := &v.Refused[i]
		note(r, func(x *refusals) {
			if r.Key != "" {
				x.Calls++
			} else {
				x.Texts++
			}
		})
		for _, p := range r.Parts {
			l.gone[p.Block] = r
		}
	}
	at := -1
	for _, w := range t.Windows {
		for _, m := range w {
			for _, b := range m.Blocks {
				at++
				l.block(at, b)
			}
		}
	}
}

func (l *refusedLook) block(at int, b pager.Block) {
	lines := pager.SignificantLines(b.Text)
	switch b.Kind {
	case pager.Call:
		l.calls[b.ID] = b
		for _, q := range pager.SignificantLines(pager.QuotedByEdit(b.Tool, b.Input)) {
			if r := l.refused[q]; r != nil && !l.stored[q] {
				l.note(r, func(x *refusals) { x.F3++ })
				break
			}
		}
	case pager.Result:
		c := l.calls[b.ID]
		key := pager.Key(c.Tool, c.Input)
		if old := l.last[key]; len(old.lines) > 0 && 2*shared(old.lines, lines) >= len(old.lines) && !held(old.lines, l.stored) {
			l.note(old.by, func(x *refusals) { x.F2++ })
		}
		delete(l.last, key)
		if r := l.gone[at]; r != nil {
			l.last[key] = refusedResult{lines, r}
		}
	}
	for _, line := range lines {
		if r := l.gone[at]; r != nil {
			l.refused[line] = r
		} else {
			l.stored[line] = true
		}
	}
}

// held says whether at least half of the lines are stored.
func held(lines []string, stored map[string]bool) bool {
	n := 0
	for _, l := range lines {
		if stored[l] {
			n++
		}
	}
	return 2*n >= len(lines)
}

func shared(a, b []string) (n int) {
	in := map[string]bool{}
	for _, l := range b {
		in[l] = true
	}
	for _, l := range a {
		if in[l] {
			n++
		}
	}
	return n
}
