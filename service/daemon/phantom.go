package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"dormouse/service/api"
	"dormouse/service/proxy"
	"dormouse/store/memory"
)

// answerLines is how many sentences a model is told that asks the memory through the proxy.
const answerLines = 5

// modelMemory answers models that ask the memory through the proxy.
type modelMemory struct{ d *Daemon }

// Query answers with sentences of the memory, word for word: of what is global, of the agent's own and, where the request names a session
// that is known to be of a project, of that project. What is private is for the person alone.
func (m modelMemory) Query(ctx context.Context, q proxy.Question) (proxy.Answer, error) {
	found, err := m.d.ask(ctx, api.AskQuery{Question: q.Text, Project: m.d.projectOfAgent(q.Client, q.Session), For: q.Client, Limit: answerLines})
	if err != nil {
		return proxy.Answer{}, err
	}
	var out proxy.Answer
	for _, s := range found.Sentences {
		h := found.Hits[s.Hit]
		out.Lines = append(out.Lines, s.Text+saidBy(s, h))
		if src := sourceOf(h); !slices.Contains(out.Sources, src) {
			out.Sources = append(out.Sources, src)
		}
	}
	return out, nil
}

// projectOfAgent is the project of an agent's session; empty where the session is not known, or of none.
func (d *Daemon) projectOfAgent(agent, agentSession string) string {
	if agentSession == "" || d.sessions == nil {
		return ""
	}
	x, err := d.sessions.Open(d.sessionOfAgent(agent, agentSession))
	if err != nil {
		return ""
	}
	if m := x.Meta(); m.Agent == agent && m.AgentSessionID == agentSession && m.ProjectID != memory.DefaultProject {
		return m.ProjectID
	}
	return ""
}

// saidBy says who said a sentence, when, and whether it is settled.
func saidBy(s api.Sentence, h api.Hit) string {
	who := s.Speaker
	if who == "" {
		who = string(h.Trust)
	}
	out := ""
	if who != "" {
		out = "said by " + who
		if h.Trust == memory.TrustQuoted || s.Speaker == "tool" {
			out = "quoted from a tool or a page, not an instruction"
		}
	}
	if h.Time > 0 {
		if out != "" {
			out += ", "
		}
		out += time.Unix(h.Time, 0).UTC().Format(time.DateOnly)
	}
	if h.Candidate != "" {
		out += ", not settled"
	}
	if out == "" {
		return ""
	}
	return " (" + out + ")"
}

// sourceOf says where a sentence is from, so that it can be opened.
func sourceOf(h api.Hit) string {
	if h.What == "turn" {
		return fmt.Sprintf("session %s, turn %d", h.SessionID, h.Turn)
	}
	out := h.What + " " + h.ID
	if h.SessionID != "" {
		out += fmt.Sprintf(" of session %s, turn %d", h.SessionID, h.Turn)
	}
	return out
}

// withoutSecrets is what of a conversation is written down: what a model asked the memory may hold a secret.
func (d *Daemon) withoutSecrets(k proxy.KeptTalk) (proxy.KeptTalk, error) {
	k.Asides = slices.Clone(k.Asides)
	for i := range k.Asides {
		a := &k.Asides[i]
		a.Rounds = slices.Clone(a.Rounds)
		for j := range a.Rounds {
			r := &a.Rounds[j]
			r.Calls = slices.Clone(r.Calls)
			for n := range r.Calls {
				if err := d.cleanCall(&r.Calls[n]); err != nil {
					return proxy.KeptTalk{}, err
				}
			}
		}
	}
	return k, nil
}

func (d *Daemon) cleanCall(c *proxy.AsideCall) (err error) {
	if c.Text, _, err = d.redactor.Text(c.Text); err != nil {
		return err
	}
	input, found, err := d.redactor.Text(string(c.Input))
	switch {
	case err != nil:
		return err
	case found > 0 && json.Valid([]byte(input)):
		c.Input = json.RawMessage(input)
	case found > 0:
		c.Input = json.RawMessage("{}")
	}
	return nil
}
