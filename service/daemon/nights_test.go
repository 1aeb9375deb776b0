package daemon

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/sleep"
	"dormouse/store/home"
	"dormouse/store/memory"
)

func at3(day int) time.Time { return time.Date(2026, 6, day, 3, 0, 0, 0, time.Local) }

func TestWhichNightWasSlept(t *testing.T) {
	set := sleep.Settings{DeepAt: 3 * time.Hour, Location: time.Local}
	now := at3(18).Add(6 * time.Hour)
	night := func(day int, ended bool) api.Night {
		n := api.Night{ID: at3(day).String(), Due: at3(day).Unix(), Began: at3(day).Unix() + 60}
		if ended {
			n.Ended = n.Began + 100
		}
		return n
	}
	run := func(day int, kind string) memory.Run {
		return memory.Run{Kind: kind, Started: at3(day).Unix() + 60, Ended: at3(day).Unix() + 120}
	}
	cut := night(18, true)
	cut.Cut = true
	for _, c := range []struct {
		name   string
		nights []api.Night
		runs   []memory.Run
		want   int // day
	}{
		{"a new memory has missed no night", nil, nil, 18},
		{"the report says", []api.Night{night(16, true)}, []memory.Run{run(18, "deep")}, 16},
		{"one that goes on has not ended", []api.Night{night(17, true), night(18, false)}, []memory.Run{run(18, "deep")}, 17},
		{"nor has one that was cut", []api.Night{night(17, true), cut}, nil, 17},
		{"the clock was a day ahead", []api.Night{night(17, true), night(19, true)}, nil, 17},
		{"one that was asked for is no night", []api.Night{night(17, true), {Began: now.Unix(), Ended: now.Unix()}}, nil, 17},
		{"the reports are lost: the log says", nil, []memory.Run{run(15, "deep"), run(17, "light")}, 15},
		{"what an unfinished night has written does not count", []api.Night{night(18, false)}, []memory.Run{run(15, "deep"), run(18, "deep")}, 15},
	} {
		n := &nights{kept: nightsKept{Since: now.Unix(), Nights: c.nights}}
		if got := n.slept(c.runs, now, set); !got.Equal(at3(c.want)) {
			t.Errorf("%s: %v, want day %d", c.name, got, c.want)
		}
	}
}

func TestReportsAreKeptAndGoOn(t *testing.T) {
	h := home.At(t.TempDir())
	n, problem := openNights(h, at3(18))
	if problem != "" {
		t.Fatal(problem)
	}
	first, err := n.begin("deep", "time", at3(18), at3(18))
	if err != nil {
		t.Fatal(err)
	}
	first.Pauses = append(first.Pauses, api.NightPause{At: at3(18).Unix() + 10, Why: sleep.WaitInput})
	first.Stages = append(first.Stages, api.NightStage{Name: "backlog", Done: true})
	if err := n.keep(first); err != nil {
		t.Fatal(err)
	}
	if _, err := n.begin(manual, "asked", time.Time{}, at3(18).Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	n, _ = openNights(h, at3(18)) // as after a kill
	again, err := n.begin("deep", "quiet", at3(18), at3(18).Add(time.Hour))
	if err != nil || again.ID != first.ID || again.Why != "time" || len(again.Stages) != 1 || again.Pauses[0].Until != at3(18).Unix()+3600 {
		t.Errorf("goes on as %+v, %v", again, err)
	}
	next, err := n.begin("deep", "time", at3(19), at3(19))
	if err != nil || next.ID == first.ID {
		t.Errorf("the next night is %+v, %v", next, err)
	}
	for _, x := range n.list(10)[1:] {
		if !x.Cut || x.Ended != at3(19).Unix() {
			t.Errorf("left undone: %+v", x)
		}
	}
	for day := range maxNights + 5 {
		x, err := n.begin("deep", "time", at3(20+day), at3(20+day))
		if err == nil {
			x.Ended = at3(20 + day).Unix()
			err = n.keep(x)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := n.list(1000); len(got) != maxNights || got[0].Due != at3(20+maxNights+4).Unix() {
		t.Errorf("%d reports, the newest of %v", len(got), time.Unix(got[0].Due, 0))
	}
}

func TestWaitingBeginsOnceAndEndsWithTheNight(t *testing.T) {
	h := home.At(t.TempDir())
	n, _ := openNights(h, at3(18))
	ask := func(due bool, now time.Time) time.Time {
		got, err := n.wanted(due, now)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := ask(true, at3(18)); !got.Equal(at3(18)) {
		t.Error(got)
	}
	n, _ = openNights(h, at3(18).Add(time.Hour))
	if got := ask(true, at3(19)); !got.Equal(at3(18)) {
		t.Errorf("waits since %v", got)
	}
	if got := ask(true, at3(17)); !got.Equal(at3(17)) {
		t.Errorf("set back, the clock says %v", got)
	}
	x, err := n.begin("deep", "patience", at3(19), at3(19))
	if err != nil {
		t.Fatal(err)
	}
	x.Ended = at3(19).Unix()
	if err := n.keep(x); err != nil {
		t.Fatal(err)
	}
	if got := ask(true, at3(20)); !got.Equal(at3(20)) {
		t.Errorf("the next one waits since %v", got)
	}
	if got := ask(false, at3(20)); !got.IsZero() {
		t.Errorf("nothing is due, and %v", got)
	}
}

func TestReportsThatCannotBeReadArePutAside(t *testing.T) {
	h := home.At(t.TempDir())
	file := filepath.Join(h.Dir(), nightsFile)
	if err := os.WriteFile(file, []byte(`{"nights":[{`), 0o600); err != nil {
		t.Fatal(err)
	}
	n, problem := openNights(h, at3(18))
	if !strings.Contains(problem, file+".damaged") || n.last() != nil {
		t.Errorf("%q, %+v", problem, n.last())
	}
	if b, err := os.ReadFile(file + ".damaged"); err != nil || string(b) != `{"nights":[{` {
		t.Errorf("%q %v", b, err)
	}
}
