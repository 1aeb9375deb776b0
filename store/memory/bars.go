package memory

import (
	"slices"
	"strings"
)

// The deciders.
const (
	ByRule   = "rule"
	ByModel  = "model"
	ByPerson = "person"
)

// Bar is why a claim is not taken.
type Bar struct {
	Decision string // id; an undo that names it overturns it, unless it erased
	Action   Action // add for a refusal; forget, erase; undo where an addition was taken back
	By       string
	Nodes    []string // of an erase: what bore the claim out
}

// bar collects what is barred. A refusal, a forget and an erase hold for every addition of their claim, whatever the order in
// which machines met: only an undo that names the decision overturns it, and an erase nothing.
func (s *State) bar(ds []Decision) {
	taken := map[string]*Decision{} // additions by rules and models
	for i := range ds {
		d := &ds[i]
		if d.Action == ActionAdd && d.Accepted && d.By != ByPerson {
			taken[d.ID] = d
		}
		if s.Undone[d.ID] {
			continue
		}
		key := d.Proposal.ClaimKey
		switch {
		case d.Action == ActionErase && d.Accepted:
			if h := d.Proposal.Erased; h != "" {
				s.Erased[h] = Bar{Decision: d.ID, Action: d.Action, By: d.By, Nodes: d.Proposal.Nodes}
			}
		case d.Action == ActionAdd && !d.Accepted && s.Undone[d.Proposal.By]: // it followed from a refusal that is overturned
		case d.Action == ActionForget && d.Accepted, d.Action == ActionAdd && !d.Accepted:
			s.barClaim(key, Bar{Decision: d.ID, Action: d.Action, By: d.By})
		case !d.Accepted && (d.Action == ActionSupersede || d.Action == ActionMerge || d.Action == ActionSplit):
			s.Declined[Suggested(d)] = d.ID
		case d.Action == ActionUndo && d.Accepted:
			if add := taken[string(d.Undoes)]; add != nil {
				s.barClaim(add.Proposal.ClaimKey, Bar{Decision: d.ID, Action: d.Action, By: d.By})
			}
		}
	}
	s.near.build(s)
}

// barClaim keeps the last decision on a claim, which in the order of the fold is the one to be undone first.
func (s *State) barClaim(key ClaimKey, b Bar) {
	if key != "" {
		s.Bars[key] = b
	}
}

// Barred reports whether a claim is refused, forgotten or erased, and by which decision.
func (s *State) Barred(key ClaimKey) (Bar, bool) {
	if key == "" {
		return Bar{}, false
	}
	if b, ok := s.Bars[key]; ok {
		return b, true
	}
	if len(s.Erased) == 0 {
		return Bar{}, false
	}
	b, ok := s.Erased[key.Hash()]
	return b, ok
}

// BarredAlike reports whether a new proposal says again, in other words, what is barred. It is asked before a proposal is
// accepted, and never takes away what was accepted. Events are alike when the same evidence is told with mostly the same
// words; of a claim that was erased the evidence alone is known.
func (s *State) BarredAlike(key ClaimKey) (Bar, bool) {
	if b, ok := s.Barred(key); ok {
		return b, true
	}
	return s.near.find(key)
}

// ErasedNode reports whether a node bore out what was erased.
func (s *State) ErasedNode(node string) bool {
	for _, e := range s.near.byNode[node] {
		if e.bar.Action == ActionErase {
			return true
		}
	}
	return false
}

// nearIndex finds barred events by their evidence, and barred events of any evidence by their words.
type nearIndex struct {
	byNode map[string][]*barredEvent
	byWord map[string][]*barredEvent
}

type barredEvent struct {
	scope, kind string
	nodes       []string
	words       []string // stems, sorted; none where the text was erased
	bar         Bar
}

func (x *nearIndex) build(s *State) {
	x.byNode, x.byWord = map[string][]*barredEvent{}, map[string][]*barredEvent{}
	for key, b := range s.Bars {
		if e := eventOf(key); e != nil {
			e.bar = b
			x.put(e)
		}
	}
	for _, b := range s.Erased {
		if len(b.Nodes) > 0 {
			x.put(&barredEvent{nodes: b.Nodes, bar: b})
		}
	}
}

func (x *nearIndex) put(e *barredEvent) {
	for _, n := range e.nodes {
		x.byNode[n] = append(x.byNode[n], e)
	}
	for _, w := range e.words {
		x.byWord[w] = append(x.byWord[w], e)
	}
}

// eventOf reads an event's claim key; nil for other kinds.
func eventOf(key ClaimKey) *barredEvent {
	p := key.parts()
	if len(p) != 5 || p[1] != "event" {
		return nil
	}
	return &barredEvent{scope: p[0], kind: p[2], nodes: strings.Fields(p[3]), words: stems(strings.Fields(p[4]))}
}

// stems are words without their endings, sorted, each once.
func stems(words []string) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		out = append(out, stem(w))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// stem takes an English ending off a plain word, so that "fixed", "fixes" and "fixing" are one. Names with digits and signs
// stay as they are.
func stem(w string) string {
	if strings.ContainsAny(w, "0123456789/._-+#@") {
		return w
	}
	for _, end := range []string{"ing", "ed", "es", "s"} {
		if len(w) > len(end)+3 && strings.HasSuffix(w, end) {
			w = strings.TrimSuffix(w, end)
			break
		}
	}
	if n := len(w); n > 3 && w[n-1] == w[n-2] && w[n-1] != 's' && w[n-1] != 'l' {
		w = w[:n-1]
	}
	return strings.TrimSuffix(w, "e")
}

// The shares of words that two accounts have in common, from which on the second says the first again: of the smaller one, when
// they have evidence in common and when they have none.
const (
	sameEvidence  = 0.4
	otherEvidence = 0.85
	sharedWords   = 3 // and at least so many words, or all of the shorter one
	fewWords      = 4 // with fewer words in common, other evidence is another matter
)

// find looks for a barred event that the claim says again.
func (x *nearIndex) find(key ClaimKey) (Bar, bool) {
	e := eventOf(key)
	if e == nil {
		return Bar{}, false
	}
	var best *barredEvent
	see := func(o *barredEvent, share float64, few int) {
		if len(o.words) == 0 {
			if o.bar.Action == ActionErase && slices.Equal(slices.Sorted(slices.Values(o.nodes)), e.nodes) {
				best = o
			}
			return
		}
		both := common(e.words, o.words)
		if share == sameEvidence {
			few = min(few, len(e.words), len(o.words))
		}
		if o.scope == e.scope && both >= few && both > 0 && float64(both) >= share*float64(min(len(e.words), len(o.words))) &&
			(best == nil || o.bar.Decision < best.bar.Decision) {
			best = o
		}
	}
	for _, n := range e.nodes {
		for _, o := range x.byNode[n] {
			see(o, sameEvidence, sharedWords)
		}
	}
	for _, w := range e.words {
		for _, o := range x.byWord[w] {
			see(o, otherEvidence, fewWords)
		}
	}
	if best == nil {
		return Bar{}, false
	}
	return best.bar, true
}

// common counts the words that two sorted lists share.
func common(a, b []string) int {
	n, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			n, i, j = n+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return n
}
