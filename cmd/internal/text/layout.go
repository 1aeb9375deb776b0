package text

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Width is how many columns clean text takes on a terminal.
func Width(s string) int { return uniseg.StringWidth(s) }

// Pad fills s with spaces up to width columns.
func Pad(s string, width int) string { return s + strings.Repeat(" ", max(0, width-Width(s))) }

// Cut keeps as much of one line's beginning as fits width columns, with an ellipsis in place of the rest. A width of 0 or
// less sets no limit.
func Cut(s string, width int) string {
	if width <= 0 || Width(s) <= width {
		return s
	}
	head, _ := split(s, width-1)
	return strings.TrimRight(head, " ") + "…"
}

// CutLeft is Cut that keeps the end, for paths.
func CutLeft(s string, width int) string {
	left := Width(s)
	if width <= 0 || left <= width {
		return s
	}
	rest, state := s, -1
	for len(rest) > 0 && left > width-1 {
		var w int
		_, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		left -= w
	}
	return "…" + rest
}

// split parts a line after at most width columns, never within what is seen as one character.
func split(s string, width int) (head, rest string) {
	rest, state, used := s, -1, 0
	for len(rest) > 0 {
		cluster, after, w, next := uniseg.FirstGraphemeClusterInString(rest, state)
		if used+w > width {
			break
		}
		used += w
		head, rest, state = s[:len(head)+len(cluster)], after, next
	}
	return head, rest
}

// Wrap breaks clean text into lines of at most width columns, where the rules of its script allow a break, and within a
// word only where the word is too long. Its own line ends are kept. A width of 0 or less sets no limit.
func Wrap(s string, width int) []string {
	var out []string
	for line := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		if width <= 0 || Width(line) <= width {
			out = append(out, strings.TrimRight(line, " "))
			continue
		}
		out = append(out, wrapLine(line, max(width, 2))...)
	}
	return out
}

func wrapLine(line string, width int) []string {
	var out []string
	cur, used := "", 0
	flush := func() {
		out = append(out, strings.TrimRight(cur, " "))
		cur, used = "", 0
	}
	state := -1
	for rest := line; rest != ""; {
		var seg string
		seg, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		word := strings.TrimRight(seg, " ")
		spaces := seg[len(word):]
		head, tail := split(word, width-used)
		if tail != "" && used > 0 {
			flush()
			head, tail = split(word, width)
		}
		for tail != "" { // the word alone is longer than a line
			if head == "" { // and its first character wider
				head, tail, _, _ = uniseg.FirstGraphemeClusterInString(tail, -1)
			}
			cur = head
			flush()
			head, tail = split(tail, width)
		}
		cur += head + spaces
		used += Width(head) + len(spaces)
	}
	if strings.TrimSpace(cur) != "" || len(out) == 0 {
		flush()
	}
	return out
}

// Indent puts prefix before every line.
func Indent(lines []string, prefix string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(prefix+l, " ")
	}
	return out
}
