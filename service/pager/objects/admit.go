package objects

import (
	"fmt"
	"hash/fnv"
	"math"
	"regexp"
	"strings"

	"dormouse/service/pager"
)

// Refusal is something that was not stored, and why.
type Refusal struct {
	ID     string  `json:"id"`
	Type   Type    `json:"type"`
	Title  string  `json:"title"`
	Key    string  `json:"key,omitempty"`
	Parts  []Part  `json:"parts"`
	Bytes  int     `json:"bytes"`
	Reason string  `json:"reason"`
	Score  float64 `json:"score"` // 0 where a rule decided
	tool   bool
}

// priors are what a type is worth by itself.
var priors = map[Type]float64{DesignDecision: 1, Plan: 0.9, DebuggingSession: 0.9, ErrorContext: 0.8, FileContext: 0.7, ExternalReference: 0.7, ConversationPhase: 0.5, ToolResult: 0.4}

// fade is after how many turns recency is worth a third.
const fade = 20

// Score is what something is worth, 0 to 1: its type, how new it is (its distance from the nearest thing that is there, full at Novel),
// how useful it looks, and how many turns ago it came.
func (o Options) Score(kind Type, distance, utility float64, age int) float64 {
	novelty := 1.0
	if o.Novel > 0 {
		novelty = min(1, max(0, distance)/o.Novel)
	}
	w := o.Weights
	return w.Type*priors[kind] + w.Novelty*novelty + w.Utility*utility + w.Recency*math.Exp(-float64(age)/fade)
}

// routine are commands whose output says what is there at the moment, and which are run again when that is of use.
var routine = regexp.MustCompile(`^(?:(?:ls|dir|pwd|cd|whoami|which|date|tree|mkdir|touch|echo|sleep|true|clear|chmod|du|df)\b[^|;&]*|git (?:status|branch|add|stash list|remote|rev-parse|fetch)\b[^|;&]*)$`)

// nothing is what says that there was nothing.
var nothing = regexp.MustCompile(`(?i)^\s*(?:\(no output\)|no (?:matches|files|results) found\.?|command (?:ran|completed|executed) (?:successfully|without output).*|done\.?|ok\.?|success\.?)?\s*$`)

// procedural is talk that says nothing but that work goes on.
var procedural = regexp.MustCompile(`(?i)^\W*(?:sure|ok(?:ay)?|great|perfect|got it|alright|right|good|done|now|let me|let's|i'll|i will|i'm going to|next,? i'll|first,? (?:i'll|let me))\b`)

func chatter(text string) bool {
	t := strings.TrimSpace(text)
	return len(t) < 160 && strings.Count(t, "\n") < 2 && !strings.ContainsAny(t, "?`") && procedural.MatchString(t) && !isDecision(t)
}

// admit decides whether an object that was just made is stored. What is refused is never all that is known of a thing: most of its lines
// are in objects that are stored, or it has none that could be told from others.
func (s *Store) admit(x *segment) {
	if !s.o.Admit || x.refused != "" {
		return
	}
	if why, score := s.refusal(x); why != "" {
		s.refuse(x, why, score)
		return
	}
	for _, l := range s.linesOf(x) {
		s.held[l] = true
	}
}

// refusal is why an object is refused, and its score where that decided; "" where it is stored.
func (s *Store) refusal(x *segment) (why string, score float64) {
	// What was said, planned and went wrong is always kept, and so is what changed a file.
	if len(x.blocks) < 2 || x.edits || x.kind != ToolResult && x.kind != FileContext && x.kind != ExternalReference {
		return "", 0
	}
	known, all := s.known(x)
	routine := x.routine()
	switch {
	case x.kind == ToolResult && !x.check && nothing.MatchString(s.blocks[x.blocks[1]].Text):
		return "found nothing", 0
	case all == 0 && routine:
		return "is a listing that is made anew when it is needed", 0
	case all > 0 && known == all:
		return "is what other objects hold", 0
	case all == 0 || 2*known < all:
		return "", 0
	case routine:
		return "is a listing of which most is known", 0
	}
	if score := s.o.Score(x.kind, s.distance(x), s.utility(x), 0); score < s.o.Threshold {
		return fmt.Sprintf("is mostly known, and worth less than %g", s.o.Threshold), score
	}
	return "", 0
}

// routine says whether it is the output of a command that says what is there at the moment.
func (x *segment) routine() bool {
	c, ok := strings.CutPrefix(x.key, "cmd:")
	return ok && routine.MatchString(c)
}

// known is how many of the lines of a call's result are in objects that are stored, and how many there are.
func (s *Store) known(x *segment) (known, all int) {
	for _, l := range s.linesOf(x) {
		all++
		if s.held[l] {
			known++
		}
	}
	return known, all
}

// linesOf are the lines of a call's result that can be told from others, as sums.
func (s *Store) linesOf(x *segment) (out []uint64) {
	if len(x.blocks) < 2 || s.blocks[x.blocks[1]].Kind != pager.Result {
		return nil
	}
	for _, l := range pager.SignificantLines(s.blocks[x.blocks[1]].Text) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(l))
		out = append(out, h.Sum64())
	}
	return out
}

func (s *Store) refuse(x *segment, why string, score float64) {
	x.refused = why
	r := Refusal{ID: x.id, Type: x.kind, Title: x.title, Key: x.key, Bytes: x.size(s), Reason: why, Score: math.Round(score*1000) / 1000, tool: x.key != ""}
	for _, i := range x.blocks {
		e := &s.blocks[i]
		r.Parts = append(r.Parts, Part{Block: i, Node: e.ref.Node, Turn: e.ref.Turn, To: e.size()})
	}
	s.refused = append(s.refused, r)
}

// maxNear is how many of the newest objects a new one is compared with.
const maxNear = 500

// distance of an object from the nearest of its type that is there, 0 to 2; 1 where that is not known.
func (s *Store) distance(x *segment) float64 {
	v := s.vector(x)
	if v == nil {
		return 1
	}
	nearest := 1.0
	seen := 0
	for i := len(s.segs) - 1; i >= 0 && seen < maxNear; i-- {
		y := s.segs[i]
		if y == x || y.kind != x.kind || y.refused != "" || len(y.blocks) == 0 {
			continue
		}
		seen++
		if near, ok := cosine(v, s.vector(y)); ok {
			nearest = min(nearest, 1-near)
		}
	}
	return nearest
}

// utility is how useful an object looks without a model: whether what it is about was named by who asked for it, and how much it holds.
func (s *Store) utility(x *segment) float64 {
	u := 0.2
	about := x.path
	if about == "" {
		about = x.key
	}
	for _, w := range namesIn(about, 8) {
		if strings.Contains(s.span, w) {
			u += 0.4
			break
		}
	}
	if x.check || x.kind == FileContext {
		u += 0.2
	}
	if x.size(s) > 2000 {
		u += 0.2
	}
	return min(1, u)
}
