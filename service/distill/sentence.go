package distill

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviations end in a stop that ends no sentence.
var abbreviations = []string{"e.g.", "i.e.", "vs.", "etc.", "cf.", "approx.", "incl.", "resp.", "ca.", "no.", "fig.", "dr.", "mr.", "mrs.", "st."}

// sentences splits prose at stops that are followed by a space and the start of a sentence. Nothing is split inside
// backticks, brackets or after an abbreviation. Full-width stops of Chinese and Japanese end a sentence by themselves.
func sentences(s string) []string {
	var out []string
	start, depth, code := 0, 0, false
	for i, r := range s {
		switch r {
		case '`':
			code = !code
			continue
		case '(', '[':
			depth++
			continue
		case ')', ']':
			depth = max(0, depth-1)
			continue
		}
		if code || depth > 0 {
			continue
		}
		if r == '。' || r == '！' || r == '？' {
			end := i + utf8.RuneLen(r)
			out, start = append(out, s[start:end]), end
			continue
		}
		if (r == '.' || r == '!' || r == '?') && i >= start && endsSentence(s, start, i) {
			end := i + 1
			for end < len(s) && strings.IndexByte("\"'*)", s[end]) >= 0 {
				end++
			}
			out, start = append(out, s[start:end]), end
		}
	}
	if rest := strings.TrimSpace(s[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// endsSentence looks at what stands around the stop at i.
func endsSentence(s string, start, i int) bool {
	rest := strings.TrimLeft(s[i+1:], `"'*)`)
	if rest == "" {
		return true
	}
	if !strings.HasPrefix(rest, " ") {
		return false
	}
	rest = strings.TrimLeft(rest, " ")
	r, _ := utf8.DecodeRuneInString(rest)
	if unicode.IsLower(r) || rest == "" {
		return false
	}
	word := s[start : i+1]
	if k := strings.LastIndexByte(word, ' '); k >= 0 {
		word = word[k+1:]
	}
	word = strings.ToLower(strings.TrimLeft(word, `("'*`))
	for _, a := range abbreviations {
		if word == a {
			return false
		}
	}
	return len(word) > 2 || s[i] != '.'
}

var (
	linkRE   = regexp.MustCompile(`!?\[([^\]]*)\]\(([^)]*)\)`)
	strongRE = regexp.MustCompile(`\*\*([^*]+)\*\*|__([^_]+)__`)
	italicRE = regexp.MustCompile(`(^|[\s(])[*_]([^*_\s][^*_]*)[*_]($|[\s).,:;!?])`)
	spacesRE = regexp.MustCompile(`\s+`)
)

// plain takes the mark-up out of a text: links become their words, emphasis, code marks and pictographs go.
func plain(s string) string {
	if strings.Contains(s, "](") {
		s = linkRE.ReplaceAllString(s, "$1")
	}
	if strings.Contains(s, "**") || strings.Contains(s, "__") {
		s = strings.ReplaceAll(strongRE.ReplaceAllString(s, "$1$2"), "**", "")
	}
	if strings.ContainsAny(s, "*_") {
		s = italicRE.ReplaceAllString(s, "$1$2$3")
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '`' || r == '\uFE0F' || r == '\u200B':
			return -1
		case r == '’' || r == '‘':
			return '\''
		case r == '“' || r == '”':
			return '"'
		case unicode.IsControl(r) || unicode.IsSpace(r):
			return ' '
		case r >= 0x1F000 || r >= 0x2600 && r <= 0x27BF:
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(spacesRE.ReplaceAllString(s, " "))
}

var (
	// openers carry no fact: they are cut from the front of a sentence.
	openers = regexp.MustCompile(`(?i)^(?:(?:ok(?:ay)?|yes|yep|no|right|exactly|great|perfect|excellent|good|done|sure|hmm|interesting|indeed|actually|finally|also|now|so|additionally|specifically|basically|essentially|in short|in summary|to summarize(?: the \w+)?|as expected|as you (?:said|noted)|you'?re (?:absolutely )?right|good (?:point|catch|question|idea|news)|fair point|got it|found it|there it is|that'?s it|all done|i see|now i see|i can see(?: that)?|i found(?: that)?|i've found(?: that)?|it looks like|it seems(?: that)?|note that|keep in mind(?: that)?|this confirms(?: that)?|confirmed(?: that)?)\s*(?:[,.:;!]|\s[-–—])\s*|(?:so|now|also|additionally|finally|basically|essentially|actually|i see(?: that)?|i found that|i've found that|i can see that|i see that|it turns out(?: that)?|turns out(?: that)?|note that|this confirms(?: that)?|it looks like|it seems that|which means)\s+)`)
	// causes introduce the fact that follows.
	causes = regexp.MustCompile(`(?i)^(?:the|that'?s the|here'?s the|this is the)\s+(?:(?:real|actual|core|root|underlying|main|key|likely)\s+)?(?:issue|problem|bug|cause|root cause|culprit|reason|finding|insight|catch)(?:\s+here)?\s+(?:(?:is|was)\s+that|(?:is|was):)\s+`)
	doneRE = regexp.MustCompile(`(?i)^(?:i|we)(?:'ve| have|'d| had)?\s+(?:just |now |also |successfully |already )*`)
)

// bare cuts what carries no fact from the front of a sentence and starts it with a capital.
func bare(s string) string {
	for range 4 {
		t := openers.ReplaceAllString(s, "")
		if t == s || len(t) < 12 {
			break
		}
		s = t
	}
	if t := causes.ReplaceAllString(s, ""); len(t) >= 25 {
		s = t
	}
	return capital(strings.TrimSpace(s))
}

// capital raises the first letter, unless the first word is an identifier or a path.
func capital(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if strings.ContainsAny(word, "_./()-:@") || strings.ToLower(word[min(1, len(word)):]) != word[min(1, len(word)):] {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
