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
	for range 5 {
		t := openers.ReplaceAllString(s, "")
		for _, re := range heralds {
			if m := re.FindStringIndex(t); m != nil && len(t)-m[1] >= 25 {
				t = t[m[1]:]
			}
		}
		if t == s || len(t) < 12 {
			break
		}
		s = t
	}
	if t := causes.ReplaceAllString(s, ""); len(t) >= 25 {
		s = t
	}
	if t := placed.ReplaceAllString(s, "$1 "); len(t) >= 25 {
		s = t
	}
	if m := stated.FindStringIndex(s); m != nil && len(s)-m[1] >= 25 && finite.MatchString(strings.ToLower(s[m[1]:])) {
		s = s[m[1]:]
	}
	return capital(strings.TrimSpace(s))
}

var (
	// placed finds "The issue is in close() (line 5) — it never ...", where the place is what the sentence is about.
	placed = regexp.MustCompile(`(?i)^the (?:\w+ )?(?:issue|problem|bug|cause)(?: here)? (?:is|was) in (?:the )?(\S+)(?: \([^()]*\))?\s*(?:—|–|-|:|;|,|\.)\s+it\s+`)
	// stated finds "The issue is ..." before a whole sentence, which finite tells by its verb.
	stated = regexp.MustCompile(`(?i)^the (?:(?:real|actual|core|root|underlying|main|key) )?(?:issue|problem|bug|cause|catch)(?: here)? (?:is|was) `)
	finite = rx(`^(?:when |because |if )|^(?:[^\s,—:;]+ ){1,5}(?:is|are|was|were|has|have|had|does|do|did|can|cannot|will|never|always|only|fails?|returns?|uses?|\w+n't)\b`)
)

// programs are names that no sentence begins with as a word of English.
var programs = wordSet(`git gh npm npx pnpm yarn pip pip3 uv docker kubectl helm terraform brew curl ssh bash zsh sed awk grep jq psql tsc eslint pytest rustc gofmt golangci-lint`)

// heralds announce that a fact follows, and say nothing themselves.
var heralds = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(?:the |one |a |another |my )?(?:(?:real|actual|core|root|underlying|main|key|only|remaining|likely|important|big|good|bad) )*(?:issue|problem|bug|cause|culprit|reason|catch|limitation|caveat|finding|insight|gotcha|gap|news|answer|upshot|trade-?off|concern|wrinkle|difference|takeaway|bottom line)s?(?: \d+| here| now| is clear| is simple| is obvious| in short)?\s*(?::|—|–|\s-\s)\s*(?:that )?`),
	regexp.MustCompile(`(?i)^(?:but |however, |and )?there(?:'s| is| was)(?: still| also| just)? (?:one|a|an|another) (?:\w+ )?(?:issue|problem|bug|catch|caveat|gap|wrinkle|subtlety|gotcha|edge case|exception|race)\b[^:—–]{0,30}(?::|—|–|\s-\s)\s*`),
	regexp.MustCompile(`(?i)^(?:this|that|it)(?:'s| is| was)(?: indeed| actually)? (?:a |an |the |exactly |just )?(?:\w+[ -])?(?:bug|issue|problem|regression|cause|culprit|race|gap|edge case)s?(?: here)?\s*(?::|—|–|\s-\s)\s*`),
	regexp.MustCompile(`(?i)^[^:.]{0,50}\b(?:surfaced|revealed|exposed|uncovered|showed) (?:the|a|one) (?:\w+ )?(?:issue|problem|bug|cause|gap):\s*`),
	regexp.MustCompile(`(?i)^(?:however|moreover|furthermore|unfortunately|importantly|critically|crucially|notably|first|second|third|firstly|secondly|finally|lastly|similarly|meanwhile|still|in fact|in other words|for context|to be clear|as a result|in practice|worse|yeah|yep|ah|oh|hm+),\s+`),
}

// capital raises the first letter, unless the first word is an identifier, a path or a program.
func capital(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if programs[word] {
		return s
	}
	if strings.ContainsAny(word, "_./()-:@") || strings.ToLower(word[min(1, len(word)):]) != word[min(1, len(word)):] {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
