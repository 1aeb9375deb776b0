package distill

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// decree rephrases a sentence of the person as the ruling that it makes: without what only answers, greets or softens, and
// with a wish turned into what is wished. Words that it does not know it leaves alone, so that other languages stay as they are.
func decree(s string) string {
	s = strings.TrimSpace(s)
	for range 8 {
		t := thenRE.ReplaceAllString(softRE.ReplaceAllString(s, ""), "$1")
		t = thinkRE.ReplaceAllString(t, "")
		if t == s || len(t) < 12 {
			break
		}
		s = strings.TrimSpace(t)
	}
	asked := s
	for _, w := range wishes {
		if m := w.re.FindStringIndex(s); m != nil && len(s)-m[1] >= 6 && !strings.HasPrefix(s[m[1]:], "be ") {
			s = w.say + s[m[1]:]
			break
		}
	}
	if s != asked {
		s = strings.TrimRight(s, "? ")
	}
	s = strings.TrimSpace(trailRE.ReplaceAllString(s, ""))
	return capital(strings.TrimRight(strings.ReplaceAll(s, " i ", " I "), " .;,:-–—"))
}

var (
	// softRE finds openers of a person's sentence that settle nothing. Some open only before a comma or stop: "no, ..." but not
	// "no need".
	softRE = regexp.MustCompile(`(?i)^(?:(?:ok|okay|yes|yeah|yep|yup|hmm+|ah+|oh|haha|lol|please|pls|actually|btw|also|and|but|well|sure|alright|perfect|awesome|thanks|thank you|hey|hi|sorry|q|exactly|correct|agreed)\b(?:[\s,.:;!…—–-]+)` +
		`|(?:no|nope|right|good|great|nice|cool|so|now|then|just|maybe|again|instead|wait|to be clear|ideally|all right|good point|fair enough|fair|sounds good|looks good|makes sense|go ahead|true|yes please|got it|i see|for sure|of course|first|one more thing)(?:\s?[,.:;!…]+\s*|\s[—–-]\s+)|(?:option )?[a-e1-9]\)\s*)`)
	// thenRE finds a joining word before a wish.
	thenRE = regexp.MustCompile(`(?i)^(?:so|then|just|maybe|now|or)\s+((?:let's|lets|I|we|you|can|could|maybe|don't|do not)\b)`)
	// thinkRE finds the words by which a person thinks aloud that something is so.
	thinkRE = regexp.MustCompile(`(?i)^I(?:'d)?(?:\s+(?:actually|really|also|still|just|kind of|kinda|sort of))*\s+(?:think|feel like|feel|believe|guess|suppose|reckon|say|would say)(?:\s+that)?,?\s+`)
	// trailRE finds what trails off behind a ruling.
	trailRE = regexp.MustCompile(`(?i)(?:[,.!]?\s*(?:\b(?:ok|okay|right|please|pls|thanks|thank you|thx|haha|lol|i think|i guess)\b|[:;]-?[)DPp]))+[.!?\s]*$`)
)

// wishes turn the form of a wish into what is wished. The first that fits is taken.
var wishes = func() []wish {
	var out []wish
	for _, w := range [][2]string{
		{`(?:let's|lets|let us)\s+not\s+`, "do not "},
		{`(?:let's|lets|let us)\s+(?:(?:just|also|please|maybe|then|now|actually|instead|rather)\s+)*`, ""},
		{`(?:we|you)\s+(?:really\s+|probably\s+|also\s+)?(?:should|must)(?:\s+not|n't)\s+`, "do not "},
		{`(?:we|you)\s+(?:really\s+|probably\s+|also\s+)?(?:should|must|need to|have to|gotta|ought to)\s+(?:(?:just|also|probably|instead|really|rather|definitely)\s+)*`, ""},
		{`we\s+(?:can|could)\s+(?:just|simply)\s+`, ""},
		{`(?:can|could|would|will)\s+(?:you|we)\s+(?:(?:please|also|just|instead|maybe|then)\s+)*`, ""},
		{`I(?:'d|\s+would)\s+(?:really\s+|rather\s+|also\s+)?(?:like|love|prefer|want)\s+(?:for\s+)?(?:you|us)\s+to\s+`, ""},
		{`I\s+(?:really\s+|also\s+|just\s+)?(?:want|need)\s+(?:you|us)\s+to\s+`, ""},
		{`I(?:'d|\s+would)\s+(?:really\s+|rather\s+|also\s+)?(?:like|love|prefer)\s+to\s+`, ""},
		{`I\s+(?:really\s+|also\s+|just\s+)?(?:want|wanna)\s+to\s+`, ""},
		{`I\s+(?:really\s+)?(?:don't|do not)\s+want\s+(?:you\s+)?to\s+`, "do not "},
		{`I\s+(?:really\s+|also\s+)?(?:don't|do not)\s+want\s+`, "does not want "},
		{`I\s+(?:really\s+|also\s+)?(?:don't|do not)\s+like\s+`, "does not like "},
		{`I(?:'d|\s+would)\s+rather\s+`, "rather "},
		{`I(?:'d|\s+would)\s+(?:really\s+|also\s+|much\s+)?(?:like|love)\s+`, "wants "},
		{`I\s+(?:really\s+|also\s+|just\s+)?want\s+`, "wants "},
		{`I(?:'d|\s+would)?\s+(?:really\s+|much\s+)?prefer\s+`, "prefers "},
	} {
		out = append(out, wish{regexp.MustCompile("(?i)^" + w[0]), w[1]})
	}
	return out
}()

type wish struct {
	re  *regexp.Regexp
	say string
}

// lower lowers the first letter of an ordinary word, so that a sentence can stand inside another.
func lower(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if len(word) < 2 || strings.ContainsAny(word, "_./()-:@") || strings.ToLower(word[1:]) != word[1:] {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}
