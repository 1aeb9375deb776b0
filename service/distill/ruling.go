package distill

import (
	"regexp"
	"strings"

	"dormouse/store/memory"
)

// ruling is a word of the person that settles something.
type ruling struct {
	text     string
	node     int
	extra    string // id of the message that it answers, where that is part of the evidence
	standing bool   // holds beyond this turn: a preference
	weight   float64
	trust    memory.Trust
}

// rulings reads the person's words in a turn: the prompt, what was typed into a refused call, answers to the agent's
// questions and plans that were approved.
func (s *scan) rulings() []ruling {
	var out []ruling
	if s.prompt >= 0 {
		out = append(out, s.prompted()...)
	}
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.Role == memory.RoleTool {
			out = append(out, s.answered(i, n)...)
		}
	}
	return out
}

// prompted reads the prompt: an offer that it takes up, or sentences that rule.
func (s *scan) prompted() []ruling {
	text := strings.TrimSpace(s.nodes[s.prompt].Output)
	if len(text) > maxPrompt || strings.HasPrefix(text, "<") || strings.HasPrefix(text, "/") || planPromptRE.MatchString(text) {
		return nil
	}
	for _, read := range []func(string) (ruling, bool){s.quoted, s.chosen, s.assented} {
		if r, ok := read(text); ok {
			return []ruling{r}
		}
	}
	var out []ruling
	damp := 0.0
	if s.turn.N <= 1 {
		damp += 0.7 // a first prompt tells the task more than it rules
	}
	if len(text) > longPrompt {
		damp += 0.7
	}
	for _, st := range promptStatements(text) {
		w, standing := rules(st)
		if !standing {
			w -= damp
		}
		if w > 0 {
			out = append(out, ruling{text: decree(st), node: s.prompt, weight: w, standing: standing, trust: memory.TrustPerson})
		}
	}
	return out
}

// maxPrompt is the longest prompt that is read for rulings, in bytes: longer ones are pasted plans and logs.
const maxPrompt = 3000

// longPrompt is the length from which a prompt tells or pastes more than it rules, in bytes.
const longPrompt = 700

// promptStatements are the sentences that the person typed. Pasted logs, code and shell prompts are left out.
func promptStatements(text string) []string {
	var out []string
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if fenceRE.MatchString(line) {
			fenced = !fenced
			continue
		}
		if fenced || line == "" || pasted(line) {
			continue
		}
		if handedRE.MatchString(strings.ToLower(line)) {
			return append(out, clean(line)...)
		}
		if m := itemRE.FindStringSubmatch(line); m != nil {
			line = m[1]
		}
		out = append(out, clean(line)...)
	}
	return out
}

// clean are the sentences of a line that say something.
func clean(line string) []string {
	var out []string
	for _, s := range sentences(smallIRE.ReplaceAllString(line, "$1 I")) {
		if s = plain(s); len(s) > 8 && !brokenRE.MatchString(strings.ToLower(s)) {
			out = append(out, s)
		}
	}
	return out
}

var (
	// handedRE finds a line after which the person hands over the words of others: a review, a log, a ticket.
	handedRE = rx(`\b(?:feedback|comments?|reviews?|reviewer|suggest(?:s|ed|ions?)|reported|reports?|errors?|output|logs?|message|said|says|saying|got|getting|following|copilot|bugbot)\b[^.!?]*:$`)
	// brokenRE finds sentences whose rest stands somewhere else.
	brokenRE = rx(`\b(?:either|or|and|the|to|with|a)[:.]?$`)
)

// smallIRE finds sentences that are typed without their capital.
var smallIRE = regexp.MustCompile(`([.!?]) i\b`)

var (
	// reviewRE finds sentences of reviews, which people paste: of what a change may lead to, and what to consider.
	reviewRE = rx(`^(?:if|when|while|although|though|since|because)\b.*\b(?:can|could|would|might|may)\b|\bconsider(?:ing)? (?:\w+ing|a|an|the)\b|\bfor consistency\b|\b(?:this|which|it) (?:can|could|may|might|is currently)\b`)
	// voiceRE finds a person's own voice.
	voiceRE = rx(`\b(?:i|i'\w+|we|we'\w+|you|you'\w+|us|our|your|let's|lets|please|my|me)\b`)
)

// missedRE finds reports of what did not happen.
var missedRE = rx(`\b(?:otherwise|then|that|it|you|this|we) should(?:'ve| have) (?:\w+ed|been|gotten|got|seen|had)\b`)

var pastedRE = regexp.MustCompile(`^(?:[➜❯$#>%]|error:|warning:|hint:|fatal:|remote:|\+|-\s{2,}|@@|diff |\d{4}[-/]\d\d|[A-Z][A-Z_]{3,}\b|\s*at |\[|\{|From (?:[0-9a-f]{7}|\S+@|\S+://)|commit [0-9a-f]{7}|Author:|Date:|\* |\| |create mode|npm |To (?:\S+@|\S+://|\S+\.git))`)

func pasted(line string) bool { return pastedRE.MatchString(line) }

// rules weighs one sentence of the person: 0 where it rules nothing.
func rules(s string) (weight float64, standing bool) {
	low := strings.ToLower(s)
	if len(low) < 15 || len(low) > 400 || !directiveRE.MatchString(low) || placeRE.MatchString(low) || waitRE.MatchString(low) || clientRE.MatchString(low) || reviewRE.MatchString(low) && !voiceRE.MatchString(low) || tells(s) {
		return 0, false
	}
	say := strings.ToLower(decree(s))
	asked := questionRE.MatchString(low) || invertedRE.MatchString(strings.TrimRight(softRE.ReplaceAllString(low, ""), " "))
	standing = !asked && (standingRE.MatchString(low) || dated(s) && rulingRE.MatchString(low))
	if asked && !strings.Contains(low, "instead") && !strings.Contains(low, "make sure") {
		return 0, false
	}
	switch {
	case standing:
		weight = 3.4
	case rulingRE.MatchString(low):
		weight = 2.6
	case correctRE.MatchString(low):
		weight = 2
	default:
		return 0, false
	}
	if taskRE.MatchString(low) && !standing {
		weight--
	}
	if musingRE.MatchString(low) {
		weight--
	}
	if passingRE.MatchString(say) {
		weight -= 1.5
	}
	if reportRE.MatchString(low) && !strings.Contains(low, "let's") && !strings.Contains(low, "should") || missedRE.MatchString(low) {
		weight -= 2
	}
	if aboutCodeRE.MatchString(say) {
		weight--
	}
	if pronounRE.MatchString(say) && specifics(s) == 0 {
		weight -= 0.8
	}
	weight += min(1, float64(specifics(s))*0.35) + min(0.8, float64(len(s))/150)
	return weight, standing
}

// tells reports whether a sentence says how things are or will be in the project, which is a fact and no order.
func tells(s string) bool { return (&FactDraft{}).read(strings.TrimRight(s, ". "), &graph{}) }

// dated reports whether a sentence names a time from which or until which it holds.
func dated(s string) bool {
	at := int64(0)
	w, _ := windowOf(s, &at)
	return w != window{}
}
