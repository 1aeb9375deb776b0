package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"dormouse/service/api"
	"dormouse/store/ledger"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// Bounds of what agents may offer: so many an hour each, and so many that wait in all.
const (
	offersPerHour = 20
	offersWaiting = 500
	offerWords    = 3 // that a memory has at least
	offerTool     = "memory_propose"
	offerPrefix   = "mp" // of the sessions that hold what agents offered
	offerReason   = " offered it with " + offerTool + "; it waits for you"
)

// propose takes a memory that an agent offers: it becomes a candidate, said by the agent, and waits for the person. The
// proposal itself is kept in a session of its own, so that it can be opened.
func (d *Daemon) propose(ctx context.Context, q api.ProposeQuery) (api.Proposed, error) {
	project, err := d.projectID(ctx, q.Project)
	if err != nil {
		return api.Proposed{}, err
	}
	if err := d.fromProject(q.Session, project); err != nil {
		return api.Proposed{}, err
	}
	text, secrets, err := d.redactor.Text(strings.Join(strings.Fields(q.Text), " "))
	if err != nil {
		return api.Proposed{}, fmt.Errorf("take secrets out of what is offered: %w", err)
	}
	if guarded := memory.Guard(text); guarded != text {
		text = guarded
		secrets++
	}
	out := api.Proposed{Text: text, Secrets: secrets}
	d.deciding.Lock()
	defer d.deciding.Unlock()
	if err := d.mayOffer(q.For); err != nil {
		return out, err
	}
	o := offer{q: q, project: project, text: text, at: d.p.Now().Unix()}
	event := o.event()
	if d.judgeOffer(&out, o, event); out.State != "" {
		return out, nil
	}
	sessionID, err := d.keepOffer(o)
	if err != nil {
		return out, fmt.Errorf("keep what was offered: %w", err)
	}
	event.Provenance.SessionID = sessionID
	p, err := memory.Propose(event)
	if err != nil {
		return out, err
	}
	p.Candidate = true
	dec := memory.Decision{Action: memory.ActionAdd, Accepted: true, Reason: q.For + offerReason, EventDate: &o.at, Proposal: p,
		By: memory.ByRule, PolicyVersion: memory.PolicyVersion, ObservedAt: o.at}
	run := memory.Run{Kind: memory.RunReview, Started: o.at, Ended: o.at, Extractor: memory.ByRule, PolicyVersion: memory.PolicyVersion,
		Counts: memory.RunCounts{Candidates: 1}}
	if err := d.ledger.Append([]memory.Decision{dec}, run); err != nil && !errors.Is(err, ledger.ErrNotCommitted) {
		return out, err
	}
	d.drawUpSoon(ctx)
	d.publish("decided", event.ID)
	d.syncSoon()
	out.State, out.ID, out.SessionID = api.ProposalWaits, event.ID, sessionID
	out.Reason = "it is a candidate until the person decides on it with: dormouse review"
	return out, nil
}

// fromProject makes sure that the session that an agent names is one of its project.
func (d *Daemon) fromProject(id, project string) error {
	if id == "" {
		return nil
	}
	x, err := d.sessions.Open(id)
	if err != nil || project == "" || x.Meta().ProjectID != project {
		return notFound("there is no session %s in this project; leave it out where you do not know it", id)
	}
	return nil
}

// mayOffer reports whether an agent may offer one more now.
func (d *Daemon) mayOffer(agent string) error {
	recent, waiting := 0, 0
	now := d.p.Now().Unix()
	d.ledger.Read(func(s *memory.State) {
		for _, c := range s.Candidates {
			if strings.HasSuffix(c.Reason, offerReason) {
				waiting++
			}
		}
	})
	for _, dec := range d.ledger.Decisions() {
		if dec.Reason == agent+offerReason && now-dec.ObservedAt < int64(time.Hour/time.Second) {
			recent++
		}
	}
	switch {
	case recent >= offersPerHour:
		return &api.Error{Code: api.CodeBusy, Message: fmt.Sprintf("%s has offered %d memories within an hour, which is all that is taken; the most important ones are enough", agent, offersPerHour)}
	case waiting >= offersWaiting:
		return &api.Error{Code: api.CodeBusy, Message: fmt.Sprintf("%d memories that agents offered wait for the person already; no more is taken until some are decided on with: dormouse review", waiting)}
	}
	return nil
}

// offer is what an agent offers.
type offer struct {
	q       api.ProposeQuery
	project string // id; empty where none is known
	text    string // without secrets, on one line
	at      int64
}

// scope is who may be shown it: the project, or where none is known the agent alone.
func (o *offer) scope() memory.Scope {
	if o.project == "" {
		return memory.AgentScope(o.q.For)
	}
	return memory.ProjectScope(o.project)
}

// node is what stands for the proposal in its session. The same statement is one node, whoever offers it and however often.
func (o *offer) node() memory.Node {
	words := strings.Join(memory.ContentWords(o.text), " ")
	input := map[string]string{"text": o.text, "kind": string(o.kind()), "agent": o.q.For}
	n := memory.Node{ID: memory.NodeID(offerTool, string(o.scope()), words), Role: memory.RoleTool, Name: offerTool,
		Output: memory.Mark + ": taken as a candidate", CreatedAt: o.at, Metadata: memory.Metadata{Status: memory.StatusOK}}
	if o.q.Session != "" {
		input["session_id"], n.Reads = o.q.Session, []string{memory.ReadSession + o.q.Session}
	}
	n.Input, _ = json.Marshal(input) // texts can always be encoded
	return n
}

func (o *offer) kind() memory.Kind {
	if o.q.Kind == "" {
		return memory.KindLearning
	}
	return o.q.Kind
}

func (o *offer) event() *memory.Event {
	project := o.project
	if project == "" {
		project = memory.DefaultProject
	}
	e := &memory.Event{Summary: o.text, Kind: o.kind(), Scope: o.scope(), Trust: memory.TrustAgent,
		Provenance: memory.Provenance{ProjectID: project, NodeIDs: []string{o.node().ID}, EventTime: &o.at, IngestionTime: o.at}}
	e.ID = memory.EventID(memory.EventClaim(e))
	return e
}

// judgeOffer says where a proposal is none: it is no statement, was refused before, or is known.
func (d *Daemon) judgeOffer(out *api.Proposed, o offer, e *memory.Event) {
	refuse := func(why string) { out.State, out.Reason = api.ProposalRefused, why }
	switch {
	case strings.Contains(o.text, strings.Trim(memory.Mark, "═ ")):
		refuse("it repeats what the memory told")
		return
	case len(memory.ContentWords(o.text)) < offerWords && len([]rune(o.text)) < 12:
		refuse("it says too little to stand by itself")
		return
	}
	v := memory.View{Project: o.project, Agent: o.q.For}
	d.ledger.Read(func(s *memory.State) {
		if _, barred := s.BarredAlike(memory.EventClaim(e)); barred {
			refuse("the person refused or forgot it, and it stays out")
		} else if _, barred := s.RefusedText(v, o.text); barred {
			refuse("the person refused or forgot what says the same, and it stays out")
		} else if rec, told := s.Told(v, o.text); told {
			out.State, out.ID, out.Reason = api.ProposalKnown, rec.Ref().ID, "the memory has it already"
		}
	})
}

// keepOffer puts a proposal into the session of what an agent has offered in a project. A session that the person deleted is not
// filled again; another one begins.
func (d *Daemon) keepOffer(o offer) (id string, err error) {
	want := memory.Session{Agent: o.q.For, ProjectID: o.project, Title: "Memories that " + o.q.For + " offered", TitleBy: "agent", CreatedAt: o.at}
	if want.ProjectID == "" {
		want.ProjectID = memory.DefaultProject
	}
	var x *session.Session
	for k := 1; ; k++ {
		want.AgentSessionID = fmt.Sprintf("%s %s %d", offerTool, want.ProjectID, k)
		x, err = d.sessions.Ensure(want, offerPrefix)
		if !errors.Is(err, session.ErrDeleted) || k == 1000 {
			break
		}
	}
	if err != nil {
		return "", err
	}
	n := o.node()
	if n.Metadata.Redacted, err = d.redact(&n); err != nil {
		return "", err
	}
	b := x.Begin(false)
	if _, err := b.Append(n); err != nil {
		b.Abort()
		return "", err
	}
	return x.Meta().ID, b.Close(true)
}
