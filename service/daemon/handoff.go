package daemon

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/store/memory"
	"dormouse/store/project"
)

// Bounds of a handoff.
const (
	handoffSessions = 4
	handoffChanges  = 20
)

// handoff is the open threads of a project, as a page.
func (d *Daemon) handoff(ctx context.Context, name string) (api.Handoff, error) {
	p, err := d.whole(ctx, name)
	if err != nil {
		return api.Handoff{}, err
	}
	out := api.Handoff{Limit: recall.HandoffBytes}
	if out.Project, err = d.oneProject(ctx, p.ID); err != nil {
		return out, err
	}
	h := recall.Handoff{Project: p.ID, Name: cmp.Or(out.Project.Name, p.ID), At: d.p.Now().Unix()}
	d.workTreeOf(ctx, &h, placeOf(name, p))
	sessions, err := d.sessionsOf(p.ID)
	if err != nil {
		return out, err
	}
	slices.SortFunc(sessions, func(a, b memory.Session) int {
		return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.ID, b.ID))
	})
	for _, m := range sessions {
		if len(h.Sessions) == handoffSessions {
			break
		}
		if s, ok := d.endOf(m); ok {
			h.Sessions, out.Sessions = append(h.Sessions, s), append(out.Sessions, s.ID)
		}
	}
	d.served(func(s *memory.State) {
		h.Decisions, h.Preferences, h.Open = recall.HandoffLines(s, d.coreInfo(s, p.ID))
	})
	out.Text = h.Page()
	out.Bytes = len(out.Text)
	return out, ctx.Err()
}

// workTreeOf adds how the work tree stands, as far as it can be read.
func (d *Daemon) workTreeOf(ctx context.Context, h *recall.Handoff, dir string) {
	if dir == "" {
		return
	}
	h.Folder = dir
	g, err := d.projects.Open(ctx, dir)
	if err != nil || g.Bare {
		return
	}
	s, err := g.Status(ctx)
	if err != nil {
		return
	}
	h.Folder, h.Branch, h.Head, h.Doing = g.Root, s.Branch, s.Head, s.Doing
	if e, err := g.Lookup(ctx, s.Head); s.Head != "" && err == nil {
		h.Subject = e.Subject
	}
	for _, c := range s.Changes {
		if len(h.Changes) == handoffChanges {
			h.MoreChanges = len(s.Changes) - len(h.Changes)
			break
		}
		h.Changes = append(h.Changes, changed(c))
	}
}

// changed names a change as git does.
func changed(c project.Change) string { return strings.ReplaceAll(c.Code, ".", " ") + " " + c.Path }

// endOf is how a session ended; ok is false for one in which the person said nothing.
func (d *Daemon) endOf(m memory.Session) (recall.HandoffSession, bool) {
	x, err := d.sessions.Open(m.ID)
	if err != nil {
		return recall.HandoffSession{}, false
	}
	out := recall.HandoffSession{ID: m.ID, Title: d.sessionOf(m).Title, Agent: m.Agent, Branch: m.GitBranch, At: m.UpdatedAt, Turn: m.Turns}
	private := d.privateTurns(x)
	if private != nil {
		out.Title = "A session with a private part" // its own title is made of what was said
	}
	for out.Turn > 1 && private[out.Turn] {
		out.Turn--
	}
	nodes, err := x.Turn(out.Turn)
	if err != nil || private[out.Turn] {
		return out, false
	}
	nodes = d.shown(nodes)
	lastOf(&out, nodes)
	return out, out.Prompt != ""
}

// lastOf adds what was said and done in a session's last turn, apart from its sub-agents.
func lastOf(out *recall.HandoffSession, nodes []memory.Node) {
	for i := range nodes {
		n := &nodes[i]
		if n.Metadata.AgentID != "" {
			continue
		}
		switch n.Role {
		case memory.RoleUser:
			if n.Metadata.Kind == memory.KindPrompt {
				out.Prompt, out.Answer, out.Failed, out.Running = n.Output, "", "", false
			}
		case memory.RoleAssistant:
			if strings.TrimSpace(n.Output) != "" {
				out.Answer, out.Running = n.Output, false
			}
		case memory.RoleTool:
			out.Running = n.Metadata.Status == memory.StatusPending
			if len(n.Metadata.Commands) == 0 {
				continue
			}
			out.Failed = ""
			if exit := n.Metadata.ExitCode; exit != nil && *exit != 0 {
				out.Failed, out.Exit = n.Metadata.Commands[len(n.Metadata.Commands)-1], *exit
			}
		}
	}
}
