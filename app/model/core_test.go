package model

import (
	"reflect"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/memory"
)

const coreText = "═══ Dormouse memory: project shop ═══\n[Timeline · recent]\n· 2026-05-04 Closed the index  ↪ session:cc_1\n" +
	"· A claim\x1b[31m  ↪ session:cx_2\n· Another  ↪ session:cx_3\n· No pointer\nFor details: memory_open_session(<id>)\n"

func coreFake() *fake {
	return &fake{
		projects: []api.Project{{ID: "p2", Name: "shop", Remote: "github.com/robin/shop"}, {ID: "p1", Name: "Blog"}, {ID: "p3", Name: "shop", Path: "/src/client/shop"}, {ID: "default"}},
		core: map[string]api.Core{
			"":   {Text: "═══ all ═══\nFor details: x\n", Bytes: 30, Limit: 2048},
			"p2": {Project: "p2", Text: coreText, Bytes: 612, Limit: 2048, Pointers: []api.Pointer{{SessionID: "cc_1", Turn: 3}, {SessionID: "other", Turn: 9}, {SessionID: "cx_3", Turn: 1}}},
		},
	}
}

func TestACoreIsShownLineByLineWithWhereEachLeads(t *testing.T) {
	p := presenter(coreFake()).Core(t.Context(), "p2")
	want := []CoreLine{
		{Text: "═══ Dormouse memory: project shop ═══"},
		{Kind: CoreSection, Text: "[Timeline · recent]"},
		{Kind: CoreItem, Text: "· 2026-05-04 Closed the index", Pointer: "↪ session:cc_1", To: Place{"cc_1", 3}},
		{Kind: CoreItem, Text: "· A claim", Pointer: "↪ session:cx_2", To: Place{"cx_2", 0}},
		{Kind: CoreItem, Text: "· Another", Pointer: "↪ session:cx_3", To: Place{"cx_3", 1}},
		{Kind: CoreItem, Text: "· No pointer"},
		{Text: "For details: memory_open_session(<id>)"},
	}
	if !reflect.DeepEqual(p.Lines, want) {
		t.Errorf("got\n%+v\nwant\n%+v", p.Lines, want)
	}
	if p.Text != coreText || p.Chosen != "p2" || p.Empty != nil || p.Gauge.Text != "612 of 2,048 bytes" || p.Gauge.Tone != Good {
		t.Errorf("%+v", p)
	}
	labels := []Choice{{"", "All projects"}, {"p1", "Blog"}, {"p3", "shop (client)"}, {"p2", "shop (robin)"}}
	if !reflect.DeepEqual(p.Choices, labels) {
		t.Errorf("choices %+v", p.Choices)
	}
}

func TestAnEmptyCoreSaysWhenItIsWritten(t *testing.T) {
	f := coreFake()
	f.core["p1"] = f.core[""]
	global, one := presenter(f).Core(t.Context(), ""), presenter(f).Core(t.Context(), "p1")
	if global.Empty == nil || one.Empty == nil || global.Empty.Text == one.Empty.Text || len(global.Lines) != 2 {
		t.Errorf("%+v\n%+v", global, one)
	}
}

func TestAProjectThatIsGoneGivesWayToAllProjects(t *testing.T) {
	if p := presenter(coreFake()).Core(t.Context(), "proj_gone"); p.Trouble != nil || p.Chosen != "" || len(p.Lines) != 2 {
		t.Errorf("%+v", p)
	}
}

func TestTheGaugeNeverOverflows(t *testing.T) {
	for _, c := range []api.Core{{Bytes: 3000, Limit: 2048}, {Bytes: 5}} {
		if g := gauge(c); g.Share < 0 || g.Share > 1 || (c.Bytes > c.Limit) != (g.Tone == Bad) {
			t.Errorf("%+v: %+v", c, g)
		}
	}
}

func TestProjectsShowWhatWasSeenOfEach(t *testing.T) {
	f := &fake{projects: []api.Project{
		{ID: "p1", Name: "shop", Path: "/home/robin/code/shop", Remote: "github.com/robin/shop", Bound: true, Sessions: 1100, LastSeen: at("2026-05-04 15:10")},
		{ID: "p2", Path: "/srv/notes"},
		{ID: "default", Name: "default", Sessions: 1, LastSeen: at("2026-05-01 10:00")},
	}}
	page := presenter(f).Projects(t.Context())
	want := []ProjectRow{
		{ID: "p1", Name: "shop", Seen: "1,100 sessions, last 3 hours ago", Where: "~/code/shop · github.com/robin/shop", State: "Bound", Tone: Good, CanUnbind: true, Sessions: 1100},
		{ID: "p2", Name: "p2", Seen: "no session yet", Where: "/srv/notes", State: "Not bound", Tone: Off, Bind: "/srv/notes"},
		{ID: "default", Name: "No project", Seen: "1 session, last 3 days ago", Where: "Agents that were started in no folder, or in your home folder", State: "Sessions without a folder", Tone: Off, Sessions: 1},
	}
	if !reflect.DeepEqual(page.Rows, want) || page.Summary != "3 projects · 1 bound" || page.Empty != nil {
		t.Errorf("got\n%+v\nwant\n%+v\n%s", page.Rows, want, page.Summary)
	}
	none := presenter(&fake{projects: []api.Project{{ID: "default"}}}).Projects(t.Context())
	if none.Empty == nil || none.Summary != "" || len(none.Rows) != 0 {
		t.Errorf("%+v", none)
	}
}

func TestUnbindingAsksFirstAndSaysWhatStays(t *testing.T) {
	q := AskUnbind(ProjectRow{Name: "shop", Sessions: 3})
	if q.Title != "Unbind shop?" || !strings.Contains(q.Text, "Its 3 sessions and what was learned from them stay; the folder and its git repository are not touched.") {
		t.Errorf("%+v", q)
	}
	if q := AskUnbind(ProjectRow{Name: "x", Sessions: 1}); !strings.Contains(q.Text, "Its session and what was learned from it stay") {
		t.Errorf("%+v", q)
	}
	if row := (style{now: now}).project(api.Project{ID: "p", Sessions: 1}); row.Seen != "1 session" {
		t.Errorf("%+v", row)
	}
	if q := AskUnbind(ProjectRow{Name: "x"}); !strings.Contains(q.Text, "What was learned from it stays") {
		t.Errorf("%+v", q)
	}
	f := &fake{}
	if n := presenter(f).Unbind(t.Context(), "p1"); n.Text != "Unbound shop. Its 3 sessions and what was learned from them stay; the folder and its git repository are not touched." || f.asked[0] != "unbind p1" {
		t.Errorf("%+v, %q", n, f.asked)
	}
	if n := presenter(f).Bind(t.Context(), "/srv/notes"); n.Tone != Good || !strings.HasPrefix(n.Text, "Bound notes.") || f.asked[1] != "bind /srv/notes" {
		t.Errorf("%+v, %q", n, f.asked)
	}
}

func TestProjectsOfOneNameAreToldApart(t *testing.T) {
	got := projectChoices([]api.Project{{ID: "a", Name: "x", Path: "/1/x"}, {ID: "b", Name: "x", Path: "/1/x"}, {ID: "c", Name: "x"}})
	labels := map[string]bool{}
	for _, c := range got {
		labels[c.Label] = true
	}
	if len(labels) != 3 {
		t.Errorf("%+v", got)
	}
}

func TestALineSaysWhyItIsThereAndIsPinnedAndRefused(t *testing.T) {
	f := coreFake()
	c := f.core["p2"]
	c.Lines = []api.CoreLine{
		{Text: "2026-05-04 Closed the index", Record: "ev_1", Scope: "project:p2", Reason: "rule: stated", Score: 1.2, Bytes: 60, Parts: []api.CorePart{{Name: "decision", Value: 1.5}, {Name: "age 3 days", Value: 0.8}}},
		{Text: "something else", Record: "ev_9"}, {Text: "Another", Record: "fa_1", Scope: "global", Score: 1, Bytes: 30},
	}
	f.core["p2"] = c
	f.decided = api.Decided{Text: "x", Decisions: []memory.Decision{{ID: "de_1"}}}
	p := presenter(f)
	lines := p.Core(t.Context(), "p2").Lines
	want := []Fact{{Label: "Its weight", Text: "decision × 1.5, age 3 days × 0.8 = 1.2"}, {Label: "Taken in", Text: "Stated."}, {Label: "It takes", Text: "60 of 2,048 bytes"}}
	if !reflect.DeepEqual(lines[2].Facts, want) || lines[2].Record != "ev_1" {
		t.Errorf("%+v", lines[2])
	}
	if lines[3].Record != "" || lines[3].Facts != nil {
		t.Errorf("a line is explained by another one: %+v", lines[3])
	}
	if lines[4].Record != "fa_1" || lines[4].Facts[0].Text != "1" || len(lines[4].Facts) != 2 {
		t.Errorf("%+v", lines[4])
	}
	if r := p.PinLine(t.Context(), lines[2]); !r.Done() || f.asked[len(f.asked)-1] != "decide action=pin&id=ev_1&project=p2" {
		t.Errorf("%+v %q", r, f.asked)
	}
	if r := p.RefuseLine(t.Context(), lines[4]); !r.Done() || f.asked[len(f.asked)-1] != "decide action=refuse&id=fa_1" {
		t.Errorf("%+v %q", r, f.asked)
	}
}
