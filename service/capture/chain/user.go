package chain

import (
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// Prompt takes what the person wrote. What the client put around the words becomes a node before it. On a sub-agent's stream
// it is the task that the agent gave.
func (s *Stream) Prompt(at At, text string, images []memory.Image, key ...string) {
	if strings.TrimSpace(text) == "" && len(images) == 0 {
		return
	}
	s.GiveUp(memory.StatusPending)
	wrapped, words := transcript.Unwrap(text)
	if wrapped != "" {
		s.Client(at, memory.KindHarness, wrapped, append(key, "around")...)
	}
	if strings.TrimSpace(words) == "" && len(images) == 0 {
		return
	}
	s.speaker = ""
	kind := memory.KindPrompt
	switch {
	case transcript.Injected(words):
		kind = memory.KindInjected
	case s.agent != "":
		kind = memory.KindTask
	}
	n, ok := s.begin(at, s.b.ID(key...))
	if ok && kind == memory.KindPrompt {
		s.b.prompts[n.ID] = true
	}
	if f := &s.b.Facts; kind == memory.KindPrompt && f.FirstPrompt == "" {
		f.FirstPrompt = strings.Clone(strings.ToValidUTF8(words[:min(len(words), 2000)], ""))
		f.Own = own(text)
	}
	if !ok {
		return
	}
	n.Role, n.Output = memory.RoleUser, strings.Clone(words)
	n.Metadata.Kind, n.Metadata.Images = kind, images
	s.emit(n, at)
}

// Client takes a text that a program put there under the role of the user.
func (s *Stream) Client(at At, kind memory.UserKind, text string, key ...string) {
	s.client(at, kind, text, "", key)
}

// Failed takes an error that the client showed.
func (s *Stream) Failed(at At, text string, key ...string) {
	s.client(at, memory.KindHarness, text, memory.StatusError, key)
}

func (s *Stream) client(at At, kind memory.UserKind, text string, status memory.Status, key []string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if kind == memory.KindHarness && transcript.Injected(text) {
		kind = memory.KindInjected
	}
	s.Close()
	n, ok := s.begin(at, s.b.ID(key...))
	if !ok {
		return
	}
	n.Role, n.Output = memory.RoleUser, strings.Clone(text)
	n.Metadata.Kind, n.Metadata.Status = kind, status
	s.emit(n, at)
}

// Compact takes a compaction: the summary that replaced what was before it.
func (s *Stream) Compact(at At, summary string, c memory.Compaction, key ...string) {
	s.Close()
	last := s.Tip
	n, ok := s.begin(at, s.b.ID(key...))
	s.compaction = s.Tip
	if !ok {
		return
	}
	if c.Last == "" {
		c.Last = last
	}
	n.Role, n.Output = memory.RoleUser, strings.Clone(summary)
	n.Metadata.Kind, n.Metadata.Compaction = memory.KindCompaction, &c
	s.emit(n, at)
}

// Move goes to a node, or to the beginning for an empty one, without a trace: what comes now hangs there. It is for records that name
// what they hang on.
func (s *Stream) Move(to string) {
	s.Close()
	if s.Tip != to {
		s.Tip, s.speaker = to, ""
	}
}

// By says which message made the calls that come, for records that name it: a node, or none for an empty one.
func (s *Stream) By(message string) { s.speaker = message }

// Rewind goes back to a node, or to the beginning for an empty one: what comes now is a fork there. A node that says how many
// turns were taken back is the first of the new branch.
func (s *Stream) Rewind(at At, to string, key ...string) {
	s.GiveUp(memory.StatusPending)
	s.speaker = ""
	turns := s.b.Turns(s.Tip, to)
	if s.Tip == to {
		return
	}
	s.Tip = to
	n, ok := s.begin(at, s.b.ID(key...))
	if !ok {
		return
	}
	n.Role = memory.RoleUser
	n.Metadata.Kind, n.Metadata.Undone = memory.KindHarness, turns
	s.emit(n, at)
}
