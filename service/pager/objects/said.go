package objects

import (
	"strings"
	"unicode/utf8"
)

// leastWords is how many words a prompt has at least that can shift the topic: "yes" and "go on" go on.
const leastWords = 5

// prompt takes what the person said, or a summary that a client put there.
func (s *Store) prompt(i int) {
	e := &s.blocks[i]
	topic, goal := s.shift(e.Text)
	if e.ref.Summary {
		topic, goal = true, false
	}
	if goal && len(s.segs) > 0 {
		s.goal++
	}
	if topic {
		s.endDebugging()
		s.phase = nil
	}
	s.outside = nil
	s.span = head(e.Text, embedded/2)
	kind := ConversationPhase
	if !e.ref.Summary {
		kind = typeOfText(e.Text)
	}
	if kind == ConversationPhase && topic && !e.ref.Summary && debugWords.MatchString(head(e.Text, 600)) {
		s.debug = s.begin(DebuggingSession, i)
		s.phase = nil
		s.admit(s.debug)
		return
	}
	s.place(kind, i)
}

// said takes what the agent said.
func (s *Store) said(i int) {
	e := &s.blocks[i]
	if room := embedded - len(s.span); room > 0 {
		s.span += "\n" + head(e.Text, room)
	}
	s.place(typeOfText(e.Text), i)
}

// place puts a text where it belongs: a plan and a decision are objects of their own, everything else goes on with what goes on.
func (s *Store) place(kind Type, i int) {
	if kind != ConversationPhase {
		x := s.begin(kind, i)
		x.parent = s.around()
		if kind == DesignDecision {
			x.needs = append(x.needs, s.outside...)
		}
		s.admit(x)
		return
	}
	if chatter(s.blocks[i].Text) && s.o.Admit {
		x := s.begin(ConversationPhase, i)
		x.parent = s.around()
		s.refuse(x, "says nothing but that work goes on", 0)
		return
	}
	switch on := s.around(); {
	case on == nil:
		s.phase = s.begin(ConversationPhase, i)
		s.admit(s.phase)
	default:
		on.put(s, i)
	}
}

// around is the part of the talk that goes on: the stretch of debugging, or the phase.
func (s *Store) around() *segment {
	if s.debug != nil {
		return s.debug
	}
	return s.phase
}

// shift says whether a prompt opens a new topic, and whether that is a new goal.
func (s *Store) shift(text string) (topic, goal bool) {
	if s.around() == nil {
		return true, s.span != ""
	}
	return s.o.shifts(s.span, text)
}

// NewGoal says whether a prompt begins a new goal after what was said since the prompt before it, by its words or by how far it is from that.
func (o Options) NewGoal(before, prompt string) bool {
	_, goal := o.shifts(head(before, embedded), prompt)
	return goal
}

func (o Options) shifts(before, text string) (topic, goal bool) {
	if newGoal.MatchString(head(text, 200)) {
		return true, true
	}
	if o.Embed == nil || len(strings.Fields(head(text, 400))) < leastWords && utf8.RuneCountInString(head(text, 400)) < 4*leastWords {
		return false, false
	}
	near, ok := cosine(o.Embed(head(text, embedded)), o.Embed(before))
	return ok && near < o.Topic, ok && near < o.Goal
}

// head is the beginning of a text, at most so many bytes, cut at a character.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
