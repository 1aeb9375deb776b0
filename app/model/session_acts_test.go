package model

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/memory"
)

func (f *fake) Rename(_ context.Context, id, title string) (api.Session, error) {
	return session(id, title, "codex", "p1", "2026-05-04 18:00"), f.note("rename", "%s %s", id, title)
}
func (f *fake) Pin(_ context.Context, id string, on bool) (api.Session, error) {
	return api.Session{}, f.note("pin", "%s %v", id, on)
}
func (f *fake) Delete(_ context.Context, id string) (api.Session, error) {
	return api.Session{}, f.note("delete", "%s", id)
}
func (f *fake) Undelete(_ context.Context, id string) (api.Session, error) {
	return api.Session{}, f.note("undelete", "%s", id)
}
func (f *fake) Thaw(_ context.Context, id string) (api.Thawed, error) {
	return api.Thawed{Dir: "/home/robin/.dormouse/sessions/" + id}, f.note("thaw", "%s", id)
}
func (f *fake) SessionCommits(_ context.Context, id string) (api.SessionCommits, error) {
	return f.commits, f.note("commits", "%s", id)
}
func (f *fake) Switch(_ context.Context, id, node string) (api.Session, error) {
	return api.Session{}, f.note("switch", "%s %s", id, node)
}

func TestASessionIsRetitledPinnedOpenedAndDeleted(t *testing.T) {
	f := &fake{}
	p := presenter(f)
	for want, n := range map[string]Notice{
		"It is called “Better words” now.": p.Retitle(t.Context(), "s1", "  Better \n words "),
		"Pinned.":                          p.PinSession(t.Context(), "s1", true),
		"Not pinned any more.":             p.PinSession(t.Context(), "s1", false),
		"Deleted. U captures it again, as far as its agent's transcript is there.": p.DeleteSession(t.Context(), "s1"),
		"It is captured again.":                              p.UndeleteSession(t.Context(), "s1"),
		"Nothing was changed: there was no title.":           p.Retitle(t.Context(), "s1", " "),
		"Its repository and this page show that branch now.": p.SwitchTo(t.Context(), "s1", "n1"),
	} {
		if n.Text != want || n.Tone == Bad {
			t.Errorf("%+v, want %q", n, want)
		}
	}
	dir, n := p.SessionFolder(t.Context(), "s1")
	if dir != "/home/robin/.dormouse/sessions/s1" || !strings.HasSuffix(n.Text, "~/.dormouse/sessions/s1") {
		t.Errorf("%q %+v", dir, n)
	}
	if len(f.asked) != 7 {
		t.Errorf("asked %q", f.asked)
	}
	f.err = map[string]error{"": errors.New("no")}
	dir, folder := p.SessionFolder(t.Context(), "s1")
	for i, n := range []Notice{p.Retitle(t.Context(), "s1", "x"), p.PinSession(t.Context(), "s1", true), p.DeleteSession(t.Context(), "s1"), p.UndeleteSession(t.Context(), "s1"), p.SwitchTo(t.Context(), "s1", "n"), folder} {
		if n.Tone != Bad || dir != "" {
			t.Errorf("%d: %+v", i, n)
		}
	}
}

func TestBeforeASessionIsDeletedItIsSaidWhatThenLeadsNowhere(t *testing.T) {
	event := func(session string) memory.Event {
		return memory.Event{Provenance: memory.Provenance{SessionID: session}}
	}
	for want, events := range map[string][]memory.Event{
		"No memory on the timeline comes from it.": {event("other")},
		"1 memory on the timeline comes from it":   {event("s1"), event("other")},
		"2 memories on the timeline come from it":  {event("s1"), event("s1")},
	} {
		q := presenter(&fake{line: api.Timeline{Events: events}}).AskDelete(t.Context(), TranscriptPage{ID: "s1", Title: "Fix it", Turns: []Turn{{N: 0}, {N: 1}, {N: 2}, {N: 3}}, project: "p1"})
		if !strings.Contains(q.Text, want) || !strings.Contains(q.Text, "“Fix it” goes with its history, 3 turns.") {
			t.Errorf("%q is not in %q", want, q.Text)
		}
	}
	if q := presenter(&fake{err: map[string]error{"timeline": errors.New("no")}}).AskDelete(t.Context(), TranscriptPage{ID: "s1"}); strings.Contains(q.Text, "timeline") {
		t.Errorf("%q", q.Text)
	}
}

// forked is a session of five commits: c was retried twice, from b.
func forked() api.SessionCommits {
	commit := func(sha, branch string, turn int, parents ...string) api.SessionCommit {
		return api.SessionCommit{SHA: sha, Branch: branch, Turn: turn, Parents: parents, Message: "turn " + sha, When: at("2026-05-04 18:00")}
	}
	return api.SessionCommits{Branches: []api.Branch{{Name: "main", Commit: "e", Shown: true}, {Name: "retry-1", Commit: "d", Node: "nd"}, {Name: "retry-2", Commit: "c", Node: "nc"}},
		Commits: []api.SessionCommit{commit("e", "main", 3, "b"), commit("d", "retry-1", 3, "b"), commit("c", "retry-2", 3, "b"), commit("b", "main", 2, "a"), commit("a", "main", 1)}}
}

func TestTheHistoryOfASessionHasALaneForEachBranch(t *testing.T) {
	f := &fake{commits: forked()}
	sub := Entry{Kind: SubTask, Title: "Sub-agent explore"}
	got := presenter(f).History(t.Context(), TranscriptPage{ID: "s1", Turns: []Turn{{N: 2, Entries: []Entry{sub, {Kind: Said}, sub}}}})
	when := "today 18:00"
	want := HistoryPage{Lanes: 4, Summary: "5 commits · 3 branches", Rows: []HistoryRow{
		{Label: "turn e", When: when, Branch: "main", Lane: 0, Below: []int{0}, Turn: 3, Shown: true},
		{Label: "turn d", When: when, Branch: "retry-1", Lane: 1, Past: []int{0}, Below: []int{1}, Turn: 3, Switch: "nd"},
		{Label: "turn c", When: when, Branch: "retry-2", Lane: 2, Past: []int{0, 1}, Below: []int{2}, Turn: 3, Switch: "nc"},
		{Label: "Sub-agent explore", Lane: 3, Past: []int{0, 1, 2}, Below: []int{3}, Turn: 2, Shown: true, Sub: true},
		{Label: "Sub-agent explore", Lane: 3, Above: []int{3}, Past: []int{0, 1, 2}, Below: []int{3}, Turn: 2, Shown: true, Sub: true},
		{Label: "turn b", When: when, Lane: 0, Above: []int{0, 1, 2, 3}, Below: []int{0}, Turn: 2, Shown: true},
		{Label: "turn a", When: when, Lane: 0, Above: []int{0}, Turn: 1, Shown: true}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if page := presenter(&fake{err: map[string]error{"commits": errors.New("no")}}).History(t.Context(), TranscriptPage{}); page.Trouble == nil {
		t.Errorf("%+v", page)
	}
}

func TestALaneIsUsedAgainOnceItsBranchHasEnded(t *testing.T) {
	got := api.SessionCommits{Commits: []api.SessionCommit{{SHA: "f", Parents: []string{"c"}}, {SHA: "e", Parents: []string{"c"}}, {SHA: "c", Parents: []string{"b"}}, {SHA: "d", Parents: []string{"b"}}, {SHA: "b"}}}
	h := presenter(&fake{commits: got}).History(t.Context(), TranscriptPage{})
	if h.Lanes != 2 || h.Rows[3].Lane != 1 || !reflect.DeepEqual(h.Rows[4].Above, []int{0, 1}) {
		t.Errorf("%+v", h)
	}
}
