package model

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"dormouse/service/api"
)

func sessionsFake() *fake {
	f := &fake{
		projects: []api.Project{{ID: "p1", Name: "shop"}, {ID: "p2", Name: "blog"}, {ID: "p3", Name: "unused"}, {ID: "default"}},
		sessions: []api.Session{
			session("cc_1", "Fix the flaky index test", "claude-code", "p1", "2026-05-04 15:10"),
			session("cx_2", "修复索引的错误", "codex", "p2", "2026-05-03 23:50"),
			session("cc_3", "", "claude-code", "default", "2024-05-01 09:00"),
		},
		found: api.Search{Hits: []api.Hit{{SessionID: "cx_2", Turn: 7, Snippet: "the  index\nis closed twice"}, {SessionID: "cx_2", Turn: 9, Snippet: "worse"},
			{SessionID: "cc_3", Title: "A title"}, {Snippet: "of no session"}}},
	}
	f.sessions[0].GitBranch = "fix-index"
	return f
}

func ids(rows []SessionRow) string {
	var out []string
	for _, r := range rows {
		out = append(out, r.ID)
	}
	return strings.Join(out, " ")
}

func TestSessionsAreListedWithWhereAndWhen(t *testing.T) {
	page := presenter(sessionsFake()).Sessions(t.Context())
	var got [][3]string
	for _, r := range page.Rows {
		got = append(got, [3]string{r.Title, r.Below, r.When})
	}
	want := [][3]string{
		{"Fix the flaky index test", "shop · Claude Code · 2 turns", "today 15:10"},
		{"修复索引的错误", "blog · Codex · 2 turns", "yesterday 23:50"},
		{"Session cc_3", "No project · Claude Code · 2 turns", "1 May 2024"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	if want := []Choice{{"", "Every project"}, {"p2", "blog"}, {"default", "No project"}, {"p1", "shop"}}; !reflect.DeepEqual(page.Projects, want) {
		t.Errorf("projects %+v", page.Projects)
	}
	if want := []Choice{{"", "Every agent"}, {"claude-code", "Claude Code"}, {"codex", "Codex"}}; !reflect.DeepEqual(page.Agents, want) {
		t.Errorf("agents %+v", page.Agents)
	}
	if page.Empty != nil {
		t.Error("empty")
	}
	if none := presenter(&fake{}).Sessions(t.Context()); none.Empty == nil || none.Trouble != nil {
		t.Errorf("%+v", none)
	}
}

func TestAFilterLeavesWhatFits(t *testing.T) {
	page := presenter(sessionsFake()).Sessions(t.Context())
	for f, want := range map[SessionFilter]string{
		{}:                                       "cc_1 cx_2 cc_3",
		{Project: "p1"}:                          "cc_1",
		{Agent: "claude-code"}:                   "cc_1 cc_3",
		{Agent: "codex", Project: "p1"}:          "",
		{Words: "INDEX flaky"}:                   "cc_1",
		{Words: "索引"}:                            "cx_2",
		{Words: "own-cc_3"}:                      "cc_3",
		{Words: "fix-index"}:                     "cc_1",
		{Words: "blog"}:                          "cx_2",
		{Words: "nothing like it"}:               "",
		{Words: "  "}:                            "cc_1 cx_2 cc_3",
		{Words: "session", Agent: "claude-code"}: "cc_3",
	} {
		if got := ids(page.Filter(f, nil)); got != want {
			t.Errorf("%+v: %s, want %s", f, got, want)
		}
	}
}

func TestASearchAddsSessionsInWhichTheWordsWereSaid(t *testing.T) {
	f := sessionsFake()
	p := presenter(f)
	page := p.Sessions(t.Context())
	hits := p.FindSessions(t.Context(), SessionFilter{Words: "closed twice", Project: "p2"})
	if want := "search kinds=turn%2Cevent&limit=50&project=p2&q=closed+twice"; f.asked[len(f.asked)-1] != want {
		t.Errorf("asked %q", f.asked)
	}
	if want := (Hits{"cx_2": {Text: "“the index is closed twice”", Turn: 7}, "cc_3": {Text: "“A title”"}}); !reflect.DeepEqual(hits, want) {
		t.Errorf("hits %+v", hits)
	}
	rows := page.Filter(SessionFilter{Words: "closed twice"}, hits)
	if ids(rows) != "cx_2 cc_3" || rows[0].At != 7 || rows[0].Found == "" {
		t.Errorf("%+v", rows)
	}
	if rows := page.Filter(SessionFilter{Words: "closed twice", Agent: "codex"}, hits); ids(rows) != "cx_2" {
		t.Errorf("the agent's filter does not hold for hits: %+v", rows)
	}
	f.err = map[string]error{"search": errors.New("no index")}
	if p.FindSessions(t.Context(), SessionFilter{Words: "x"}) != nil || p.FindSessions(t.Context(), SessionFilter{}) != nil {
		t.Error("a search that failed or of nothing found something")
	}
}

func TestWhatTheListHoldsIsSaid(t *testing.T) {
	if s := ListSummary(3, 3); s != "3 sessions" {
		t.Error(s)
	}
	if s := ListSummary(1, 10_000); s != "1 of 10,000 sessions" {
		t.Error(s)
	}
	if a, b := NoneFits(SessionFilter{Words: "x"}), NoneFits(SessionFilter{Agent: "x"}); a.Text == b.Text || !strings.Contains(a.Text, "“x”") {
		t.Error(a, b)
	}
}

func BenchmarkFilteringTenThousandSessions(b *testing.B) {
	f := &fake{}
	for i := range 10_000 {
		f.sessions = append(f.sessions, session(fmt.Sprintf("cc_%d", i), fmt.Sprintf("Session about topic %d of many", i), "codex", "p1", "2026-05-04 15:10"))
	}
	page := presenter(f).Sessions(b.Context())
	b.ResetTimer()
	for range b.N {
		if len(page.Filter(SessionFilter{Words: "topic 9999"}, nil)) != 1 {
			b.Fatal("not found")
		}
	}
}

func TestPinnedSessionsAndThoseThatCannotBeOpenedSaySo(t *testing.T) {
	f := sessionsFake()
	f.sessions[0].Pinned = true
	f.sessions[1].Missing, f.sessions[1].Reason = api.MissingAway, "cx_2 lies in /srv/blog, which is not there; put the folder back"
	rows := presenter(f).Sessions(t.Context()).Rows
	if rows[0].Below != "Pinned · shop · Claude Code · 2 turns" || rows[1].Below != "Out of reach · blog · Codex · 2 turns" {
		t.Errorf("%q, %q", rows[0].Below, rows[1].Below)
	}
	f.open = api.Transcript{Session: f.sessions[1]}
	if p := presenter(f).Session(t.Context(), "cx_2"); p.Empty == nil || !strings.Contains(p.Empty.Text, "/srv/blog, which is not there") {
		t.Errorf("%+v", p.Empty)
	}
	c := api.Core{Text: "· Closed the index  ↪ session:cc_1\n", Pointers: []api.Pointer{{SessionID: "cc_1", Missing: api.MissingDeleted}}}
	if l := coreLines(c); l[0].Missing != "deleted" || l[0].To.Session != "cc_1" {
		t.Errorf("%+v", l)
	}
}
