package distill

import (
	"regexp"
	"slices"
	"strings"

	"dormouse/store/memory"
)

var (
	verdictLabelRE = rx(`^(?:final |my |overall )?(?:verdict|overall|conclusion|bottom line|overall assessment|assessment|recommendation)s?$`)
	verdictRE      = rx(`\b(?:approved?|lgtm|ship it|ready to merge|looks good|good to merge|not ready|request(?:ing)? changes|needs (?:work|changes)|mergeable)\b`)
	prRE           = regexp.MustCompile(`(?i)(?:/pull/|\bPR ?#?|pull request #?)(\d{1,6})\b`)
)

// reviewed is the outcome of a review: what was looked at and the verdict. A turn that gives no verdict has none.
func (s *scan) reviewed() []Draft {
	var parts []string
	var nodes []int
	for i := range s.said {
		st := &s.said[i]
		if !st.final {
			continue
		}
		label, text := st.label, st.text
		if label == "" {
			head, rest, ok := strings.Cut(text, ": ")
			if ok && verdictLabelRE.MatchString(strings.ToLower(head)) {
				label, text = head, rest
			}
		}
		lead := verdictLabelRE.MatchString(strings.ToLower(strings.TrimSuffix(label, ":")))
		if !lead && !verdictLabelRE.MatchString(strings.ToLower(st.lead)) || !verdictRE.MatchString(strings.ToLower(text)) || len(text) > 200 {
			continue
		}
		parts = append(parts, strings.TrimRight(plain(text), ". !"))
		nodes = append(nodes, st.node)
	}
	if len(parts) == 0 {
		return nil
	}
	what, node := s.underReview()
	if node >= 0 {
		nodes = append(nodes, node)
	}
	parts = slices.Compact(parts)
	if node < 0 && len(strings.Join(parts, " ")) < 25 {
		return nil // neither what was reviewed nor why the verdict is what it is
	}
	d := s.draft(memory.KindWork, "Reviewed "+what+": "+strings.Join(parts, "; "), memory.TrustAgent, 4.2, s.final, nodes...)
	return []Draft{d}
}

// underReview names what the turn looked at: the pull request that the person or a command names, else the changes.
func (s *scan) underReview() (string, int) {
	for i := range s.nodes {
		n := &s.nodes[i]
		text := ""
		switch {
		case i == s.prompt:
			text = n.Output
		case n.Role == memory.RoleTool:
			if cmd := command(n); strings.Contains(cmd, "gh pr") {
				if m := regexpPRArg.FindStringSubmatch(cmd); m != nil {
					return "PR #" + m[1], i
				}
			}
		}
		if m := prRE.FindStringSubmatch(text); m != nil {
			return "PR #" + m[1], i
		}
	}
	return "the changes", -1
}

var regexpPRArg = regexp.MustCompile(`\bgh pr (?:view|diff|checkout|checks|review|comment)(?: --?\S+)* (\d{1,6})\b`)
