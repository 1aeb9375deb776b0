package daemon

import (
	"context"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/store/memory"
)

func (d *Daemon) core(ctx context.Context, name string) (api.Core, error) {
	out, _, err := d.coreLines(ctx, name)
	return out, err
}

// explainCore is core with why each line is there, and which decision put its record into the memory.
func (d *Daemon) explainCore(ctx context.Context, name string) (api.Core, error) {
	out, lines, err := d.coreLines(ctx, name)
	if err != nil {
		return out, err
	}
	decided := d.decidedOn(lines)
	for _, l := range lines {
		c := api.CoreLine{Section: l.Section, Text: l.Text, Kind: l.Kind, Record: l.Record, Scope: l.Scope,
			Score: float64(l.Score) / 1e6, Bytes: l.Bytes}
		if by := decided[recordOf(l.Kind, l.Scope, l.Record)]; by != nil {
			c.Decision, c.Reason = by.ID, by.Reason
		}
		for _, p := range l.Parts {
			c.Parts = append(c.Parts, api.CorePart(p))
		}
		out.Lines = append(out.Lines, c)
	}
	return out, nil
}

func (d *Daemon) coreLines(ctx context.Context, name string) (api.Core, []recall.CoreLine, error) {
	id, err := d.projectID(ctx, name)
	if err != nil {
		return api.Core{}, nil, err
	}
	out := api.Core{Project: id, Limit: recall.CoreBytes}
	var lines []recall.CoreLine
	d.served(func(s *memory.State) { out.Text, lines = recall.ExplainedCore(s, d.coreInfo(s, id)) })
	var sources []memory.Provenance
	for _, l := range lines {
		sources = append(sources, l.From)
	}
	out.Bytes, out.Pointers = len(out.Text), d.pointers(sources)
	return out, lines, nil
}

// decidedOn finds the newest accepted decisions that added or changed the records that lines tell.
func (d *Daemon) decidedOn(lines []recall.CoreLine) map[string]*memory.Decision {
	wanted := map[string]bool{}
	var ids []string
	for _, l := range lines {
		wanted[recordOf(l.Kind, l.Scope, l.Record)] = true
		ids = append(ids, l.Record)
	}
	out := map[string]*memory.Decision{}
	decisions := d.ledger.About(ids...)
	for i := range decisions {
		by := &decisions[i]
		key := recordOf(by.Proposal.Kind, by.Proposal.Scope, by.Proposal.RecordID)
		if by.Accepted && (by.Action == memory.ActionAdd || by.Action == memory.ActionEdit) && wanted[key] {
			out[key] = by
		}
	}
	return out
}

func recordOf(kind memory.RecordKind, scope memory.Scope, id string) string {
	return string(kind) + "\x00" + string(scope) + "\x00" + id
}
