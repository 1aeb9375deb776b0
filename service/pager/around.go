package pager

import "strings"

// left stands where lines are left out of a text.
const left = "..."

// around are the lines of a text that were asked for, with lines before and after them up to about so many bytes. Where none of
// them is in the text, it is the text's beginning.
func around(text, asked string, bytes int) string {
	lines := strings.Split(text, "\n")
	keep := hits(lines, asked)
	total := 0
	for i, k := range keep {
		if k {
			total += len(lines[i]) + 1
		}
	}
	if total == 0 {
		keep[0] = true
	}
	for grown := true; grown && total < bytes; {
		total, grown = grow(lines, keep, total, bytes)
	}
	return kept(lines, keep)
}

// hits says of each line whether it was asked for.
func hits(lines []string, asked string) []bool {
	want := map[string]bool{}
	for _, l := range SignificantLines(asked) {
		want[l] = true
	}
	keep := make([]bool, len(lines))
	for i, l := range lines {
		keep[i] = want[BareLine(l)]
	}
	return keep
}

// grow takes one more line at each end of each part that is kept, as long as there is room.
func grow(lines []string, keep []bool, total, bytes int) (int, bool) {
	grown := false
	was := append([]bool(nil), keep...)
	for i := range lines {
		if was[i] || !(i > 0 && was[i-1] || i+1 < len(was) && was[i+1]) {
			continue
		}
		if total += len(lines[i]) + 1; total > bytes {
			return total, grown
		}
		keep[i], grown = true, true
	}
	return total, grown
}

// kept writes the kept lines, with a mark where some are left out.
func kept(lines []string, keep []bool) string {
	var out []string
	for i, l := range lines {
		switch {
		case keep[i]:
			out = append(out, l)
		case i == 0 || keep[i-1]:
			out = append(out, left)
		}
	}
	return strings.Join(out, "\n")
}
