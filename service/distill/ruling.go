package distill

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
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

var (
	saidRE   = regexp.MustCompile(`(?s)(?:the user said|user provided the following reason[^:]*|reason for the rejection|with the following (?:feedback|comments?)):\s*(.+)$`)
	answerRE = regexp.MustCompile(`"([^"]{4,300})"\s*=\s*"([^"]{1,400})"`)

	standingRE = rx(`(?:^|[,;:.] |please |should |must |and |but |to |i )(?:always|never) (?:want |like )?(?:add|ask|call|change|check|commit|create|delete|do|edit|force|give|include|install|keep|leave|make|mention|merge|mock|name|omit|prefer|push|put|read|rebase|remove|rename|reply|run|say|show|skip|start|stash|test|touch|try|update|use|want|wrap|write)\b|\b(?:from now on|in (?:the )?future,? (?:please|always|never|use|do|don't)|every time you|i (?:really )?prefer|(?:don't|do not) want|i no longer|i hate|(?:please )?(?:don't|do not) (?:ever|use|add|commit|push|stash|touch|create|write|run|mention|include)|i(?:'d| would) (?:always )?(?:like|prefer) (?:all|every|each|to see (?:all|every|each))|for every \w+|make sure (?:to|you) always|please use (?:the )?\w+ (?:spelling|style|convention|format|naming)|stop (?:using|adding|running|committing))\b`)
	rulingRE   = rx(`\b(?:instead|rather than|don't|do not|never|always|only|should(?:n't| not)? (?:be|not|only|always|never|use|have|stay|keep|go|live|just)|must|let's (?:keep|use|not|go|make|move|rename|remove|drop|do|set|start|leave|skip|call|stick|put|bump)|i(?:'d| would) (?:like|prefer|rather)|i (?:want|prefer|don't want|don't like|think we should)|we (?:should|need to|want|don't|can't|must)|make sure|keep (?:it|the|them|this|these|each|that)|stick (?:to|with)|go with|not? (?:a |the )?\w+,? but|no need|(?:please )?(?:use|rename|put|split|break out|break|leave|drop|avoid)\b.{3,}|won't)\b`)
	correctRE  = rx(`\b(?:you(?:'re| are) (?:not correct|wrong|incorrect|mistaken)|that(?:'s| is) (?:not (?:right|correct|true|quite)|wrong|incorrect)|is not correct|not (?:true|correct)|too broad|too much|wrong)\b|^(?:no|nope|actually|wait|hmm|but)\b,? ?`)
	// directiveRE finds who is to do what: without it a sentence of the person tells, it does not rule.
	directiveRE = rx(`\b(?:i|we|i'd|i'm|i've|let's|lets|please|you|us|our|my|should|must|shouldn't|mustn't|needs? to|want|prefer|make sure)\b|(?:^|[,;:.(-] ?|\b(?:but|and|then|just|so|yeah|yes|no|ok|okay|now|instead|also)[, ]+)(?:don't|do not|never|always|only|just|keep|use|not|avoid|leave|drop|rename|put|split|break|stick|go with|stop|skip|remove|make|set|move|call|change|no need|instead)\b`)
	placeRE     = rx(`^[\w./-]+\.\w+(?::\d+)+`)
	waitRE      = rx(`^(?:hang on|hold on|wait|one sec|stop|never mind|nevermind|sorry|oh|oops)\b[^.]{0,60}\.?$|\bi'll\b|\bi will\b`)
	questionRE  = rx(`\?\s*$|^(?:can|could|would|do|does|did|is|are|was|were|what|why|how|where|which|when|who|should|have|has)\b[^.]*\?`)
	taskRE      = rx(`^(?:(?:ok(?:ay)?|yes|great|now|please|then|and|also|cool|alright),?\s+)*(?:please\s+)?(?:can|could|would) (?:you|we|i)\b|^(?:please\s+)?(?:fix|run|commit|push|create|write|implement|review|check|look|show|explain|summarize|continue|proceed|merge|update|add|generate|investigate|debug|find|open|read|give|tell|list|test|rebase|address|print|apply|go ahead)\b`)
	goAhead     = rx(`^(?:ok(?:ay)?|yes|yep|yeah|yup|sure|great|perfect|cool|sounds good|looks good|lgtm|do it|go ahead|go for it|proceed|agreed|correct|exactly|right|please do|approved?|ship it|make it so|1|2|3|4|5|a|b|c|d)\b[\s,.!:;)]*`)
	optionRE    = regexp.MustCompile(`(?i)(?:^|\b(?:option|approach|number|go with|let's do|choose|pick|prefer)\s+#?)([1-9]|[a-e])(?:[\s.,:;)!]|$)`)
)

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
			out = append(out, ruling{text: st, node: s.prompt, weight: w, standing: standing, trust: memory.TrustPerson})
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
		if m := itemRE.FindStringSubmatch(line); m != nil {
			line = m[1]
		}
		for _, s := range sentences(smallIRE.ReplaceAllString(line, "$1 I")) {
			if s = plain(s); len(s) > 8 {
				out = append(out, s)
			}
		}
	}
	return out
}

// smallIRE finds sentences that are typed without their capital.
var smallIRE = regexp.MustCompile(`([.!?]) i\b`)

var pastedRE = regexp.MustCompile(`^(?:[➜❯$#>%]|error:|warning:|hint:|fatal:|remote:|\+|-\s{2,}|@@|diff |\d{4}[-/]\d\d|[A-Z][A-Z_]{3,}\b|\s*at |\[|\{|From |commit [0-9a-f]{7}|Author:|Date:|\* |\| |create mode|npm |To )`)

func pasted(line string) bool { return pastedRE.MatchString(line) }

// rules weighs one sentence of the person: 0 where it rules nothing.
func rules(s string) (weight float64, standing bool) {
	low := strings.ToLower(s)
	if len(low) < 15 || len(low) > 400 || !directiveRE.MatchString(low) || placeRE.MatchString(low) || waitRE.MatchString(low) {
		return 0, false
	}
	asked := questionRE.MatchString(low)
	standing = !asked && standingRE.MatchString(low)
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
	weight += min(1, float64(specifics(s))*0.35) + min(0.8, float64(len(s))/150)
	return weight, standing
}

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
	offered := options(s.turn.Prior.Said.Text)
	key := strings.ToLower(text[m[2]:m[3]])
	if _, ok := offered[key]; !ok || len(offered) < 2 {
		return ruling{}, false
	}
	return s.choice(offered, key, plain(text[m[1]:])), true
}

var numberedRE = regexp.MustCompile(`(?m)^\s*(?:\d|[A-Ea-e])[.)]\s`)

// choice says what was picked, with what else the person said, or with what was turned down where there is room.
func (s *scan) choice(offered map[string]string, key, rest string) ruling {
	line := "Chose: " + offered[key]
	if len(rest) > 15 && !strings.HasSuffix(rest, "?") {
		line = "Chose: " + head(offered[key], MaxSummary-30-min(len(rest), 80)) + "; " + rest
	} else if other := turnedDown(offered, key); other != "" {
		line = "Chose: " + head(offered[key], MaxSummary-25-len(other)) + "; not: " + other
	}
	return ruling{text: line, node: s.prompt, extra: s.turn.Prior.Said.Node, weight: 4.2, trust: memory.TrustPerson}
}

// turnedDown is the first other offer, in short.
func turnedDown(offered map[string]string, key string) string {
	for _, k := range slices.Sorted(maps.Keys(offered)) {
		if k != key {
			return head(offered[k], 45)
		}
	}
	return ""
}

var (
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
	return ruling{text: "Agreed to: " + best, node: s.prompt, extra: s.turn.Prior.Said.Node, weight: 2.4 + score, trust: memory.TrustAgent}, true
}

var offeredRE = regexp.MustCompile(`(?m)^\s*(?:[-*]\s+)?(?:#{1,4}\s*)?(?:\*\*)?(?:(?i:option|approach)\s+)?([1-9]|[A-E])(?:\*\*)?[.):]\s*(.+)$`)

// options are the numbered or lettered offers of a message, by their lower-case name. Of two lists the later one counts.
func options(text string) map[string]string {
	out := map[string]string{}
	for _, m := range offeredRE.FindAllStringSubmatch(text, 40) {
		key := strings.ToLower(m[1])
		if key == "1" || key == "a" {
			clear(out)
		}
		out[key] = plain(m[2])
	}
	return out
}

func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[:clampRune(s, n)]
	if k := strings.LastIndexByte(s, ' '); k > n/2 {
		s = s[:k]
	}
	for {
		t := danglingRE.ReplaceAllString(strings.TrimRight(s, " ,.;:-–—("), "")
		if t == s {
			return s
		}
		s = t
	}
}

// danglingRE finds function words at a cut end.
var danglingRE = rx(`(?i)\s(?:the|a|an|to|of|for|in|with|and|or|on|by|from|that|which|is|are|as|at|when|if|so|not|its|this)$`)

// answered reads what the person said to a tool call: why it was refused, which answer was picked, that a plan was approved.
func (s *scan) answered(i int, n *memory.Node) []ruling {
	out := n.Output
	if len(out) > 20000 {
		out = out[:clampRune(out, 20000)]
	}
	switch {
	case n.Metadata.Status == memory.StatusInterrupted && strings.HasPrefix(out, "The user "):
		// The client alone writes this, and capture tells it from what a tool prints.
		if m := saidRE.FindStringSubmatch(out); m != nil {
			return s.refused(i, n, strings.TrimSpace(m[1]))
		}
	case n.Name == "AskUserQuestion" || n.Name == "request_user_input":
		var rs []ruling
		for _, m := range answerRE.FindAllStringSubmatch(out, 6) {
			rs = append(rs, ruling{text: answer(plain(m[1]), plain(m[2])), node: i, weight: 4, trust: memory.TrustPerson})
		}
		return rs
	case n.Name == "ExitPlanMode" && strings.Contains(out, "approved"):
		if t := planTitle(n.Input); t != "" {
			return []ruling{{text: "Approved the plan: " + t, node: i, weight: 3, trust: memory.TrustPerson}}
		}
	}
	return nil
}

// refused is a ruling typed into a refused call, with the file or command that it was about.
func (s *scan) refused(i int, n *memory.Node, words string) []ruling {
	var kept []string
	standing, weight := false, 0.0
	for _, st := range promptStatements(words) {
		w, always := rules(st)
		if low := strings.ToLower(st); w == 0 && questionRE.MatchString(low) || waitRE.MatchString(low) {
			continue
		}
		standing, weight = standing || always, max(weight, w)
		kept = append(kept, st)
	}
	text := strings.Join(kept, " ")
	if strings.HasPrefix(text, "The user wants to clarify") {
		return nil
	}
	if weight == 0 && len(text) < 60 || len(text) < 12 {
		return nil
	}
	if on := subject(n); on != "" {
		text = head(text, MaxSummary-25-len(on)) + " (refused: " + on + ")"
	}
	return []ruling{{text: text, node: i, weight: 3.4 + weight/4, standing: standing, trust: memory.TrustPerson}}
}

// answer joins a question of the agent and the person's answer.
func answer(q, a string) string {
	return head(q, MaxSummary-20-min(len(a), 90)) + " → " + a
}

// subject says what a call was about: the file that it would have changed, or its command.
func subject(n *memory.Node) string {
	var in map[string]json.RawMessage
	if json.Unmarshal(n.Input, &in) != nil {
		return ""
	}
	for _, k := range []string{"file_path", "path", "notebook_path"} {
		var v string
		if json.Unmarshal(in[k], &v) == nil && v != "" {
			return n.Name + " " + v[strings.LastIndexAny(v, `/\`)+1:]
		}
	}
	if c := command(n); c != "" {
		line, _, _ := strings.Cut(c, "\n")
		return head(line, 40)
	}
	return ""
}

func planTitle(input json.RawMessage) string {
	var in struct {
		Plan string `json:"plan"`
	}
	if json.Unmarshal(input, &in) != nil {
		return ""
	}
	for line := range strings.Lines(in.Plan) {
		if h := heading(strings.TrimRight(line, "\n")); h != "" {
			h = plain(h)
			for _, p := range []string{"Plan:", "Implementation Plan:", "Implementation Plan"} {
				h = strings.TrimSpace(strings.TrimPrefix(h, p))
			}
			if len(h) > 8 {
				return h
			}
		}
	}
	return ""
}
