package daemon

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"dormouse/service/api"
	"dormouse/store/memory"
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
	links := map[string]session.Link{}
	for _, l := range x.Skeleton() {
		links[l.ID] = l
	}
	branches := map[string]*api.Branch{}
	var names []string
	for _, c := range commits {
		out.Commits = append(out.Commits, api.SessionCommit{SHA: c.SHA, Parents: c.Parents, Branch: c.Branch, Turn: c.Turn, Message: c.Message,
			When: c.When, Nodes: c.Nodes})
		b := branches[c.Branch]
		if b == nil {
			b = &api.Branch{Name: c.Branch, Commit: c.SHA}
			branches[c.Branch] = b
			names = append(names, c.Branch)
		}
		b.Turns++
		for _, n := range slices.Backward(c.Nodes) {
			if b.Node == "" && links[n].Agent == "" {
				b.Node = n
			}
		}
	}
	shown := ""
	if c, ok, err := x.CommitOf(string(x.Meta().HeadID)); err == nil && ok {
		shown = c.Branch
	}
	slices.Reverse(names) // the first one that was begun is main
	for _, name := range names {
		branches[name].Shown = name == shown
		out.Branches = append(out.Branches, *branches[name])
	}
	slices.SortStableFunc(out.Branches, func(a, b api.Branch) int {
		switch {
		case a.Name == "main":
			return -1
		case b.Name == "main":
			return 1
		}
		return 0
	})
	return out, nil
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
	commits, err := turnCommits(x)
	if err != nil {
		return out, err
	}
	commit, ok := commits[turn]
	if !ok {
		return out, notFound("turn %d of session %s has no commit; it is not over, or there is no such turn", turn, id)
	}
	seen, err := x.Context(commit)
	if err != nil {
		return out, refusedOf(err)
	}
	out = api.Context{Session: d.sessionOf(x.Meta()), Turn: turn, Commit: commit, From: seen.From, Tokens: seen.Tokens}
	for _, v := range seen.Views {
		view := api.View{Agent: v.Agent}
		for _, it := range v.Items {
			item := api.SeenNode{ID: it.ID, State: string(it.State), Tokens: it.Tokens}
			if n, err := x.Node(it.ID); err == nil {
				item.Turn, item.Text = n.Metadata.Turn, beginning(n)
			}
			view.Items = append(view.Items, item)
		}
		out.Views = append(out.Views, view)
	}
	return out, nil
}

// beginning is the first words of a node on one line; of a call its name first.
func beginning(n memory.Node) string {
	text := n.Output
	if len(text) > 8*seenText {
		text = text[:8*seenText]
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(n.Name+" "+text, "")), " ")
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
