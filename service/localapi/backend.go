// Package localapi answers the local API: it checks requests, asks the backend, and writes answers and errors as JSON and
// changes as a stream of events.
//
// It never opens a door of its own and never answers a web page: it is served at the service's socket alone, to requests
// for the host "dormouse" that carry no Origin. It never decides anything about the memory; that is the backend's.
package localapi

import (
	"context"
	"io"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// Backend is what the API answers from. A function that is nil is answered with not_found. Functions run at the same time
// on several goroutines. An error that wraps an *api.Error is answered as that; every other one is internal. Queries reach
// the backend checked: limits set and in range, texts valid UTF-8.
type Backend struct {
	Status   func(context.Context) (api.Status, error)
	Sessions func(context.Context, api.SessionQuery) ([]api.Session, error)
	Session  func(context.Context, api.TranscriptQuery) (api.Transcript, error)
	// Rename gives a session the person's own title.
	Rename func(ctx context.Context, id, title string) (api.Session, error)
	Pin    func(ctx context.Context, id string, on bool) (api.Session, error)
	// Delete removes a session for good, as far as its agent's transcript does not hold it; Undelete captures it from there again.
	Delete   func(ctx context.Context, id string) (api.Session, error)
	Undelete func(ctx context.Context, id string) (api.Session, error)
	// Thaw writes a session's files out, to be read without git.
	Thaw     func(ctx context.Context, id string) (api.Thawed, error)
	Projects func(context.Context) ([]api.Project, error)
	Timeline func(context.Context, api.TimelineQuery) (api.Timeline, error)
	Graph    func(context.Context, api.GraphQuery) (api.Graph, error)
	Search   func(context.Context, api.SearchQuery) (api.Search, error)
	// Review lists what waits for the person, Decide carries out what the person decided, Decisions lists the log.
	Review    func(ctx context.Context, project string, limit int) (api.Review, error)
	Decide    func(context.Context, api.Decide) (api.Decided, error)
	Decisions func(context.Context, api.DecisionQuery) (api.Decisions, error)
	Facts     func(context.Context, api.FactQuery) (api.Facts, error)
	// Tags lists the vocabulary, or what is filed under a tag.
	Tags func(context.Context, api.TagQuery) (api.Tags, error)
	// When answers a question about a time. Its mode and zone are known ones; the question or the time is given.
	When func(context.Context, api.WhenQuery) (api.When, error)
	// Core gives a project's core.md, by id or name, or the global one for "".
	Core func(ctx context.Context, project string) (api.Core, error)
	// ExplainCore is Core with the reasons for its lines.
	ExplainCore func(ctx context.Context, project string) (api.Core, error)
	// CoreBefore is Core as it was at a time in Unix seconds, without its pointers.
	CoreBefore func(ctx context.Context, project string, at int64) (api.Core, error)
	// Index tells how the search index stands; RebuildIndex has it made anew in the background and tells the same.
	Index        func(context.Context) (api.Index, error)
	RebuildIndex func(context.Context) (api.Index, error)
	// Sleep distils what is waiting and returns when that is done. Its context ends when the client leaves.
	Sleep func(context.Context) (api.Slept, error)
	// Night does all that a night does, or sleeps lightly, by its kind; Nights lists what nights did; SleepPlan says what Night would do.
	Night  func(ctx context.Context, kind string) (api.Night, error)
	Nights func(ctx context.Context, limit int) ([]api.Night, error)
	// Days counts what there is of each day between two times in Unix seconds, the second of which is not included.
	Days      func(ctx context.Context, since, until int64) ([]api.Day, error)
	SleepPlan func(context.Context) (api.SleepPlan, error)
	// TryModel asks the language model one tiny question, however long that takes.
	TryModel func(context.Context) (api.ModelTried, error)
	// Proxy tells how the proxy is, with the addresses of a client where one is named; SwitchProxy switches it on, off or shut.
	Proxy       func(ctx context.Context, client string) (api.Proxy, error)
	SwitchProxy func(ctx context.Context, to string) (api.Proxy, error)
	// RecordProxy records what passes into a new file, an absolute path, of at most limit bytes; with no file it ends that.
	RecordProxy func(ctx context.Context, file string, limit int64) (api.Proxy, error)
	// Objects gives what a session is made of; Pager what the context engine is set to.
	Objects func(context.Context, api.ObjectQuery) (api.Objects, error)
	Pager   func(context.Context) (api.Pager, error)
	// Cost sums up what models took.
	Cost func(context.Context, api.CostQuery) (api.Cost, error)
	// Stop starts the shutdown and returns at once.
	Stop func(context.Context) error
	// Hook takes a report and gives what the hook is to print; nil for nothing.
	Hook func(context.Context, api.Hook) ([]byte, error)
	// Blame tells what made lines of a file what they are.
	Blame func(context.Context, api.BlameQuery) (api.Blame, error)
	// Handoff gives the open threads of a project, by id, name or folder.
	Handoff func(ctx context.Context, project string) (api.Handoff, error)
	// Inject gives what an agent would be told.
	Inject func(context.Context, api.InjectQuery) (api.Injection, error)
	// Pause stops capture until a time in Unix seconds, or for good; 0 goes on.
	Pause func(ctx context.Context, until int64) (api.Status, error)
	Sync  func(context.Context) (api.Synced, error)
	// SyncSetup chooses the remote and exchanges at once; without an address it forgets it. SyncLogin keeps a token.
	SyncSetup func(context.Context, api.SyncChoice) (api.Synced, error)
	SyncLogin func(ctx context.Context, url, user, token string) error
	Devices   func(context.Context) (api.Devices, error)
	// ChangeDevice renames a machine, retires it or has it back.
	ChangeDevice func(context.Context, api.DeviceChange) (api.Device, error)
	// Invite shows a code that lets one new machine into an encrypted memory; Revoke takes one out, by its id or name.
	Invite func(context.Context) (api.Invite, error)
	Revoke func(ctx context.Context, device string) (api.Revoked, error)
	Bind   func(ctx context.Context, path string) (api.Project, error)
	// BindInit is Bind for a folder that is to have a git repository.
	BindInit func(ctx context.Context, path string) (api.Project, error)
	Unbind   func(ctx context.Context, project string) (api.Project, error)
	// RenameProject gives a project the person's own name; an empty one takes that back.
	RenameProject func(ctx context.Context, project, name string) (api.Project, error)
	// Project is one project with its repository, by id, name or folder.
	Project    func(ctx context.Context, project string) (api.ProjectState, error)
	AutoCommit func(ctx context.Context, project string, on bool) (api.ProjectState, error)
	Commits    func(context.Context, api.CommitQuery) (api.Commits, error)
	// Commit shows one commit, with at most so many bytes of its diff, to an agent or, for "", the person.
	Commit func(ctx context.Context, project, id string, bytes int, agent string) (api.CommitShown, error)
	// BeginTurn and EndTurn are told of an agent's turn. What they do is done though the client may leave.
	BeginTurn func(context.Context, api.TurnReport) error
	EndTurn   func(context.Context, api.TurnReport) (api.TurnOutcome, error)
	// SessionCommits gives a session's branches and commits, SessionBranches the branches alone, SessionNodes what it got, SessionContext
	// what the models saw in a turn. Switch makes a node the session's head.
	SessionCommits  func(ctx context.Context, id string) (api.SessionCommits, error)
	SessionBranches func(ctx context.Context, id string) (api.SessionBranches, error)
	SessionNodes    func(context.Context, api.NodeQuery) (api.Nodes, error)
	SessionContext  func(ctx context.Context, id string, turn int) (api.Context, error)
	Switch          func(ctx context.Context, id, node string) (api.Session, error)
	// File opens a text or an image of a session; its reference says how many bytes there are. The API closes it.
	File func(context.Context, api.FileQuery) (memory.File, io.ReadCloser, error)
	// Diff gives what a session changed in files; turn is nil for all turns.
	Diff func(ctx context.Context, id string, turn *int) (api.Diff, error)
	// Restore writes files to a folder on this machine.
	Restore   func(context.Context, api.RestoreQuery) (api.Restored, error)
	SetShadow func(ctx context.Context, project string, on bool) (api.ProjectState, error)
	// Import captures what lies at a path on this machine, however long that takes.
	Import func(ctx context.Context, path string) (api.Imported, error)
	// Locate finds which projects folders, ids or names mean.
	Locate func(ctx context.Context, what []string) (api.Located, error)
	// Ask answers a question out of the memory, word for word; Propose takes a memory that an agent offers, for the person to decide on.
	Ask     func(context.Context, api.AskQuery) (api.Asked, error)
	Propose func(context.Context, api.ProposeQuery) (api.Proposed, error)
	// Links tells how the agents' settings are, LinkPlan what would be written to one's, LinkChange writes what the plan with the query's
	// mark says.
	Links      func(context.Context) ([]api.Link, error)
	LinkPlan   func(context.Context, api.LinkQuery) (api.LinkPlan, error)
	LinkChange func(context.Context, api.LinkQuery) (api.LinkPlan, error)
	// Settings are those of config.toml, SetSetting changes one of them there.
	Settings   func(context.Context) (api.Settings, error)
	SetSetting func(context.Context, api.SettingChange) (api.Settings, error)
	// Subscribe gives the changes from now on, until ctx ends. It may close the channel earlier to drop a subscriber that
	// does not keep up; the client then comes back. A Hub's Subscribe does all this.
	Subscribe func(context.Context) <-chan api.Change
}
