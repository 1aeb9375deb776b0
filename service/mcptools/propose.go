package mcptools

import (
	"context"
	"fmt"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// maxOffer is the longest memory that an agent may offer, in bytes. How many it may offer the service decides.
const maxOffer = 1000

func (t *Tools) proposeTool() tool {
	return tool{name: "memory_propose", title: "Offer a memory", run: t.propose, writes: true,
		about: "Offer something worth remembering beyond this session: a decision with its reason, a finding, a preference that the person stated. The person decides on it; until then it is a candidate. " +
			"What was refused stays refused.",
		params: []param{{name: "text", needed: true, max: maxOffer, about: "One statement that stands by itself, at most 1000 bytes."},
			{name: "kind", oneOf: []string{string(memory.KindLearning), string(memory.KindDecision), string(memory.KindWork), string(memory.KindEvent)}, about: "Default: learning."},
			{name: "session_id", max: 100, about: "The past session that it comes from, if known."}}}
}

func (t *Tools) propose(ctx context.Context, c *call) (*page, error) {
	session := c.text("session_id")
	if session != "" && !sessionRE.MatchString(session) {
		return nil, fmt.Errorf("session_id has to be the id of a session such as cc_1a2b3c4d, not %q; leave it out where you do not know it", clip(session, 60))
	}
	got, err := t.m.Propose(ctx, api.ProposeQuery{Text: c.text("text"), Kind: memory.Kind(c.text("kind")), Project: c.place.id, For: c.agent, Session: session})
	if err != nil {
		return nil, err
	}
	it := item{What: "proposal", ID: got.ID, Text: clip(line(got.Text), maxText), Kind: got.State, Session: got.SessionID, Open: open(got.SessionID, 0)}
	if got.Secrets > 0 {
		it.Note = fmt.Sprintf("%d secrets were taken out", got.Secrets)
	}
	return &page{title: "proposal", items: []item{it}, note: got.State + ": " + got.Reason}, nil
}
