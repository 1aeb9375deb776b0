package index

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dormouse/store/index/words"
	"dormouse/store/memory"
)

func open(t *testing.T, o Options) *Index {
	t.Helper()
	ix, _, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ix.Close() })
	return ix
}

func put(t *testing.T, ix *Index, docs ...Doc) {
	t.Helper()
	if err := ix.Put(t.Context(), docs); err != nil {
		t.Fatal(err)
	}
}

func search(t *testing.T, ix *Index, q Query) []Hit {
	t.Helper()
	hits, err := ix.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("search %.60q: %v", q.Text, err)
	}
	return hits
}

// found lists the ids of the hits.
func found(t *testing.T, ix *Index, q Query) []string {
	t.Helper()
	var ids []string
	for _, h := range search(t, ix, q) {
		ids = append(ids, h.Doc.ID)
	}
	return ids
}

func settle(t *testing.T, ix *Index) {
	t.Helper()
	if err := ix.Settle(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func note(id, body string) Doc {
	return Doc{ID: id, Kind: KindTurn, Scope: memory.Global, Body: body}
}

// randomDoc makes a document of words of which some are frequent and most are rare.
func randomDoc(r *rand.Rand, id string) Doc {
	var text []string
	for range 1 + r.IntN(30) {
		text = append(text, fmt.Sprintf("w%dx", int(math.Pow(r.Float64(), 3)*200)))
	}
	scopes := []memory.Scope{memory.Global, memory.ProjectScope("a"), memory.ProjectScope("b"), memory.AgentScope("codex")}
	d := Doc{ID: id, Kind: KindTurn, Scope: scopes[r.IntN(len(scopes))], Body: strings.Join(text, " ")}
	d.Session = fmt.Sprintf("s%d", r.IntN(5))
	if r.IntN(3) == 0 {
		d.Kind, d.Title, d.Superseded = KindEvent, text[0], r.IntN(4) == 0
	}
	if r.IntN(4) > 0 {
		d.Time = int64(1000 + r.IntN(50))
	}
	return d
}

// naive ranks documents by the definition of BM25, one after the other.
func naive(docs map[string]Doc, q Query) []Hit {
	a := words.New()
	type counted struct {
		doc    Doc
		counts map[string]int
		length int
	}
	var all []counted
	total, df := 0, map[string]int{}
	for _, id := range slices.Sorted(mapKeys(docs)) {
		d := docs[id]
		c := counted{doc: d, counts: map[string]int{}}
		for _, f := range []struct {
			text   string
			weight int
		}{{d.Title, 2}, {d.Body, 1}, {d.Path, 1}} {
			a.Text(f.text, func(term string, base bool) {
				c.counts[term] += f.weight
				if base {
					c.length += f.weight
				}
			})
		}
		all = append(all, c)
	}
	// The numbers are those of the documents that may be found, unless these are nearly all.
	within := slices.DeleteFunc(slices.Clone(all), func(c counted) bool { return !admits(q, c.doc) })
	if len(within) == 0 || len(within)*10 >= len(all)*mostOfAll {
		within = all
	}
	for _, c := range within {
		for term := range c.counts {
			df[term]++
		}
		total += c.length
	}
	var hits []Hit
	mean := float64(total) / float64(len(within))
	for _, c := range all {
		score := 0.0
		for _, term := range a.Query(q.Text) {
			tf := float64(c.counts[term])
			w := math.Log(1 + (float64(len(within))-float64(df[term])+0.5)/(float64(df[term])+0.5))
			score += w * tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(c.length)/mean))
		}
		if score > 0 && admits(q, c.doc) {
			hits = append(hits, Hit{Doc: c.doc, Score: score})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		if math.Abs(a.Score-b.Score) > 1e-9 {
			return cmp.Compare(b.Score, a.Score)
		}
		return cmp.Or(cmp.Compare(b.Doc.Time, a.Doc.Time), cmp.Compare(hashID(a.Doc.ID), hashID(b.Doc.ID)))
	})
	return hits[:min(len(hits), q.Limit)]
}

func admits(q Query, d Doc) bool {
	timed := q.Since == 0 && q.Until == 0 ||
		d.Time != 0 && (q.Since == 0 || d.Time >= q.Since) && (q.Until == 0 || d.Time < q.Until)
	return timed && q.View.Sees(d.Scope) && (q.Superseded || !d.Superseded) &&
		(len(q.Kinds) == 0 || slices.Contains(q.Kinds, d.Kind)) &&
		(len(q.Sessions) == 0 || slices.Contains(q.Sessions, d.Session))
}

func mapKeys(m map[string]Doc) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// randomQuery makes a query with a random view and random filters.
func randomQuery(r *rand.Rand) Query {
	views := []memory.View{{}, {All: true}, {Project: "a"}, {Project: "b", Agent: "codex"}, {Project: "none"}}
	q := Query{View: views[r.IntN(len(views))], Limit: 1 + r.IntN(20), Superseded: r.IntN(2) == 0}
	for range 1 + r.IntN(4) {
		q.Text += fmt.Sprintf("w%dx ", r.IntN(200))
	}
	switch r.IntN(5) {
	case 0:
		q.Kinds = []Kind{KindEvent}
	case 1:
		q.Since, q.Until = 1010, 1030
	case 2:
		q.Sessions = []string{"s1", "s3"}
	}
	return q
}

func bytesOf(t *testing.T, hits []Hit) string {
	t.Helper()
	b, err := json.Marshal(hits) // floats in their shortest exact form
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
