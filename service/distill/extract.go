package distill

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"dormouse/store/memory"
)

// Extract reads one turn by rules. It is pure: equal turns give equal extractions.
func Extract(t Turn) Extraction {
	s := look(&t)
	var drafts []Draft
	drafts = append(drafts, s.work()...)
	drafts = append(drafts, s.findings()...)
	drafts = append(drafts, s.decided()...)
	drafts = append(drafts, s.happened()...)
	picked := pick(drafts, t.Prior.Seen)
	ex := Extraction{Events: picked}
	ex.Next = s.next(picked)
	return ex
}

// weigh adds up the cues of a statement, by kind; the entry "" holds what counts for every kind.
func weigh(st *statement) map[memory.Kind]float64 {
	low := strings.ToLower(st.text)
	if st.label != "" {
		low = strings.ToLower(st.label) + ": " + low
	}
	w := map[memory.Kind]float64{}
	for i := range cues {
		c := &cues[i]
		if len(c.words) > 0 && !slices.ContainsFunc(c.words, func(x string) bool { return strings.Contains(low, x) }) {
			continue
		}
		if c.re.MatchString(low) {
			w[c.kind] += c.weight
		}
	}
	return w
}

// specifics counts the words of a text that name things: paths, identifiers, numbers, flags.
func specifics(s string) int {
	n := 0
	for _, w := range strings.Fields(s) {
		w = strings.Trim(w, `.,;:!?()"'[]{}`)
		if len(w) < 2 {
			continue
		}
		inner := w[1:]
		switch {
		case strings.ContainsAny(inner, "/_.()=") && !strings.Contains(w, "e.g") && !strings.Contains(w, "i.e"):
			n++
		case strings.HasPrefix(w, "--"), strings.HasPrefix(w, "#") && len(w) > 1, strings.HasPrefix(w, "@"):
			n++
		case strings.ContainsAny(w, "0123456789"):
			n++
		case strings.IndexFunc(inner, unicode.IsUpper) >= 0:
			n++
		}
	}
	return n
}

// worthy refuses statements that cannot stand as a memory, whatever their cues.
func worthy(st *statement) bool {
	t := st.text
	if len(t) < 30 || len(t) > 600 || strings.HasSuffix(t, "?") || strings.HasSuffix(t, ":") {
		return false
	}
	return !nonLeads(strings.ToLower(st.lead))
}

// nonLeads tells headings under which nothing happened yet: plans, options, next steps.
var nonLeadRE = rx(`\b(?:plan|next steps?|options?|recommend\w*|suggest\w*|todo|to do|proposed?|proposal|approach(?:es)?|alternatives?|needs? to|would|could|should|questions?|steps|you can|how to|i'll|let me|will|want|test plan|manual|try|consider|future|usage|example|phase|task \d+|verify)\b`)

func nonLeads(lead string) bool { return lead != "" && nonLeadRE.MatchString(lead) }

func (s *scan) draft(kind memory.Kind, text string, trust memory.Trust, score float64, order int, nodes ...int) Draft {
	d := Draft{Kind: kind, Summary: shorten(text, MaxSummary), Trust: trust, score: score, order: order}
	slices.Sort(nodes)
	for _, i := range slices.Compact(nodes) {
		if len(d.Nodes) == maxEvidence {
			break
		}
		d.Nodes = append(d.Nodes, s.nodes[i].ID)
		if at := s.nodes[i].CreatedAt; at > 0 && (d.At == nil || at > *d.At) {
			d.At = &at
		}
	}
	return d
}

// findings are statements of the assistant about how things are.
func (s *scan) findings() []Draft {
	var out []Draft
	for i := range s.said {
		st := &s.said[i]
		if !worthy(st) {
			continue
		}
		w := weigh(st)
		text := s.standalone(i)
		score := w[memory.KindLearning] + w[""] + min(1.5, 0.4*float64(specifics(text)))
		kind := memory.KindLearning
		if d := w[memory.KindDecision]; d >= 1.5 && d+0.5 > w[memory.KindLearning] {
			score, kind = d+w[""]+min(1.5, 0.4*float64(specifics(text))), memory.KindDecision
		}
		if isWork(st) {
			continue
		}
		if st.final {
			score += 0.5
		}
		if kind == memory.KindLearning && w[kind] < 1.5 {
			continue
		}
		out = append(out, s.draft(kind, text, memory.TrustAgent, score, st.node, st.node))
	}
	return out
}

// standalone is a statement's line for the memory: without openers, with its label where that says what it is about.
func (s *scan) standalone(i int) string {
	st := &s.said[i]
	text := bare(st.text)
	if st.label != "" && !genericLabel(st.label) {
		text = st.label + ": " + text
	}
	return text
}

var genericRE = rx(`^(?:the )?(?:root cause|cause|problem|issue|bug|fix|solution|why|note|caveat|finding|key finding|result|reason|summary|change|changes|important|what|how|impact|one caveat|answer)s?(?: \(.*\))?$`)

func genericLabel(l string) bool { return genericRE.MatchString(strings.ToLower(strings.TrimSpace(l))) }

// isWork reports whether a statement says that something was done.
func isWork(st *statement) bool {
	t := doneRE.ReplaceAllString(bare(st.text), "")
	word, _, _ := strings.Cut(t, " ")
	return workVerbs[strings.ToLower(strings.Trim(word, ",.:;"))]
}

// work is what the turn accomplished: one line out of the final message and the commits, with the edited files.
func (s *scan) work() []Draft {
	var commits []act
	for _, a := range s.acts {
		if a.what == "commit" {
			commits = append(commits, a)
		}
	}
	files := s.edited()
	if len(files) == 0 && len(commits) == 0 && !s.acted() {
		return nil
	}
	type cand struct {
		text  string
		score float64
		i     int
	}
	var cands []cand
	for i := range s.said {
		st := &s.said[i]
		if !st.final || !worthy(st) {
			continue
		}
		w := weigh(st)
		sc := w[memory.KindWork] + w[""] + min(1.2, 0.3*float64(specifics(st.text)))
		if isWork(st) {
			sc += 3
		} else if passiveWork.MatchString(strings.ToLower(st.text)) {
			sc += 1
		}
		if sc < 2.5 {
			continue
		}
		text := capital(doneRE.ReplaceAllString(s.standalone(i), ""))
		cands = append(cands, cand{text, sc, i})
	}
	slices.SortStableFunc(cands, func(a, b cand) int { return cmp.Compare(b.score, a.score) })
	score := 2.0 + min(1.5, 0.3*float64(len(files)))
	text := ""
	nodes := []int{}
	if len(cands) > 0 {
		keep := cands[:1]
		room := MaxSummary - 14 - len(shorten(cands[0].text, MaxSummary))
		for _, c := range cands[1:] {
			t := shorten(c.text, 90)
			if len(t)+2 < room {
				keep = append(keep, c)
				room -= len(t) + 2
			}
		}
		slices.SortFunc(keep, func(a, b cand) int { return cmp.Compare(a.i, b.i) })
		var parts []string
		for _, c := range keep {
			t := c.text
			if len(keep) > 1 {
				t = shorten(t, 100)
			}
			parts = append(parts, strings.TrimRight(t, ". "))
			nodes = append(nodes, s.said[c.i].node)
		}
		text = strings.Join(parts, "; ")
		score += min(2, cands[0].score/2)
	}
	if len(commits) > 0 {
		c := commits[len(commits)-1]
		if text == "" || len(text) < 40 {
			text = c.text
		}
		text = shorten(text, MaxSummary-len(c.id)-10) + " (commit " + head(c.id, 8) + ")"
		for _, c := range commits {
			nodes = append(nodes, c.node)
		}
		score += 1
	}
	if text == "" {
		return nil
	}
	for _, f := range files {
		nodes = append(nodes, f.last)
	}
	d := s.draft(memory.KindWork, text, memory.TrustAgent, score, s.final, nodes...)
	for _, f := range files[:min(len(files), 8)] {
		d.Entities = append(d.Entities, memory.EntityID(memory.TypeFile, f.path))
	}
	for _, c := range commits {
		d.Entities = append(d.Entities, memory.EntityID(memory.TypeCommit, head(c.id, 8)))
	}
	return []Draft{d}
}

// edited are the turn's changed files that are somebody's work.
func (s *scan) edited() []edit {
	return slices.DeleteFunc(slices.Clone(s.edits), func(e edit) bool { return scratch(e.path) })
}

// acted reports whether a command changed something outside the files.
func (s *scan) acted() bool {
	return slices.ContainsFunc(s.acts, func(a act) bool { return a.ok && a.what != "test" })
}

// decided are the person's rulings.
func (s *scan) decided() []Draft {
	var out []Draft
	for _, r := range s.rulings() {
		text := "User: " + capital(r.text)
		d := s.draft(memory.KindDecision, text, memory.TrustPerson, r.weight, r.node, r.node)
		for _, x := range r.extra {
			d.Nodes = append([]string{x}, d.Nodes...)
		}
		out = append(out, d)
	}
	return out
}

// happened are dated events: what was published, merged, released, deleted.
func (s *scan) happened() []Draft {
	var out []Draft
	for i := range s.said {
		st := &s.said[i]
		if !worthy(st) {
			continue
		}
		w := weigh(st)
		if w[memory.KindEvent] < 2 {
			continue
		}
		out = append(out, s.draft(memory.KindEvent, s.standalone(i), memory.TrustAgent, w[memory.KindEvent]+w[""]+min(1.5, 0.4*float64(specifics(st.text))), st.node, st.node))
	}
	return out
}

// pick ranks a turn's drafts and keeps the few that are worth it.
func pick(drafts []Draft, seen []Seen) []Draft {
	slices.SortStableFunc(drafts, func(a, b Draft) int { return cmp.Compare(b.score, a.score) })
	floor := 3.0 + 0.12*float64(len(seen))
	var out []Draft
	for _, d := range drafts {
		if d.score < floor || len(out) == 3 {
			continue
		}
		words := memory.ContentWords(d.Summary)
		if repeats(words, seen) || slices.ContainsFunc(out, func(o Draft) bool { return overlap(words, memory.ContentWords(o.Summary)) > 0.5 }) {
			continue
		}
		out = append(out, d)
	}
	slices.SortStableFunc(out, func(a, b Draft) int { return cmp.Compare(a.order, b.order) })
	return out
}

func repeats(words []string, seen []Seen) bool {
	return slices.ContainsFunc(seen, func(o Seen) bool { return overlap(words, o.Words) > 0.6 })
}

// overlap is the share of the smaller set of words that the other set holds, 0 to 1.
func overlap(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	n := 0
	for _, w := range a {
		if _, ok := slices.BinarySearch(b, w); ok {
			n++
		}
	}
	return float64(n) / float64(min(len(a), len(b)))
}

// next is the Prior of the turns that follow.
func (s *scan) next(picked []Draft) Prior {
	p := s.turn.Prior
	if s.final >= 0 {
		text := s.nodes[s.final].Output
		if len(text) > maxSaid {
			k := len(text) - maxSaid
			for k < len(text) && text[k]&0xC0 == 0x80 {
				k++
			}
			text = text[k:]
		}
		p.Said = Message{Node: s.nodes[s.final].ID, Text: text}
	}
	seen := slices.Clone(p.Seen)
	for _, d := range picked {
		seen = append(seen, Seen{Kind: d.Kind, Words: memory.ContentWords(d.Summary)})
	}
	p.Seen = seen[max(0, len(seen)-maxSeen):]
	return p
}
