package objects

import (
	"crypto/sha256"
	"fmt"
	"math"
	"regexp"
	"strings"
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

// admit decides whether an object that was just made is stored.
func (s *Store) admit(x *segment) {
	if !s.o.Admit || x.refused != "" {
		return
	}
	if why := s.rule(x); why != "" {
		s.refuse(x, why, 0)
		return
	}
	if x.kind != ToolResult && x.kind != FileContext && x.kind != ExternalReference { // what was said, planned and went wrong is always kept
		return
	}
	if x.edits {
		return
	}
	if score := s.o.Score(x.kind, s.distance(x), s.utility(x), 0); score < s.o.Threshold {
		s.refuse(x, fmt.Sprintf("is worth less than %g", s.o.Threshold), score)
	}
}

// rule is why a rule refuses an object; "" where none does.
func (s *Store) rule(x *segment) string {
	if x.kind == ErrorContext || len(x.blocks) < 2 {
		return ""
	}
	result := s.blocks[x.blocks[1]].Text
	if c, ok := strings.CutPrefix(x.key, "cmd:"); ok && routine.MatchString(c) {
		return "is a listing that is made anew when it is needed"
	}
	if x.kind == ToolResult && !x.edits && !x.check && nothing.MatchString(result) {
		return "found nothing"
	}
	sum := sha256.Sum256([]byte(result))
	same := string(sum[:]) + x.path
	if x.path == "" {
		same = string(sum[:]) + x.key
	}
	if len(result) > 200 {
		if s.keys["same:"+same] != nil {
			return "is what another object holds"
		}
		s.keys["same:"+same] = x
	}
	return ""
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
