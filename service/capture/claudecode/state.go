package claudecode

import (
	"strings"

	"dormouse/store/memory"
)

// system takes a notice of the client. A boundary of a compaction has no parent; it hangs on the last message before it.
// Where the transcript names a message that comes only later (a preserved one), that is the end of the chain so far.
func (p *Parser) system(r *record, obj []byte, s *stream, up place) place {
	switch r.subtype {
	case "compact_boundary":
		p.closeOpen(s)
		tip := s.tip
		if at, ok := p.at[r.logical]; ok && at.stream == s && at.tip() != "" {
			tip = at.tip()
		}
		s.compact = &memory.Compaction{Trigger: strings.Clone(r.compactMeta.Get("trigger").String()),
			PreTokens: r.compactMeta.Get("preTokens").Int(), Last: tip}
		return place{node: tip}
	case "microcompact_boundary":
		return p.cleared(r, obj, s, up)
	case "turn_duration", "stop_hook_summary", "away_summary":
		p.closeOpen(s)
	}
	return up
}

// cleared takes a notice that results of calls were taken out of the context: it becomes a node of the client's that names the calls.
func (p *Parser) cleared(r *record, obj []byte, s *stream, up place) place {
	r.clearMeta.Get("compactedToolIds").ForEach(func(_, id result) bool {
		if c := p.calls[id.String()]; c != nil {
			r.cleared = append(r.cleared, c.node.ID)
		}
		return true
	})
	if len(r.cleared) == 0 {
		return up
	}
	return p.speech(r, obj, s, up, r.content, nil, memory.KindHarness)
}

// progress takes from a progress record which call started which sub-agent. Its copies of the sub-agent's messages are not
// read: the sub-agent has a file of its own.
func (p *Parser) progress(r *record) {
	if r.data.Get("type").String() != "agent_progress" {
		return
	}
	agent, id := r.data.Get("agentId").String(), first(r.parentToolUse, r.toolUseID)
	if agent != "" && p.calls[id] != nil {
		p.started[strings.Clone(agent)] = strings.Clone(id)
	}
}

// stateRecord takes a record of the client's state that says something of the session: titles and the chosen branch. Such
// records are written over and over; the last one holds.
func (p *Parser) stateRecord(r *record) {
	switch r.typ {
	case "custom-title":
		if r.custom != "" {
			p.facts.Title, p.facts.TitleBy, p.byOwner = strings.Clone(r.custom), "user", true
		}
	case "ai-title":
		p.ownTitle(r.aiTitle)
	case "summary":
		if _, here := p.at[r.leaf]; here {
			p.ownTitle(r.summary)
		}
	case "last-prompt":
		p.chooseLeaf(r.leaf)
	}
}

func (p *Parser) ownTitle(title string) {
	if title != "" && !p.byOwner {
		p.facts.Title, p.facts.TitleBy = strings.Clone(title), "agent"
	}
}

// chooseLeaf notes which branch the client shows, where that is not the one that was written last.
func (p *Parser) chooseLeaf(uuid string) {
	at, ok := p.at[uuid]
	if !ok || at.stream.agent != "" || at.tip() == "" {
		return
	}
	main := p.streams[""]
	for id, steps := main.tip, 0; id != "" && steps <= len(p.parent); id, steps = p.parent[id], steps+1 {
		if id == at.tip() {
			return
		}
	}
	p.leaf = at.tip()
}

// bareRecord takes a call or a result that is a record of its own, as some exporters write it.
func (p *Parser) bareRecord(r *record, obj []byte) {
	if p.copied(r, obj) {
		return
	}
	s := p.streamOf(r)
	p.note(r)
	id := p.id(r, obj)
	b := parseJSON(obj)
	if r.typ == "tool_use" {
		p.closeOpen(s)
		m := &message{key: id, id: "", stream: s, file: r.line.File, line: r.line.Number, released: true, link: s.tip}
		p.call(m, r, b)
		if m.last != nil {
			p.named = append(p.named, m.last)
		}
	} else {
		p.bareAnswer(r, b, s, id)
	}
	if r.uuid != "" {
		p.at[strings.Clone(r.uuid)] = place{stream: s, node: s.tip}
	}
}

// bareAnswer gives a result without an id to the first call of the tool it names that has none.
func (p *Parser) bareAnswer(r *record, b result, s *stream, id string) {
	here := place{stream: s, node: s.tip}
	c := p.bareCall(b.Get("name").String())
	if c != nil {
		id = c.id
	}
	text := first(b.Get("output").String(), b.Get("content").String())
	raw, err := memory.Encode(map[string]any{"tool_use_id": id, "content": text, "is_error": b.Get("is_error").Bool()})
	if err != nil {
		return
	}
	if c == nil {
		p.leftOver(r, parseJSON(raw), nil, id, s, here)
		return
	}
	p.answer(r, parseJSON(raw), s, here)
}

func (p *Parser) bareCall(name string) *call {
	for _, c := range p.named {
		if c.node.Name == name && !c.answered {
			return c
		}
	}
	return nil
}
