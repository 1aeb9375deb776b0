package edit

import "strings"

// lines are a text's lines without their ends; bare reports that the last one has no end. The empty text has none.
func lines(text string) (list []string, bare bool) {
	if text == "" {
		return nil, false
	}
	bare = !strings.HasSuffix(text, "\n")
	if !bare {
		text = text[:len(text)-1]
	}
	return strings.Split(text, "\n"), bare
}

// text is the reverse of lines.
func text(list []string, bare bool) string {
	if len(list) == 0 {
		return ""
	}
	s := strings.Join(list, "\n")
	if !bare {
		s += "\n"
	}
	return s
}

// shown reports whether a line of a diff shows a line of a file. Some clients show every tab at the start of a line as two
// blanks; what they show is taken for the line where loose says so.
func shown(real, line string, loose bool) bool {
	return real == line || loose && strings.HasPrefix(real, "\t") && untabbed(real) == line
}

func untabbed(s string) string {
	rest := strings.TrimLeft(s, "\t")
	return strings.Repeat("  ", len(s)-len(rest)) + rest
}
