package distill

import (
	"regexp"
	"strings"
)

// statement is one sentence or list item of an assistant's message, in plain text.
type statement struct {
	text  string
	label string // what the item or sentence is headed by: "Root cause", "types.go"
	under string // the label of the paragraph, for its later sentences
	lead  string // the heading or the "...:" line above it
	node  int    // index in the turn
	pos   int    // position in the message
	list  bool
	item  bool // the first sentence of a list item
	depth int  // indent of the list item, in columns; 0 for prose
	final bool // in the last message of the turn
	last  bool // the last statement of its message
	asks  bool // the message ends with a question to the person
}

var (
	fenceRE    = regexp.MustCompile("^\\s*(```|~~~)")
	headingRE  = regexp.MustCompile(`^\s{0,3}#{1,6}\s+(.*)$`)
	itemRE     = regexp.MustCompile(`^\s*(?:[-*+•▪◦✅❌✓✔☑✗➜]\x{FE0F}?|\d{1,2}[.)])\s+(.*)$`)
	boldLineRE = regexp.MustCompile(`^\s*\*\*([^*]+)\*\*:?\s*$`)
	labelRE    = regexp.MustCompile(`^\*\*([^*]{2,80}?):?\*\*\s*(?:\([^)]{1,30}\)\s*)?(?:[:–—-]|→|\s-\s)?\s*`)
	plainLabel = regexp.MustCompile(`^(Root cause|Cause|Problem|Issue|Bug|Fix|Solution|Why|Note|Caveat|Finding|Key finding|Result|Reason|Limitation|Trade-off|Tradeoff|Impact|Change|Changes|Summary|One caveat|Important):\s+`)
)

// statements cuts an assistant's message into sentences and list items. Code blocks, tables and quotes are left out: they
// show things, they do not state them.
func statements(text string) []statement {
	var out []statement
	var para []string
	lead, fenced := "", false
	flush := func() {
		if len(para) == 0 {
			return
		}
		joined := strings.Join(para, " ")
		para = para[:0]
		label, rest := cutLabel(joined)
		for i, s := range sentences(rest) {
			if s = plain(s); s == "" {
				continue
			}
			if strings.HasSuffix(s, ":") {
				lead = strings.TrimSuffix(s, ":")
			}
			st := statement{text: s, lead: lead}
			if i == 0 {
				st.label = label
			} else {
				st.under = label
			}
			out = append(out, st)
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n \t")
		switch {
		case fenceRE.MatchString(line):
			flush()
			fenced = !fenced
		case fenced:
		case strings.TrimSpace(line) == "":
			flush()
		case strings.HasPrefix(strings.TrimSpace(line), "|"), strings.HasPrefix(strings.TrimSpace(line), ">"),
			strings.HasPrefix(strings.TrimSpace(line), "---"):
			flush()
		default:
			if h := heading(line); h != "" {
				flush()
				lead = plain(h)
				continue
			}
			if m := itemRE.FindStringSubmatch(line); m != nil {
				flush()
				depth := 1 + len(line) - len(strings.TrimLeft(line, " \t"))
				out = append(out, item(m[1], lead, depth)...)
				continue
			}
			para = append(para, strings.TrimSpace(line))
		}
	}
	flush()
	for i := range out {
		out[i].pos, out[i].last = i, i == len(out)-1
	}
	return out
}

func heading(line string) string {
	if m := headingRE.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	if m := boldLineRE.FindStringSubmatch(line); m != nil && !strings.HasSuffix(m[1], ".") {
		return strings.TrimSuffix(m[1], ":")
	}
	return ""
}

// item reads a list item: its label, and its sentences as one statement where they are short.
func item(text, lead string, depth int) []statement {
	label, rest := cutLabel(text)
	var out []statement
	for i, s := range sentences(rest) {
		s = plain(s)
		if s == "" {
			continue
		}
		st := statement{text: s, lead: lead, list: true, item: i == 0, depth: depth}
		if i == 0 {
			st.label = label
		} else {
			st.under = label
		}
		out = append(out, st)
	}
	if len(out) == 0 && label != "" {
		out = append(out, statement{text: label, lead: lead, list: true, item: true, depth: depth})
	}
	return out
}

// cutLabel splits "**Label:** text" and "Root cause: text".
func cutLabel(s string) (label, rest string) {
	if m := labelRE.FindStringSubmatchIndex(s); m != nil && m[1] < len(s) {
		label = plain(s[m[2]:m[3]])
		if labelEnds(s[m[2]:m[1]]) {
			return strings.TrimSuffix(label, ":"), s[m[1]:]
		}
		return "", s
	}
	if m := plainLabel.FindStringSubmatchIndex(s); m != nil {
		return s[m[2]:m[3]], s[m[1]:]
	}
	return "", s
}

// labelEnds reports whether bold text at the start is a label: it is closed by a colon, a dash or an arrow. Other bold text
// is part of its sentence.
func labelEnds(s string) bool {
	s = strings.TrimRight(s, " ")
	tail := strings.TrimLeft(s[max(0, len(s)-6):], "*")
	return strings.ContainsAny(tail, ":→–—") || strings.HasSuffix(s, "-") || strings.Contains(s, ":**")
}
