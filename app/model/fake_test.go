package model

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"time"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// The made-up memory of the tests: it is the evening of Monday, 4 May 2026, two hours east.
var (
	zone = time.FixedZone("CEST", 2*3600)
	now  = time.Date(2026, 5, 4, 18, 30, 0, 0, zone)
)

// at is a local time as Unix seconds.
func at(s string) int64 {
	t, err := time.ParseInLocation("2006-01-02 15:04", s, zone)
	if err != nil {
		panic(err)
	}
	return t.Unix()
}

// fake is a service that answers from its fields. A call whose err is set fails.
type fake struct {
	status   api.Status
	sessions []api.Session
	projects []api.Project
	open     api.Transcript
	found    api.Search
	core     map[string]api.Core
	slept    api.Night
	review   api.Review
	line     api.Timeline
	graph    api.Graph
	cost     map[string]api.Cost
	days     []api.Day
	decided  api.Decided
	synced   api.Synced
	devices  api.Devices
	device   api.Device
	revoked  api.Revoked
	chosen   []error // of SyncChoose, in turn
	links    []api.Link
	plan     api.LinkPlan
	settings api.Settings
	commits  api.SessionCommits
	before   api.Core
	told     api.Injection
	proxy    api.Proxy
	state    api.ProjectState
	diff     api.Diff
	restored api.Restored
	err      map[string]error // by call; "" is all
	asked    []string
	changes  chan api.Change // of Events; nil ends at once
	mu       sync.Mutex      // guards err and changes where they are changed under way
}

// set changes the fake while it is asked.
func (f *fake) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *fake) note(call, format string, args ...any) error {
	f.asked = append(f.asked, call+" "+fmt.Sprintf(format, args...))
	if err := f.err[call]; err != nil {
		return err
	}
	return f.err[""]
}

func (f *fake) Status(context.Context) (api.Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status, f.err[""]
}

func (f *fake) Sessions(_ context.Context, q api.SessionQuery) ([]api.Session, error) {
	return f.sessions, f.note("sessions", "%+v", q)
}

func (f *fake) Session(_ context.Context, id string, _ *int) (api.Transcript, error) {
	return f.open, f.note("session", "%s", id)
}

func (f *fake) Projects(context.Context) ([]api.Project, error) {
	return f.projects, f.note("projects", "")
}

func (f *fake) Search(_ context.Context, q api.SearchQuery) (api.Search, error) {
	return f.found, f.note("search", "%s", q.Values().Encode())
}

func (f *fake) Core(_ context.Context, project string) (api.Core, error) {
	if err := f.note("core", "%s", project); err != nil {
		return api.Core{}, err
	}
	c, ok := f.core[project]
	if !ok {
		return c, &api.Error{Code: api.CodeNotFound, Message: "no such project"}
	}
	return c, nil
}

func (f *fake) Night(_ context.Context, kind string) (api.Night, error) {
	return f.slept, f.note("sleep", "%s", kind)
}
func (f *fake) Review(_ context.Context, project string, limit int) (api.Review, error) {
	return f.review, f.note("review", "%s %d", project, limit)
}

func (f *fake) Timeline(_ context.Context, q api.TimelineQuery) (api.Timeline, error) {
	return f.line, f.note("timeline", "%s", q.Values().Encode())
}

func (f *fake) Days(_ context.Context, since, until int64) ([]api.Day, error) {
	return f.days, f.note("days", "%d %d", since, until)
}

func (f *fake) Cost(_ context.Context, q api.CostQuery) (api.Cost, error) {
	return f.cost[q.By], f.note("cost", "%s %s %s", q.By, q.Since, q.Until)
}

func (f *fake) Graph(_ context.Context, q api.GraphQuery) (api.Graph, error) {
	return f.graph, f.note("graph", "%s", q.Values().Encode())
}

func (f *fake) ExplainCore(ctx context.Context, project string) (api.Core, error) {
	return f.Core(ctx, project)
}

func (f *fake) Decide(_ context.Context, d api.Decide) (api.Decided, error) {
	return f.decided, f.note("decide", "%s", d.Values().Encode())
}
func (f *fake) Sync(context.Context) (api.Synced, error) { return f.synced, f.note("sync", "") }

func (f *fake) Pause(_ context.Context, until int64) (api.Status, error) {
	return api.Status{PausedUntil: until}, f.note("pause", "%d", until)
}

func (f *fake) Bind(_ context.Context, path string) (api.Project, error) {
	return api.Project{ID: "p9", Name: "notes", Path: path}, f.note("bind", "%s", path)
}

func (f *fake) Unbind(_ context.Context, id string) (api.Project, error) {
	return api.Project{ID: id, Name: "shop", Sessions: 3}, f.note("unbind", "%s", id)
}

func (f *fake) Events(ctx context.Context) iter.Seq2[api.Change, error] {
	return func(yield func(api.Change, error) bool) {
		f.mu.Lock()
		changes := f.changes
		f.mu.Unlock()
		if changes == nil {
			yield(api.Change{}, fmt.Errorf("the event stream ended"))
			return
		}
		for {
			select {
			case <-ctx.Done():
				return
			case ch, ok := <-changes:
				if !ok {
					yield(api.Change{}, fmt.Errorf("the event stream ended"))
					return
				}
				if !yield(ch, nil) {
					return
				}
			}
		}
	}
}

// presenter asks the fake.
func presenter(f *fake) *Presenter {
	return New(Options{Backend: func() Backend { return f }, Now: func() time.Time { return now }, User: "/home/robin/"})
}

func session(id, title, agent, project, updated string) api.Session {
	return api.Session{Session: memory.Session{ID: id, Title: title, Agent: agent, ProjectID: project, AgentSessionID: "own-" + id,
		CreatedAt: at(updated) - 600, UpdatedAt: at(updated)}, Project: project + "-name", Turns: 2, Nodes: 14}
}

func (f *fake) Project(_ context.Context, id string) (api.ProjectState, error) {
	return f.state, f.note("project", "%s", id)
}

func (f *fake) AutoCommit(_ context.Context, id string, on bool) (api.ProjectState, error) {
	f.state.AutoCommit.On = on
	return f.state, f.note("autocommit", "%s %v", id, on)
}

func (f *fake) RenameProject(_ context.Context, id, name string) (api.Project, error) {
	return api.Project{ID: id, Name: name, Found: "shop"}, f.note("rename project", "%s %q", id, name)
}
func (f *fake) SetShadow(_ context.Context, id string, on bool) (api.ProjectState, error) {
	f.state.Project.Shadow = on
	return f.state, f.note("shadow", "%s %v", id, on)
}

func (f *fake) Diff(_ context.Context, id string, _ *int) (api.Diff, error) {
	return f.diff, f.note("diff", "%s", id)
}

func (f *fake) Restore(_ context.Context, q api.RestoreQuery) (api.Restored, error) {
	turn := 0
	if q.Turn != nil {
		turn = *q.Turn
	}
	return f.restored, f.note("restore", "%s %d %s %s %v", q.ID, turn, q.Side, q.Dir, q.Force)
}
