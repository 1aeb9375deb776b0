package daemon

import (
	"context"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/store/index/words"
	"dormouse/store/memory"
)

// askHits is how many hits are looked through for an answer.
const askHits = 20

// ask answers a question with sentences of the memory, word for word.
func (d *Daemon) ask(ctx context.Context, q api.AskQuery) (api.Asked, error) {
	found, err := d.search(ctx, api.SearchQuery{Words: q.Question, Project: q.Project, For: q.For, Limit: askHits})
	if err != nil {
		return api.Asked{}, err
	}
	sources := make([][]recall.Said, len(found.Hits))
	speakers := make([][]string, len(found.Hits))
	for i, h := range found.Hits {
		sources[i], speakers[i] = d.said(h)
	}
	out := api.Asked{Sentences: []api.Sentence{}, Hits: found.Hits, Indexing: found.Indexing}
	a := words.New()
	for _, s := range recall.Answers(a, q.Question, sources, q.Limit) {
		out.Sentences = append(out.Sentences, api.Sentence{Text: s.Text, Hit: s.From, Node: sources[s.From][s.Said].Node, Speaker: speakers[s.From][s.Said]})
	}
	return out, nil
}

// said is what a hit says: a record its words, a turn its messages.
func (d *Daemon) said(h api.Hit) (out []recall.Said, speakers []string) {
	if h.What != "turn" {
		weight := map[memory.Trust]float64{memory.TrustPerson: 1.2, memory.TrustObserved: 1.15, memory.TrustAgent: 1.1}[h.Trust]
		if weight == 0 {
			weight = 0.9
		}
		text := h.Title
		if h.What == "entity" && h.Snippet != "" {
			text += ": " + h.Snippet
		}
		return []recall.Said{{Text: text, Weight: weight}}, []string{""}
	}
	x, err := d.sessions.Open(h.SessionID)
	if err != nil {
		return nil, nil
	}
	nodes, err := x.Turn(h.Turn)
	if err != nil {
		return nil, nil
	}
	return recall.SaidInTurn(d.shown(nodes), h.Nodes)
}
