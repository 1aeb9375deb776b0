package sleep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
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
	return Settings{IdleAfter: 30 * time.Minute, DeepAt: 3 * time.Hour, Location: loc,
		Quiet: Quiet{Input: 5 * time.Minute, Load: .5, Battery: 50, Patience: 20 * time.Hour}}
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
		{"a session that still grows is left alone", "2026-06-18 12:00", "2026-06-18 03:05", "2026-06-18 11:31", Decision{Phase: Active}},
		{"a session idle for 30 minutes is distilled", "2026-06-18 12:00", "2026-06-18 03:05", "2026-06-18 11:30", Decision{Phase: Idle, Action: Light, Sessions: []string{"s"}}},
		{"a session that grew before the machine was suspended is idle", "2026-06-18 12:00", "2026-06-18 03:05", "2026-06-17 23:00", Decision{Phase: Idle, Action: Light, Sessions: []string{"s"}}},
		{"a node from the future does not wait for ever", "2026-06-18 12:00", "2026-06-18 03:05", "2026-06-19 12:00", Decision{Phase: Idle, Action: Light, Sessions: []string{"s"}}},
		{"before three nothing is due", "2026-06-18 02:59", "2026-06-17 03:05", "2026-06-18 02:58", Decision{Phase: Active}},
		{"at three the deep sleep is due", "2026-06-18 03:00", "2026-06-17 03:05", "2026-06-18 02:28", Decision{Phase: Idle, Action: Deep, Sessions: []string{"s"}}},
		{"it waits for a session that goes on", "2026-06-18 03:00", "2026-06-17 03:05", "2026-06-18 02:58", Decision{Phase: Active, Waits: WaitSession}},
		{"a machine that was off sleeps at the first quiet moment", "2026-06-18 09:40", "2026-06-16 03:05", "2026-06-18 09:09", Decision{Phase: Idle, Action: Deep, Sessions: []string{"s"}}},
		{"the deep sleep comes once a night", "2026-06-18 23:59", "2026-06-18 09:11", "2026-06-18 23:58", Decision{Phase: Active}},
	} {
		grew, set := at(t, loc, c.grew), settings(loc)
		got := Decide(Input{Now: at(t, loc, c.now), Night: LastNight(at(t, loc, c.deep), set), Sessions: []Waiting{{"s", grew}}, Newest: grew}, set)
		if got.Phase != c.want.Phase || got.Action != c.want.Action || !slices.Equal(got.Sessions, c.want.Sessions) || got.Waits != c.want.Waits {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func span(d time.Duration) *time.Duration { return &d }
func share(f float64) *float64            { return &f }
func percent(n int) *int                  { return &n }

func TestUnquiet(t *testing.T) {
	now := time.Date(2026, 6, 18, 4, 0, 0, 0, time.UTC)
	busy := now.Add(-time.Minute)
	for _, c := range []struct {
		name    string
		machine Machine
		newest  time.Time
		want    string
	}{
		{"nothing is known and nothing goes on", Machine{}, now.Add(-time.Hour), ""},
		{"a server with a session", Machine{}, busy, WaitSession},
		{"a session that was just seen to grow", Machine{Grew: busy}, now.Add(-time.Hour), WaitSession},
		{"an agent works while nobody is there", Machine{Input: span(time.Hour)}, busy, ""},
		{"somebody types", Machine{Input: span(time.Second)}, time.Time{}, WaitInput},
		{"somebody has typed", Machine{Input: span(4*time.Minute + 59*time.Second)}, time.Time{}, WaitInput},
		{"nobody has for long enough", Machine{Input: span(5 * time.Minute)}, time.Time{}, ""},
		{"the screen was locked", Machine{Input: span(time.Minute), Locked: true}, busy, ""},
		{"the password is being typed", Machine{Input: span(time.Second), Locked: true}, busy, WaitInput},
		{"locked, and no more is known", Machine{Locked: true}, busy, ""},
		{"a prompt over the network", Machine{Input: span(time.Hour), Prompted: busy}, time.Time{}, WaitInput},
		{"an old prompt", Machine{Input: span(time.Hour), Prompted: now.Add(-time.Hour)}, time.Time{}, ""},
		{"a build", Machine{Load: share(.8)}, time.Time{}, WaitLoad},
		{"a little work", Machine{Load: share(.4)}, time.Time{}, ""},
		{"a low battery", Machine{Battery: percent(49)}, time.Time{}, WaitBattery},
		{"a battery that will do", Machine{Battery: percent(50)}, time.Time{}, ""},
	} {
		if got := Unquiet(c.machine, now, c.newest, settings(time.UTC)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	set := settings(time.UTC)
	if set.Quiet.Battery = 100; Unquiet(Machine{Battery: percent(100)}, now, time.Time{}, set) != WaitBattery {
		t.Error("a full battery counts as mains")
	}
	if set.Quiet.Battery = 0; Unquiet(Machine{Battery: percent(1)}, now, time.Time{}, set) != "" {
		t.Error("every battery was to do")
	}
}

func TestPatienceEnds(t *testing.T) {
	now := time.Date(2026, 6, 18, 23, 0, 0, 0, time.UTC)
	in := Input{Now: now, Night: now.AddDate(0, 0, -3), Machine: Machine{Input: span(0)}}
	for wanted, gentle := range map[time.Time]bool{{}: false, now.Add(-19 * time.Hour): false, now.Add(-20 * time.Hour): true, now.Add(time.Hour): false} {
		in.Wanted = wanted
		d := Decide(in, settings(time.UTC))
		if d.Gentle != gentle || (d.Action == Deep) != gentle || (d.Waits == "") != gentle {
			t.Errorf("wanted since %v: %+v", wanted, d)
		}
	}
}

// nights counts the deep sleeps of a machine on which every moment is quiet, between two times.
func nights(from, to time.Time, set Settings, zone func(time.Time) *time.Location) (n int) {
	slept := LastNight(from, set)
	for now := from; now.Before(to); now = now.Add(10 * time.Minute) {
		if zone != nil {
			set.Location = zone(now)
		}
		if d := Decide(Input{Now: now, Night: slept}, set); d.Action == Deep {
			slept = d.Due
			n++
		}
	}
	return n
}

func TestOneNightADayThroughClockChanges(t *testing.T) {
	loc := berlin(t)
	for _, deep := range []time.Duration{2*time.Hour + 30*time.Minute, 3 * time.Hour, 0} { // 02:30 is skipped on 29 March, there twice on 25 October
		set := settings(loc)
		set.DeepAt = deep
		for _, start := range []string{"2026-03-27 12:00", "2026-10-23 12:00"} {
			now := at(t, loc, start)
			if got := nights(now, now.AddDate(0, 0, 4), set, nil); got != 4 {
				t.Errorf("at %v from %s: %d deep sleeps in four days", deep, start, got)
			}
		}
	}
}

func TestOneNightThroughTimeZones(t *testing.T) {
	zone := func(hours int) *time.Location { return time.FixedZone("", hours*3600) }
	for _, c := range []struct {
		name     string
		from, to int       // hours east of Greenwich
		when     time.Time // of the change
		want     int       // deep sleeps from noon of 16 June, local time, in four days
	}{
		{"west, just after sleeping", 2, -4, time.Date(2026, 6, 18, 2, 0, 0, 0, time.UTC), 4},
		{"west, in the evening", 2, -4, time.Date(2026, 6, 17, 20, 0, 0, 0, time.UTC), 4},
		{"east", -4, 2, time.Date(2026, 6, 18, 12, 0, 0, 0, time.UTC), 4},
		{"a little east at night", 1, 2, time.Date(2026, 6, 18, 2, 30, 0, 0, time.UTC), 4},
	} {
		set := settings(zone(c.from))
		from := time.Date(2026, 6, 16, 12-c.from, 0, 0, 0, time.UTC)
		got := nights(from, from.AddDate(0, 0, 4), set, func(now time.Time) *time.Location {
			if now.Before(c.when) {
				return zone(c.from)
			}
			return zone(c.to)
		})
		if got != c.want {
			t.Errorf("%s: %d deep sleeps, want %d", c.name, got, c.want)
		}
	}
}

func TestSetBackByADayTheClockDoesNotSleepANightTwice(t *testing.T) {
	set := settings(time.UTC)
	slept := time.Date(2026, 6, 18, 3, 0, 0, 0, time.UTC)
	for now, want := range map[time.Time]bool{
		slept.Add(-20 * time.Hour): false, slept.Add(-time.Minute): false, slept.Add(time.Hour): false, slept.Add(24 * time.Hour): true,
	} {
		if _, due := Due(now, slept, set); due != want {
			t.Errorf("at %v: due %v", now, due)
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
				return Input{Night: grew, Sessions: waiting, Newest: grew}, nil
			},
			Sleep: func(_ context.Context, d Decision, _ *Gate) error {
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
				return Input{Night: time.Now(), Sessions: []Waiting{{"s", start.Add(-time.Hour)}}}, nil
			},
			Sleep: func(context.Context, Decision, *Gate) error {
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

// bed is a machine whose owner comes and goes, and a loop that has much to do in the night.
type bed struct {
	*Loop
	mu      sync.Mutex // guards all below
	touched time.Time  // last input
	load    float64
	units   []time.Time // of work that was done
	todo    int
	slept   time.Time // the night that has ended
	gentle  bool
	calls   int // of Sleep
}

// unit is how long a piece of work takes.
const unit = 300 * time.Millisecond

// newBed begins ten minutes before a night, fifty after the last input.
func newBed(t *testing.T, todo int) *bed {
	t.Helper()
	b := &bed{touched: time.Now().Add(-50 * time.Minute), todo: todo, slept: LastNight(time.Now(), bedTime())}
	wanted := time.Time{}
	b.Loop = New(Params{Settings: bedTime(), Now: time.Now,
		Look: func(context.Context) (Input, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if _, due := Due(time.Now(), b.slept, bedTime()); !due {
				wanted = time.Time{}
			} else if wanted.IsZero() {
				wanted = time.Now()
			}
			return Input{Night: b.slept, Wanted: wanted}, nil
		},
		Machine: func(context.Context) Machine {
			b.mu.Lock()
			defer b.mu.Unlock()
			return Machine{Input: span(time.Since(b.touched)), Load: share(b.load)}
		},
		Sleep: func(ctx context.Context, d Decision, g *Gate) error {
			b.change(func() { b.gentle, b.calls = d.Gentle, b.calls+1 })
			for b.left() > 0 {
				if err := g.Pass(ctx); err != nil {
					return fmt.Errorf("at unit %d: %w", b.left(), err)
				}
				time.Sleep(unit)
				b.change(func() { b.units, b.todo = append(b.units, time.Now()), b.todo-1 })
			}
			b.change(func() { b.slept = d.Due })
			return nil
		}})
	return b
}

func (b *bed) change(fn func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fn()
}

func (b *bed) left() (n int) {
	b.change(func() { n = b.todo })
	return n
}

// done is the units of work that were done.
func (b *bed) done() (units []time.Time) {
	b.change(func() { units = slices.Clone(b.units) })
	return units
}

// bedTime has the deep sleep ten minutes after the beginning of a synctest bubble, which is midnight of 1 January 2000 UTC.
func bedTime() Settings {
	s := settings(time.UTC)
	s.DeepAt = 10 * time.Minute
	return s
}

func TestSleepPausesWithinASecondAndGoesOnWhereItStopped(t *testing.T) {
	for name, c := range map[string]struct {
		disturb func(*bed)
		calm    func(*bed)
		why     string
	}{
		"the person is back": {func(b *bed) { b.touched = time.Now() }, func(*bed) {}, WaitInput},
		"a build begins":     {func(b *bed) { b.load = .9 }, func(b *bed) { b.load = 0 }, WaitLoad},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBed(t, 100)
				ctx, stop := context.WithCancel(t.Context())
				var done sync.WaitGroup
				done.Go(func() { _ = b.Run(ctx) })
				time.Sleep(10*time.Minute + 10*time.Second)
				if b.Health().Phase != Asleep || len(b.done()) < 20 {
					t.Fatalf("asleep: %+v, %d units", b.Health(), len(b.done()))
				}
				b.change(func() { c.disturb(b) })
				disturbed := time.Now()
				time.Sleep(10 * time.Second)
				units := b.done()
				if last := units[len(units)-1].Sub(disturbed); last > time.Second {
					t.Errorf("still at work %v after", last)
				}
				if h := b.Health(); h.Phase == Asleep || h.Waits != c.why || h.Due.IsZero() || h.Failed != 0 {
					t.Errorf("while it waits: %+v", h)
				}
				b.change(func() { c.calm(b) })
				time.Sleep(7 * time.Minute)
				if b.left() != 0 || len(b.done()) != 100 {
					t.Errorf("%d units are left, %d were done", b.left(), len(b.done()))
				}
				if h := b.Health(); h.Waits != "" || !h.Due.IsZero() || h.Phase != Idle {
					t.Errorf("in the end: %+v", h)
				}
				stop()
				done.Wait()
			})
		})
	}
}

func TestOnePeakOfLoadDoesNotWakeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, peaks := NewGate(false), 0
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		watch(ctx, g, func(context.Context) string {
			if peaks++; peaks%2 == 0 {
				return WaitLoad
			}
			return ""
		})
		if err := g.Pass(t.Context()); err != nil || peaks < 100 {
			t.Errorf("%v after %d looks", err, peaks)
		}
	})
}

func TestSomebodyWhoIsAlwaysThereIsSleptBesideGently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, 10)
		ctx, stop := context.WithCancel(t.Context())
		var done sync.WaitGroup
		done.Go(func() { _ = b.Run(ctx) })
		for range 20 * 60 {
			b.change(func() { b.touched = time.Now() })
			time.Sleep(time.Minute)
		}
		if b.left() != 10 {
			t.Fatalf("it slept while somebody was there: %d units left", b.left())
		}
		for range 30 {
			b.change(func() { b.touched = time.Now() })
			time.Sleep(time.Minute)
		}
		stop()
		done.Wait() // what follows is written by nobody any more
		if b.todo != 0 || !b.gentle || b.calls != 1 {
			t.Fatalf("%d units left after 20 hours, gentle %v, in %d sleeps", b.todo, b.gentle, b.calls)
		}
		for i := range b.units[1:] {
			if rest := b.units[i+1].Sub(b.units[i]); rest < 5*unit {
				t.Errorf("only %v between two units", rest)
			}
		}
	})
}

func TestSuspendedOverTheNightItSleepsWhenItWakes(t *testing.T) {
	set := settings(time.UTC)
	bedtime := time.Date(2026, 6, 17, 23, 0, 0, 0, time.UTC)
	morning := time.Date(2026, 6, 18, 9, 0, 0, 0, time.UTC)
	in := Input{Now: morning, Night: LastNight(bedtime, set), Machine: Machine{Input: span(10 * time.Second)}}
	if d := Decide(in, set); d.Action != None || d.Waits != WaitInput {
		t.Errorf("somebody opened the lid: %+v", d)
	}
	in.Now, in.Machine = morning.Add(time.Hour), Machine{Input: span(6 * time.Minute)}
	if d := Decide(in, set); d.Action != Deep || !d.Due.Equal(time.Date(2026, 6, 18, 3, 0, 0, 0, time.UTC)) {
		t.Errorf("at the first quiet moment: %+v", d)
	}
}
