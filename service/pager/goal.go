package pager

import (
	"cmp"
	"math"
	"slices"
)

// Goals has the engine follow what the work is for. When a prompt begins a new goal, what belongs to the new one stays, and the rest goes as
// soon as anything may; it can be brought back as always.
type Goals struct {
	// Shift says whether a prompt begins a new goal after what was said since the prompt before it.
	Shift func(before, prompt string) bool
	// Embed gives a vector of unit length for a text, or one that is all zero where it knows nothing of it.
	Embed func(text string) []float32
	// Keep is how many blocks stay for a new goal at most: those that score highest, by how near they are to the prompt, how long ago they
	// came and of what kind they are.
	Keep int
}

// Numbers of the swap.
const (
	goalSpan  = 4000 // bytes of what was said that a prompt is compared with
	goalText  = 2000 // bytes of a block that are compared with it
	goalFade  = 400  // messages after which recency is worth a third
	goalFile  = 1.2  // what a file is worth more than other results
	goalCheck = 0.8  // and what a check is worth less
)

// noteSaid notes what was said, and begins a new goal where a prompt does.
func (e *Engine) noteSaid(m Message) {
	if e.o.Goals == nil {
		return
	}
	for _, b := range m.Blocks {
		if b.Kind != Text || b.Memory || b.Text == "" {
			continue
		}
		if !m.User {
			e.span += headOf(b.Text, goalSpan-len(e.span))
			continue
		}
		if e.span != "" && e.o.Goals.Shift(e.span, b.Text) {
			e.swap(b.Text)
		}
		e.span = headOf(b.Text, goalSpan/2)
	}
}

// swap has what does not belong to a new goal go soon, and notes of what stays that it is predicted to be needed.
func (e *Engine) swap(prompt string) {
	e.stats.Goals++
	type scored struct {
		*block
		score float64
	}
	var all []scored
	v := e.vector(prompt)
	for _, b := range e.blocks {
		if b.Kind == Result && b.size >= e.o.MinBytes && !b.Fixed && !b.Memory && !b.page && !b.old {
			all = append(all, scored{b, e.fits(b, v)})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for i, b := range all {
		b.aside = i >= e.o.Goals.Keep || b.score <= 0
		if b.predicted = !b.aside && !b.predicted; b.predicted {
			e.stats.Predicted++
		}
	}
	for _, b := range e.about(&block{Block: Block{Input: []byte(prompt)}}) { // a prompt that names a file needs it
		b.aside, b.used = false, e.users
		if !b.predicted {
			b.predicted = true
			e.stats.Predicted++
		}
	}
}

// fits is how well a block fits a prompt.
func (e *Engine) fits(b *block, prompt []float32) float64 {
	if b.vec == nil {
		b.vec = e.vector(SubjectOf(b.Input) + "\n" + headOf(b.Text, goalText))
	}
	near := 0.0
	if len(b.vec) == len(prompt) {
		for i := range prompt {
			near += float64(prompt[i]) * float64(b.vec[i])
		}
	}
	near *= math.Exp(-float64(e.users-b.born) / goalFade)
	switch {
	case isFile(b.key):
		near *= goalFile
	case isCheck(b.key):
		near *= goalCheck
	}
	return near
}

func (e *Engine) vector(text string) []float32 {
	if e.o.Goals.Embed == nil {
		return nil
	}
	return e.o.Goals.Embed(text)
}

// noteUse counts what was predicted to be needed and is, once.
func (e *Engine) noteUse(b *block) {
	if b.predicted && !b.met {
		b.met = true
		e.stats.Met++
	}
	b.aside = false
}

// headOf is the beginning of a text, at most so many bytes.
func headOf(s string, n int) string {
	if n <= 0 {
		return ""
	}
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
