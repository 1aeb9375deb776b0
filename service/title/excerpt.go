package title

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// Lengths in characters.
const (
	excerptLength = 50
	previewLength = 80
	titleLength   = 80  // of a model's
	ownLength     = 200 // of the person's
)

const ellipsis = "…"

// marks are what may stand in a message without being words: names of pasted images, texts and files, and tags.
var marks = regexp.MustCompile(`\[(?:Image|Pasted text|Attachment|File)(?: ?#\d+)?(?:: [^\]\n]{0,300}| \+\d+ lines?)?\]|</?[a-zA-Z][a-zA-Z0-9_-]*>`)

// Excerpt is the first line of a message that has words, without attachment and system markers, cut at 50 characters. It is empty
// where there are no words.
func Excerpt(message string) string {
	for line := range strings.Lines(words(message)) {
		if line = bare(line); line != "" {
			return cut(line, excerptLength)
		}
	}
	return ""
}

// Preview is a message on one line, without attachment and system markers, cut at 80 characters. Of a message that is nothing else
// it shows these.
func Preview(message string) string {
	if p := cut(bare(words(message)), previewLength); p != "" {
		return p
	}
	return cut(strings.Join(strings.Fields(memory.Guard(message)), " "), previewLength)
}

// Own is a title as the person gives it: one line of at most 200 characters; empty where nothing is left.
func Own(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
	return cut(memory.Guard(strings.Join(strings.Fields(s), " ")), ownLength)
}

// words are the person's own words of a message.
func words(message string) string {
	_, own := transcript.Unwrap(message)
	return memory.Guard(own)
}

// bare is a text on one line, without marks and without what Markdown puts at a line's start.
func bare(s string) string {
	s = marks.ReplaceAllString(s, " ")
	return strings.TrimLeft(strings.Join(strings.Fields(s), " "), "#>*-=`~ ")
}

// cut shortens a text to n characters and says so.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:n]), " ") + ellipsis
}
