package model

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/memory"
)

func lineFake() *fake {
	event := func(id, text, when string, kind memory.Kind, scope memory.Scope) memory.Event {
		e := memory.Event{ID: id, Summary: text, Kind: kind, Scope: scope, Trust: memory.TrustPerson, Provenance: memory.Provenance{ProjectID: "p1", SessionID: "cc_" + id}}
		if when != "" {
			t := at(when)
			e.Provenance.EventTime = &t
		}
		return e
	}
	f := &fake{projects: []api.Project{{ID: "p1", Name: "shop"}}}
	f.line = api.Timeline{Total: 5, Events: []memory.Event{event("a", "Chose\nSQLite", "2026-05-04 15:10", memory.KindDecision, "project:p1"), event("b", "Tests are slow", "2026-05-04 09:00", memory.KindLearning, memory.Global),
		event("c", "Moved", "2026-05-03 10:00", memory.KindWork, memory.Global), event("d", "Old", "2025-12-24 10:00", "odd", memory.Global), event("e", "Undated", "", memory.KindEvent, memory.Global)},
		Turns: map[string]int{"a": 3}, Missing: map[string]string{"cc_c": "deleted"}, Branches: map[string]string{"cc_b": "main"}, Replaced: map[string]string{"c": "Moved back"}}
	f.line.Events[0].Entities = []string{"file.db/open.go", "tool.sqlite"}
	f.line.Events[2].SupersededBy, f.line.Events[3].SupersededBy = "x", "y"
	return f
}

func TestTheTimelineStandsBelowItsDays(t *testing.T) {
	f := lineFake()
	page := presenter(f).Timeline(t.Context(), TimelineFilter{})
	var days, clocks, kinds []string
	for _, r := range page.Rows {
		if r.Day != "" {
			days = append(days, r.Day)
			continue
		}
		clocks, kinds = append(clocks, r.Clock), append(kinds, r.Kind)
	}
	if want := []string{"Today · 4 May", "Yesterday · 3 May", "Wednesday · 24 December 2025", "At an unknown time"}; !slices.Equal(days, want) {
		t.Errorf("%q", days)
	}
	if !slices.Equal(clocks, []string{"15:10", "09:00", "10:00", "10:00", ""}) || !slices.Equal(kinds, []string{"Decision", "Finding", "Work", "odd", "Event"}) {
		t.Errorf("%q %q", clocks, kinds)
	}
	want := TimelineRow{ID: "a", Clock: "15:10", Kind: "Decision", Text: "Chose SQLite", Project: "shop", From: Place{"cc_a", 3}, project: "p1",
		Facts: []Fact{{Label: "What it is", Text: "Decision of shop"}, {Label: "Who says it", Text: "You said it."}, {Label: "From", Text: "today 15:10, 3 hours ago"}, {Label: "About", Text: "db/open.go, sqlite"}}}
	if !reflect.DeepEqual(page.Rows[1], want) {
		t.Errorf("got\n%+v\nwant\n%+v", page.Rows[1], want)
	}
	if page.Summary != "5 memories" || page.More || page.Empty != nil || len(page.Projects) != 2 || f.asked[1] != "timeline limit=500" {
		t.Errorf("%+v, %q", page.Summary, f.asked)
	}
	b, c, d := page.Rows[2], page.Rows[4], page.Rows[6]
	if !strings.HasSuffix(b.Facts[2].Text, " · branch main") || !c.Old || c.By != "Moved back" || c.Missing != "deleted" || c.Facts[3] != (Fact{"Replaced by", "Moved back", Warn}) || d.Facts[3].Label != "Replaced" {
		t.Errorf("%+v\n%+v\n%+v", b, c, d)
	}
}

func TestTheTimelineIsAskedForWhatTheFilterSays(t *testing.T) {
	for _, c := range []struct {
		f    TimelineFilter
		want string
	}{
		{TimelineFilter{}, "timeline limit=500"},
		{TimelineFilter{Project: "p1", Kind: "decision", Entity: " open.go ", Old: true, Limit: 2000}, "timeline entity=open.go&kinds=decision&limit=2000&project=p1&superseded=true"},
		{TimelineFilter{Day: "2026-05-03"}, "timeline limit=500&since=1777759200&until=1777845600"},
		{TimelineFilter{Day: "nonsense"}, "timeline limit=500"},
	} {
		f := lineFake()
		page := presenter(f).Timeline(t.Context(), c.f)
		if f.asked[1] != c.want {
			t.Errorf("asked %q, want %q", f.asked[1], c.want)
		}
		if c.f.Day == "2026-05-03" && page.Summary != "5 memories · Yesterday · 3 May" {
			t.Errorf("%q", page.Summary)
		}
	}
}

func TestALongTimelineSaysThatThereIsMore(t *testing.T) {
	f := lineFake()
	f.line.Total = 1204
	page := presenter(f).Timeline(t.Context(), TimelineFilter{})
	if page.Summary != "The newest 5 of 1,204 memories" || !page.More {
		t.Errorf("%+v", page)
	}
	if page = presenter(f).Timeline(t.Context(), TimelineFilter{Limit: maxEvents}); page.More {
		t.Error("more is offered than can be had")
	}
	if l := (TimelineFilter{}).More().Limit; l != 2000 {
		t.Error(l)
	}
	if l := (TimelineFilter{Limit: 8000}).More().Limit; l != maxEvents {
		t.Error(l)
	}
}

func TestAnEmptyTimelineSaysWhy(t *testing.T) {
	none, narrowed := presenter(&fake{}).Timeline(t.Context(), TimelineFilter{}), presenter(&fake{}).Timeline(t.Context(), TimelineFilter{Kind: "work"})
	if none.Empty == nil || narrowed.Empty == nil || none.Empty.Title == narrowed.Empty.Title {
		t.Errorf("%+v\n%+v", none.Empty, narrowed.Empty)
	}
	for _, call := range []string{"projects", "timeline"} {
		if page := presenter(&fake{err: map[string]error{call: errors.New("no")}}).Timeline(t.Context(), TimelineFilter{}); page.Trouble == nil {
			t.Errorf("%s: %+v", call, page)
		}
	}
}

func TestAMemoryIsForgottenRefusedAndPinnedFromItsLine(t *testing.T) {
	f := &fake{decided: api.Decided{Text: "x", Decisions: []memory.Decision{{ID: "de_1"}}}}
	p, row := presenter(f), TimelineRow{ID: "ev_1", project: "p1"}
	for want, do := range map[string]func() Ruling{
		"forget": func() Ruling { return p.Forget(t.Context(), row) }, "refuse": func() Ruling { return p.RefuseMemory(t.Context(), row) }, "pin": func() Ruling { return p.Pin(t.Context(), row) },
	} {
		r := do()
		if got := f.asked[len(f.asked)-1]; got != "decide action="+want+"&id=ev_1&project=p1" || !r.Done() {
			t.Errorf("asked %q, %+v", got, r)
		}
	}
}
