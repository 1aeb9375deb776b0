package main

import (
	"context"
	"iter"

	"dormouse/service/api"
)

// empty is a service that runs and holds nothing yet.
type empty struct{}

func (empty) Status(context.Context) (api.Status, error) {
	return api.Status{Home: user() + "/.dormouse", Machine: "1a2b3c4d", PID: 4711, Phase: "idle", StartedAt: now().Unix() - 90,
		NextSleep: now().Unix() + 62000,
		Parts:     []api.Part{{Name: "capture", State: "ok"}, {Name: "index", State: "ok"}, {Name: "sleep", State: "ok"}, {Name: "api", State: "ok"}},
		Agents: []api.Agent{{Name: "claude-code", Found: true, Roots: []string{user() + "/.claude/projects"}},
			{Name: "codex", Roots: []string{user() + "/.codex/sessions"}}}}, nil
}

func (empty) Sessions(context.Context, api.SessionQuery) ([]api.Session, error) { return nil, nil }
func (empty) Session(context.Context, string, *int) (api.Transcript, error) {
	return api.Transcript{}, nil
}
func (empty) Projects(context.Context) ([]api.Project, error)             { return nil, nil }
func (empty) Search(context.Context, api.SearchQuery) (api.Search, error) { return api.Search{}, nil }
func (empty) Night(context.Context, string) (api.Night, error)            { return api.Night{}, nil }
func (empty) Review(context.Context, string, int) (api.Review, error)     { return api.Review{}, nil }
func (empty) Timeline(context.Context, api.TimelineQuery) (api.Timeline, error) {
	return api.Timeline{}, nil
}
func (empty) Days(context.Context, int64, int64) ([]api.Day, error)    { return nil, nil }
func (empty) Cost(context.Context, api.CostQuery) (api.Cost, error)    { return api.Cost{}, nil }
func (empty) Graph(context.Context, api.GraphQuery) (api.Graph, error) { return api.Graph{}, nil }
func (e empty) ExplainCore(ctx context.Context, project string) (api.Core, error) {
	return e.Core(ctx, project)
}
func (empty) Decide(context.Context, api.Decide) (api.Decided, error) { return api.Decided{}, nil }
func (empty) Sync(context.Context) (api.Synced, error)                { return api.Synced{}, nil }
func (empty) Pause(context.Context, int64) (api.Status, error)        { return api.Status{}, nil }
func (empty) Bind(context.Context, string) (api.Project, error)       { return api.Project{}, nil }
func (empty) Unbind(context.Context, string) (api.Project, error)     { return api.Project{}, nil }
func (empty) Events(context.Context) iter.Seq2[api.Change, error] {
	return func(func(api.Change, error) bool) {}
}
func (empty) Core(context.Context, string) (api.Core, error) {
	text := "═══ Dormouse memory: all projects, last consolidated 2026-07-09 ═══\nFor details: memory_open_session(<id>) / memory_git_log(<project>)\n"
	return api.Core{Text: text, Bytes: len(text), Limit: 2048}, nil
}

func (empty) Devices(context.Context) (api.Devices, error) { return api.Devices{}, nil }
func (empty) ChangeDevice(context.Context, api.DeviceChange) (api.Device, error) {
	return api.Device{}, nil
}
func (empty) Invite(context.Context) (api.Invite, error)          { return api.Invite{}, nil }
func (empty) Revoke(context.Context, string) (api.Revoked, error) { return api.Revoked{}, nil }
func (empty) SyncChoose(context.Context, api.SyncChoice) (api.Synced, error) {
	return api.Synced{}, nil
}
func (empty) SyncLogin(context.Context, string, string, string) error { return nil }
func (empty) Links(context.Context) ([]api.Link, error)               { return nil, nil }
func (empty) LinkPlan(context.Context, api.LinkQuery) (api.LinkPlan, error) {
	return api.LinkPlan{}, nil
}
func (empty) LinkChange(context.Context, api.LinkQuery) (api.LinkPlan, error) {
	return api.LinkPlan{}, nil
}
func (empty) Settings(context.Context) (api.Settings, error) {
	return api.Settings{File: user() + "/.dormouse/config.toml"}, nil
}
func (empty) SetSetting(context.Context, api.SettingChange) (api.Settings, error) {
	return api.Settings{}, nil
}
func (empty) Stop(context.Context) error                                  { return nil }
func (empty) Rename(context.Context, string, string) (api.Session, error) { return api.Session{}, nil }
func (empty) Pin(context.Context, string, bool) (api.Session, error)      { return api.Session{}, nil }
func (empty) Delete(context.Context, string) (api.Session, error)         { return api.Session{}, nil }
func (empty) Undelete(context.Context, string) (api.Session, error)       { return api.Session{}, nil }
func (empty) Thaw(context.Context, string) (api.Thawed, error)            { return api.Thawed{}, nil }
func (empty) Switch(context.Context, string, string) (api.Session, error) { return api.Session{}, nil }
func (empty) SessionCommits(context.Context, string) (api.SessionCommits, error) {
	return api.SessionCommits{}, nil
}
func (empty) CoreBefore(context.Context, string, int64) (api.Core, error) { return api.Core{}, nil }
func (empty) Inject(context.Context, api.InjectQuery) (api.Injection, error) {
	return api.Injection{}, nil
}
func (empty) Proxy(context.Context, string) (api.Proxy, error) {
	return api.Proxy{State: api.ProxyShut}, nil
}
func (empty) SwitchProxy(context.Context, string) (api.Proxy, error) { return api.Proxy{}, nil }

func (empty) Project(context.Context, string) (api.ProjectState, error) {
	return api.ProjectState{}, nil
}
func (empty) AutoCommit(context.Context, string, bool) (api.ProjectState, error) {
	return api.ProjectState{}, nil
}
func (empty) RenameProject(context.Context, string, string) (api.Project, error) {
	return api.Project{}, nil
}
func (empty) SetShadow(context.Context, string, bool) (api.ProjectState, error) {
	return api.ProjectState{}, nil
}
func (empty) Diff(context.Context, string, *int) (api.Diff, error) { return api.Diff{}, nil }
func (empty) Restore(context.Context, api.RestoreQuery) (api.Restored, error) {
	return api.Restored{}, nil
}
