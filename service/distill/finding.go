package distill

import (
	"strings"

	"dormouse/store/memory"
)

// discovery opens a message in which the assistant says what it has just found out.
var discoveryRE = rx(`^(?:found (?:it|the)|there it is|that's (?:it|the (?:bug|issue|problem|cause|culprit))|got it|i see the (?:issue|problem|bug)|i (?:have )?found the|i (?:can )?see (?:the|what)|now i (?:see|understand)|i was wrong|you(?:'re| are) (?:absolutely )?(?:right|correct)|good (?:catch|question|point)|interesting|confirmed|aha|right,|right -|exactly)`)

// findings are the assistant's statements of how things are, and its choices with their reasons.
func (s *scan) findings() []Draft {
	var out []Draft
	found := -10               // the last statement that opened a discovery
	retracted := s.retracted() // messages before this node were taken back
	for i := range s.said {
		st := &s.said[i]
		if st.pos == 0 {
			found = -10
		}
		if st.pos < 2 && discoveryRE.MatchString(strings.ToLower(st.text)) {
			found = i
		}
		if !worthy(st) || slipRE.MatchString(strings.ToLower(st.text)) || didWork(st.text) || nonLead(st.label) || imperativeRE.MatchString(strings.ToLower(st.label)) {
			continue
		}
		w := weigh(st)
		text, nodes := s.standalone(i)
		score := w.any + detail(text) - vague(text)
		if i-found <= 2 {
			w.learning += 1.2
			w.firm = true
		}
		if st.final {
			score += 0.5
		}
		if causeLabel(st.under) {
			score++
			w.learning += 1.5
			w.firm = true
		}
		proof, proven := s.proof(st.node)
		if proven && w.learning > 0 {
			w.firm = true
			w.learning++
		}
		if w.firm {
			score += proof
		}
		if w.firm && s.remedied(i) {
			score += 0.8
		}
		if st.node < retracted {
			score -= 4
		}
		if len(text) < 70 && specifics(text) == 0 {
			continue
		}
		switch {
		case w.decision >= 1.5 && w.decision+0.5 > w.learning && w.work == 0 && (w.decision >= 2.5 || !undecidedRE.MatchString(strings.ToLower(st.text))) && (w.decision >= 2 || w.learning >= 0.8) && !thirdRE.MatchString(strings.ToLower(text)):
			out = append(out, s.draft(memory.KindDecision, text, memory.TrustAgent, score+w.decision, st.node, nodes...))
		case w.learning >= 1.5 && (w.firm || st.final) && holds(shorten(text, MaxSummary)):
			out = append(out, s.draft(memory.KindLearning, text, memory.TrustAgent, score+w.learning, st.node, nodes...))
		}
	}
	return out
}

var (
	// imperativeRE finds labels that tell what is to be done.
	imperativeRE = rx(`^(?:add|update|fix|change|remove|use|check|make|move|rename|create|run|delete|replace|extract|test)\b`)
	// undecidedRE finds sentences of what would be, can be or is wrong: whatever is put in the place of what, nobody chose it.
	undecidedRE = rx(`^(?:if|when|while|although|though|wrong|missing|unlike)\b|\b(?:would|could|can|might|may)(?:n't| not)? \w+`)
	// thirdRE finds descriptions of what a change does.
	thirdRE = rx(`^(?:\S+: )?(?:uses|writes|returns|adds|takes|calls|reads|moves|sets|makes|keeps|removes|replaces|checks|gets|passes|handles|renders|shows|prints|stores|runs|fixes|updates|implements|introduces|refactors|creates|deletes|extracts|improves|simplifies|prevents|ensures|allows|makes sure)\b`)
)

// pointingRE finds sentences that speak of something said before them.
var pointingRE = rx(`^(?:this|that|these|those|it|its|they|their|he|she|his|her|here|there|such|which|then|everything|nothing|all|both|neither|another|one of|some of|most of|(?:your|my) \w+|the (?:rest|other|others|remaining|same|two|three|latter|former|bug|issue|problem|fix|change|changes|tests?|file|code|function|approach|above|plan|first|second|third|user|solution|result|reason|key|error)) ?(?:\b|$)`)

// apologyRE opens messages that take back what the assistant said before.
var apologyRE = rx(`^(?:you(?:'re| are) (?:absolutely )?(?:right|correct)[^.]{0,40}(?:sorry|mistake|apolog|i was|i misread|let me)|i apologize|sorry|my mistake|i was wrong|apologies|you(?:'re| are) (?:absolutely )?right, (?:sorry|my mistake))`)

// retracted is the last message of the turn that takes back what was said before; 0 where none does.
func (s *scan) retracted() int {
	at := 0
	for i := range s.said {
		if s.said[i].pos == 0 && apologyRE.MatchString(strings.ToLower(s.nodes[s.said[i].node].Output[:min(120, len(s.nodes[s.said[i].node].Output))])) {
			at = s.said[i].node
		}
	}
	return at
}

var causeLabelRE = rx(`^(?:the )?(?:root cause|cause|problem|issue|bug|why|reason|key finding|finding|what happened)s?$`)

func causeLabel(label string) bool {
	return label != "" && causeLabelRE.MatchString(strings.ToLower(label))
}

// remedied reports whether what a statement found was acted upon: its message goes on to name the fix, or a file was changed
// right after it.
func (s *scan) remedied(i int) bool {
	node := s.said[i].node
	for k := i + 1; k < len(s.said) && k <= i+4 && s.said[k].node == node; k++ {
		if remedyRE.MatchString(strings.ToLower(s.said[k].label + ": " + s.said[k].text)) {
			return true
		}
	}
	return s.changedAfter(node)
}

var remedyRE = rx(`\b(?:the |simplest |proper |real |my )?(?:fix|solution|remedy|workaround)\b(?: is|:| was|\))|\bto fix (?:this|it)\b`)

// vague is what a line loses when it speaks of something that it does not name.
func vague(line string) float64 {
	low := strings.ToLower(line)
	v := 0.0
	switch {
	case pointingRE.MatchString(low):
		v = 1.2
	case conditionRE.MatchString(low):
		v = 0.7
	}
	if selfRE.MatchString(low) {
		v++
	}
	if momentRE.MatchString(low) {
		v++
	}
	if placeOnlyRE.MatchString(low) {
		v += 2
	}
	return v
}

var (
	// selfRE finds the assistant speaking of itself and of its reading.
	selfRE = rx(`^(?:i|i'm|i've|i'd|my|line|lines|looking at|on line|at line)\b`)
	// momentRE finds how things stood in the middle of the work: unused after an edit, running, under review.
	momentRE = rx(`\b(?:is|are) now (?:unused|dead|redundant|broken|failing)\b|\bno longer (?:used|needed|necessary)\b|\bunused (?:variable|import|parameter|function)s?\b|\b(?:review|reviewer) comments?\b|\b(?:copilot|bugbot|coderabbit|reviewer) (?:asks?|asked|wants?|flagged|flags|suggest\w*|comment\w*)\b` +
		`|\bneeds? to be running\b|\b(?:my|this) (?:change|edit|session|message|answer)\b|\bworker (?:has|is)\b|\bknowledge cutoff\b|\bnon-issue\b|\bin step \d|\b(?:lint(?:er)?|errcheck|gosec|unparam|staticcheck|eslint) (?:error|warning|issue|one|is|caught|complain)`)
	// slipRE finds what the assistant says of its own doing: over when it is put right.
	slipRE = rx(`\b(?:from|by|in|of|because of|due to) my (?:own |earlier |previous |last )?(?:change|edit|commit|refactor\w*|addition|code)s?\b|\bbecause i (?:\w+ed|forgot|left|put|had)\b`)
	// placeOnlyRE finds lines that say where something is, and nothing of what it is.
	placeOnlyRE = rx(`^(?:the|this) (?:\w+ ){0,2}(?:is|was|lies) (?:in|at|on) [\w./:-]+[.)]?$`)
)

// holds reports whether a line is a whole sentence: a condition has its consequence, and something is said of something.
func holds(line string) bool {
	low := strings.ToLower(line)
	if orderRE.MatchString(low) || workOfRE.MatchString(low) {
		return false
	}
	if !subordRE.MatchString(low) {
		return true
	}
	parts := strings.Split(low, ", ")
	for _, p := range parts[1:] {
		if w := strings.Fields(p); len(w) >= 3 && !joinRE.MatchString(p) {
			return true
		}
	}
	return strings.ContainsAny(low, ":—→") || strings.Contains(low, " - ")
}

var (
	subordRE = rx(`^(?:when|if|since|although|though|while|because|after|before|once|unless|where|as)\b`)
	joinRE   = rx(`^(?:and|or|but|which|who|as well as|e\.g\.)\b`)
	// workOfRE finds descriptions of a change, as pull requests give them.
	workOfRE = rx(`^(?:fixes|adds|updates|implements|introduces|refactors|removes|replaces|renames|moves|creates|improves|simplifies|extracts)\b`)
	// orderRE finds orders, which find out nothing.
	orderRE = rx(`^(?:add|update|fix|change|remove|use|check|make|move|rename|create|run|delete|replace|extract|ensure|avoid|keep|consider|set|put|see|note|verify|test)\b`)
)

// conditionRE finds sentences about a case that has not happened.
var conditionRE = rx(`^(?:since|although|if|when|once|after|for example|e\.g\.|or|and|but|because|plus|otherwise|unless|while)\b`)

// standalone makes a statement's line for the memory: without openers, with its label where that says what it is about, with
// the sentence before it where it points there, and with the one after it where that still fits.
func (s *scan) standalone(i int) (line string, nodes []int) {
	st := &s.said[i]
	line = bare(st.text)
	if st.label != "" && !genericLabel(st.label) {
		line = st.label + ": " + line
	}
	nodes = []int{st.node}
	if i > 0 && pointingRE.MatchString(strings.ToLower(line)) && s.joins(i-1, i) {
		if before := bare(s.said[i-1].text); len(before) >= 25 && finite.MatchString(strings.ToLower(before)) && len(before)+2+len(line) < MaxSummary && !discoveryRE.MatchString(strings.ToLower(before)) {
			line = strings.TrimRight(before, ". ") + ". " + line
		}
	}
	if i+1 < len(s.said) && s.joins(i, i+1) {
		next := strings.TrimRight(bare(s.said[i+1].text), ". ")
		if len(line)+2+len(next) < MaxSummary && weigh(&s.said[i+1]).any > -1.5 {
			line = strings.TrimRight(line, ". ") + ". " + next
		}
	}
	if fix := s.fix(i); len(line)+len(fix)+7 < MaxSummary && fix != "" && !strings.Contains(line, fix) {
		line = strings.TrimRight(line, ". ") + "; fix: " + fix
	}
	return line, nodes
}

var fixRE = rx(`(?i)^(?:the |a |my |simplest |proper )*(?:fix|solution|workaround)(?:\s*:| is(?: to)?:?| was(?: to)?:?)\s+(.{12,})$`)

// fix is the remedy that a message names within the statements after a finding; empty where it names none.
func (s *scan) fix(i int) string {
	for k := i + 1; k < len(s.said) && k <= i+3 && s.said[k].node == s.said[i].node; k++ {
		text := s.said[k].text
		if l := strings.ToLower(s.said[k].label); l == "fix" || l == "the fix" || l == "solution" {
			text = l + ": " + text
		}
		if m := fixRE.FindStringSubmatch(strings.TrimRight(text, ". ")); m != nil && !strings.HasSuffix(text, ":") {
			return m[1]
		}
	}
	return ""
}

// joins reports whether two neighbouring statements are prose of one message that may stand in one line.
func (s *scan) joins(a, b int) bool {
	x, y := &s.said[a], &s.said[b]
	if x.node != y.node || x.list != y.list || y.item || x.lead != y.lead {
		return false
	}
	return !strings.HasSuffix(x.text, "?") && !strings.HasSuffix(y.text, "?") && !strings.HasSuffix(x.text, ":") && !strings.HasSuffix(y.text, ":")
}

var genericRE = rx(`^(?:the )?(?:root cause|cause|problem|issue|bug|fix|solution|why|note|caveat|finding|key finding|result|reason|summary|change|changes|important|what|how|impact|one caveat|limitation|answer|bottom line|tl;dr)s?(?: #?\d+)?(?: \(.*\))?$`)

func genericLabel(l string) bool { return genericRE.MatchString(strings.ToLower(strings.TrimSpace(l))) }
