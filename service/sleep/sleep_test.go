package sleep

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"dormouse/store/memory"
)

func berlin(t *testing.T) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func settings(loc *time.Location) Settings {
	return Settings{IdleAfter: 30 * time.Minute, DeepAt: 3 * time.Hour, Location: loc}
}

func at(t *testing.T, loc *time.Location, s string) time.Time {
	t.Helper()
	out, err := time.ParseInLocation("2006-01-02 15:04", s, loc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDecide(t *testing.T) {
	loc := berlin(t)
	for _, c := range []struct {
		name, now, deep, grew string
		want                  Decision
	}{
		{"a session that still grows is left alone", "2026-06-18 12:00", "2026-06-18 03:05", "2026-06-18 11:31", Decision{Active, None, nil}},
		{"a session idle for 30 minutes is distilled", "2026-06-18 12:00", "2026-06-18 03:05", "2026-06-18 11:30", Decision{Idle, Light, []string{"s"}}},
		{"a session that grew before the machine was suspended is idle", "2026-06-18 12:00", "2026-06-18 03:05", "2026-06-17 23:00", Decision{Idle, Light, []string{"s"}}},
		{"a node from the future does not wait for ever", "2026-06-18 12:00", "2026-06-18 03:05", "2026-06-19 12:00", Decision{Idle, Light, []string{"s"}}},
		{"before three nothing is due", "2026-06-18 02:59", "2026-06-17 03:05", "2026-06-18 02:58", Decision{Active, None, nil}},
		{"at three the deep sleep is due", "2026-06-18 03:00", "2026-06-17 03:05", "2026-06-18 02:58", Decision{Active, Deep, nil}},
		{"a machine that was off sleeps when it wakes", "2026-06-18 09:10", "2026-06-16 03:05", "2026-06-18 09:09", Decision{Active, Deep, nil}},
		{"the deep sleep comes once a night", "2026-06-18 23:59", "2026-06-18 09:11", "2026-06-18 23:58", Decision{Active, None, nil}},
	} {
		grew := at(t, loc, c.grew)
		got := Decide(Input{Now: at(t, loc, c.now), LastDeep: at(t, loc, c.deep), Sessions: []Waiting{{"s", grew}}, Newest: grew}, settings(loc))
		if got.Phase != c.want.Phase || got.Action != c.want.Action || !slices.Equal(got.Sessions, c.want.Sessions) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestOneNightADayThroughClockChanges(t *testing.T) {
	loc := berlin(t)
	set := settings(loc)
	set.DeepAt = 2*time.Hour + 30*time.Minute // skipped on 29 March, there twice on 25 October
	for _, start := range []string{"2026-03-27 12:00", "2026-10-23 12:00"} {
		now := at(t, loc, start)
		deep, sleeps := now, 0
		for end := now.AddDate(0, 0, 4); now.Before(end); now = now.Add(10 * time.Minute) {
			if Decide(Input{Now: now, LastDeep: deep}, set).Action == Deep {
				deep = now
				sleeps++
			}
		}
		if sleeps != 4 {
			t.Errorf("from %s: %d deep sleeps in four days", start, sleeps)
		}
	}
}

func TestNextNightIsAfterNow(t *testing.T) {
	loc := berlin(t)
	for now, want := range map[string]string{"2026-06-18 02:00": "2026-06-18 03:00", "2026-06-18 03:00": "2026-06-19 03:00", "2026-12-31 12:00": "2027-01-01 03:00"} {
		if got := NextNight(at(t, loc, now), settings(loc)); !got.Equal(at(t, loc, want)) {
			t.Errorf("after %s: %v, want %s", now, got, want)
		}
	}
}

func TestLastDeepComesFromTheLog(t *testing.T) {
	start := time.Unix(9, 0)
	runs := []memory.Run{{Kind: "light", Started: 200, Ended: 210}, {Kind: "light", Started: 100, Ended: 110}}
	if got := LastDeep(runs, start); got.Unix() != 100 {
		t.Errorf("without a deep sleep: %v", got)
	}
	if got := LastDeep(append(runs, memory.Run{Kind: "deep", Started: 50, Ended: 60}), start); got.Unix() != 60 {
		t.Errorf("with one: %v", got)
	}
	if got := LastDeep(nil, start); !got.Equal(start) {
		t.Errorf("without a run: %v", got)
	}
}

func TestLoopSleepsWhenItIsTimeAndTellsItsPhase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var phases []Phase
		var slept []Decision
		grew := time.Now()
		waiting := []Waiting{{"s", grew}}
		l := New(Params{Settings: settings(time.UTC), Now: time.Now, Changed: func(p Phase) { phases = append(phases, p) },
			Look: func(context.Context) (Input, error) {
				return Input{LastDeep: grew, Sessions: waiting, Newest: grew}, nil
			},
			Sleep: func(_ context.Context, d Decision) error {
				slept, waiting = append(slept, d), nil
				return nil
			}})
		ctx, stop := context.WithTimeout(t.Context(), 40*time.Minute)
		defer stop()
		if err := l.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if len(slept) != 1 || slept[0].Action != Light || !slices.Equal(phases, []Phase{Active, Asleep, Idle}) {
			t.Errorf("slept %+v, phases %v", slept, phases)
		}
	})
}

func TestFailingSleepIsTriedAgainEverMoreSlowlyAndSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		boom := errors.New("disk full")
		var tries []time.Duration
		start := time.Now()
		l := New(Params{Settings: settings(time.UTC), Now: time.Now,
			Look: func(context.Context) (Input, error) {
				return Input{LastDeep: time.Now(), Sessions: []Waiting{{"s", start.Add(-time.Hour)}}}, nil
			},
			Sleep: func(context.Context, Decision) error {
				tries = append(tries, time.Since(start))
				if len(tries) > 8 {
					return nil
				}
				return boom
			}})
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Hour)
		defer stop()
		done := make(chan struct{})
		go func() { defer close(done); _ = l.Run(ctx) }()
		time.Sleep(20 * time.Minute)
		if h := l.Health(); h.Failed != 4 || !errors.Is(h.Cause, boom) {
			t.Errorf("health %+v", h)
		}
		<-done
		if tries[1] != 2*time.Minute || tries[2] != 6*time.Minute || tries[7]-tries[6] != time.Hour {
			t.Errorf("tries at %v", tries)
		}
		if h := l.Health(); h.Failed != 0 || h.Cause != nil {
			t.Errorf("health after success %+v", h)
		}
	})
}
