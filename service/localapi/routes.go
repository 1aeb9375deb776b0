package localapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// Limits of what may be asked for.
const (
	maxList      = 1_000_000 // sessions in an answer
	maxEvents    = 10_000
	maxHits      = 500
	maxHops      = 5
	maxTurn      = 10_000_000
	maxHookBytes = 8 << 20

	defaultEvents = 50
	defaultHits   = 20

	queryTime = time.Minute
	hookTime  = 10 * time.Second
)

// route is one path of the API.
type route struct {
	method string
	params []string // that it knows
	limit  time.Duration
	answer func(ctx context.Context, p *params, w http.ResponseWriter, r *http.Request) (any, error)
}

// table lists the paths.
func (s *Server) table() map[string]route {
	b := s.o.Backend
	return map[string]route{
		api.PathStatus:       get(plain(b.Status)),
		api.PathSessions:     get(b.sessions, "project", "agent", "limit", "deleted"),
		api.PathSession:      get(b.session, "id", "turn", "from", "for"),
		api.PathRename:       post(b.rename, "id", "title"),
		api.PathPin:          post(b.pin, "id", "off"),
		api.PathDelete:       post(ofSession(b.Delete), "id"),
		api.PathUndelete:     post(ofSession(b.Undelete), "id"),
		api.PathThaw:         post(ofSession(b.Thaw), "id"),
		api.PathProjects:     get(b.projects),
		api.PathTimeline:     get(b.timeline, "since", "until", "entity", "tag", "project", "kinds", "superseded", "limit", "as_of_event", "as_of_known", "for"),
		api.PathGraph:        get(b.graph, "entity", "hops", "project", "as_of_event", "as_of_known", "for"),
		api.PathSearch:       get(b.search, "q", "project", "limit", "kinds", "for", "every", "explain", "tag", "sessions"),
		api.PathCore:         get(b.core, "project", "explain"),
		api.PathEvents:       get(nil),
		api.PathSleep:        {method: http.MethodPost, answer: ignoring(plain(b.Sleep))},                    // takes as long as it takes
		api.PathNight:        {method: http.MethodPost, params: []string{"kind"}, answer: ignoring(b.night)}, // as long as it takes
		api.PathNights:       get(b.nights, "limit"),
		api.PathDays:         get(b.days, "since", "until"),
		api.PathSleepPlan:    {method: http.MethodGet, answer: ignoring(plain(b.SleepPlan))}, // reads what waits
		api.PathModelTry:     {method: http.MethodPost, answer: ignoring(plain(b.TryModel))},
		api.PathCost:         get(b.cost, "by", "since", "until"),
		api.PathStop:         {method: http.MethodPost, limit: queryTime, answer: ignoring(b.stop)},
		api.PathPause:        post(b.pause, "until"),
		api.PathSync:         {method: http.MethodPost, answer: ignoring(plain(b.Sync))}, // as long as the network takes
		api.PathSyncSetup:    {method: http.MethodPost, params: []string{"url", "restore", "know", "trust", "encrypt", "code"}, answer: ignoring(b.syncSetup)},
		api.PathSyncLogin:    {method: http.MethodPost, params: []string{"url", "user"}, limit: queryTime, answer: b.syncLogin},
		api.PathBind:         post(b.bind, "path", "init"),
		api.PathUnbind:       post(b.unbind, "project"),
		api.PathDiff:         get(b.diff, "id", "turn"),
		api.PathRestore:      post(b.restore, "id", "turn", "side", "dir", "force"),
		api.PathShadow:       post(b.setShadow, "project", "on"),
		api.PathIndex:        get(plain(b.Index)),
		api.PathIndexRebuild: post(plain(b.RebuildIndex)),
		api.PathHook:         {method: http.MethodPost, limit: hookTime, answer: b.hook},
		api.PathImport:       {method: http.MethodPost, params: []string{"path"}, answer: ignoring(b.imports)}, // as long as it takes
	}
}

type query func(context.Context, *params) (any, error)

func get(q query, names ...string) route {
	return route{method: http.MethodGet, params: names, limit: queryTime, answer: ignoring(q)}
}

func post(q query, names ...string) route {
	return route{method: http.MethodPost, params: names, limit: queryTime, answer: ignoring(q)}
}

// ignoring is a route that needs nothing of the request but its parameters.
func ignoring(q query) func(context.Context, *params, http.ResponseWriter, *http.Request) (any, error) {
	return func(ctx context.Context, p *params, _ http.ResponseWriter, _ *http.Request) (any, error) {
		return q(ctx, p)
	}
}

// plain is a route without parameters.
func plain[T any](f func(context.Context) (T, error)) query {
	return func(ctx context.Context, _ *params) (any, error) {
		if f == nil {
			return nil, notOffered()
		}
		return f(ctx)
	}
}

func notOffered() error { return refuse(api.CodeNotFound, "this service does not offer that") }

// list is never nil, so that it is never null on the wire.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func (b *Backend) sessions(ctx context.Context, p *params) (any, error) {
	q := api.SessionQuery{Project: p.text("project"), Agent: p.text("agent"), Limit: p.number("limit", 0, maxList, 0),
		Deleted: p.oneOf("deleted", "true") != nil}
	if err := p.check(b.Sessions != nil); err != nil {
		return nil, err
	}
	v, err := b.Sessions(ctx, q)
	return list(v), err
}

func (b *Backend) session(ctx context.Context, p *params) (any, error) {
	q := api.TranscriptQuery{ID: p.needed("id"), Turn: p.turnIf("turn"), From: p.turnIf("from"), For: p.text("for")}
	if q.Turn != nil && q.From != nil {
		p.wrong("turn and from exclude each other")
	}
	if err := p.check(b.Session != nil); err != nil {
		return nil, err
	}
	v, err := b.Session(ctx, q)
	v.Turns = list(v.Turns)
	return v, err
}

func (b *Backend) projects(ctx context.Context, p *params) (any, error) {
	if err := p.check(b.Projects != nil); err != nil {
		return nil, err
	}
	v, err := b.Projects(ctx)
	return list(v), err
}

func (b *Backend) timeline(ctx context.Context, p *params) (any, error) {
	q := api.TimelineQuery{Since: p.time("since", false), Until: p.time("until", true), Entity: p.text("entity"), Tag: p.text("tag"),
		Project: p.text("project"), Superseded: p.yes("superseded"), Limit: p.number("limit", 1, maxEvents, defaultEvents), AsOf: p.asOf(), For: p.text("for")}
	for _, k := range p.oneOf("kinds", string(memory.KindWork), string(memory.KindDecision), string(memory.KindLearning), string(memory.KindEvent)) {
		q.Kinds = append(q.Kinds, memory.Kind(k))
	}
	if q.Since != 0 && q.Until != 0 && q.Since >= q.Until {
		p.wrong("since has to be before until")
	}
	if err := p.check(b.Timeline != nil); err != nil {
		return nil, err
	}
	v, err := b.Timeline(ctx, q)
	v.Events = list(v.Events)
	return v, err
}

func (b *Backend) graph(ctx context.Context, p *params) (any, error) {
	q := api.GraphQuery{Entity: p.needed("entity"), Hops: p.number("hops", 1, maxHops, 1), Project: p.text("project"), AsOf: p.asOf(), For: p.text("for")}
	if err := p.check(b.Graph != nil); err != nil {
		return nil, err
	}
	v, err := b.Graph(ctx, q)
	v.Entities, v.Edges, v.Events = list(v.Entities), list(v.Edges), list(v.Events)
	return v, err
}

func (b *Backend) search(ctx context.Context, p *params) (any, error) {
	q := api.SearchQuery{Words: p.needed("q"), Project: p.text("project"), Kinds: p.oneOf("kinds", "event", "entity", "fact", "turn", "segment", "tag_summary"),
		Limit: p.number("limit", 1, maxHits, defaultHits), For: p.text("for"), Every: p.yes("every"), Explain: p.yes("explain"), Tag: p.text("tag"),
		Sessions: p.yes("sessions")}
	if err := p.check(b.Search != nil); err != nil {
		return nil, err
	}
	v, err := b.Search(ctx, q)
	v.Hits = list(v.Hits)
	return v, err
}

func (b *Backend) core(ctx context.Context, p *params) (any, error) {
	project, ask := p.text("project"), b.Core
	if len(p.oneOf("explain", "1")) > 0 {
		ask = b.ExplainCore
	}
	if err := p.check(ask != nil); err != nil {
		return nil, err
	}
	return ask(ctx, project)
}

func (b *Backend) stop(ctx context.Context, p *params) (any, error) {
	if err := p.check(b.Stop != nil); err != nil {
		return nil, err
	}
	return nil, b.Stop(ctx)
}

func (b *Backend) hook(ctx context.Context, p *params, w http.ResponseWriter, r *http.Request) (any, error) {
	if err := p.check(b.Hook != nil); err != nil {
		return nil, err
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime)) // a test's recorder has none
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxHookBytes))
	_ = control.SetReadDeadline(time.Time{})
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return nil, refuse(api.CodeBadRequest, "a hook's report has at most %d bytes", maxHookBytes)
	}
	if err != nil {
		return nil, refuse(api.CodeBadRequest, "read the hook's report: %v", err)
	}
	var h api.Hook
	if err := json.Unmarshal(body, &h); err != nil {
		return nil, refuse(api.CodeBadRequest, "the hook's report is not JSON of the right shape: %v", err)
	}
	out, err := b.Hook(ctx, h)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return json.RawMessage(out), nil
}
