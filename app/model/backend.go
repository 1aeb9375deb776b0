package model

import (
	"context"
	"iter"
	"strings"
	"time"

	"dormouse/service/api"
)

// Backend is the service as the presenters ask it; *client.Client is one. Its calls may be made from several goroutines,
// and return soon, but for Sleep, Sync and Decide, which take as long as they take.
type Backend interface {
	Status(context.Context) (api.Status, error)
	Sessions(context.Context, api.SessionQuery) ([]api.Session, error)
	Session(ctx context.Context, id string, turn *int) (api.Transcript, error)
	Projects(context.Context) ([]api.Project, error)
	Search(context.Context, api.SearchQuery) (api.Search, error)
	Core(ctx context.Context, project string) (api.Core, error)
	ExplainCore(ctx context.Context, project string) (api.Core, error)
	Night(ctx context.Context, kind string) (api.Night, error)
	Sync(context.Context) (api.Synced, error)
	Pause(ctx context.Context, until int64) (api.Status, error)
	Bind(ctx context.Context, path string) (api.Project, error)
	Unbind(ctx context.Context, project string) (api.Project, error)
	Events(context.Context) iter.Seq2[api.Change, error]
	Cost(context.Context, api.CostQuery) (api.Cost, error)
	Memory
	Machines
	AgentLinks
	Configured
	SessionActs
	Contexts
	ProjectActs
}

// ProjectActs are what can be asked of one project, and done with it.
type ProjectActs interface {
	Project(ctx context.Context, project string) (api.ProjectState, error)
	AutoCommit(ctx context.Context, project string, on bool) (api.ProjectState, error)
	SetShadow(ctx context.Context, project string, on bool) (api.ProjectState, error)
	RenameProject(ctx context.Context, project, name string) (api.Project, error)
	Diff(ctx context.Context, session string, turn *int) (api.Diff, error)
	Restore(context.Context, api.RestoreQuery) (api.Restored, error)
}

// Contexts are what agents are told, and what passes between them and their providers.
type Contexts interface {
	CoreBefore(ctx context.Context, project string, at int64) (api.Core, error)
	Inject(context.Context, api.InjectQuery) (api.Injection, error)
	Proxy(ctx context.Context, client string) (api.Proxy, error)
	SwitchProxy(ctx context.Context, to string) (api.Proxy, error)
}

// SessionActs are what can be done with a session.
type SessionActs interface {
	Rename(ctx context.Context, id, title string) (api.Session, error)
	Pin(ctx context.Context, id string, on bool) (api.Session, error)
	Delete(ctx context.Context, id string) (api.Session, error)
	Undelete(ctx context.Context, id string) (api.Session, error)
	Thaw(ctx context.Context, id string) (api.Thawed, error)
	SessionCommits(ctx context.Context, id string) (api.SessionCommits, error)
	Switch(ctx context.Context, id, node string) (api.Session, error)
}

// Configured are the settings, as the presenters ask for them and change them. Stop returns when the service has begun to end.
type Configured interface {
	Settings(context.Context) (api.Settings, error)
	SetSetting(context.Context, api.SettingChange) (api.Settings, error)
	Stop(context.Context) error
}

// AgentLinks are the agents' own settings, as the presenters ask for them and have them changed.
type AgentLinks interface {
	Links(context.Context) ([]api.Link, error)
	LinkPlan(context.Context, api.LinkQuery) (api.LinkPlan, error)
	LinkChange(context.Context, api.LinkQuery) (api.LinkPlan, error)
}

// Machines are what share the memory, as the presenters ask for them and change them. SyncChoose and Revoke take as long as the network.
type Machines interface {
	Devices(context.Context) (api.Devices, error)
	ChangeDevice(context.Context, api.DeviceChange) (api.Device, error)
	Invite(context.Context) (api.Invite, error)
	Revoke(ctx context.Context, device string) (api.Revoked, error)
	SyncChoose(context.Context, api.SyncChoice) (api.Synced, error)
	SyncLogin(ctx context.Context, url, user, token string) error
}

// Memory is what was learned, as the presenters ask for it and have it decided.
type Memory interface {
	Review(ctx context.Context, project string, limit int) (api.Review, error)
	Decide(context.Context, api.Decide) (api.Decided, error)
	Timeline(context.Context, api.TimelineQuery) (api.Timeline, error)
	Graph(context.Context, api.GraphQuery) (api.Graph, error)
	Days(ctx context.Context, since, until int64) ([]api.Day, error)
}

// LogOn is whether the system starts Dormouse when the person logs on. Its calls may take seconds.
type LogOn interface {
	Wanted(context.Context) bool   // the person is to be asked
	Install(context.Context) error // now and from now on
	Answer() error                 // the person is not asked again
}

// Options are the parts that a Presenter works with. Backend must be set.
type Options struct {
	// Backend gives the service to ask, anew for each question: which one runs may change.
	Backend func() Backend
	Now     func() time.Time // default: time.Now; its location is the zone in which times are shown
	// LogOn has the system start Dormouse at log-on; nil where that is no question.
	LogOn LogOn
	User  string // the user's home folder, which is shown as ~; empty shows whole paths
}

// Presenter makes the window's view models. Its methods ask the service and return when it has answered; they may be
// called from several goroutines. A service that does not answer is no error but a view model that says so.
type Presenter struct{ o Options }

// New is a presenter. It does no I/O.
func New(o Options) *Presenter {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Presenter{o: o}
}

// style is how things are written at this moment.
func (p *Presenter) style() style {
	return style{now: p.o.Now(), user: strings.TrimRight(p.o.User, `/\`)}
}
