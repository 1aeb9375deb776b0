package claudecode

import (
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// user takes a user record: results of calls, text, or both.
func (p *Parser) user(r *record, obj []byte, s *stream, up place) place {
	if !r.message.IsObject() || !r.message.Get("content").Exists() {
		p.skip(r, transcript.BadShape, len(obj))
		return up
	}
	var answers []result
	var texts []string
	var images []memory.Image
	blocks(r.message, func(typ string, b result) {
		switch typ {
		case "tool_result":
			answers = append(answers, b)
		case "text":
			texts = append(texts, textOf(b))
		case "image", "document":
			images = append(images, image(b))
		default:
			p.skip(r, "unknown block "+cut(typ), len(b.Raw))
		}
	})
	here := up
	if len(answers) > 1 {
		r.result = result{} // it does not say which of them it tells of
	}
	for _, b := range answers {
		here = p.answer(r, b, s, here)
	}
	text := strings.Join(texts, "\n\n")
	if len(answers) > 0 && strings.TrimSpace(text) == "" && len(images) == 0 {
		return here
	}
	return p.speech(r, obj, s, here, text, images, kindOf(r, text, len(images) > 0))
}

// speech makes the node of a text under the user's name. Where the client put its own text around the person's words, that
// becomes a node before it.
func (p *Parser) speech(r *record, obj []byte, s *stream, up place, text string, images []memory.Image, kind memory.UserKind) place {
	p.closeOpen(s)
	id := p.id(r, obj)
	if m := p.msgs[id]; m != nil && m.id == memory.NodeID(Agent, id) {
		id = "record " + id // a message has this id already
	}
	if s.agent != "" && kind == memory.KindPrompt {
		kind = memory.KindTask
	}
	tip := up.tip()
	if kind == memory.KindPrompt {
		if s.agent == "" && r.typ == "user" {
			p.giveUp(s)
		}
		wrapped, words := transcript.Unwrap(text)
		if wrapped != "" {
			tip = p.utter(r, s, up.msg, tip, []string{id, "wrapped"}, wrapped, nil, harnessOr(memory.KindHarness, wrapped))
			text = words
		}
		if p.facts.FirstPrompt == "" && s.agent == "" {
			p.facts.FirstPrompt = strings.Clone(strings.ToValidUTF8(text[:min(len(text), 2000)], ""))
			p.facts.Own = strings.Contains(text, transcript.OwnMark)
		}
	}
	node := p.utter(r, s, up.msg, tip, []string{id}, text, images, kind)
	if up.msg != nil && client(kind) {
		up.msg.link = node // what comes after the message comes after this text too: it makes no fork
		return place{msg: up.msg}
	}
	return place{node: node}
}

// client reports whether a text was put there by a program during the turn.
func client(kind memory.UserKind) bool {
	return kind == memory.KindHarness || kind == memory.KindInjected
}

// utter makes the node of a text. A text of the client beside the branch that is followed does not become its end. One that
// hangs on a message or a call that was not handed over yet follows it.
func (p *Parser) utter(r *record, s *stream, on *message, tip string, id []string, text string, images []memory.Image, kind memory.UserKind) string {
	head := s.head
	n := p.begin(s, r, memory.NodeID(Agent, id...), tip)
	if client(kind) && tip != head && head != "" {
		s.head = head
	}
	n.Role = memory.RoleUser
	n.Output = strings.Clone(text)
	n.Metadata.Kind = kind
	n.Metadata.Images = images
	n.Metadata.Cleared = r.cleared
	if r.uuid != "" {
		n.Metadata.SourceIDs = []string{strings.Clone(r.uuid)}
	}
	if kind == memory.KindCompaction && s.compact != nil {
		n.Metadata.Compaction, s.compact = s.compact, nil
	}
	switch {
	case on != nil && on.last != nil && !on.last.handed:
		on.last.after = append(on.last.after, n)
	case on != nil && !on.released:
		on.after = append(on.after, n)
	default:
		p.emit(s, n, r.line.File, r.line.Number)
	}
	return n.ID
}

// attach takes an attachment: a prompt that was typed while the agent worked, or what a hook told the model. The rest is
// walked through.
func (p *Parser) attach(r *record, obj []byte, s *stream, up place) place {
	a := r.attachment
	switch a.Get("type").String() {
	case "queued_command":
		text, images := spoken(a.Get("prompt"))
		r.meta = r.meta || a.Get("isMeta").Bool()
		r.origin = first(r.origin, a.Get("origin.kind").String())
		kind := kindOf(r, text, len(images) > 0)
		if mode := a.Get("commandMode").String(); mode == "task-notification" || mode == "bash" {
			kind = memory.KindHarness
		}
		return p.speech(r, obj, s, up, text, images, kind)
	case "hook_additional_context", "hook_blocking_error":
		text, _ := spoken(a.Get("content"))
		if text == "" {
			text = first(a.Get("blockingError.blockingError").String(), a.Get("stderr").String())
		}
		if strings.TrimSpace(text) == "" {
			return up
		}
		return p.speech(r, obj, s, up, text, nil, harnessOr(memory.KindHarness, text))
	default:
		return up
	}
}

// spoken is the text and the images of a string or of a list of strings and blocks.
func spoken(v result) (string, []memory.Image) {
	if !v.IsArray() {
		return v.String(), nil
	}
	var texts []string
	var images []memory.Image
	v.ForEach(func(_, b result) bool {
		switch {
		case b.Get("type").String() == "image":
			images = append(images, image(b))
		default:
			texts = append(texts, textOf(b))
		}
		return true
	})
	return strings.Join(texts, "\n\n"), images
}
