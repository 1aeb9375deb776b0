package daemon

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dormouse/service/api"
	"dormouse/service/capture"
	"dormouse/service/capture/transcript"
	"dormouse/service/config"
	"dormouse/service/sleep"
	"dormouse/store/memory"
)

// maxProblems is how many problems status names.
const maxProblems = 50

func (d *Daemon) status(context.Context) (api.Status, error) {
	all, invalid, err := d.sessions.List()
	if err != nil {
		return api.Status{}, err
	}
	captured := d.engine.Status()
	out := api.Status{
		APIVersion: api.Version, Home: d.p.Home.Dir(), Demo: d.p.Demo, Machine: d.machine, PID: os.Getpid(),
		StartedAt: d.started.Unix(), Phase: string(d.loop.Health().Phase), Parts: d.parts(captured),
		Counts: d.counts(all, len(invalid)), LastSleep: memory.LastSleep(d.ownRuns()),
		NextSleep: sleep.NextNight(d.p.Now(), d.settings()).Unix(), LastNight: d.nights.last(),
		PausedUntil: d.pause.until(),
		Sync:        d.syncState(), Hooks: d.hooks.counts(), Shadow: d.shadowState(),
		Packing: d.keeper.report(), LLM: d.languageState(), MCP: d.mcpState(), Proxy: d.proxyReport(), Vectors: vectorState(d.index.Stats().Vectors),
		Quiet:  quietHours(d.p.Config.Notify),
		Agents: []api.Agent{}, Skipped: []api.SkipReason{}, Problems: d.problems(captured.Problems, invalid),
	}
	for _, a := range captured.Agents {
		if a.ImportOnly && a.Nodes == 0 {
			continue
		}
		out.Agents = append(out.Agents, agentOf(a, all))
		out.Skipped = append(out.Skipped, skipsOf(a)...)
	}
	out.Backlog, out.Scan = d.backlog(all), d.scanState()
	if h := d.loop.Health(); h.Waits != "" && !h.Due.IsZero() {
		out.NextSleep, out.SleepWaits = h.Due.Unix(), h.Waits
	}
	out.Health = healthOf(out.Parts)
	return out, nil
}

// quietHours are the hours without notifications as the API tells them.
func quietHours(n config.Notify) api.Quiet {
	return api.Quiet{From: int(time.Duration(n.QuietFrom).Minutes()), To: int(time.Duration(n.QuietTo).Minutes())}
}

// scanState is how far the first look through the agents' folders is; nil while there is none.
func (d *Daemon) scanState() *api.Scan {
	p := d.scanning.Load()
	if p == nil {
		return nil
	}
	return &api.Scan{Files: p.FilesTotal, FilesDone: p.FilesDone, Bytes: p.BytesTotal, BytesDone: p.BytesDone, Sessions: p.Sessions}
}

func (d *Daemon) parts(captured capture.Status) []api.Part {
	out := []api.Part{}
	for _, p := range []*part{d.capturing, d.hearing, d.indexing, d.vectoring, d.shadowing, d.sleeping, d.packing, d.serving} {
		out = append(out, p.report())
	}
	if d.mcpWanted() {
		out = append(out, d.answering.report())
	}
	out = append(out, d.proxyPart())
	needsALook(&out[0], captured)
	out = slices.Insert(out, len(out)-1, d.syncPart())
	if d.pause.until() != 0 {
		out[0].State, out[0].Doing = "off", "paused: nothing is read until you go on"
	}
	h := d.loop.Health()
	for i := range out {
		if h.Failed > 0 && out[i].Name == d.sleeping.name {
			out[i].Failed, out[i].Failure = h.Failed, fmt.Sprint(h.Cause)
			if h.Failed >= amberAfter {
				out[i].State = "amber"
			}
		}
	}
	return judged(append(out, d.surroundings(captured)...))
}

// needsALook shows the capture as in trouble when it is paused, or something in it has failed again and again.
func needsALook(p *api.Part, s capture.Status) {
	for _, a := range s.Agents {
		p.LastOK = max(p.LastOK, a.Worked)
	}
	for _, problem := range s.Problems {
		if paused := problem.Paused(); paused || problem.Times >= amberAfter && p.State != "amber" {
			p.State, p.Failed, p.Failure = "amber", problem.Times, problem.Where+": "+problem.What
			if paused {
				p.Failure = problem.What
				return
			}
		}
	}
}

func (d *Daemon) counts(all []memory.Session, invalid int) api.Counts {
	c := api.Counts{Sessions: len(all), Invalid: invalid, Away: len(d.sessions.Away()), Deleted: len(d.sessions.Deleted()), Indexed: d.index.Stats().Docs}
	projects := map[string]bool{}
	for _, s := range all {
		c.Turns += s.Turns
		c.Nodes += s.Nodes
		c.Redacted += s.Redacted
		projects[s.ProjectID] = true
	}
	c.Projects, c.Bound = len(projects), len(d.bound())
	d.ledger.Read(func(s *memory.State) { c.Events, c.Entities, c.Edges = len(s.Events), len(s.Entities), len(s.Edges) })
	return c
}

func (d *Daemon) backlog(all []memory.Session) api.Backlog {
	b := api.Backlog{Index: d.pending.size()}
	idle, now := time.Duration(d.p.Config.Sleep.IdleAfter), d.p.Now()
	for _, s := range all {
		switch {
		case d.distilled(s):
		case now.Sub(d.sessions.GrewAt(s, now)) < idle:
			b.Open++
		default:
			b.Waiting++
		}
	}
	return b
}

func (d *Daemon) problems(captured []capture.Problem, invalid []string) []string {
	out := []string{}
	for _, p := range captured {
		where := p.Where
		if p.Agent != "" {
			where = p.Agent + ": " + where
		}
		out = append(out, fmt.Sprintf("%s: %s (tried %s; next after %s)", where, p.What, times(p.Times), p.Next.Format(time.RFC3339)))
	}
	for _, name := range invalid {
		out = append(out, fmt.Sprintf("%s has no meta.json that can be read: it is made again when the session's transcript is read again; "+
			"else restore it from a backup", filepath.Join(d.p.Home.Sessions(), name)))
	}
	if _, err := d.projects.List(); err != nil {
		out = append(out, err.Error())
	}
	out = append(out, d.notes...)
	out = append(out, d.sessions.Problems()...)
	out = append(out, d.ledger.Problems()...)
	out = append(out, d.syncProblems()...)
	out = append(out, d.autoCommitProblems()...)
	if more := len(out) - maxProblems; more > 0 {
		out = append(out[:maxProblems], fmt.Sprintf("and %d more", more))
	}
	return out
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func agentOf(a capture.AgentStatus, all []memory.Session) api.Agent {
	out := api.Agent{Name: a.Agent, Roots: a.Roots, Found: len(a.Roots) > 0, Files: a.Files, Sessions: a.Sessions, Nodes: a.Nodes, Bytes: a.Bytes}
	r := a.AtRisk
	out.AtRisk = api.AtRisk{KeptDays: int(r.Kept.Hours() / 24), Files: r.Files, Bytes: r.Bytes}
	if !r.Next.IsZero() {
		out.AtRisk.Next = r.Next.Unix()
	}
	for _, s := range all {
		if s.Agent == a.Agent {
			out.LastSeen = max(out.LastSeen, s.UpdatedAt)
		}
	}
	return out
}

func skipsOf(a capture.AgentStatus) []api.SkipReason {
	var out []api.SkipReason
	for _, reason := range slices.Sorted(maps.Keys(a.Skipped)) {
		c := a.Skipped[reason]
		out = append(out, api.SkipReason{Agent: a.Agent, Reason: reason, Count: int64(c.Times), Places: placesOf(c)})
	}
	return out
}

// placesOf names the newest places of a count, as "file:line", or as the file where it has no lines.
func placesOf(c transcript.Count) []string {
	out := []string{}
	for _, p := range c.Places {
		if p.Line == 0 {
			out = append(out, p.File)
			continue
		}
		out = append(out, fmt.Sprintf("%s:%d", p.File, p.Line))
	}
	return out
}
