package distill

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"dormouse/store/memory"
)

// weights are the sums of the cues of one statement.
type weights struct {
	work, learning, decision, event float64
	any                             float64 // what speaks for or against every kind
	firm                            bool    // a strong cue of a finding is among them
}

// weigh adds up the cues of a statement. Weak cues of a finding count up to a limit: many of them make no strong one.
func weigh(st *statement) weights {
	low := strings.ToLower(st.text)
	if st.label != "" {
		low = strings.ToLower(st.label) + ": " + low
	}
	var w weights
	weak := 0.0
	for i := range cues {
		c := &cues[i]
		if len(c.words) > 0 && !slices.ContainsFunc(c.words, func(x string) bool { return strings.Contains(low, x) }) {
			continue
		}
		if !c.re.MatchString(low) {
			continue
		}
		switch c.kind {
		case memory.KindWork:
			w.work += c.weight
		case memory.KindDecision:
			w.decision += c.weight
		case memory.KindEvent:
			w.event += c.weight
		case memory.KindLearning:
			if c.weight >= firmCue {
				w.firm = true
				w.learning += c.weight
			} else {
				weak += c.weight
			}
		default:
			w.any += c.weight
		}
	}
	w.learning += min(weak, maxWeak)
	return w
}

const (
	firmCue = 1.5 // weight from which one cue alone speaks for a finding
	maxWeak = 2.4
)

// specifics counts the words of a text that name things: paths, identifiers, numbers, flags.
func specifics(s string) int {
	n := 0
	for w := range strings.FieldsSeq(s) {
		w = strings.Trim(w, `.,;:!?()"'[]{}`)
		if len(w) < 2 {
			continue
		}
		inner := w[1:]
		switch {
		case strings.ContainsAny(inner, "/_.()=") && w != "e.g" && w != "i.e",
			strings.HasPrefix(w, "--"), strings.HasPrefix(w, "#"), strings.HasPrefix(w, "@"),
			strings.ContainsAny(w, "0123456789"),
			strings.IndexFunc(inner, unicode.IsUpper) >= 0:
			n++
		}
	}
	return n
}

// detail turns specifics into a score that levels off.
func detail(s string) float64 { return min(1.5, 0.4*float64(specifics(s))) }

// worthy refuses statements that cannot stand as a memory, whatever their cues.
func worthy(st *statement) bool {
	if len(st.text) < 30 || len(st.text) > 600 || strings.Contains(st.text, "?") || strings.HasSuffix(st.text, ":") {
		return false
	}
	return !nonLead(st.lead) && !fragmentRE.MatchString(strings.ToLower(st.text))
}

// fragmentRE finds sentences that hang on one before them.
var fragmentRE = rx(`^(?:because|or|e\.g\.|i\.e\.|as opposed|rather than|instead of)\b`)

var nonLeadRE = rx(`\b(?:plan|next steps?|options?|recommend\w*|suggest\w*|todo|to do|proposed?|proposal|approach(?:es)?|alternatives?|needs? to|would|could|should|questions?|steps|you can|how to|i'll|let me|will|want|test plan|manual|try|consider|future|usage|example|phase|verify|what you)\b`)

// nonLead tells headings under which nothing happened yet: plans, options, next steps.
func nonLead(lead string) bool {
	return lead != "" && nonLeadRE.MatchString(strings.ToLower(lead)) && !didWork(lead)
}

// headlineRE finds works that are told like headlines: "Plan posted to ...", "New tests added".
var headlineRE = rx(`^(?:\S+ ){1,4}(?:is |are |has been |have been |was |were )?(?:now )?(?:posted|created|added|updated|committed|pushed|opened|merged|completed?|done|implemented|fixed|removed|deleted|renamed|published|released|deployed|replaced|rewritten|reverted|moved|installed|documented|resolved)(?:$|[.,:;]| (?:to|in|into|on|onto|as|for|with|by|from|at|and|via|under|upstream)\b)`)

// didWork reports whether a statement says that something was done.
func didWork(text string) bool {
	t := doneRE.ReplaceAllString(bare(text), "")
	word, rest, _ := strings.Cut(t, " ")
	word = strings.ToLower(strings.Trim(word, ",.:;"))
	return workVerbs[word] && (!nounVerbs[word] || t != bare(text) || objectRE.MatchString(rest))
}

// nounVerbs look the same as a noun or an order. objectRE finds what makes them a verb of something done.
var nounVerbs = wordSet(`reset set cut put split kept broke`)

var objectRE = regexp.MustCompile(`^(?:the|a|an|up|down|off|all|its|it|out|to|this|both|each|every|into|[\w-]*[_./(A-Z])`)
