package daemon

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"dormouse/service/api"
	"dormouse/store/session"
)

// seenText is how much of a node's text a context shows, in characters.
const seenText = 80

// refusedOf turns what a session says of ids that it does not have into an answer.
func refusedOf(err error) error {
	if errors.Is(err, session.ErrNoNode) || errors.Is(err, session.ErrNoCommit) {
		return notFound("%v", err)
	}
	return err
}

func (d *Daemon) sessionCommits(_ context.Context, id string) (out api.SessionCommits, err error) {
	x, err := d.sessions.Open(id)
	if err != nil {
		return out, missingSession(id, err)
	}
	commits, err := x.Commits()
	if err != nil {
		return out, err
	}
	out.Session = d.sessionOf(x.Meta())
	for _, c := range commits {
		out.Commits = append(out.Commits, api.SessionCommit{SHA: c.SHA, Parents: c.Parents, Branch: c.Branch, Turn: c.Turn, Message: c.Message,
			When: c.When, Nodes: c.Nodes})
	}
	out.Branches, err = branchesOf(x)
	return out, err
}

func branchesOf(x *session.Session) ([]api.Branch, error) {
	list, err := x.Branches()
	var out []api.Branch
	for _, b := range list {
		out = append(out, api.Branch{Name: b.Name, Commit: b.Commit, Message: b.Message, Node: b.Node, Turns: b.Commits, Shown: b.Shown})
	}
	return out, err
}

func (d *Daemon) sessionBranches(_ context.Context, id string) (out api.SessionBranches, err error) {
	x, err := d.sessions.Open(id)
	if err != nil {
		return out, missingSession(id, err)
	}
	out.Session = d.sessionOf(x.Meta())
	out.Branches, err = branchesOf(x)
	return out, err
}

func (d *Daemon) sessionNodes(_ context.Context, q api.NodeQuery) (out api.Nodes, err error) {
	x, err := d.sessions.Open(q.ID)
	if err != nil {
		return out, missingSession(q.ID, err)
	}
	for n, err := range x.NodesSince(q.Since, q.Head) {
		if err != nil {
			return out, refusedOf(err)
		}
		if n.Seq <= q.After {
			continue
		}
		if len(out.Nodes) == q.Limit {
			out.More = true
			break
		}
		out.Nodes, out.Last = append(out.Nodes, n), n.Seq
	}
	return out, nil
}

func (d *Daemon) sessionContext(_ context.Context, id string, turn int) (out api.Context, err error) {
	x, err := d.sessions.Open(id)
	if err != nil {
		return out, missingSession(id, err)
	}
	commit, ok, err := x.CommitOfTurn(turn)
	if err != nil {
		return out, err
	}
	if !ok {
		return out, notFound("turn %d of session %s has no commit; it is not over, or there is no such turn", turn, id)
	}
	seen, err := x.Context(commit)
	if err != nil {
		return out, refusedOf(err)
	}
	out = api.Context{Session: d.sessionOf(x.Meta()), Turn: turn, Commit: commit, From: seen.From, Tokens: seen.Tokens}
	for _, v := range seen.Views {
		items, err := seenNodes(x, v.Items)
		if err != nil {
			return out, err
		}
		out.Views = append(out.Views, api.View{Agent: v.Agent, Items: items})
	}
	return out, nil
}

// seenNodes are the nodes of a context, each with its beginning.
func seenNodes(x *session.Session, items []session.Item) ([]api.SeenNode, error) {
	ids := make([]string, len(items))
	for i, it := range items {
		ids[i] = it.ID
	}
	begins, err := x.Peek(ids, 8*seenText)
	if err != nil {
		return nil, err
	}
	out := make([]api.SeenNode, len(items))
	for i, it := range items {
		b := begins[i]
		out[i] = api.SeenNode{ID: it.ID, State: string(it.State), Tokens: it.Tokens, Turn: b.Turn, Text: beginning(b.Name + " " + b.Text)}
	}
	return out, nil
}

// beginning is the first words of a text on one line.
func beginning(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if utf8.RuneCountInString(text) > seenText {
		text = string([]rune(text)[:seenText]) + "…"
	}
	return text
}

func (d *Daemon) switchSession(_ context.Context, id, node string) (api.Session, error) {
	x, err := d.sessions.Open(id)
	if err != nil {
		return api.Session{}, missingSession(id, err)
	}
	if err := x.Switch(node); err != nil {
		return api.Session{}, refusedOf(err)
	}
	return d.sessionOf(x.Meta()), nil
}
