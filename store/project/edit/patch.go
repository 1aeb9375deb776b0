package edit

import (
	"slices"
	"strings"
)

// patch carries hunks out on a text. ok is false unless every line that they show of the old text is there.
func patch(base string, hunks []Hunk) (string, bool) {
	old, bare := lines(base)
	out := make([]string, 0, len(old)+8)
	at, endBare := 0, bare
	for i := range hunks {
		h := &hunks[i]
		from, ok := place(old, at, h)
		if !ok {
			return "", false
		}
		was := h.old()
		end := from + len(was)
		if !matches(old, from, was, false) || !sameEnd(was, end == len(old), bare, h.Anchored) {
			return "", false
		}
		out = append(out, old[at:from]...)
		now := h.new()
		for _, l := range now {
			out = append(out, l.Text)
		}
		if end == len(old) {
			switch {
			case bare && h.Anchored && len(was) == 0 && len(now) > 0:
				return "", false // a line cannot follow on one that has no end
			case len(now) > 0:
				endBare = now[len(now)-1].Bare
			case len(was) > 0:
				endBare = false // what remains before it has an end
			}
		}
		at = end
	}
	out = append(out, old[at:]...)
	return text(out, endBare && hunks[len(hunks)-1].Anchored), true // apply_patch ends every file with a line end
}

// sameEnd reports whether what a hunk says of the missing line end at the end of the file is so. Only hunks with numbers
// tell of it.
func sameEnd(was []Line, last, bare, told bool) bool {
	if !told || len(was) == 0 {
		return true
	}
	for _, l := range was[:len(was)-1] {
		if l.Bare {
			return false
		}
	}
	return was[len(was)-1].Bare == (last && bare)
}

// place is the line, from 0, at which a hunk's old lines begin in old, at or after line at.
func place(old []string, at int, h *Hunk) (int, bool) {
	if h.Anchored {
		from := h.OldStart - 1
		if h.OldLines == 0 {
			from = h.OldStart // the line after which something is added
		}
		return from, from >= at && from+h.OldLines <= len(old)
	}
	for _, heading := range h.Headings {
		i := slices.Index(old[at:], heading)
		if i < 0 {
			return 0, false
		}
		at += i + 1
	}
	return only(old, at, h.old())
}

// only finds the one place at or after line at where these lines stand; ok is false when there is none or more than one.
func only(old []string, at int, want []Line) (int, bool) {
	if len(want) == 0 {
		return len(old), true // apply_patch adds at the end
	}
	found := -1
	for i := at; i+len(want) <= len(old); i++ {
		if old[i] != want[0].Text || !matches(old, i, want, false) {
			continue
		}
		if found >= 0 {
			return 0, false
		}
		found = i
	}
	return found, found >= 0
}

func matches(old []string, from int, want []Line, loose bool) bool {
	if from+len(want) > len(old) {
		return false
	}
	for i, l := range want {
		if !shown(old[from+i], l.Text, loose) {
			return false
		}
	}
	return true
}

// explains reports whether hunks with numbers show just the step from before to after: what they show is there on both
// sides, and everything else is the same.
func explains(before, after string, hunks []Hunk) bool {
	old, oldBare := lines(before)
	now, nowBare := lines(after)
	o, n := 0, 0
	for i := range hunks {
		h := &hunks[i]
		f := h.flipped()
		from, ok := place(old, o, h)
		to, ok2 := place(now, n, &f)
		if !h.Anchored || !ok || !ok2 || !slices.Equal(old[o:from], now[n:to]) {
			return false
		}
		was, is := h.old(), h.new()
		if !matches(old, from, was, true) || !matches(now, to, is, true) {
			return false
		}
		o, n = from+len(was), to+len(is)
		if !sameEnd(was, o == len(old), oldBare, true) || !sameEnd(is, n == len(now), nowBare, true) {
			return false
		}
	}
	return slices.Equal(old[o:], now[n:]) && (oldBare == nowBare || o == len(old) || n == len(now))
}

// added is the content of a file that a diff without numbers creates: lines with "+" alone.
func added(diff string) (string, bool) {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		if line[0] != '+' {
			return "", false
		}
		b.WriteString(strings.TrimSuffix(line[1:], "\n"))
		b.WriteByte('\n')
	}
	return b.String(), b.Len() > 0
}
