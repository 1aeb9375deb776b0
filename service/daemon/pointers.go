package daemon

import (
	"errors"
	"maps"

	"dormouse/service/api"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// pointers are the turns that records come from.
func (d *Daemon) pointers(sources []memory.Provenance) []api.Pointer {
	out := make([]api.Pointer, len(sources))
	for i, s := range sources {
		out[i].SessionID = s.SessionID
		if len(s.NodeIDs) > 0 {
			out[i].Turn = d.turnOf(s.SessionID, s.NodeIDs[0])
		}
		out[i].Missing = d.missing(s.SessionID)
	}
	return out
}

// missing says why a pointer into a session leads nowhere; empty where it does not.
func (d *Daemon) missing(id string) string {
	_, err := d.sessions.Open(id)
	switch {
	case errors.Is(err, session.ErrDeleted):
		return api.MissingDeleted
	case errors.Is(err, session.ErrUnreachable):
		return api.MissingAway
	case errors.Is(err, session.ErrNotFound):
		return api.MissingElsewhere
	}
	return ""
}

// missingOf says it of all sessions that it holds for, by their ids.
func (d *Daemon) missingOf(sources []memory.Provenance) map[string]string {
	asked, out := map[string]bool{}, map[string]string{}
	for _, s := range sources {
		if s.SessionID == "" || asked[s.SessionID] {
			continue
		}
		asked[s.SessionID] = true
		if why := d.missing(s.SessionID); why != "" {
			out[s.SessionID] = why
		}
	}
	return out
}

// branchesOf are the branches of git on which sessions took place, by their ids, where they are known.
func (d *Daemon) branchesOf(sources []memory.Provenance) map[string]string {
	out := map[string]string{}
	for _, s := range sources {
		if _, asked := out[s.SessionID]; !asked {
			out[s.SessionID] = d.branchOf(s.SessionID)
		}
	}
	maps.DeleteFunc(out, func(_, branch string) bool { return branch == "" })
	return out
}

func (d *Daemon) branchOf(session string) string {
	if x, err := d.sessions.Open(session); err == nil {
		return x.Meta().GitBranch
	}
	return ""
}

func sourcesOf(events []memory.Event) []memory.Provenance {
	out := make([]memory.Provenance, len(events))
	for i := range events {
		out[i] = events[i].Provenance
	}
	return out
}

func sourcesOfGraph(g api.Graph) []memory.Provenance {
	out := append(sourcesOf(g.Events), g.Center.Provenance)
	for _, e := range g.Entities {
		out = append(out, e.Provenance)
	}
	for _, e := range g.Edges {
		out = append(out, e.Provenance)
	}
	return out
}
