package distill

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/store/memory"
)

// DecideFacts reconciles facts with what is known, in their order, as a sleep would: what contradicts an earlier one by its subject
// and verb takes its place. now is in Unix seconds.
func DecideFacts(state *memory.State, facts []*memory.Fact, now int64) ([]memory.Decision, error) {
	r := &reconciler{state: state, batch: newState(), now: now, counts: &memory.RunCounts{}}
	for _, f := range facts {
		r.fact(f, "rule: stated")
	}
	return r.out, r.err
}

var (
	// rememberRE finds what the person wants to be remembered as it stands.
	rememberRE    = regexp.MustCompile(`(?i)^(?:please )?(?:remember|note|keep in mind|bear in mind|for the record|fyi|for your information|just so you know)[,:]?(?: that)?[,:]? `)
	finiteRE      = regexp.MustCompile(`\b(?:is|are|was|were|has|have|had|will|does|do|did|can|must|lives?|works?|runs?|uses?|needs?|plays?|speaks?|listens?|belongs?|comes?|contains?|holds?|serves?|expires?|ends?|starts?|begins?|[a-z]{3,}ed)\b`)
	linkVerbRE    = regexp.MustCompile(` (?:is|are|was|were) `)
	prepositionRE = regexp.MustCompile(`\b(?:of|in|by|for|as|to|with|from|at|on|under|into|than)$`)
)

// SplitFact takes a plain statement apart: "The capital of France is Paris" is (capital of France, is, Paris), and "Ada works in
// the field of logic" is (Ada, works in the field of, logic). ok is false for what is no such statement.
func SplitFact(sentence string) (subject, verb, object string, ok bool) {
	s := strings.TrimRight(strings.TrimSpace(sentence), "! ")
	s = strings.TrimSuffix(s, ".") // one alone: it may end with "Inc.."
	if strings.HasSuffix(s, "?") || len(s) > 200 {
		return "", "", "", false
	}
	at := -1
	if first, _, _ := strings.Cut(s, " "); strings.EqualFold(first, "the") || strings.EqualFold(first, "our") {
		if all := linkVerbRE.FindAllStringIndex(s, -1); len(all) > 0 {
			at = all[len(all)-1][0] + 1
		}
	}
	if at < 0 {
		for _, m := range finiteRE.FindAllStringIndex(s, -1) {
			if m[0] > 0 {
				at = m[0]
				break
			}
		}
	}
	if at <= 0 {
		return "", "", "", false
	}
	subject = strings.TrimSpace(s[:at])
	for _, a := range []string{"The ", "the ", "Our ", "our ", "A ", "An "} {
		subject = strings.TrimPrefix(subject, a)
	}
	verb, object = splitVerb(strings.Fields(s[at:]))
	return subject, verb, object, subject != "" && verb != "" && object != "" && !pronounThingRE.MatchString(strings.ToLower(subject))
}

// splitVerb divides a predicate where its object begins: behind the last preposition before the first name or, where there is no
// name, behind the last preposition; without one, behind the verb.
func splitVerb(words []string) (verb, object string) {
	if len(words) < 2 {
		return "", ""
	}
	cut := 1
	for i := 1; i < len(words); i++ {
		if r, _ := utf8.DecodeRuneInString(words[i]); unicode.IsUpper(r) || unicode.IsDigit(r) {
			break
		}
		if prepositionRE.MatchString(words[i]) && i+1 < len(words) {
			cut = i + 1
		}
	}
	if cut < len(words)-1 && words[cut] == "the" {
		cut++
	}
	return strings.Join(words[:cut], " "), strings.Join(words[cut:], " ")
}
