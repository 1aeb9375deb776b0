package distill

import (
	"strings"

	"dormouse/store/memory"
)

// decided are the person's rulings, in their own words as far as these stand by themselves: that it was the person who said
// so is told by the trust.
func (s *scan) decided() []Draft {
	var out []Draft
	for _, r := range s.rulings() {
		d := s.draft(memory.KindDecision, capital(r.text), r.trust, r.weight, r.node, r.node)
		d.standing = r.standing
		if r.extra != "" {
			d.Nodes = append([]string{r.extra}, d.Nodes...)
		}
		out = append(out, d)
	}
	return out
}

// happened are dated events: what was published, merged, released, deleted.
func (s *scan) happened() []Draft {
	var out []Draft
	for i := range s.said {
		st := &s.said[i]
		if !worthy(st) || strings.Contains(st.text, " = ") || checkRE.MatchString(strings.ToLower(st.text)) {
			continue
		}
		w := weigh(st)
		if w.event < 2 {
			continue
		}
		text := bare(st.text)
		if t := doneRE.ReplaceAllString(text, ""); didWork(t) {
			text = capital(t)
		}
		score := w.event + w.any + detail(text) - vague(text)
		if st.final {
			score += 0.8
		}
		out = append(out, s.draft(memory.KindEvent, text, memory.TrustAgent, score, st.node, st.node))
	}
	return out
}

// checkRE finds accounts of a look at the world rather than of a change in it.
var checkRE = rx(`^(?:i )?(?:have |'ve )?(?:verified|confirmed|checked|tested|ran|validated|looked|can only|cannot|can't)\b`)
