package distill

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"dormouse/store/memory"
)

// quoted finds an offer of the assistant that the prompt repeats in its own words.
func (s *scan) quoted(text string) (ruling, bool) {
	flat := plain(text)
	offered := options(s.turn.Prior.Said.Text)
	for _, key := range slices.Sorted(maps.Keys(offered)) {
		if lead := head(offered[key], 60); len(lead) >= 30 && strings.Contains(flat, lead) {
			return s.choice(offered, key, ""), true
		}
	}
	return ruling{}, false
}

// chosen resolves an answer like "1", "B." or "option 2" to what the assistant offered under that name.
func (s *scan) chosen(text string) (ruling, bool) {
	if len(text) > 400 {
		return ruling{}, false
	}
	m := optionRE.FindStringSubmatchIndex(text)
	if m == nil {
		return ruling{}, false
	}
	if len(numberedRE.FindAllStringIndex(text, 2)) > 1 {
		return ruling{}, false // answers to several questions, not a choice among offers
	}
	said := s.turn.Prior.Said.Text
	offered := options(said)
	key := strings.ToLower(text[m[2]:m[3]])
	if pick, ok := offered[key]; !ok || len(offered) < 2 || !offers(said) || otherRE.MatchString(strings.ToLower(pick)) || courseRE.MatchString(strings.ToLower(pick)) {
		return ruling{}, false
	}
	return s.choice(offered, key, plain(text[m[1]:])), true
}

// offers reports whether a message leaves something to choose: it asks. A numbered account of what was done asks nothing.
func offers(said string) bool {
	return strings.Contains(said, "?") || offeringRE.MatchString(strings.ToLower(said))
}

var (
	offeringRE = rx(`\boption [1-9a-e]\b|\b(?:which (?:one|option|approach|of these)|let me know which|your (?:choice|call|preference)|pick one)\b`)
	// courseRE finds offers of how the agents go about it, which is over when they are done.
	courseRE = rx(`\b(?:sub-?agents?|(?:this|new|separate|parallel|same|fresh) session|dispatch\w*|batch execution|checkpoints? between|review between)\b`)
	// otherRE finds offers that offer nothing: what is wanted stands in the answer.
	otherRE = rx(`^(?:something else|other|none|neither)\b|\?$`)
)

// numberedRE finds the answers of a prompt that answers several questions.
var numberedRE = regexp.MustCompile(`(?m)^\s*(?:\d|[A-Ea-e])[.)]\s`)

// choice says what was picked, with what else the person said, or with what was turned down where there is room.
func (s *scan) choice(offered map[string]string, key, rest string) ruling {
	line := "Chose " + offered[key]
	if said := added(rest); said != "" {
		line = "Chose " + shorten(offered[key], MaxSummary-9-len(said)) + "; " + said
	} else if other := turnedDown(offered, key); other != "" {
		line = "Chose " + shorten(offered[key], MaxSummary-8-len(other)) + ", not " + other
	}
	return ruling{text: line, node: s.prompt, extra: s.turn.Prior.Said.Node, weight: 4.2, trust: memory.TrustPerson}
}

// added is what the person added to a choice, as far as it is short: all but questions.
func added(rest string) string {
	var out []string
	room := 95
	for _, st := range sentences(rest) {
		st = decree(strings.TrimSpace(st))
		if low := strings.ToLower(st); len(st) <= 15 || questionRE.MatchString(low) || musingRE.MatchString(low) {
			continue
		}
		if len(out) == 0 {
			st = lower(shorten(st, 90))
		}
		if room -= len(st) + 2; room < 0 && len(out) > 0 {
			break
		}
		out = append(out, st)
	}
	return strings.Join(out, ". ")
}

// maxTurnedDown is how much is said of an offer that was turned down, in bytes.
const maxTurnedDown = 60

// turnedDown is the first other offer, in short.
func turnedDown(offered map[string]string, key string) string {
	for _, k := range slices.Sorted(maps.Keys(offered)) {
		if k != key {
			return shorten(offered[k], maxTurnedDown)
		}
	}
	return ""
}

var (
	// adviceRE finds what the assistant recommends, assentRE a yes to it.
	adviceRE = rx(`\b(?:i(?:'d| would)? (?:recommend|suggest|agree|lean)|recommend(?:ation|ed)|my suggestion|better (?:setup|approach|option|fix|way)|best (?:setup|approach|option|fix|way)|simplest (?:setup|approach|option|fix|way)|cleanest (?:approach|option|fix|way)|i think (?:we|the|it)|proposed? (?:fix|change|approach)|the fix (?:is|would be)|single source of truth)\b`)
	assentRE = rx(`^(?:(?:ok(?:ay)?|yes|yep|yeah|yup|sure|great|perfect|cool|agreed|right|alright),? ?)?(?:(?:let's|lets|please) (?:do|doe|go with|try|use) (?:that|it|this)|do (?:it|that|this)|go (?:ahead|for it)|sounds good|i agree|makes sense|yes|yep|yeah|ok(?:ay)?|agreed|perfect|sure)\b`)
)

// assented finds the advice that the prompt says yes to.
func (s *scan) assented(text string) (ruling, bool) {
	if !assentRE.MatchString(strings.ToLower(text)) || len(text) > 500 {
		return ruling{}, false
	}
	best, score := "", 0.0
	for _, st := range statements(s.turn.Prior.Said.Text) {
		low := strings.ToLower(st.text)
		if len(st.text) < 40 || strings.HasSuffix(low, "?") || strings.HasSuffix(low, ":") || !adviceRE.MatchString(low) && !adviceRE.MatchString(strings.ToLower(st.label)) {
			continue
		}
		if sc := 1 + detail(st.text); sc >= score {
			best, score = bare(st.text), sc
		}
	}
	if best == "" {
		return ruling{}, false
	}
	return ruling{text: "Agreed: " + advised(best), node: s.prompt, extra: s.turn.Prior.Said.Node, weight: 2.4 + score, trust: memory.TrustAgent}, true
}

// advised is what a sentence of advice advises, without the words by which it does so.
func advised(s string) string {
	for range 3 {
		t := advisingRE.ReplaceAllString(s, "")
		if t == s || len(t) < 20 {
			break
		}
		s = t
	}
	return lower(s)
}

var advisingRE = regexp.MustCompile(`(?i)^(?:so,?\s+|yes,?\s+|given (?:this|that)[^,]{0,60},\s+|I(?:'d| would)?(?:\s+(?:strongly|also|still|personally))*\s+(?:recommend|suggest|propose|agree|lean(?:\s+towards?)?|think)(?:\s+that)?\s*:?\s+|my (?:recommendation|suggestion)(?:\s+is)?(?:\s+to)?:?\s+|(?:the )?(?:recommendation|proposed (?:fix|change|approach)):\s+)`)

// optionRE finds the name of an offer in an answer: "2", "B.", "option 1", "let's do 3".
var optionRE = regexp.MustCompile(`(?i)(?:^|\b(?:option|approach|number|go with|let's do|choose|pick|prefer)\s+#?)([1-9]|[a-e])(?:[\s.,:;)!]|$)`)

// offeredRE finds a numbered or lettered offer.
var offeredRE = regexp.MustCompile(`(?m)^\s*(?:[-*]\s+)?(?:#{1,4}\s*)?(?:\*\*)?(?:(?i:option|approach)\s+)?([1-9]|[A-E])(?:\*\*)?[.):]\s*(.+)$`)

// options are the numbered or lettered offers of a message, by their lower-case name. Of two lists the later one counts.
func options(text string) map[string]string {
	out := map[string]string{}
	for _, m := range offeredRE.FindAllStringSubmatch(text, 40) {
		key := strings.ToLower(m[1])
		if key == "1" || key == "a" {
			clear(out)
		}
		out[key] = undangle(plain(m[2]))
	}
	return out
}
