package model

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/store/memory"
)

// told is what the news were, one line each.
func toldOf(list []TrayMessage) string {
	var out []string
	for _, m := range list {
		out = append(out, fmt.Sprintf("%s|%s|%s|%v", m.Key, m.Title, m.Body, m.Urgent))
	}
	return strings.Join(out, "\n")
}

func sleptLook(id, kind string, c memory.RunCounts) TrayLook {
	return TrayLook{Status: api.Status{Machine: "here", LastSleep: &memory.Run{ID: id, Kind: kind, Counts: c, Machine: "here"}}}
}

func TestASleepIsToldOnceWithItsFigures(t *testing.T) {
	n := NewTrayNews(time.Now)
	c := memory.RunCounts{Nodes: 90, Events: 12, Superseded: 3, Sessions: 4}
	steps := []struct {
		name string
		look TrayLook
		want string
	}{
		{"the first look finds history", sleptLook("1", "deep", c), ""},
		{"nothing new", sleptLook("1", "deep", c), ""},
		{"a night", sleptLook("2", "deep", c), "sleep|Dormouse has slept|12 learned, 3 superseded, from 4 sessions.|false"},
		{"the same night", sleptLook("2", "deep", c), ""},
		{"down", TrayLook{Err: client.ErrNotRunning}, ""},
		{"the same night after a restart", sleptLook("2", "deep", c), ""},
		{"after each session", sleptLook("3", "light", c), ""},
		{"asked for", sleptLook("4", "manual", memory.RunCounts{Nodes: 2, Sessions: 1}), "sleep|Dormouse has slept|Nothing new, from 1 session.|false"},
		{"a quiet night", sleptLook("5", "deep", memory.RunCounts{}), ""},
	}
	for _, s := range steps {
		if got := toldOf(n.Of(s.look)); got != s.want {
			t.Errorf("%s: %q, want %q", s.name, got, s.want)
		}
	}
	foreign := sleptLook("6", "deep", c)
	foreign.Status.LastSleep.Machine = "elsewhere"
	if got := toldOf(n.Of(foreign)); got != "" {
		t.Errorf("the sleep of another machine: %q", got)
	}
	demo := sleptLook("7", "manual", c)
	demo.Status.Demo = true
	if got := toldOf(n.Of(demo)); !strings.Contains(got, "Dormouse has slept (demo)") {
		t.Errorf("the demo's: %q", got)
	}
}

func TestTheFirstSleepEverIsNews(t *testing.T) {
	n := NewTrayNews(time.Now)
	n.Of(TrayLook{})
	if got := toldOf(n.Of(sleptLook("1", "manual", memory.RunCounts{Nodes: 1, Events: 1, Sessions: 1}))); got == "" {
		t.Error("it is not told")
	}
}

func TestTroubleIsToldAfterThreeFailuresAndOnce(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	n := NewTrayNews(func() time.Time { return now })
	look := func(failed int, failure string) string {
		state := "ok"
		if failed >= 3 {
			state = "amber"
		}
		return toldOf(n.Of(TrayLook{Status: api.Status{Parts: []api.Part{{Name: "capture", State: state, Failed: failed, Failure: failure}}}}))
	}
	const said = "trouble:capture|Capture failed 3 times in a row|Disk full.|true"
	for _, step := range []struct {
		name    string
		failed  int
		failure string
		after   time.Duration
		want    string
	}{
		{"one failure", 1, "disk full", 0, ""},
		{"two failures", 2, "disk full", 0, ""},
		{"three failures", 3, "disk full", 0, said},
		{"it goes on", 4, "disk full", time.Minute, ""},
		{"for days", 99, "disk full", 72 * time.Hour, ""},
		{"it works", 0, "", time.Minute, ""},
		{"the same again, long after", 3, "disk full", time.Minute, said},
		{"it works again", 0, "", time.Minute, ""},
		{"the same again, soon", 3, "disk full", time.Minute, ""},
		{"it works at last", 0, "", time.Minute, ""},
		{"another failure, soon", 3, "no rights", time.Minute, "trouble:capture|Capture failed 3 times in a row|No rights.|true"},
	} {
		now = now.Add(step.after)
		if got := look(step.failed, step.failure); got != step.want {
			t.Errorf("%s: %q, want %q", step.name, got, step.want)
		}
	}
}

func TestTroubleOfTheRemoteIsToldWhoeverReportsIt(t *testing.T) {
	n := NewTrayNews(time.Now)
	both := api.Status{Sync: api.Sync{Remote: "x", Failed: 5, Failure: "no network"}, Parts: []api.Part{{Name: "sync", State: "amber", Failed: 5, Failure: "no network"}}}
	if got := toldOf(n.Of(TrayLook{Status: both})); got != "trouble:sync|Sync failed 5 times in a row|No network.|true" {
		t.Errorf("%q", got)
	}
	both.Parts = nil
	if got := toldOf(n.Of(TrayLook{Status: both})); got != "" {
		t.Errorf("told twice: %q", got)
	}
	long := api.Status{Parts: []api.Part{{Name: "x\x1b[31m", State: "amber", Failed: 3, Failure: strings.Repeat("a", 5000)}}}
	if got := n.Of(TrayLook{Status: long}); len(got) != 1 || len(got[0].Body) > 310 || strings.Contains(got[0].Title, "\x1b") {
		t.Errorf("%+v", got)
	}
}

func TestANightIsToldOnceHoweverOftenItHasPaused(t *testing.T) {
	n := NewTrayNews(func() time.Time { return trayNow })
	counts := memory.RunCounts{Nodes: 9, Events: 3, Sessions: 2}
	look := func(run string, night *api.Night) []TrayMessage {
		return n.Of(TrayLook{Status: api.Status{LastNight: night, LastSleep: &memory.Run{ID: run, Kind: "deep", Started: 5, Counts: counts}}})
	}
	old := &api.Night{ID: "n0", Ended: 4, Counts: counts}
	if got := look("r0", old); len(got) != 0 {
		t.Errorf("history was told: %+v", got)
	}
	night := &api.Night{ID: "n1", Began: 5, Counts: counts, Review: 2}
	for _, run := range []string{"r1", "r2", "r3"} { // before each pause
		if got := look(run, night); len(got) != 0 {
			t.Errorf("before it has ended: %+v", got)
		}
	}
	night.Ended = 9
	night.Stages = []api.NightStage{{Name: "sync", Failure: "no network"}}
	got := look("r4", night)
	if len(got) != 1 || got[0].Body != "3 learned, from 2 sessions, 2 waiting for your review; failed: Sync." {
		t.Errorf("in the morning: %+v", got)
	}
	if got := look("r4", night); len(got) != 0 {
		t.Errorf("told again: %+v", got)
	}
	if got := look("r5", &api.Night{ID: "n2", Ended: 12}); len(got) != 0 {
		t.Errorf("a night without anything new: %+v", got)
	}
}

func TestASecretIsToldOnceAndAClickLeadsToTheRightPage(t *testing.T) {
	at := now
	n := NewTrayNews(func() time.Time { return at })
	look := func(redacted int) []TrayMessage {
		return n.Of(TrayLook{Status: api.Status{Counts: api.Counts{Redacted: redacted}}})
	}
	if got := look(4); got != nil {
		t.Errorf("those of before are told: %+v", got)
	}
	got := look(6)
	if len(got) != 1 || got[0].Title != "2 secrets in a session" || got[0].Page != "sessions" || got[0].Urgent {
		t.Errorf("%+v", got)
	}
	for _, count := range []int{6, 5, 6, 7, 9} { // the index of sessions may be read anew, and an import finds one after another
		if got := look(count); got != nil {
			t.Errorf("%d told again: %+v", count, got)
		}
	}
	at = at.Add(time.Hour)
	if got := look(9); len(got) != 1 || got[0].Title != "3 secrets in a session" {
		t.Errorf("%+v", got)
	}
	night := func(id string, review int) api.Status {
		return api.Status{LastNight: &api.Night{ID: id, Ended: 5, Review: review, Counts: memory.RunCounts{Nodes: 1}}, Counts: api.Counts{Redacted: 9}}
	}
	for page, s := range map[string]api.Status{"review": night("n1", 2), "today": night("n2", 0),
		"sync": {Counts: api.Counts{Redacted: 9}, Parts: []api.Part{{Name: "sync", State: "amber", Failed: 3, Failure: "no"}}}} {
		if got := n.Of(TrayLook{Status: s}); len(got) != 1 || got[0].Page != page {
			t.Errorf("%s: %+v", page, got)
		}
	}
}

func TestInQuietHoursNothingIsToldUntilTheyEnd(t *testing.T) {
	now := time.Date(2026, 11, 1, 23, 0, 0, 0, time.Local)
	n := NewTrayNews(func() time.Time { return now })
	look := func(id string, redacted int, amber bool) string {
		l := sleptLook(id, "deep", memory.RunCounts{Nodes: 9, Events: 2, Sessions: 1})
		l.Status.Counts.Redacted, l.Status.Quiet = redacted, api.Quiet{From: 22 * 60, To: 7 * 60}
		if amber {
			l.Status.Parts = []api.Part{{Name: "sync", State: "amber", Failed: 3, Failure: "no route"}}
		}
		var keys []string
		for _, m := range n.Of(l) {
			keys = append(keys, m.Key)
		}
		if (n.Rest(l) > 0) != (now.Hour() == 23 || now.Hour() < 7) {
			t.Errorf("at %v it rests for %v", now, n.Rest(l))
		}
		return strings.Join(keys, " ")
	}
	for _, step := range []struct {
		after    time.Duration
		id       string
		redacted int
		amber    bool
		want     string
	}{
		{0, "1", 3, true, ""}, // the first look: trouble waits, the rest is history
		{4 * time.Hour, "2", 5, true, ""},
		{3 * time.Hour, "2", 5, true, ""}, // 06:00
		{time.Hour, "2", 5, true, "sleep secret trouble:sync"},
		{time.Hour, "2", 5, true, ""},
	} {
		now = now.Add(step.after)
		if got := look(step.id, step.redacted, step.amber); got != step.want {
			t.Errorf("at %v: %q, want %q", now, got, step.want)
		}
	}
}
