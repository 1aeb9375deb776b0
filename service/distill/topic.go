package distill

import (
	"encoding/json"
	"regexp"
	"strings"

	"dormouse/store/memory"
)

// planPromptRE finds a prompt that hands over a plan; its group is the title.
var planPromptRE = regexp.MustCompile(`(?i)^implement the following plan:?\s+#+\s*(.+)`)

// planned reports whether the person's prompt hands over a plan.
func (s *scan) planned() bool {
	return s.prompt >= 0 && planPromptRE.MatchString(s.nodes[s.prompt].Output)
}

// topic is what the turn was about in one phrase, where the structure says it: the title of a plan that the person handed
// over, or the only task that the assistant put on its list.
func (s *scan) topic() string {
	if s.prompt >= 0 {
		if m := planPromptRE.FindStringSubmatch(s.nodes[s.prompt].Output); m != nil {
			return "Implemented the plan: " + planName(m[1])
		}
	}
	subject := ""
	for i := range s.nodes {
		if s.nodes[i].Name != "TaskCreate" {
			continue
		}
		var in struct {
			Subject string `json:"subject"`
		}
		if json.Unmarshal(s.nodes[i].Input, &in) != nil || in.Subject == "" {
			continue
		}
		if subject != "" {
			return ""
		}
		subject = plain(in.Subject)
	}
	return subject
}

func planName(s string) string {
	s = plain(s)
	for _, p := range []string{"Implementation Plan:", "Implementation Plan", "Plan:", "Plan for"} {
		s = strings.TrimSpace(strings.TrimPrefix(s, p))
	}
	return s
}

var delegateRE = rx(`^(?:implement|fix|add|write|refactor|build|create|update|remove|migrate|task)\b`)

// delegated are the tasks that sub-agents were given to change something. However many ran, the parent's turn gets one
// line for them.
func (s *scan) delegated() []string {
	var out []string
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.Name != "Task" && n.Name != "Agent" && n.Name != "spawn_agent" || n.Metadata.Status == memory.StatusError {
			continue
		}
		var in struct {
			Description string `json:"description"`
		}
		if json.Unmarshal(n.Input, &in) == nil && delegateRE.MatchString(strings.ToLower(in.Description)) {
			out = append(out, plain(in.Description))
		}
	}
	return out
}
