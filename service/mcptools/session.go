package mcptools

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// transcripts opens sessions.
type transcripts interface {
	SessionFor(context.Context, api.TranscriptQuery) (api.Transcript, error)
}

func (t *Tools) openTool() tool {
	return tool{name: "memory_open_session", title: "Open a past session", run: t.openSession,
		about: "Read a past session of this project: its turns in short, or with turn all that was said and done in one; tools' results are whole with detail=full.",
		params: []param{{name: "session_id", needed: true, max: 100, about: "As answers give it, such as cc_1a2b3c4d."},
			{name: "turn", whole: true, min: -1, max: 10_000_000, preset: -1, about: "-1: all, in short."},
			{name: "detail", oneOf: []string{"short", "full"}, about: "Default: short."},
			limitParam(20, 100), cursorParam}}
}

var sessionRE = regexp.MustCompile(`^[a-z]{1,8}_[0-9a-f]{4,64}$`)

func (t *Tools) openSession(ctx context.Context, c *call) (*page, error) {
	id := strings.TrimPrefix(c.text("session_id"), "session:")
	if !sessionRE.MatchString(id) {
		return nil, fmt.Errorf("session_id has to be the id of a session such as cc_1a2b3c4d, not %q; memory_search and memory_timeline give them", clip(id, 60))
	}
	if turn := c.number("turn"); turn >= 0 {
		return t.turn(ctx, c, id, turn)
	}
	got, err := t.m.SessionFor(ctx, api.TranscriptQuery{ID: id, From: &c.from, For: c.agent})
	if err = t.allowed(c, got, id, err); err != nil {
		return nil, err
	}
	p := &page{title: titleOf(got.Session), more: got.Next != nil, total: got.Session.Turns}
	turns, more := some(got.Turns, 0, c.number("limit"))
	p.more = p.more || more
	places := make([]int, 0, len(turns))
	for _, n := range turns {
		p.items = append(p.items, turnItem(got.Session, n))
		places = append(places, n.N)
	}
	p.after = func(n int) int { return places[n-1] + 1 }
	return p, nil
}

// allowed makes sure that a session is one of the project that the agent works in.
func (t *Tools) allowed(c *call, got api.Transcript, id string, err error) error {
	var e *api.Error
	switch {
	case errors.As(err, &e) && e.Code == api.CodeNotFound:
		return fmt.Errorf("there is no session %s here, or it has no such turn (it may have been deleted); memory_search and memory_timeline give those that there are", id)
	case err != nil:
		return err
	case c.place.id == "" || got.Session.ProjectID != c.place.id:
		return fmt.Errorf("session %s is not one of this project, and others are not shown", id)
	}
	return nil
}

func titleOf(s api.Session) string {
	title := fmt.Sprintf("session %s %q of %s, %s", s.ID, clip(line(s.Title), 60), s.Agent, moment(s.CreatedAt))
	if s.GitBranch != "" {
		title += ", branch " + clip(line(s.GitBranch), 60)
	}
	return title
}

// excerpt is how much of a prompt and of the answer to it a turn in short shows, in bytes.
const excerpt = 240

// turnItem is a turn in short: what the person asked, and the last that the agent said.
func turnItem(s api.Session, turn api.Turn) item {
	it := item{What: "turn", Turn: turn.N, Session: s.ID, Open: open(s.ID, turn.N)}
	asked, said, calls := "", "", 0
	for i := range turn.Nodes {
		n := &turn.Nodes[i]
		switch {
		case n.Metadata.AgentID != "":
		case n.Role == memory.RoleUser && n.StartsTurn() && asked == "":
			asked, it.Time = line(n.Output), moment(n.CreatedAt)
		case n.Role == memory.RoleAssistant && strings.TrimSpace(n.Output) != "":
			said = line(n.Output)
		case n.Role == memory.RoleTool:
			calls++
		}
	}
	it.Text = fmt.Sprintf("person: %s → agent: %s", clip(asked, excerpt), clip(said, excerpt))
	if calls > 0 {
		it.Note = fmt.Sprintf("%d calls", calls)
	}
	return it
}

// turn shows all of one turn.
func (t *Tools) turn(ctx context.Context, c *call, id string, turn int) (*page, error) {
	got, err := t.m.SessionFor(ctx, api.TranscriptQuery{ID: id, Turn: &turn, For: c.agent})
	if err = t.allowed(c, got, id, err); err != nil {
		return nil, err
	}
	var list []item
	for _, x := range got.Turns {
		for i := range x.Nodes {
			list = append(list, nodeItems(&x.Nodes[i], c.text("detail") == "full", c.piece())...)
		}
	}
	items, more := some(list, c.from, c.number("limit"))
	return &page{title: fmt.Sprintf("turn %d of %s", turn, titleOf(got.Session)), items: items, more: more, total: len(list)}, nil
}

// shortResult is how much of what a tool was given and gave is shown where it is to be short, in bytes.
const shortResult = 400

// nodeItems are a message or a call, in as many parts as it takes. What Dormouse or the client put there is left out.
func nodeItems(n *memory.Node, full bool, piece int) []item {
	var list []item
	who := ""
	switch {
	case n.Role == memory.RoleTool:
		list = callItems(n, full, piece)
	case n.Role == memory.RoleAssistant:
		who = "agent"
	case n.Metadata.Kind == memory.KindPrompt:
		who = "person"
	case n.Metadata.Kind == memory.KindTask:
		who = "agent to its sub-agent"
	case n.Metadata.Kind == memory.KindPage:
		who = "quoted"
	}
	if who != "" && strings.TrimSpace(n.Output) != "" {
		list = blocks("message", clean(n.Output), piece)
	}
	for i := range list {
		list[i].ID, list[i].Kind, list[i].Time = n.ID, who, moment(n.CreatedAt)
		if n.Metadata.AgentID != "" {
			list[i].Note = joined(list[i].Note, "of sub-agent "+clip(line(n.Metadata.AgentID), 40))
		}
	}
	return list
}

func callItems(n *memory.Node, full bool, piece int) []item {
	if memory.OwnCall(n) {
		return []item{{What: "call", Text: line(n.Name) + " (asked this memory)"}}
	}
	given, gave := clean(string(n.Input)), clean(n.Output)
	if len(n.Metadata.Commands) > 0 {
		given = clean(strings.Join(n.Metadata.Commands, "\n"))
	}
	status := ""
	if s := n.Metadata.Status; s != "" && s != memory.StatusOK {
		status = string(s)
	}
	text := line(n.Name) + " " + given + "\n⇒ " + gave
	if !full {
		half := min(shortResult, piece/3)
		text = line(n.Name) + " " + clip(given, half) + "\n⇒ " + ends(gave, half)
	}
	list := blocks("call", text, piece)
	for i := range list {
		list[i].Note = joined(list[i].Note, status)
	}
	return list
}

// ends are the beginning and the end of a text, at most n bytes of it.
func ends(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head, tail := runeEnd(s, n*2/3), len(s)-n/3
	for tail < len(s) && s[tail]&0xC0 == 0x80 {
		tail++
	}
	return fmt.Sprintf("%s … %d bytes more, see detail=full … %s", s[:head], tail-head, s[tail:])
}
