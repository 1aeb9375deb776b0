package distill

import (
	"cmp"
	"slices"
	"strings"

	"dormouse/store/memory"
)

// quota is how many records of a kind one turn may give.
var quota = map[memory.Kind]int{memory.KindWork: 1, memory.KindLearning: 2, memory.KindDecision: 2, memory.KindEvent: 1}

const (
	maxPerTurn = 4
	floorStart = 3.2  // score that a draft needs in the first turn
	floorStep  = 0.12 // and how much more for each record that its branch already holds
	floorMax   = 4.6
	// What the assistant says about how things are is often no more than a remark: it needs more than what was done or ruled.
	floorLearning = 0.6
)

// pick ranks a turn's drafts and keeps the few that are worth a record: above a floor that rises with what the branch holds
// already, within the turn's quota, and saying nothing that was said.
func pick(drafts []Draft, seen []Seen) []Draft {
	slices.SortStableFunc(drafts, func(a, b Draft) int { return cmp.Compare(b.score, a.score) })
	floor := min(floorMax, floorStart+floorStep*float64(len(seen)))
	var out []Draft
	taken := map[memory.Kind]int{}
	for _, d := range drafts {
		need := floor
		if d.Kind == memory.KindLearning {
			need += floorLearning
		}
		if d.Trust == memory.TrustPerson {
			need = floorStart // the person's word is worth a line however much was said before
		}
		if d.score < need || len(out) == maxPerTurn || taken[d.Kind] == quota[d.Kind] {
			continue
		}
		words := d.words()
		if repeats(words, seen) ||
			slices.ContainsFunc(out, func(o Draft) bool { return overlap(words, o.words()) > alike(d.Kind, o.Kind) }) {
			continue
		}
		taken[d.Kind]++
		out = append(out, d)
	}
	slices.SortStableFunc(out, func(a, b Draft) int { return cmp.Compare(a.order, b.order) })
	return out
}

// alike is the overlap from which two records of a turn say the same: a fix may name what its cause names.
func alike(a, b memory.Kind) float64 {
	if a == b {
		return 0.55
	}
	return 0.7
}

// words are what a draft says, without the sha of its commit: a commit that was amended says the same again.
func (d *Draft) words() []string {
	text := d.Summary
	if len(d.commits) > 0 {
		text, _, _ = strings.Cut(text, " (commit ")
	}
	return gist(text)
}

// gist is the words that a text means: content words without the endings by which English bends them, so that "Add tests" and
// "Added a test" say the same.
func gist(text string) []string {
	words := memory.ContentWords(text)
	for i, w := range words {
		words[i] = stem(w)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// stem takes a plain word's ending off.
func stem(w string) string {
	if strings.ContainsAny(w, "./_-#@0123456789") {
		return w
	}
	for _, end := range []string{"ing", "ed", "es", "s", "e"} {
		if t, ok := strings.CutSuffix(w, end); ok && len(t) >= 3 {
			if n := len(t); n > 3 && t[n-1] == t[n-2] && end != "s" && end != "e" {
				t = t[:n-1]
			}
			return t
		}
	}
	return w
}

// repeats reports whether an ancestor's record says the same.
func repeats(words []string, seen []Seen) bool {
	return slices.ContainsFunc(seen, func(o Seen) bool { return overlap(words, o.Words) > 0.67 })
}

// overlap is the share of the smaller set of sorted words that the other set holds, 0 to 1.
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
