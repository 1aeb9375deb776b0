package daemon

import (
	"context"
	"errors"
	"fmt"

	"dormouse/service/api"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// pageBytes is how much of its nodes' texts an answer with a part of a session has; its last turn may go beyond.
const pageBytes = 4 << 20

func (d *Daemon) openSession(ctx context.Context, q api.TranscriptQuery) (api.Transcript, error) {
	x, err := d.sessions.Open(q.ID)
	if s, ok := d.absent(q.ID, err); ok {
		return api.Transcript{Session: s, Turns: []api.Turn{}}, nil
	}
	if errors.Is(err, session.ErrNotFound) {
		if err := d.bring(ctx, q.ID); err != nil {
			return api.Transcript{}, d.notBrought(q.ID, err)
		}
		x, err = d.sessions.Open(q.ID)
	}
	if err != nil {
		return api.Transcript{}, err
	}
	if q.For != "" {
		if err := d.hidesSession(x.Meta()); err != nil {
			return api.Transcript{}, err
		}
	}
	out := api.Transcript{Session: d.sessionOf(x.Meta()), Turns: []api.Turn{}}
	if q.Turn != nil {
		err = oneTurn(x, *q.Turn, &out)
	} else {
		from, limit := 0, 0
		if q.From != nil {
			from, limit = *q.From, pageBytes
		}
		err = turnsFrom(x, from, limit, &out)
	}
	if q.For != "" {
		for i := range out.Turns {
			out.Turns[i].Nodes = d.shown(out.Turns[i].Nodes)
		}
		if len(d.privateTurns(x)) > 0 {
			out.Session.Title = "" // it is made of what was said
		}
	}
	if err != nil {
		return out, err
	}
	out.Images, err = keptImages(x, out.Turns)
	return out, err
}

// oneTurn adds one turn to a transcript. It costs what the turn has, however long the session is.
func oneTurn(x *session.Session, n int, out *api.Transcript) error {
	nodes, err := x.Turn(n)
	if err != nil {
		return unreadable(x, err)
	}
	if len(nodes) == 0 {
		return notFound("session %s has no turn %d; it has %d", x.Meta().ID, n, x.Meta().Turns)
	}
	commit, _, err := x.CommitOfTurn(n)
	out.Turns = append(out.Turns, api.Turn{N: n, Commit: commit, Nodes: nodes})
	return err
}

// turnsFrom adds the turns from a number on, until their texts have limit bytes; 0 is no limit.
func turnsFrom(x *session.Session, from, limit int, out *api.Transcript) error {
	size := 0
	for t, err := range x.Turns(from) {
		if err != nil {
			return unreadable(x, err)
		}
		if limit > 0 && size >= limit {
			out.Next = &t.N
			break
		}
		for i := range t.Nodes {
			size += textBytes(&t.Nodes[i])
		}
		out.Turns = append(out.Turns, api.Turn{N: t.N, Nodes: t.Nodes})
	}
	if len(out.Turns) == 0 {
		return nil
	}
	commits, err := x.TurnCommits(out.Turns[0].N, out.Turns[len(out.Turns)-1].N)
	for i := range out.Turns {
		out.Turns[i].Commit = commits[out.Turns[i].N]
	}
	return err
}

// textBytes is about how long a node is.
func textBytes(n *memory.Node) int {
	const rest = 512
	return len(n.Output) + len(n.Input) + len(n.Metadata.Thinking) + rest
}

// unreadable says that a history is damaged.
func unreadable(x *session.Session, err error) error {
	return fmt.Errorf("the history of session %s cannot be read; dormouse status says why: %w", x.Meta().ID, err)
}
