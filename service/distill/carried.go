package distill

import (
	"cmp"
	"slices"
	"strings"
)

// pastOf maps the verbs in which assistants announce a change to their past tense.
var pastOf = func() map[string]string {
	m := map[string]string{"write": "wrote", "rewrite": "rewrote", "make": "made", "split": "split", "set": "set", "put": "put", "build": "built"}
	for _, v := range strings.Fields(`add fix create remove delete update replace implement rename move refactor extract introduce
change use simplify convert wrap document clean switch drop enable disable revert restore merge install configure adjust address
inline expose export register handle tighten format apply migrate append insert consolidate unify correct clarify improve`) {
		past := v + "ed"
		switch {
		case strings.HasSuffix(v, "e"):
			past = v + "d"
		case strings.HasSuffix(v, "y"):
			past = v[:len(v)-1] + "ied"
		case v == "wrap" || v == "drop":
			past = v + "ped"
		}
		m[v] = past
	}
	return m
}()

// announceRE finds the announcement of a change; its group is the verb and what follows.
var announceRE = rx(`(?i)^(?:now |next,? |then |first,? |okay,? |good[.,]? |great[.,]? )*(?:i'll|i will|let me|let's|i need to|i'm going to|(?:the )?(?:\S+ ){0,3}(?:fix|approach|solution|change) is to)\s+(?:now |also |just |simply |then |only )*([a-z]+\s.+)$`)

// carriedOut tells a turn's work by what was announced right before a change that then succeeded. It serves turns in which
// the assistant gave no account at the end, since it was interrupted or said only that it was done.
func (s *scan) carriedOut() []clause {
	var out []clause
	for i := range s.said {
		st := &s.said[i]
		m := announceRE.FindStringSubmatch(strings.TrimRight(bareEnd(st.text), ".: "))
		if m == nil || len(st.text) > 300 || !s.changedAfter(st.node) {
			continue
		}
		verb, rest, _ := strings.Cut(m[1], " ")
		past, ok := pastOf[strings.ToLower(verb)]
		if low := strings.ToLower(rest); !ok || len(rest) < 12 || strings.Contains(low, " or ") || pointingRE.MatchString(low) || specifics(rest) == 0 {
			continue
		}
		text := capital(past) + " " + rest
		out = append(out, clause{text: text, score: 2 + min(1.5, 0.4*float64(specifics(rest))), i: i})
	}
	slices.SortStableFunc(out, func(a, b clause) int { return cmp.Compare(b.score, a.score) })
	return out
}

// bareEnd cuts the announcement of a further step from the end: "... and run the tests".
func bareEnd(s string) string {
	for _, t := range []string{" and run ", " and verify", " and check", " and see ", ", then ", " to see ", " and I'll "} {
		if k := strings.Index(s, t); k > 30 {
			s = s[:k]
		}
	}
	return s
}

// changedAfter reports whether a file was changed within the few nodes after one.
func (s *scan) changedAfter(node int) bool {
	return slices.ContainsFunc(s.edits, func(e edit) bool {
		return !scratch(e.path) && (e.first > node && e.first <= node+4 || e.last > node && e.last <= node+4)
	})
}
