package distill

import (
	"encoding/json"
	"regexp"
	"strings"

	"dormouse/store/memory"
)

// ruling is a word of the person that settles something.
type ruling struct {
	text     string
	node     int
	extra    []string // ids of other nodes that bear it out
	standing bool     // holds beyond this turn: a preference
	weight   float64
}

var (
	saidRE   = regexp.MustCompile(`(?s)(?:the user said|user provided the following reason[^:]*|reason for the rejection|with the following (?:feedback|comments?)):\s*(.+)$`)
	answerRE = regexp.MustCompile(`"([^"]{4,300})"\s*=\s*"([^"]{1,400})"`)

	standingRE = rx(`\b(?:always|never|from now on|in (?:the )?future|every time|in general|i (?:really )?prefer|i (?:don't|do not) want|i no longer|i hate|(?:please )?(?:don't|do not) (?:ever|use|add|commit|push|stash|touch|create|write|run|mention|include)|i(?:'d| would) (?:always )?(?:like|prefer) (?:to see|all|every)|for every|make sure (?:to|you) always|british spelling|stop (?:using|adding|doing))\b`)
	rulingRE   = rx(`\b(?:instead|rather than|don't|do not|never|always|only|should(?:n't| not)? (?:be|not|only|always|never|use|have|stay|keep|go|live|just)|must|let's (?:keep|use|not|go|make|move|rename|remove|drop|do|set|start|leave|skip|call|stick|put|bump)|i(?:'d| would) (?:like|prefer|rather)|i (?:want|prefer|don't want|don't like|think we should)|we (?:should|need to|want|don't|can't|must)|make sure|keep (?:it|the|them|this|these|each|that)|stick (?:to|with)|go with|not? (?:a |the )?\w+,? but|no need|(?:please )?(?:use|rename|put|split|break out|break|leave|drop|avoid)\b.{3,}|won't)\b`)
	correctRE  = rx(`\b(?:you(?:'re| are) (?:not correct|wrong|incorrect|mistaken)|that(?:'s| is) (?:not (?:right|correct|true|quite)|wrong|incorrect)|is not correct|not (?:true|correct)|actually|no,|nope|but (?:this|that|it|the) (?:is|isn't|was|does)|too broad|it does not|it doesn't|in addition to|both)\b`)
	questionRE = rx(`\?\s*$|^(?:can|could|would|do|does|did|is|are|was|were|what|why|how|where|which|when|who|should|have|has)\b[^.]*\?`)
	taskRE     = rx(`^(?:(?:ok(?:ay)?|yes|great|now|please|then|and|also|cool|alright),?\s+)*(?:please\s+)?(?:can|could|would) (?:you|we|i)\b|^(?:please\s+)?(?:fix|run|commit|push|create|write|implement|review|check|look|show|explain|summarize|continue|proceed|merge|update|add|generate|investigate|debug|find|open|read|give|tell|list|test|rebase|address|print|apply|go ahead)\b`)
	goAhead    = rx(`^(?:ok(?:ay)?|yes|yep|yeah|yup|sure|great|perfect|cool|sounds good|looks good|lgtm|do it|go ahead|go for it|proceed|agreed|correct|exactly|right|please do|approved?|ship it|make it so|1|2|3|4|5|a|b|c|d)\b[\s,.!:;)]*`)
	optionRE   = regexp.MustCompile(`(?i)(?:^|\b(?:option|approach|number|go with|let's do|choose|pick|prefer)\s+#?)([1-9]|[a-e])(?:[\s.,:;)!]|$)`)
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

// prompted reads the prompt: a chosen option, or sentences that rule.
func (s *scan) prompted() []ruling {
	n := &s.nodes[s.prompt]
	text := strings.TrimSpace(n.Output)
	if len(text) > maxPrompt || strings.HasPrefix(text, "<") || strings.HasPrefix(text, "/") {
		return nil
	}
	if r, ok := s.chosen(text); ok {
		return []ruling{r}
	}
	var out []ruling
	for _, st := range promptStatements(text) {
		if w, standing := rules(st); w > 0 {
			out = append(out, ruling{text: st, node: s.prompt, weight: w, standing: standing})
		}
	}
	return out
}

// maxPrompt is the longest prompt that is read for rulings, in bytes: longer ones are pasted plans and logs.
const maxPrompt = 3000

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
		for _, s := range sentences(line) {
			if s = plain(s); len(s) > 8 {
				out = append(out, s)
			}
		}
	}
	return out
}

var pastedRE = regexp.MustCompile(`^(?:[➜❯$#>%]|error:|warning:|hint:|fatal:|remote:|\+|-\s{2,}|@@|diff |\d{4}[-/]\d\d|[A-Z][A-Z_]{3,}\b|\s*at |\[|\{|From |commit [0-9a-f]{7}|Author:|Date:|\* |\| |create mode|npm |To )`)

func pasted(line string) bool { return pastedRE.MatchString(line) }

// rules weighs one sentence of the person: 0 where it rules nothing.
func rules(s string) (weight float64, standing bool) {
	low := strings.ToLower(s)
	if len(low) < 15 || len(low) > 400 {
		return 0, false
	}
	standing = standingRE.MatchString(low)
	if questionRE.MatchString(low) && !standing && !strings.Contains(low, "instead") && !strings.Contains(low, "make sure") {
		return 0, false
	}
	switch {
	case standing:
		weight = 3
	case rulingRE.MatchString(low):
		weight = 2.2
	case correctRE.MatchString(low):
		weight = 1.8
	default:
		return 0, false
	}
	if taskRE.MatchString(low) {
		weight--
	}
	weight += min(1, float64(specifics(s))*0.35) + min(0.8, float64(len(s))/150)
	return weight, standing
}

// chosen resolves an answer like "1", "B." or "option 2" to what the assistant offered under that name.
func (s *scan) chosen(text string) (ruling, bool) {
	said := s.turn.Prior.Said
	if said.Text == "" || len(text) > 400 {
		return ruling{}, false
	}
	m := optionRE.FindStringSubmatch(text)
	if m == nil {
		return ruling{}, false
	}
	offered := options(said.Text)
	key := strings.ToLower(m[1])
	pick, ok := offered[key]
	if !ok || len(offered) < 2 {
		return ruling{}, false
	}
	line := "Chose: " + pick
	for k, v := range offered {
		if k != key && len(offered) == 2 {
			line += "; not: " + head(v, 60)
		}
	}
	if rest := strings.TrimSpace(text[strings.Index(text, m[0])+len(m[0]):]); len(rest) > 12 {
		line = "Chose: " + head(pick, 90) + "; " + plain(rest)
	}
	return ruling{text: line, node: s.prompt, extra: []string{said.Node}, weight: 3.5}, true
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
	return strings.TrimRight(s, " ,.;:-–—(")
}

// answered reads what the person said to a tool call: why it was refused, which answer was picked, that a plan was approved.
func (s *scan) answered(i int, n *memory.Node) []ruling {
	out := n.Output
	if len(out) > 20000 {
		out = out[:clampRune(out, 20000)]
	}
	switch {
	case strings.Contains(out, "doesn't want to proceed") || strings.Contains(out, "user said"):
		if m := saidRE.FindStringSubmatch(out); m != nil {
			return s.refused(i, n, strings.TrimSpace(m[1]))
		}
	case n.Name == "AskUserQuestion" || n.Name == "request_user_input":
		var rs []ruling
		for _, m := range answerRE.FindAllStringSubmatch(out, 6) {
			rs = append(rs, ruling{text: plain(m[1]) + " → " + plain(m[2]), node: i, weight: 3.5})
		}
		return rs
	case n.Name == "ExitPlanMode" && strings.Contains(out, "approved"):
		if t := planTitle(n.Input); t != "" {
			return []ruling{{text: "Approved the plan: " + t, node: i, weight: 1.5}}
		}
	}
	return nil
}

// refused is a ruling typed into a refused call, with the file or command that it was about.
func (s *scan) refused(i int, n *memory.Node, words string) []ruling {
	var kept []string
	standing := false
	for _, st := range promptStatements(words) {
		low := strings.ToLower(st)
		standing = standing || standingRE.MatchString(low)
		if !questionRE.MatchString(low) {
			kept = append(kept, st)
		}
	}
	text := strings.Join(kept, " ")
	if len(text) < 12 {
		return nil
	}
	if on := subject(n); on != "" {
		text = head(text, MaxSummary-30-len(on)) + " (refused: " + on + ")"
	}
	return []ruling{{text: text, node: i, weight: 3.2, standing: standing}}
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
