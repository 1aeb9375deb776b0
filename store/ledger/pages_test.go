package ledger

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// propose is the accepted addition of a record by a rule.
func propose(t *testing.T, r memory.Record) memory.Decision {
	t.Helper()
	p, err := memory.Propose(r)
	if err != nil {
		t.Fatal(err)
	}
	return memory.Decision{Action: memory.ActionAdd, Accepted: true, Reason: "stated", By: memory.ByRule, PolicyVersion: memory.PolicyVersion, Proposal: p}
}

func entity(typ, name string) *memory.Entity {
	at := day1.Unix()
	return &memory.Entity{ID: memory.EntityID(typ, name), Type: typ, Name: name, Scope: memory.ProjectScope("p"),
		Provenance: memory.Provenance{ProjectID: "p", SessionID: "s1", NodeIDs: []string{"n1"}, EventTime: &at}}
}

func fact(subject, verb, object string) *memory.Fact {
	f := &memory.Fact{Subject: subject, Verb: verb, Object: object, Status: memory.StatusActive, Author: "person", Scope: memory.ProjectScope("p"),
		Trust: memory.TrustPerson, Provenance: memory.Provenance{ProjectID: "p", SessionID: "s1", NodeIDs: []string{"n1"}}}
	f.ID = memory.FactID(memory.FactClaim(f), nil)
	return f
}

func TestAnEntityHasAPageWithItsHistoryFactsAndLinks(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	file, tool := entity(memory.TypeFile, "cmd/main.go"), entity(memory.TypeTool, "make")
	edge := &memory.Edge{From: file.ID, Relation: "built-by", To: tool.ID, Scope: file.Scope, Provenance: file.Provenance, Confidence: 1}
	edge.ID = memory.EdgeID(memory.EdgeClaim(edge))
	e := event(1, "Split <main>\nin two")
	e.Entities = []string{file.ID}
	old, held := fact(file.ID, "has", "one function"), fact(file.ID, "has", "two functions")
	old.Status = memory.StatusCeased
	if err := l.Append([]memory.Decision{propose(t, file), propose(t, tool), propose(t, edge), propose(t, &e), propose(t, old), propose(t, held),
		propose(t, entity(memory.TypeTool, "unused"))}, run()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Render(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, pageDir, "file.cmd~main.go.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := `# cmd/main.go

file · project:p

## Facts

- file.cmd/main.go has two functions (active)  ↪ session:s1

## Facts of before

- file.cmd/main.go has one function (ceased)  ↪ session:s1

## Links

- built-by → [tool.make](tool.make.md)  ↪ session:s1

## History

- 2026-05-14 work: Split &lt;main> in two  ↪ session:s1
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := os.Stat(filepath.Join(dir, pageDir, "tool.unused.md")); !os.IsNotExist(err) {
		t.Errorf("an entity of which nothing is known has a page: %v", err)
	}
	forget := memory.Decision{Action: memory.ActionForget, Accepted: true, By: memory.ByPerson, Reason: "private",
		Proposal: memory.Proposal{Kind: memory.RecordEntity, ClaimKey: tool.Claim(), RecordID: tool.ID, Scope: tool.Scope}}
	if err := l.Append([]memory.Decision{forget}, run()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Render(); err != nil {
		t.Fatal(err)
	}
	if got, _ = os.ReadFile(filepath.Join(dir, pageDir, "file.cmd~main.go.md")); strings.Contains(string(got), "make") {
		t.Errorf("a forgotten entity is linked:\n%s", got)
	}
}

func TestNamesOfPagesAreSafeAndNeverShared(t *testing.T) {
	pages := map[memory.Key]*page{}
	for _, id := range []string{"file.A.go", "file.a.go", "file.a/b", "file.a~b", "error.a:b", "error.a|b", "tool." + strings.Repeat("x", 300), "tool." + strings.Repeat("x", 301), "tool.con.", "file.../../etc/passwd"} {
		pages[memory.Key{Scope: "global", ID: id}] = &page{}
		pages[memory.Key{Scope: "project:p", ID: id}] = &page{}
	}
	seen := map[string]memory.Key{}
	for k, name := range pageNames(pages) {
		if other, ok := seen[strings.ToLower(name)]; ok {
			t.Errorf("%v and %v share %q", k, other, name)
		}
		seen[strings.ToLower(name)] = k
		if strings.ContainsAny(name, `/\:<>|?*"`) || len(name) > 120 {
			t.Errorf("%v has the name %q", k, name)
		}
	}
}

func TestRecordsOfEveryKindArePublishedUnderTheirNames(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, "aa", day1)
	at := day1.Unix()
	from := memory.Provenance{ProjectID: "p", SessionID: "s1", NodeIDs: []string{"n1"}, EventTime: &at, IngestionTime: at}
	seg := &memory.Segment{Tags: []string{"tag.sync"}, PrimaryTag: "tag.sync", Summary: "Built sync", MadeBy: "rules", Ratio: 0.01, Scope: "project:p",
		Full: memory.Span{SessionID: "s1", FromNode: "n1", ToNode: "n9"}}
	seg.ID = memory.SegmentID(seg.Claim())
	tag := &memory.Tag{ID: memory.TagID("sync"), Name: "sync", Scope: "project:p", Provenance: from}
	alias := &memory.TagAlias{Alias: "synchronisation", Tags: []string{tag.ID}, SessionID: "s1", Reason: "synonym", Scope: "project:p", Provenance: from}
	alias.ID = memory.TagAliasID(alias.Claim())
	sum := &memory.TagSummary{Tag: tag.ID, Summary: "Sync joins logs", Covers: []memory.Turn{{SessionID: "s1", NodeID: "n1"}}, CoversThrough: &at,
		MadeBy: "some-model", Scope: "project:p", Provenance: from}
	sum.ID = memory.TagSummaryID(sum.Claim())
	quoted := event(3, "A page says so")
	quoted.Trust = memory.TrustQuoted
	contested := propose(t, fact("tool.x", "is", "blue"))
	contested.Proposal.Candidate, contested.Proposal.Contests, contested.Reason = true, []string{"fa_1"}, "contradicts fa_1"
	foreign := memory.Decision{Action: memory.ActionAdd, Accepted: true, By: memory.ByRule,
		Proposal: memory.Proposal{Kind: "hologram", RecordID: "h1", ClaimKey: "k", Record: []byte(`{"z":1,"a":2.50}`)}}
	stated := propose(t, tag)
	stated.By = memory.ByPerson
	if err := l.Append([]memory.Decision{propose(t, seg), stated, propose(t, alias), propose(t, sum), propose(t, &quoted), contested, foreign}, run()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Render(); err != nil {
		t.Fatal(err)
	}
	prov := `"provenance":{"project_id":"p","session_id":"s1","node_ids":["n1"],"commit":null,"event_time":1781751600,"ingestion_time":1781751600}`
	for name, want := range map[string]string{
		"segments.jsonl":        `{"id":"` + seg.ID + `","tags":["tag.sync"],"primary_tag":"tag.sync","summary":"Built sync","full":{"session_id":"s1","from_node":"n1","to_node":"n9"},"ratio":0.01,"made_by":"rules","scope":"project:p"}`,
		"tags/vocabulary.jsonl": `{"id":"tag.sync","name":"sync","description":"",` + prov + `,"scope":"project:p","superseded_by":null}`,
		"tags/aliases.jsonl":    `{"id":"` + alias.ID + `","alias":"synchronisation","tags":["tag.sync"],"session_id":"s1","reason":"synonym",` + prov + `,"scope":"project:p","superseded_by":null}`,
		"tags/summaries.jsonl":  `{"id":"` + sum.ID + `","tag":"tag.sync","summary":"Sync joins logs","covers":[{"session_id":"s1","node_id":"n1"}],"covers_through":1781751600,"made_by":"some-model",` + prov + `,"scope":"project:p","superseded_by":null}`,
		"others.jsonl":          `{"kind":"hologram","record":{"a":2.50,"z":1}}`,
		"candidates.jsonl": `{"kind":"event","id":"` + quoted.ID + `","scope":"project:p","reason":"only a tool or a page says it","contests":[]}` + "\n" +
			`{"kind":"fact","id":"` + contested.Proposal.RecordID + `","scope":"project:p","reason":"contradicts fa_1","contests":["fa_1"]}`,
	} {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || string(got) != want+"\n" {
			t.Errorf("%s: %v\ngot  %swant %s", name, err, got, want)
		}
	}
}
