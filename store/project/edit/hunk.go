package edit

import (
	"strconv"
	"strings"
)

// Hunk is one place of a unified diff.
type Hunk struct {
	// OldStart and NewStart are line numbers from 1, OldLines and NewLines how many lines follow. Anchored is false where the
	// diff gives none of them (apply_patch): the place is the one where the old lines are.
	OldStart, OldLines, NewStart, NewLines int
	Anchored                               bool
	// Headings are lines that stand somewhere before the place, in their order; of a hunk that is not anchored.
	Headings []string
	Lines    []Line
}

// Line is one line of a hunk.
type Line struct {
	Op   byte   // ' ' in both, '-' in the old, '+' in the new
	Text string // without its line end
	Bare bool   // the file ends with this line, without a line end
}

// ParseHunks reads a unified diff without file headers, also in the form of apply_patch, whose hunks have no numbers. ok is
// false when it is no such diff.
func ParseHunks(diff string) (hunks []Hunk, ok bool) {
	var cur *Hunk
	for raw := range strings.Lines(diff) {
		line := strings.TrimSuffix(raw, "\n")
		switch {
		case strings.HasPrefix(line, "@@"):
			h, ok := heading(line)
			if !ok {
				return nil, false
			}
			if cur != nil && len(cur.Lines) == 0 && !cur.Anchored && !h.Anchored {
				cur.Headings = append(cur.Headings, h.Headings...) // one heading after the other narrows the place
				continue
			}
			hunks = append(hunks, h)
			cur = &hunks[len(hunks)-1]
		case strings.HasPrefix(line, `\`):
			if cur == nil || len(cur.Lines) == 0 {
				return nil, false
			}
			cur.Lines[len(cur.Lines)-1].Bare = true
		default:
			if cur == nil {
				hunks = append(hunks, Hunk{})
				cur = &hunks[len(hunks)-1]
			}
			l, ok := lineOf(line)
			if !ok {
				return nil, false
			}
			cur.Lines = append(cur.Lines, l)
		}
	}
	for i := range hunks {
		if !hunks[i].sound() {
			return nil, false
		}
	}
	return hunks, len(hunks) > 0
}

func lineOf(line string) (Line, bool) {
	if line == "" {
		return Line{Op: ' '}, true // some writers leave out the blank of an empty line
	}
	switch line[0] {
	case ' ', '-', '+':
		return Line{Op: line[0], Text: line[1:]}, true
	}
	return Line{}, false
}

// heading reads "@@ -1,2 +3,4 @@", or "@@ some line" of apply_patch.
func heading(line string) (Hunk, bool) {
	rest := strings.TrimPrefix(line, "@@")
	if !strings.HasPrefix(rest, " -") {
		if rest = strings.TrimPrefix(rest, " "); rest == "" {
			return Hunk{}, true
		}
		return Hunk{Headings: []string{rest}}, true
	}
	numbers, _, ok := strings.Cut(rest, " @@")
	if !ok {
		return Hunk{}, false
	}
	f := strings.Fields(numbers)
	if len(f) != 2 || f[1][0] != '+' {
		return Hunk{}, false
	}
	h := Hunk{Anchored: true}
	var a, b bool
	h.OldStart, h.OldLines, a = span(f[0][1:])
	h.NewStart, h.NewLines, b = span(f[1][1:])
	return h, a && b
}

// maxLine bounds line numbers, so that sums of them stay numbers.
const maxLine = 1 << 30

func span(s string) (start, lines int, ok bool) {
	from, count, counted := strings.Cut(s, ",")
	start, err := strconv.Atoi(from)
	if err != nil || start < 0 || start > maxLine {
		return 0, 0, false
	}
	if !counted {
		return start, 1, true
	}
	lines, err = strconv.Atoi(count)
	return start, lines, err == nil && lines >= 0 && lines <= maxLine
}

// sound reports whether the numbers of an anchored hunk are those of its lines.
func (h *Hunk) sound() bool {
	if !h.Anchored {
		return len(h.Lines) > 0
	}
	return h.OldLines == len(h.old()) && h.NewLines == len(h.new())
}

func (h *Hunk) old() []Line { return h.side('-') }

func (h *Hunk) new() []Line { return h.side('+') }

func (h *Hunk) side(op byte) []Line {
	var out []Line
	for _, l := range h.Lines {
		if l.Op == ' ' || l.Op == op {
			out = append(out, l)
		}
	}
	return out
}

// flipped is the hunk that takes h back.
func (h *Hunk) flipped() Hunk {
	f := Hunk{OldStart: h.NewStart, OldLines: h.NewLines, NewStart: h.OldStart, NewLines: h.OldLines, Anchored: h.Anchored, Headings: h.Headings}
	for _, l := range h.Lines {
		switch l.Op {
		case '-':
			l.Op = '+'
		case '+':
			l.Op = '-'
		}
		f.Lines = append(f.Lines, l)
	}
	return f
}

func flip(hunks []Hunk) []Hunk {
	out := make([]Hunk, len(hunks))
	for i := range hunks {
		out[i] = hunks[i].flipped()
	}
	return out
}
