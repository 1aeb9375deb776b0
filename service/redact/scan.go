package redact

import (
	"strings"
	"sync"
)

// engine finds what gitleaks' rules find, and calls our own rules at their keywords, in one pass over the text.
type engine struct {
	rules   []*rule
	global  []*allowlist
	samples []*allowlist
	machine *automaton
	// uses lists, for each pattern of the machine, what it sets off.
	uses    [][]use
	own     []ownRule
	scratch sync.Pool
}

// use is one thing that a pattern sets off.
type use struct {
	rule int   // index in rules, or -1
	own  int   // index in own, or -1
	gate bool  // the pattern only opens the rule's gate
	lead *lead // what must follow; nil for nothing
}

// finding is a secret at s[from:to].
type finding struct {
	from, to int
	family   string
	// rule is the gitleaks rule, nil for our own; matchFrom and matchTo is what its expression matched.
	rule               *rule
	matchFrom, matchTo int
}

func newEngine(rules []*rule, global, samples []*allowlist, own []ownRule) (*engine, error) {
	e := &engine{rules: rules, global: global, samples: samples, own: own}
	e.scratch.New = func() any { return &scratch{windows: make([]window, len(rules))} }
	index := map[string]int{}
	var patterns []string
	add := func(p string, u use) {
		i, ok := index[p]
		if !ok {
			i = len(patterns)
			index[p] = i
			patterns = append(patterns, p)
			e.uses = append(e.uses, nil)
		}
		e.uses[i] = append(e.uses[i], u)
	}
	for i, r := range rules {
		for j, a := range r.anchors {
			u := use{rule: i, own: -1}
			if r.leads != nil {
				u.lead = &r.leads[j]
			}
			add(a, u)
		}
		if len(r.anchors) == 0 {
			for _, k := range r.keywords {
				add(k, use{rule: i, own: -1, gate: true})
			}
		}
	}
	for i, o := range own {
		for _, k := range o.keywords {
			add(k, use{rule: -1, own: i})
		}
	}
	var err error
	e.machine, err = newAutomaton(patterns)
	return e, err
}

// secrets calls emit for what scan finds and the guards let pass.
func (e *engine) secrets(s string, emit func(finding)) {
	e.scan(s, func(f finding) {
		if f.family == "private" { // whatever is in it
			emit(f)
			return
		}
		if f.rule != nil && looksHarmless(s, f) || f.rule == nil && isSample(e.samples, s[f.from:f.to]) || breaksGrammar(s, f) {
			return
		}
		emit(f)
	})
}

// scan calls emit for everything in s that the rules of gitleaks and our own take for a secret. Findings overlap and come in
// no order.
func (e *engine) scan(s string, emit func(finding)) {
	w := e.scratch.Get().(*scratch)
	defer e.scratch.Put(w)
	defer w.clear() // also after a panic
	p := &pass{s: s, emit: emit}
	e.machine.each(s, func(pattern, end int) {
		start := end - e.machine.lens[pattern]
		for i := range e.uses[pattern] {
			u := &e.uses[pattern][i]
			if u.rule < 0 {
				e.own[u.own].find(p, start, end)
			} else {
				e.widen(s, start, end, u, w.window(u.rule), emit)
			}
		}
	})
	if len(e.own) > 0 {
		findOtherAlphabets(p)
		findSaid(p)
	}
	for _, i := range w.used {
		if w.windows[i].open {
			e.rules[i].run(s, w.windows[i].from, w.windows[i].to, e.global, emit)
		}
	}
}

// scratch is the working memory of a scan: a window for each rule. Few are used in a text, and only those are cleared.
type scratch struct {
	windows []window
	used    []int
}

func (w *scratch) window(rule int) *window {
	if !w.windows[rule].used {
		w.windows[rule].used = true
		w.used = append(w.used, rule)
	}
	return &w.windows[rule]
}

func (w *scratch) clear() {
	for _, i := range w.used {
		w.windows[i] = window{}
	}
	w.used = w.used[:0]
}

// widen makes room in the rule's window for the matches around the anchor at s[start:end]; where that would leave a gap, the
// rule runs over what there is and a new window begins.
func (e *engine) widen(s string, start, end int, u *use, w *window, emit func(finding)) {
	r := e.rules[u.rule]
	if u.gate {
		w.from, w.to, w.open = 0, len(s), true
		return
	}
	if u.lead != nil && !u.lead.holds(s, end) {
		return
	}
	next := func() bool { return w.add(&r.reach, s, start) }
	if r.assigned != nil {
		from, to, ok := r.assigned.span(s, start, end, &w.runEnd)
		if !ok {
			return
		}
		next = func() bool { return w.join(from, to) }
	}
	if !next() {
		r.run(s, w.from, w.to, e.global, emit)
		*w = window{runEnd: w.runEnd, used: true}
		next()
	}
}

// run applies the rule to s[from:to] as gitleaks applies it to a whole text.
func (r *rule) run(s string, from, to int, global []*allowlist, emit func(finding)) {
	if r.second != nil && !containsFold(s[from:to], r.second) {
		return
	}
	re := r.compiled()
	for _, m := range re.FindAllStringIndex(s[from:to], -1) {
		match := s[from+m[0] : from+m[1]]
		lead := len(match) - len(strings.TrimLeft(match, "\n"))
		match = strings.Trim(match, "\n")
		f := finding{family: r.family, rule: r, matchFrom: from + m[0] + lead}
		f.matchTo = f.matchFrom + len(match)
		f.from, f.to = f.matchFrom, f.matchTo
		// gitleaks looks for the groups in the match alone, which can differ from the match in its surroundings.
		if g := re.FindStringSubmatchIndex(match); g != nil {
			if a, b, ok := r.secretOf(g); ok {
				f.from, f.to = f.matchFrom+a, f.matchFrom+b
			}
		}
		secret := s[f.from:f.to]
		if r.entropy != 0 && entropy(secret) <= r.entropy {
			continue
		}
		line := lineAround(s, f.matchFrom, f.matchTo)
		if allowed(global, secret, match, line) || allowed(r.allow, secret, match, line) {
			continue
		}
		emit(f)
	}
}

// secretOf picks the group that is the secret from the index pairs of a match.
func (r *rule) secretOf(groups []int) (from, to int, ok bool) {
	if r.group > 0 {
		return groups[2*r.group], groups[2*r.group+1], groups[2*r.group] >= 0
	}
	for i := 2; i < len(groups); i += 2 {
		if groups[i] >= 0 && groups[i+1] > groups[i] {
			return groups[i], groups[i+1], true
		}
	}
	return 0, 0, false
}

func allowed(lists []*allowlist, secret, match, line string) bool {
	for _, a := range lists {
		if a.allows(secret, match, line) {
			return true
		}
	}
	return false
}

// maxLine is how much of a line an allowlist for lines looks at on each side of a match, in bytes.
const maxLine = 512

func lineAround(s string, from, to int) string {
	a := max(0, from-maxLine)
	if i := strings.LastIndexByte(s[a:from], '\n'); i >= 0 {
		a += i + 1
	}
	b := min(len(s), to+maxLine)
	if i := strings.IndexByte(s[to:b], '\n'); i >= 0 {
		b = to + i
	}
	return s[a:b]
}

// containsFold reports whether s holds one of the literals, which are ASCII in lower case, in any case.
func containsFold(s string, literals []string) bool {
	for _, l := range literals {
		for i := 0; i+len(l) <= len(s); i++ {
			if s[i]|0x20 == l[0]|0x20 && strings.EqualFold(s[i:i+len(l)], l) {
				return true
			}
		}
	}
	return false
}
