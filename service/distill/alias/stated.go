package alias

import (
	"regexp"
	"slices"
	"strings"
)

// Pair is two names that a text says to mean one thing. Name is the one that the text explains or goes on with.
type Pair struct{ Name, Other string }

const (
	// term is a name as a sentence has it: one to three words after an article, or anything in quotes.
	term   = `(?:the |our |my |an? )?("[^"\n]{2,40}"|'[^'\n]{2,40}'|[\w@./+#-]{2,60}(?: [\w@./+#-]{2,30}){0,2}?)`
	areOne = `(?:are|mean|refer to) (?:all |really |just |exactly |actually )?(?:the (?:very )?same|one and the same|one)(?: thing| component| service| process| program| module)?`
	// sign is a word that looks like one of a program: it has a capital or a sign within.
	sign = `["']?((?-i:[\w@./+#-]+(?:[A-Z_/.@-]|\d)[\w@/+#-]+))["']?`
	end  = `(?:[\s,.;:!)]|$)`
)

// statements of equality, each with the groups of the name and of the other ones.
var statements = []struct {
	re     *regexp.Regexp
	name   int
	others []int
	words  []string // in lower case, of which its sentences have one
}{
	{regexp.MustCompile(`(?i)` + term + `,(?: and)? ` + term + `,? and ` + term + ` (?:all )?` + areOne + end), 1, []int{2, 3}, []string{"the same", "are one", "mean one", "refer to one", "one and"}},
	{regexp.MustCompile(`(?i)` + term + `,? \(?(?:which )?(?:is |are )?(?:aka|a\.k\.a\.?|also (?:called|known as|named|referred to as)|short for|formerly(?: known as| called)?|previously (?:called|known as|named)|renamed from)[:,]? ` + term + end), 1, []int{2}, []string{"aka", "a.k.a", "also called", "also known as", "also named", "also referred", "short for", "formerly", "previously called", "previously known", "previously named", "renamed from"}},
	{regexp.MustCompile(`(?i)` + term + ` is (?:just |only |simply |really )?(?:another|the old|the new|the other|an(?:other)? internal|a different|our) (?:name|word|term|nickname) (?:for|of) ` + term + end), 2, []int{1}, []string{"name for", "name of", "word for", "word of", "term for", "term of"}},
	{regexp.MustCompile(`(?i)` + term + ` is (?:just |only |simply )?(?:an )?(?:alias|synonym|shorthand|abbreviation|short) (?:for|of) ` + term + end), 2, []int{1}, []string{"alias", "synonym", "shorthand", "abbreviation", "short for", "short of"}},
	{regexp.MustCompile(`(?i)` + term + ` and ` + term + ` (?:both )?` + areOne + end), 1, []int{2}, []string{"the same", "are one", "mean one", "refer to one", "one and"}},
	{regexp.MustCompile(`(?i)` + term + ` is (?:really |just |exactly |actually )?the same (?:thing |component |service |process |program |module )?as ` + term + end), 1, []int{2}, []string{"the same"}},
	{regexp.MustCompile(`(?i)\b(?:when|by|if) (?:i|we) (?:say |write |mean )?` + term + `,? (?:i|we) (?:always |really |just )?mean ` + term + end), 2, []int{1}, []string{" mean "}},
	{regexp.MustCompile(`(?i)\bwe (?:also |sometimes |usually |often |just )*(?:call|name|refer to) ` + term + ` (?:also |as )?(?:the )?("[^"\n]{2,40}"|'[^'\n]{2,40}')` + end), 1, []int{2}, []string{" call ", " name ", " refer to "}},
	{regexp.MustCompile(`(?i)` + term + ` is what (?:we|i|they|people) (?:also |sometimes |usually )?call ` + term + end), 2, []int{1}, []string{"is what "}},
	{regexp.MustCompile(`(?i)` + term + `, which (?:we|i|they|people) (?:also |sometimes |usually )?(?:call|refer to as) ` + term + end), 1, []int{2}, []string{", which "}},
	{regexp.MustCompile(`\b[Rr]enamed ` + sign + ` (?:to|into) ` + sign + end), 2, []int{1}, []string{"enamed "}},
	{regexp.MustCompile(`(?i)\brenamed from ` + sign + ` (?:to|into) ` + sign + end), 2, []int{1}, []string{"renamed from"}},
	{regexp.MustCompile(`(?i)` + term + ` (?:was|has been|got|is now) renamed (?:to|into) ` + term + end), 2, []int{1}, []string{"renamed "}},
	{regexp.MustCompile(`(?i)` + term + ` (?:is now called|is called) ` + term + ` (?:now|these days|today)` + end), 2, []int{1}, []string{" called "}},
}

// hint are words of which every statement of equality has one. Looking for them first spares most texts the expressions.
var hint = func() []string {
	var out []string
	for _, st := range statements {
		out = append(out, st.words...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}()

var (
	// askRE finds questions, denials and suppositions, which state nothing.
	askRE  = regexp.MustCompile(`(?i)\?\s*$|\b(?:not|n't|never|no longer|if|whether|unless|suppose|would|could|should|might|may|maybe|perhaps|almost|nearly|similar|instead|except)\b|^(?:is|are|do|does|did|was|were|can|why|what|how)\b`)
	codeRE = regexp.MustCompile("(?s)```.*?(?:```|$)")
	endRE  = regexp.MustCompile(`[.!?;][\s)]+|\n+`)
)

// Stated reads the equalities that a text states. Questions, denials and suppositions state none, and code is not read.
func Stated(text string) []Pair {
	low := strings.ToLower(text)
	if !containsAny(low, hint) {
		return nil
	}
	text = strings.ReplaceAll(codeRE.ReplaceAllString(text, "\n"), "`", "")
	text = strings.NewReplacer("**", "", "“", `"`, "”", `"`, "’", "'").Replace(text)
	var out []Pair
	from := 0
	for from < len(text) {
		to, next := len(text), len(text)
		if m := endRE.FindStringIndex(text[from:]); m != nil {
			to, next = from+m[0]+1, from+m[1]
		}
		s := strings.TrimSpace(text[from:to])
		if from = next; strings.HasPrefix(s, "|") || len(s) > maxSentence || !containsAny(strings.ToLower(s), hint) {
			continue
		}
		out = append(out, stated(s)...)
	}
	return out
}

// maxSentence is the longest sentence that is read, in bytes.
const maxSentence = 400

func stated(s string) []Pair {
	low := strings.ToLower(s)
	for _, st := range statements {
		if !containsAny(low, st.words) {
			continue
		}
		m := st.re.FindStringSubmatchIndex(s)
		if m == nil || askRE.MatchString(s[:m[1]]) || strings.HasSuffix(s, "?") || strings.HasPrefix(s[m[1]:], "to ") {
			continue
		}
		name := termOf(s[m[2*st.name]:m[2*st.name+1]])
		var out []Pair
		for _, o := range st.others {
			if p := (Pair{name, termOf(s[m[2*o]:m[2*o+1]])}); nameable(p.Name) && nameable(p.Other) && Normal(p.Name) != Normal(p.Other) {
				out = append(out, p)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// termOf takes quotes, articles, the end of a sentence and what leads up to a name off it: "that the backend" is "backend".
func termOf(s string) string {
	words := strings.Fields(strings.Trim(s, "\"'.,;:() `"))
	from, to := 0, len(words)
	for i, w := range words {
		if low := strings.ToLower(w); articles[low] || noNames[low] && i < len(words)-1 {
			from = i + 1
		}
	}
	return strings.Trim(strings.Join(words[from:to], " "), "\"'.,;:()")
}

var articles = wordSet("the our my an a your their")

// noNames are words that name nothing by themselves, and verbs that a name never holds.
var noNames = wordSet(`it its this that these those they them he she we you i one both each all any some other another thing things same here
there which what who is are was were be been has have had do does did will would can could now then also just only and or but not so if
as at by for from in of on to with into than when where while because since get got make made use used using call called run runs see
next above below following note something anything everything nothing someone`)

func nameable(s string) bool {
	words := strings.Fields(strings.ToLower(s))
	if len(words) == 0 || len(Normal(s)) < 2 || strings.Trim(Normal(s), "0123456789") == "" {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool { return noNames[w] })
}

func containsAny(s string, of []string) bool {
	return slices.ContainsFunc(of, func(w string) bool { return strings.Contains(s, w) })
}
