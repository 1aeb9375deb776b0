package distill

import (
	"encoding/json"
	"regexp"
	"strings"

	"dormouse/store/memory"
)

var (
	// saidRE finds what the person typed when turning a call down, behind what the client writes around it.
	saidRE   = regexp.MustCompile(`(?s)(?:the user said|user provided the following reason[^:]*|reason for the rejection|with the following (?:feedback|comments?)):\s*(.+)$`)
	answerRE = regexp.MustCompile(`"([^"]{4,300})"\s*=\s*"([^"]{1,400})"`)
)

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
			if askedRE.MatchString(strings.ToLower(m[1])) || leftRE.MatchString(strings.ToLower(m[2])) {
				continue
			}
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

// refused is a ruling typed into a refused call, with the file or command that it was about. Words that neither rule nor give
// a reason are none.
func (s *scan) refused(i int, n *memory.Node, words string) []ruling {
	if strings.HasPrefix(words, "The user wants to clarify") {
		return nil
	}
	var kept, ruled []string
	standing, weight := false, 0.0
	for _, st := range promptStatements(words) {
		w, always := rules(st)
		if low := strings.ToLower(st); w == 0 && questionRE.MatchString(low) || waitRE.MatchString(low) || !always && goOnRE.MatchString(low) {
			continue
		}
		standing, weight = standing || always, max(weight, w)
		kept = append(kept, decree(st))
		if w > 0 {
			ruled = append(ruled, decree(st))
		}
	}
	text := strings.Join(kept, ". ")
	if len(text) > MaxSummary-30 && len(ruled) > 0 {
		text = strings.Join(ruled, ". ")
	}
	if len(text) < 12 || weight <= 0.6 && !(len(text) >= 60 && reasonRE.MatchString(strings.ToLower(text))) {
		return nil
	}
	if on := subject(n); on != "" {
		on = " (refused: " + on + ")"
		text = shorten(text, MaxSummary-len(on)) + on
	}
	return []ruling{{text: text, node: i, weight: 3.4 + weight/4, standing: standing, trust: memory.TrustPerson}}
}

var (
	// askedRE finds questions about how the conversation is to go on. Their answers hold for the moment.
	askedRE = rx(`\b(?:discuss|proceed|continue|next|start(?: with)?|explore|go on|look at first|reproduce|review (?:it|this|the plan))\b.{0,40}\?|\bplan (?:ready|updated|created|written)\b`)
	// goOnRE finds words that send the assistant on, or back, whatever it was about to do.
	goOnRE = rx(`\b(?:just |please )?(?:continue|carry on|keep going|go on|move on|proceed)[.!]?$|^(?:don't|do not|no need to) (?:worry|bother)\b.*\bfor now\b|^i did(?:n't| not) (?:say|ask|tell|mean)\b`)
	// reasonRE finds reasons against what was about to be done.
	reasonRE = rx(`\b(?:not|never|no|already|instead|rather|but|wrong|without|because|since|too)\b|n't\b`)
	// leftRE finds answers that leave the matter to the assistant, or open.
	leftRE = rx(`^(?:you decide|up to you|your (?:call|choice)|whatever|(?:i'm )?not sure|i don't know|no idea|no preference|skip|other|none of these|hm+|(?:it|this|that) (?:would |will )?depends?)\b`)
)

// answer joins a question of the agent and the person's answer.
func answer(q, a string) string {
	a = shorten(a, 100)
	return shorten(q, MaxSummary-6-len(a)) + " → " + a
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
		return commandName(c)
	}
	return ""
}

// commandName is a command as one speaks of it: its words up to the first flag, path or quote, at most four.
func commandName(cmd string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(cmd), "\n")
	var words []string
	for w := range strings.FieldsSeq(line) {
		if len(words) == 4 || len(words) > 0 && (strings.HasPrefix(w, "-") || strings.ContainsAny(w, "/\"'$<>|&;=")) {
			break
		}
		words = append(words, w)
	}
	return shorten(strings.Join(words, " "), 40)
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
