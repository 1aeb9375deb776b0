package pager

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// Passage is what of a block that is shown in short bears on a question.
type Passage struct {
	Stub string // what stands in its place
	Text string // lines of it, with a mark where some are left out
}

// Bounds of passages.
const (
	passageShare = 0.6 // of what a question asks for, by weight, that neighbouring lines have to hold
	passageBytes = 1200
	passageMost  = 3
	passageReach = 2       // lines before and after one that count with it
	passageLook  = 8 << 20 // bytes that are looked through, the newest first
)

// idle are words of questions that ask for nothing.
var idle = map[string]bool{"the": true, "what": true, "where": true, "which": true, "when": true, "who": true, "how": true, "why": true, "does": true, "did": true, "was": true,
	"were": true, "are": true, "is": true, "and": true, "for": true, "with": true, "that": true, "this": true, "from": true, "has": true, "have": true, "had": true, "can": true, "you": true,
	"not": true, "any": true, "all": true, "tell": true, "about": true, "there": true, "its": true, "use": true, "used": true}

// Passages are those of the blocks shown in short that bear on a question, best first, word for word; none where nothing does.
func (e *Engine) Passages(question string) []Passage {
	want := wanted(question)
	if len(want) == 0 {
		return nil
	}
	var found []candidate
	seen := map[string]int{} // lines that hold a word
	lines, looked := 1, 0
	for i := len(e.blocks) - 1; i >= 0 && looked < passageLook; i-- {
		b := e.blocks[i]
		if b.level == Full || b.Memory || b.page {
			continue
		}
		c := candidate{block: b, lines: strings.Split(b.text(), "\n")}
		looked += len(b.text())
		lines += len(c.lines)
		c.mark(want, seen)
		found = append(found, c)
	}
	weight, whole := make([]float64, len(want)), 0.0
	for i, w := range want {
		weight[i] = math.Log(1 + float64(lines)/float64(seen[w]+1))
		whole += weight[i]
	}
	for i := range found {
		found[i].best(weight)
	}
	found = slices.DeleteFunc(found, func(c candidate) bool { return c.score-c.known < passageShare*(whole-c.known) })
	slices.SortStableFunc(found, func(a, b candidate) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	var out []Passage
	for _, c := range found[:min(passageMost, len(found))] {
		stub, _ := e.form(c.block)
		if c.block.Kind == Call {
			stub = c.block.emptied()
		}
		out = append(out, Passage{Stub: stub, Text: c.text(want)})
	}
	return out
}

// wanted are the words of a question that ask for something, each once.
func wanted(question string) (out []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > 1 && !idle[w] && !slices.Contains(out, w) && len(out) < 64 {
			out = append(out, w)
		}
	}
	return out
}

// candidate is a block that may answer.
type candidate struct {
	block *block
	lines []string
	has   []uint64 // of each line: which of the words
	about uint64   // which of them say what the block is of: its file, its command
	at    int
	score float64
	known float64 // of it, what the block is by itself
}

func (c *candidate) mark(want []string, seen map[string]int) {
	subject := strings.ToLower(SubjectOf(c.block.Input))
	for k, w := range want {
		if c.block.Input != nil && strings.Contains(subject, w) {
			c.about |= 1 << k
			seen[w]++
		}
	}
	c.has = make([]uint64, len(c.lines))
	for i, l := range c.lines {
		l = strings.ToLower(l)
		for k, w := range want {
			if strings.Contains(l, w) {
				c.has[i] |= 1 << k
				seen[w]++
			}
		}
	}
}

// best finds the line whose neighbourhood holds most of what is asked for.
func (c *candidate) best(weight []float64) {
	if c.about == 1<<len(weight)-1 { // it is asked for by nothing else, so its lines have to say it
		c.about = 0
	}
	for k, w := range weight {
		if c.about&(1<<k) != 0 {
			c.known += w
		}
	}
	for i := range c.lines {
		has := c.about
		for j := max(0, i-passageReach); j <= min(len(c.lines)-1, i+passageReach); j++ {
			has |= c.has[j]
		}
		score := 0.0
		for k, w := range weight {
			if has&(1<<k) != 0 {
				score += w
			}
			if c.has[i]&(1<<k) != 0 {
				score += w / 1000 // the line itself counts before its neighbours
			}
		}
		if score > c.score {
			c.at, c.score = i, score
		}
	}
}

// text are the lines around the best one, or the part that matters of one that is too long by itself.
func (c *candidate) text(want []string) string {
	if line := c.lines[c.at]; len(line) > passageBytes {
		return excerpt(line, want)
	}
	keep := make([]bool, len(c.lines))
	keep[c.at] = true
	total, grown := len(c.lines[c.at]), true
	for grown && total < passageBytes {
		total, grown = grow(c.lines, keep, total, passageBytes)
	}
	return kept(c.lines, keep)
}

// excerpt is the part of a long line, begun shortly before one of the words, that holds most of them, with marks where it was cut.
func excerpt(line string, want []string) string {
	const before = 60 // bytes that show what a word is of
	lower := strings.ToLower(line)
	best, from := -1, 0
	for _, first := range want {
		at := strings.Index(lower, first)
		if at < 0 {
			continue
		}
		at = max(0, min(at, len(line))-before)
		part, n := lower[min(at, len(lower)):min(at+passageBytes, len(lower))], 0
		for _, w := range want {
			if strings.Contains(part, w) {
				n++
			}
		}
		if n > best {
			best, from = n, at
		}
	}
	end := min(from+passageBytes, len(line))
	out := strings.ToValidUTF8(line[from:end], "")
	if from > 0 {
		out = "…" + out
	}
	if end < len(line) {
		out += "…"
	}
	return out
}
