package daemon

import (
	"context"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/store/memory"
)

// readAsOf shows the state from a point in the past; now, where none is given.
func (d *Daemon) readAsOf(at api.AsOf, use func(*memory.State)) {
	if at == (api.AsOf{}) {
		d.served(use)
		return
	}
	back := func(s *memory.State) {
		if at.Event != 0 {
			s = s.AsOfEvent(at.Event)
		}
		use(s)
	}
	if at.Known == 0 {
		d.served(back)
		return
	}
	then := memory.FoldAsKnown(d.ledger.EachDecision(), at.Known)
	then.Verify(d.liveNode)
	back(then.Without(d.hidden()))
}

// facts lists facts: those that are served now, or were at the point from which is looked back.
func (d *Daemon) facts(ctx context.Context, q api.FactQuery) (api.Facts, error) {
	id, err := d.projectID(ctx, q.Project)
	if err != nil {
		return api.Facts{}, err
	}
	at := d.p.Now().Unix()
	if q.AsOf.Known != 0 {
		at = q.AsOf.Known
	}
	if q.AsOf.Event != 0 {
		at = q.AsOf.Event
	}
	out := api.Facts{Facts: []api.FactShown{}}
	var from []memory.Provenance
	d.readAsOf(q.AsOf, func(s *memory.State) {
		list, total := recall.Facts(s, recall.FactQuery{View: viewFor(id, q.For), Subject: q.Subject, Project: within(id, q.For), All: q.All, At: at, Limit: q.Limit})
		out.Total = total
		for _, f := range list {
			out.Facts = append(out.Facts, api.FactShown{Fact: *f, State: recall.FactState(s, f, at)})
			from = append(from, f.Provenance)
		}
	})
	for i, p := range from {
		if len(p.NodeIDs) > 0 {
			out.Facts[i].Turn = d.turnOf(p.SessionID, p.NodeIDs[0])
		}
	}
	out.Missing = d.missingOf(from)
	return out, nil
}
