package daemon

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dormouse/service/api"
	"dormouse/service/config"
	"dormouse/service/localapi"
	"dormouse/service/recall"
	"dormouse/store/memory"
	"dormouse/store/project"
	"dormouse/sync/gitsync"
)

// backend is what the local API answers from.
func (d *Daemon) backend() localapi.Backend {
	return localapi.Backend{
		Status: d.status, Sessions: d.listSessions, Session: d.openSession, Projects: d.listProjects,
		Timeline: d.timeline, Graph: d.graph, Search: d.search, Core: d.core, ExplainCore: d.explainCore, CoreBefore: d.coreBefore, Sleep: d.sleepNow, TryModel: d.tryModel, Cost: d.cost, Proxy: d.askProxy, SwitchProxy: d.switchProxy, RecordProxy: d.recordProxy,
		Night: d.sleepNight, Nights: d.listNights, Days: d.countDays, SleepPlan: d.planSleep,
		Stop:      func(context.Context) error { d.stop(); return nil },
		Subscribe: d.hub.Subscribe, Hook: d.hook, Inject: d.previewInjection, Blame: d.blame, Handoff: d.handoff,
		Sync: d.syncNow, SyncSetup: d.syncSetup, SyncLogin: d.syncLogin, Devices: d.devices, ChangeDevice: d.changeDevice, Invite: d.invite, Revoke: d.revoke,
		Diff: d.diff, Restore: d.restore, SetShadow: d.setShadow,
		Rename: d.renameSession, Pin: d.pinSession, Delete: d.deleteSession, Undelete: d.undeleteSession, Thaw: d.thawSession,
		Pause: d.pauseCapture, Bind: d.bindFolder, Unbind: d.unbindProject, RenameProject: d.renameProject,
		BindInit: d.bindInit, Project: d.projectState, AutoCommit: d.setAutoCommit, Commits: d.listCommits, Commit: d.showCommit,
		SessionCommits: d.sessionCommits, SessionBranches: d.sessionBranches, SessionNodes: d.sessionNodes, SessionContext: d.sessionContext, Switch: d.switchSession, File: d.sessionFile,
		Import: d.importFrom,
		Review: d.review, Decide: d.decide, Decisions: d.decisionsShown, Facts: d.facts, Tags: d.tags,
		BeginTurn: d.beginTurn, EndTurn: d.endTurn,
		Locate: d.locate, Ask: d.ask, Propose: d.propose,
		Index: d.indexState, RebuildIndex: d.rebuildIndex,
		When:    d.when,
		Objects: d.objectsOf, Pager: d.pagerSettings,
		Links: d.links, LinkPlan: d.planLink, LinkChange: d.changeLink, Settings: d.allSettings, SetSetting: d.setSetting,
	}
}

func notFound(format string, args ...any) error {
	return &api.Error{Code: api.CodeNotFound, Message: fmt.Sprintf(format, args...)}
}

// projectID finds the project that a person means; the empty text is no project.
func (d *Daemon) projectID(ctx context.Context, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	p, err := d.projects.Find(ctx, name)
	switch {
	case errors.Is(err, project.ErrAmbiguous):
		return "", &api.Error{Code: api.CodeAmbiguous, Message: err.Error()}
	case errors.Is(err, project.ErrNotFound):
		return "", &api.Error{Code: api.CodeNotFound, Message: err.Error()}
	case err != nil:
		return "", err
	}
	return p.ID, nil
}

// view is what the person sees: everything, or one project with what is global.
func view(projectID string) memory.View {
	if projectID == "" {
		return memory.View{All: true}
	}
	return memory.View{Project: projectID, Person: true}
}

// viewFor is what an agent sees: what is global, its project's and its own. Without an agent it is what the person sees.
func viewFor(projectID, agent string) memory.View {
	if agent == "" {
		return view(projectID)
	}
	return memory.View{Project: projectID, Agent: agent}
}

// within is the project that alone is asked for: of an agent the view says what it sees.
func within(projectID, agent string) string {
	if agent == "" {
		return projectID
	}
	return ""
}

func (d *Daemon) listSessions(ctx context.Context, q api.SessionQuery) ([]api.Session, error) {
	id, err := d.projectID(ctx, q.Project)
	if err != nil {
		return nil, err
	}
	all, err := d.everySession(q.Deleted)
	if err != nil {
		return nil, err
	}
	out := []api.Session{}
	for _, s := range all {
		if id != "" && s.ProjectID != id || q.Agent != "" && s.Agent != q.Agent {
			continue
		}
		if q.Limit > 0 && len(out) == q.Limit {
			break
		}
		out = append(out, d.named(s))
	}
	return out, nil
}

// noSession says that a session is not here, and where it may be: a memory that came from another machine leads to one there.
func (d *Daemon) noSession(id string) error {
	where := ""
	for _, r := range slices.Backward(d.ledger.Runs()) {
		if r.Machine != d.machine && slices.ContainsFunc(r.Coverage, func(c memory.Coverage) bool { return c.SessionID == id }) {
			where = "on " + d.deviceName(r.Machine)
			break
		}
	}
	if where == "" {
		d.ledger.Read(func(s *memory.State) {
			for _, e := range s.Events {
				if e.Provenance.SessionID == id {
					where = "there"
					break
				}
			}
		})
	}
	if where == "" {
		return notFound("there is no session %s; dormouse sessions lists them", id)
	}
	return &api.Error{Code: api.CodeElsewhere, Message: fmt.Sprintf(
		"session %s is not on this machine: what was learned travels, sessions stay where they were captured; open it %s", id, where)}
}

// notBrought is noSession for one that was looked for on the remote too.
func (d *Daemon) notBrought(id string, err error) error {
	var known *api.Error
	if errors.As(err, &known) {
		return known
	}
	said := d.noSession(id)
	if errors.As(said, &known) && !errors.Is(err, gitsync.ErrNoSession) {
		known.Message += fmt.Sprintf(" (it could not be fetched: %v)", err)
	} else if known.Code == api.CodeElsewhere && d.p.Config.Sync.Sessions == config.SessionsOnDemand {
		known.Message += ", or set sync.sessions = \"on-demand\" there too"
	}
	return said
}

func (d *Daemon) listProjects(context.Context) ([]api.Project, error) {
	all, _, err := d.sessions.List()
	if err != nil {
		return nil, err
	}
	known, err := d.projects.List()
	if err != nil { // status names the registry's file and what to do; the rest goes on without names
		known = projectsOfSessions(all)
	}
	out := []api.Project{}
	for _, p := range known {
		a := api.Project{ID: p.ID, Name: p.Called(), Found: p.Name, Path: p.Path, Remote: p.Remote, Bound: p.Bound(), Shadow: p.Shadowed() && d.p.Config.Shadow.Enabled,
			InFolder: p.BoundAt != 0 && p.Bound() && p.Path != ""}
		for _, s := range all {
			if s.ProjectID == p.ID {
				a.Sessions++
				a.LastSeen = max(a.LastSeen, s.UpdatedAt)
			}
		}
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b api.Project) int {
		if a.LastSeen != b.LastSeen {
			return int(b.LastSeen - a.LastSeen)
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out, nil
}

// projectsOfSessions are the projects as far as the sessions name them.
func projectsOfSessions(all []memory.Session) []project.Project {
	seen := map[string]bool{}
	var out []project.Project
	for _, s := range all {
		if !seen[s.ProjectID] {
			seen[s.ProjectID] = true
			out = append(out, project.Project{ID: s.ProjectID, Name: s.ProjectID, Path: s.Cwd})
		}
	}
	return out
}

func (d *Daemon) timeline(ctx context.Context, q api.TimelineQuery) (api.Timeline, error) {
	id, err := d.projectID(ctx, q.Project)
	if err != nil {
		return api.Timeline{}, err
	}
	out := api.Timeline{Events: []memory.Event{}}
	d.readAsOf(q.AsOf, func(s *memory.State) {
		var tags []memory.Key
		if q.Tag != "" {
			if tags = recall.TagsNamed(s, viewFor(id, q.For), q.Tag); len(tags) == 0 {
				err = unknownTag(s, viewFor(id, q.For), q.Tag)
				return
			}
		}
		events, total := recall.Timeline(s, recall.TimelineQuery{View: viewFor(id, q.For), Tags: tags, Project: within(id, q.For), Since: q.Since, Until: q.Until, Entity: q.Entity,
			Kinds: q.Kinds, Superseded: q.Superseded, Limit: q.Limit})
		out.Total = total
		out.Events = append(out.Events, values(events)...)
		out.Replaced = replacedBy(s, events)
	})
	if err != nil {
		return api.Timeline{}, err
	}
	out.Turns = d.turnsOfEvents(nil, out.Events)
	out.Missing, out.Branches = d.missingOf(sourcesOf(out.Events)), d.branchesOf(sourcesOf(out.Events))
	return out, nil
}

// replacedBy is what took the place of superseded events, in words, by their ids.
func replacedBy(s *memory.State, events []*memory.Event) map[string]string {
	out := map[string]string{}
	for _, e := range events {
		if e.SupersededBy == "" {
			continue
		}
		if by := s.Record(memory.RecordRef{Kind: memory.RecordEvent, Scope: e.Scope, ID: string(e.SupersededBy)}); by != nil {
			out[e.ID] = by.Text()
		}
	}
	return out
}

// turnsOfEvents adds to turns the turn of each event, by its id, where it is known.
func (d *Daemon) turnsOfEvents(turns map[string]int, events []memory.Event) map[string]int {
	if turns == nil {
		turns = map[string]int{}
	}
	for _, e := range events {
		d.addTurn(turns, e.ID, e.Provenance)
	}
	return turns
}

func (d *Daemon) addTurn(turns map[string]int, id string, p memory.Provenance) {
	if len(p.NodeIDs) == 0 {
		return
	}
	if n := d.turnOf(p.SessionID, p.NodeIDs[0]); n > 0 {
		turns[id] = n
	}
}

func values[T any](list []*T) []T {
	out := make([]T, len(list))
	for i, v := range list {
		out[i] = *v
	}
	return out
}

func (d *Daemon) graph(ctx context.Context, q api.GraphQuery) (out api.Graph, err error) {
	id, err := d.projectID(ctx, q.Project)
	if err != nil {
		return out, err
	}
	d.readAsOf(q.AsOf, func(s *memory.State) {
		var entity string
		if entity, err = oneEntity(s, viewFor(id, q.For), q.Entity); err != nil {
			return
		}
		g, ok := recall.Neighbors(s, recall.GraphQuery{View: viewFor(id, q.For), Entity: entity, Hops: q.Hops})
		if !ok {
			err = notFound("there is no %s in the graph", q.Entity)
			return
		}
		out = api.Graph{Center: *g.Center, Entities: values(g.Entities), Edges: values(g.Edges), Events: values(g.Events), Truncated: g.Truncated}
	})
	if err == nil {
		out.Turns = d.turnsOfGraph(out)
		out.Missing = d.missingOf(sourcesOfGraph(out))
	}
	return out, err
}

func (d *Daemon) turnsOfGraph(g api.Graph) map[string]int {
	turns := d.turnsOfEvents(nil, g.Events)
	d.addTurn(turns, g.Center.ID, g.Center.Provenance)
	for _, e := range g.Entities {
		d.addTurn(turns, e.ID, e.Provenance)
	}
	for _, e := range g.Edges {
		d.addTurn(turns, e.ID, e.Provenance)
	}
	return turns
}

// oneEntity is the entity that a name means, where it means just one.
func oneEntity(s *memory.State, v memory.View, name string) (string, error) {
	ids := recall.Resolve(s, v, name)
	switch len(ids) {
	case 1:
		return ids[0], nil
	case 0:
		return "", notFound("there is no entity called %q; dormouse search finds what is close", name)
	}
	return "", &api.Error{Code: api.CodeAmbiguous, Candidates: ids, Message: fmt.Sprintf("%q may be one of %d entities; name one of them", name, len(ids))}
}

// catchingUp reports whether there are sessions that the index does not hold yet.
func (d *Daemon) catchingUp() bool {
	select {
	case <-d.ready:
		return d.pending.size() > 0 || d.behind.Load()
	default:
		return true
	}
}

// turnOf is the turn of a node; 0 where it is unknown.
func (d *Daemon) turnOf(sessionID, node string) int {
	x, err := d.sessions.Open(sessionID)
	if err != nil {
		return 0
	}
	n, _ := x.TurnOf(node)
	return n
}

func (d *Daemon) sleepNow(ctx context.Context) (api.Slept, error) {
	run, err := d.sleep(ctx, manual, nil, 0)
	return api.Slept{Run: run}, err
}
