package distill

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// shorten fits a line below limit bytes so that it still reads as one: remarks in brackets go first, then what follows the
// last clause that fits, then words, which an ellipsis stands for.
func shorten(s string, limit int) string {
	s = strings.TrimRight(s, " .!;,:")
	for len(s) >= limit {
		t := strings.TrimRight(remarkRE.ReplaceAllString(s, ""), " .;,:")
		if t == s {
			break
		}
		s = t
	}
	if len(s) < limit {
		return s
	}
	if t := clip(s, limit-1, limit/2); t != "" {
		return t
	}
	return unopened(head(s, limit-1-len("…"))) + "…"
}

// remarkRE finds a remark in brackets. The brackets of a call are part of its name.
var remarkRE = regexp.MustCompile(`\s+\([^()]*\)`)

// The ends of clauses, strongest first. A condition is never cut off: it changes what is said.
var clauseEnds = [][]string{
	{". ", "; ", " — ", " – ", " - ", "。", "；", "！", "？"},
	{", which ", ", so ", ", but ", ", and ", ", because ", ", since ", ", while ", ", with ", " because "},
	{", ", "，", "、"},
}

// clip is the longest beginning of a text, between min and max bytes, that ends with a clause, its brackets and quotes closed;
// empty where there is none. The weaker the end of the clause, the less is given up for it.
func clip(s string, max, min int) string {
	for i, class := range clauseEnds {
		if i == 1 {
			min += (max - min) / 3
		}
		best := ""
		for _, end := range class {
			for k := strings.Index(s, end); k >= 0 && k <= max; {
				if k > min && len(best) < k && closed(s[:k]) && (i < 1 || !listed(s[:k])) {
					best = s[:k]
				}
				next := strings.Index(s[k+len(end):], end)
				if next < 0 {
					break
				}
				k += len(end) + next
			}
		}
		if best = undangle(best); len(best) > min {
			return best
		}
	}
	return ""
}

// listed reports whether a text ends within an enumeration: cut there, a sentence would lose what it says of it.
func listed(s string) bool {
	k := strings.LastIndex(s, ", ")
	return len(strings.Fields(s[k+1:])) < 3 && k >= 0
}

// closed reports whether every bracket and double quote of a text is closed.
func closed(s string) bool {
	return opened(s) < 0
}

// opened is the place of the first bracket or double quote that a text opens and does not close; -1 where there is none. A
// closing bracket without an opening one, as in "a) first", counts for nothing.
func opened(s string) int {
	var open []int
	quote := -1
	for i, r := range s {
		switch r {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case '"':
			if quote < 0 {
				quote = i
			} else {
				quote = -1
			}
		}
	}
	if quote >= 0 && (len(open) == 0 || quote < open[0]) {
		return quote
	}
	if len(open) > 0 {
		return open[0]
	}
	return -1
}

// unopened cuts a text before what it opens and does not close, unless hardly anything would be left.
func unopened(s string) string {
	if k := opened(s); k > len(s)/3 {
		return undangle(s[:k])
	}
	return s
}

// clampRune is the largest index not above n that starts a rune.
func clampRune(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// head is the beginning of a text, at most n bytes, cut at a word that may end a line.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[:clampRune(s, n)]
	if k := strings.LastIndexByte(s, ' '); k > n/2 {
		s = s[:k]
	}
	return undangle(s)
}

// undangle takes from a cut end what cannot end a line: signs and function words.
func undangle(s string) string {
	for {
		t := danglingRE.ReplaceAllString(strings.TrimRight(s, " ,.;:-–—("), "")
		if t == s {
			return s
		}
		s = t
	}
}

// danglingRE finds function words at a cut end.
var danglingRE = rx(`(?i)\s(?:the|a|an|to|of|for|in|with|and|or|on|by|from|into|than|that|which|is|are|was|were|be|has|have|as|at|when|if|so|but|not|its|their|this|these|via|using|per|both|either|e\.g|i\.e|→|->|=|\+|&)$`)
