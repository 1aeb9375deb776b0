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
