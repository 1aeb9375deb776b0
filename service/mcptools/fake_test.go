package mcptools

//lint:file-ignore SA1019 agents of today tell roots

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// fake is a memory that is made up. It notes what it was asked.
type fake struct {
	asked    []any
	located  func(what []string) (api.Located, error)
	projects []api.Project
	hits     []api.Hit
	events   []memory.Event
	nodes    []memory.Node
	turns    []api.Turn
	owner    string // project of the sessions
	graph    api.Graph
	commit   api.CommitShown
	core     string
	said     []api.Sentence
	err      error
	made     api.Objects
}

func (f *fake) note(q any) { f.asked = append(f.asked, q) }

func (f *fake) Locate(_ context.Context, what []string) (api.Located, error) {
	if f.located != nil {
		return f.located(what)
	}
	return api.Located{Projects: []api.Project{{ID: "p1", Name: "shop"}}}, f.err
}
func (f *fake) Projects(context.Context) ([]api.Project, error) { return f.projects, f.err }
func (f *fake) Search(_ context.Context, q api.SearchQuery) (api.Search, error) {
	f.note(q)
	return api.Search{Hits: f.hits[:min(q.Limit, len(f.hits))]}, f.err
}
func (f *fake) Timeline(_ context.Context, q api.TimelineQuery) (api.Timeline, error) {
	f.note(q)
	return api.Timeline{Events: f.events[:min(q.Limit, len(f.events))], Total: len(f.events)}, f.err
}
func (f *fake) Graph(_ context.Context, q api.GraphQuery) (api.Graph, error) {
	f.note(q)
	return f.graph, f.err
}
func (f *fake) Facts(_ context.Context, q api.FactQuery) (api.Facts, error) {
	f.note(q)
	return api.Facts{}, f.err
}
func (f *fake) SessionFor(_ context.Context, q api.TranscriptQuery) (api.Transcript, error) {
	f.note(q)
	if q.For == "" {
		return api.Transcript{}, fmt.Errorf("asked as the person")
	}
	out := api.Transcript{Session: api.Session{Session: memory.Session{ID: q.ID, ProjectID: f.owner, Title: "of the past"}, Turns: len(f.turns)}}
	if q.Turn != nil {
		out.Turns = []api.Turn{{N: *q.Turn, Nodes: f.nodes}}
		return out, f.err
	}
	for _, t := range f.turns {
		if t.N >= *q.From {
			out.Turns = append(out.Turns, t)
		}
	}
	return out, f.err
}
func (f *fake) Commits(_ context.Context, q api.CommitQuery) (api.Commits, error) {
	f.note(q)
	if q.For == "" {
		return api.Commits{}, fmt.Errorf("asked as the person")
	}
	return api.Commits{Commits: []api.Commit{f.commit.Commit}}, f.err
}
func (f *fake) CommitFor(_ context.Context, agent, project, id string, bytes int) (api.CommitShown, error) {
	if agent == "" {
		return api.CommitShown{}, fmt.Errorf("asked as the person")
	}
	f.note(project + " " + id)
	return f.commit, f.err
}
func (f *fake) Status(context.Context) (api.Status, error) { return api.Status{Phase: "idle"}, f.err }
func (f *fake) Core(_ context.Context, project string) (api.Core, error) {
	f.note("core " + project)
	return api.Core{Text: f.core}, f.err
}
func (f *fake) When(_ context.Context, q api.WhenQuery) (api.When, error) {
	f.note(q)
	return api.When{Mode: api.WhenLookup, Hits: f.hits}, f.err
}
func (f *fake) Ask(_ context.Context, q api.AskQuery) (api.Asked, error) {
	f.note(q)
	return api.Asked{Sentences: f.said, Hits: f.hits}, f.err
}
func (f *fake) Propose(_ context.Context, q api.ProposeQuery) (api.Proposed, error) {
	f.note(q)
	return api.Proposed{State: api.ProposalWaits, ID: "ev_1", Text: q.Text, SessionID: "mp_1a2b3c4d"}, f.err
}

func (f *fake) Objects(_ context.Context, q api.ObjectQuery) (api.Objects, error) {
	f.note(q)
	if q.For == "" || q.Project == "" {
		return api.Objects{}, fmt.Errorf("asked as the person, or of every project")
	}
	out := f.made
	out.Session = api.Session{Session: memory.Session{ID: cmp.Or(q.Session, "cc_1a2b3c4d"), ProjectID: f.owner, Title: "of the past"}}
	out.Object = q.Object
	if q.Object != "" && !slices.ContainsFunc(out.Objects, func(o api.Object) bool { return o.ID == q.Object }) && f.err == nil {
		return api.Objects{}, &api.Error{Code: api.CodeNotFound, Message: "no object"}
	}
	return out, f.err
}
func (f *fake) Pager(context.Context) (api.Pager, error) {
	return api.Pager{Proxy: api.ProxyOn, Pages: true, Settings: []api.PagerSetting{{Name: "objects.split", Value: "5000", About: "tokens beyond which an object is cut"}}}, f.err
}

// agent is an agent's client, connected to tools that ask a made-up memory.
type agent struct {
	*mcp.ClientSession
	t *testing.T
}

// options of an agent.
type setup struct {
	name    string // of the client
	dir     string // of the server
	roots   []string
	old     bool // speaks a version of the protocol before the one without sessions
	noRoots bool // knows no roots
	now     func() time.Time
}

func connect(t *testing.T, m Memory, s setup) *agent {
	t.Helper()
	if s.name == "" {
		s.name = "claude-code"
	}
	tools := newTools(Options{Version: "test", Dir: s.dir, Now: s.now}, m)
	there, here := mcp.NewInMemoryTransports()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = tools.Server("").Run(ctx, there)
	}()
	o := &mcp.ClientOptions{}
	if s.noRoots {
		o.Capabilities = &mcp.ClientCapabilities{}
	}
	c := mcp.NewClient(&mcp.Implementation{Name: s.name, Version: "1"}, o)
	for _, r := range s.roots {
		c.AddRoots(&mcp.Root{URI: r})
	}
	var so mcp.ClientSessionOptions
	if s.old {
		so.ProtocolVersion = "2025-06-18"
	}
	cs, err := c.Connect(ctx, here, &so)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cs.Close(); stop(); <-done })
	return &agent{cs, t}
}

// answer is what a call gave.
type answer struct {
	output
	text  string
	bytes int
	wrong bool
}

func (a *agent) call(name string, args map[string]any) answer {
	a.t.Helper()
	r, err := a.CallTool(a.t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s %v: %v", name, args, err)
	}
	out := answer{wrong: r.IsError}
	raw, _ := json.Marshal(r)
	out.bytes = len(raw)
	var texts []string
	for _, c := range r.Content {
		texts = append(texts, c.(*mcp.TextContent).Text)
	}
	out.text = strings.Join(texts, "\n")
	if raw, err = json.Marshal(r.StructuredContent); err == nil {
		err = json.Unmarshal(raw, &out.output)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	if !strings.HasPrefix(out.text, memory.Mark) || !strings.HasPrefix(out.Notice, memory.Mark) {
		a.t.Errorf("%s %v: the answer is not marked: %q", name, args, clip(out.text, 200))
	}
	return out
}
