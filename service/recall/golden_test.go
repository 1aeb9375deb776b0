package recall

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"dormouse/store/index"
	"dormouse/store/memory"
)

// workshop is a small memory that was written for the golden ranking: a project with records, and sessions of two projects.
func workshop() (*memory.State, []index.Doc) {
	w := world()
	lease := addEntity(w, "component", "lease keeper", func(e *memory.Entity) { e.Aliases = []string{"warden"} })
	addEntity(w, memory.TypeFile, "internal/lease/renew.go", nil)
	for id, text := range map[string]string{
		"ev_lease":  "Decided to renew leases at half of their time, since clocks drift",
		"ev_broker": "Found out that the broker drops messages over 1 MB",
		"ev_wal":    "Moved the journal from JSON lines to a write-ahead log in v2.4.0",
		"ev_flag":   "Added --dry-run to the migrate command",
		"ev_cpp":    "The C++ client retries for ever on 409",
		"ev_zh":     "我们决定把缓存放在本地磁盘上",
	} {
		addEvent(w, id, text, nil)
	}
	w.Events["ev_lease"].Entities = []string{lease.ID}
	addEvent(w, "ev_old", "Renewed leases at the end of their time", func(e *memory.Event) { e.SupersededBy = "ev_lease" })
	addEvent(w, "ev_other", "Decided to renew leases every minute", func(e *memory.Event) { e.Scope = memory.ProjectScope("other") })
	var docs []index.Doc
	for i, text := range []string{"renewLease in internal/lease/renew.go panics when the clock goes back", "yes, the mutex was held twice there",
		"please move the journal to a write-ahead log", "the automobile in the picture is the logo", "下午开会讨论缓存失效的问题"} {
		docs = append(docs, DocsFromTurn(memory.Session{ID: "cc_w", ProjectID: "p"}, i+1, []memory.Node{user(fmt.Sprint("w", i), text)})...)
	}
	return w, append(docs, DocsFromTurn(memory.Session{ID: "cc_o", ProjectID: "other"}, 1, []memory.Node{user("o", "renew the lease, renew the lease")})...)
}

// TestTheRankingIsTheGoldenOne shows which hits come for which query, in their order. Run it with -update after a change that is meant.
func TestTheRankingIsTheGoldenOne(t *testing.T) {
	w, docs := workshop()
	s := searcherWith(t, w, docs...)
	var b strings.Builder
	for _, text := range []string{"when are leases renewed", "warden", "renewLease", "lease/renew.go", "clock drift mutex", "write ahead log", "v2.4.0", "2.4",
		"--dry-run", "C++", "client foo.bar", "缓存", "缓存失效", "car", `"broker" AND (messages OR *)`, "payroll of the zoo", "the and of", "409"} {
		fmt.Fprintf(&b, "%s\n", text)
		for _, h := range find(t, s, Query{Text: text, View: inP, Limit: 4}) {
			fmt.Fprintf(&b, "  %s %s\n", h.What, h.ID)
		}
	}
	const golden = "testdata/ranking.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the ranking is\n%s\nand was\n%s", b.String(), want)
	}
}

func TestCaseG1TwoCharactersMixedScriptsAndSignsAreFound(t *testing.T) {
	w, docs := workshop()
	s := searcherWith(t, w, docs...)
	for text, want := range map[string]string{"缓存": "ev_zh", "C++": "ev_cpp", "renew.go": memory.EntityID(memory.TypeFile, "internal/lease/renew.go"),
		`"write-ahead log"`: "ev_wal", "write\x00ahead": "ev_wal", "JSON缓存": "ev_zh"} {
		found := false
		for _, h := range find(t, s, Query{Text: text, View: inP}) {
			found = found || h.ID == want
		}
		if !found {
			t.Errorf("%q does not find %s", text, want)
		}
	}
	for _, text := range []string{strings.Repeat("lease ", 20_000), strings.Repeat(`"`, 100<<10), strings.Repeat("缓存", 20_000), strings.Repeat("\x00", 100<<10), strings.Repeat("🙂", 30_000)} {
		hits := find(t, s, Query{Text: text, View: inP, MaxBytes: 2048})
		bytes := 0
		for _, h := range hits {
			bytes += len(h.Title) + len(h.Snippet)
		}
		if bytes > 2048 {
			t.Errorf("%.8q: %d bytes", text, bytes)
		}
	}
}

func TestCaseS3ARecordWithoutScopeIsNeverShown(t *testing.T) {
	w := world()
	addEvent(w, "none", "the lease ends", func(e *memory.Event) { e.Scope = "" })
	w.Segments["s"] = &memory.Segment{ID: "s", Summary: "the lease ends"}
	w.TagSummaries["t"] = &memory.TagSummary{ID: "t", Summary: "the lease ends"}
	s := searcherWith(t, w)
	for _, v := range []memory.View{inP, {All: true}, {Project: "other"}, {}} {
		if hits := find(t, s, Query{Text: "lease", View: v}); len(hits) != 0 {
			t.Errorf("%+v sees %v", v, foundIDs(hits))
		}
	}
}
