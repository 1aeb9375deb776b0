package daemon

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"unicode"

	"dormouse/service/api"
	"dormouse/service/capture"
	"dormouse/service/capture/transcript"
	"dormouse/service/spool"
	"dormouse/store/session"
)

// turnHook is what a hook told of the begin or the end of a turn.
type turnHook struct {
	spool.Report
	ends  bool
	words string // the beginning of what the person said in the prompt; kept in memory alone, until it has been through redaction
}

// Which events begin and end a turn, in small letters without marks.
var (
	turnBegins = map[string]bool{"userpromptsubmit": true, "userpromptsubmitted": true, "beforesubmitprompt": true, "beforeagent": true}
	turnEnds   = map[string]bool{"stop": true, "agentstop": true, "afteragent": true}
)

// maxPrompt is how much of a prompt is kept, in bytes: enough for a secret at its beginning to be known as one.
const maxPrompt = 4096

// turnHookOf is the begin or end of a turn that a hook told of; ok is false for all else, and for what happened in a sub-agent.
func turnHookOf(r spool.Report, payload []byte) (h turnHook, ok bool) {
	event := strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, r.Event)
	if r.Child || r.Session == "" || r.Cwd == "" || !turnBegins[event] && !turnEnds[event] {
		return h, false
	}
	var p struct {
		Prompt string `json:"prompt"`
	}
	_ = json.Unmarshal(payload, &p) // an odd one has no words
	_, own := transcript.Unwrap(p.Prompt)
	words := strings.ToValidUTF8(own[:min(len(own), maxPrompt)], "")
	return turnHook{Report: r, ends: turnEnds[event], words: words}, true
}

// tellTurn hands a turn's begin or end on. When more wait than there is room for it is dropped, and that turn is not committed.
func (d *Daemon) tellTurn(r spool.Report, payload []byte) {
	h, ok := turnHookOf(r, payload)
	if !ok {
		return
	}
	select {
	case d.hooks.turns <- h:
	default:
		d.p.Log.Warn("too many turns begin and end at once", "component", "autocommit", "session", r.Session)
	}
}

// followTurns deals with the begins and ends of turns until ctx ends: those of one session one after the other, since a begin has to
// be seen before its end; those of others meanwhile, since a commit takes as long as the person's hooks take.
func (d *Daemon) followTurns(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	last := map[string]chan struct{}{} // of each session: closed when what came before is dealt with
	for {
		select {
		case <-ctx.Done():
			return
		case h := <-d.hooks.turns:
			before, done := last[h.Agent+"\x00"+h.Session], make(chan struct{})
			last[h.Agent+"\x00"+h.Session] = done
			running.Go(func() {
				defer close(done)
				if before != nil {
					<-before
				}
				d.dealWithTurn(ctx, h)
			})
			forget(last)
		}
	}
}

// maxFollowed is how many sessions are remembered before those with nothing left to do are dropped.
const maxFollowed = 256

func forget(last map[string]chan struct{}) {
	if len(last) < maxFollowed {
		return
	}
	for id, done := range last {
		select {
		case <-done:
			delete(last, id)
		default:
		}
	}
}

// dealWithTurn looks at the work tree as a turn begins, and commits what changed when it has ended. Before that it reads what all agents
// wrote meanwhile: that of another session may tell that it worked in the same tree.
func (d *Daemon) dealWithTurn(ctx context.Context, h turnHook) {
	t, on, err := d.turn(ctx, api.TurnReport{Project: h.Cwd, Model: h.Model, Words: h.words})
	if err != nil || !on {
		return // no project of the person's, or they do not want it
	}
	if h.ends {
		d.engine.Hear(ctx, heardOf(h.Report)) // so that the turn's number is known
		if err := d.engine.CatchUp(ctx); err != nil {
			return // the service ends
		}
	}
	t.Session = d.sessionOfAgent(h.Agent, h.Session)
	if !h.ends {
		d.committer.Begin(ctx, t)
		return
	}
	d.complete(&t)
	d.committer.End(ctx, t)
}

// sessionOfAgent is the id here of an agent's session: the one that it has, else the one that it will get.
func (d *Daemon) sessionOfAgent(agent, agentSession string) string {
	prefix := ""
	for _, a := range capture.Table() {
		if a.Name == agent {
			prefix = a.Prefix
		}
	}
	all := session.IDs(prefix, agent, agentSession)
	for _, id := range all {
		if x, err := d.sessions.Open(id); err == nil && x.Meta().AgentSessionID == agentSession {
			return id
		}
	}
	return all[0]
}
