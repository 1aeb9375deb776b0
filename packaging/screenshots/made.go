package main

import (
	"context"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// made is the demo with what its few sessions do not give by themselves.
type made struct{ steady }

// Review has one of each kind of thing to decide: some of the demo's own memories, and made-up ones in several scripts.
func (m made) Review(ctx context.Context, _ string, limit int) (api.Review, error) {
	t, err := m.Timeline(ctx, api.TimelineQuery{Limit: 6})
	if err != nil {
		return api.Review{}, err
	}
	var out api.Review
	for _, e := range t.Events {
		out.Items = append(out.Items, api.ReviewItem{ID: e.ID, Record: e.ID, What: "candidate", Kind: memory.RecordEvent, Scope: e.Scope, Text: e.Summary,
			Field: "summary", Value: e.Summary, Reason: "only a tool or a page says it", Trust: memory.TrustQuoted, ProjectID: e.Provenance.ProjectID,
			SessionID: e.Provenance.SessionID, Turn: t.Turns[e.ID], Nodes: e.Provenance.NodeIDs, Time: e.Provenance.EventTime})
	}
	first := out.Items[0]
	more := []api.ReviewItem{
		{What: "contradiction", Kind: memory.RecordFact, Scope: memory.Global, Text: "person prefers four spaces to indent", Field: "object", Value: "four spaces to indent", Trust: memory.TrustPerson,
			Reason: "it is not what was said before", Contests: []api.Contested{{Text: "person prefers tabs to indent"}}},
		{What: "merge", Kind: memory.RecordEntity, Scope: first.Scope, Text: "shorthands test", OtherText: "cargo test shorthands", Reason: "rule: the names share their telling words", Field: "name", Value: "shorthands test"},
		{What: "candidate", Kind: memory.RecordEvent, Scope: memory.Global, Text: "リリースの前に必ず統合テストを実行する 🚀 (run the integration tests before each release, 每次发布之前)", Field: "summary",
			Value: "リリースの前に必ず統合テストを実行する 🚀", Reason: "only a tool or a page says it", Trust: memory.TrustQuoted},
		{What: "split", Kind: memory.RecordTag, Scope: memory.Global, Text: "deployment", Parts: []string{"docker", "systemd", "release"}, Reason: "it covers 41 turns of three matters"},
	}
	for i := range more {
		it := more[i]
		it.ID, it.ProjectID, it.SessionID, it.Turn, it.Nodes, it.Time = "made_"+it.What+it.Text, first.ProjectID, first.SessionID, first.Turn, first.Nodes, first.Time
		out.Items = append(out.Items[:i+1], append([]api.ReviewItem{it}, out.Items[i+1:]...)...)
	}
	out.Total = len(out.Items)
	out.Items = out.Items[:min(limit, len(out.Items))]
	return out, nil
}
