// Package sleep decides when the memory is consolidated: a session that went idle is distilled soon after (light sleep),
// and once a night, or at the first moment awake after it, everything is (deep sleep).
//
// The decisions are pure functions of the time and of what is waiting; Loop carries them out through functions that are
// handed in. The package never distils anything itself and never reads a file.
package sleep

import (
	"time"

	"dormouse/store/memory"
)

// Phase is how the service lives at a moment.
type Phase string

// The phases.
const (
	Active Phase = "active" // a session grew a short while ago
	Idle   Phase = "idle"   // nothing goes on
	Asleep Phase = "asleep" // the memory is being consolidated
)

// Action is what is due.
type Action string

// The actions. They are the kinds of the runs that follow from them.
const (
	None  Action = ""
	Light Action = "light"
	Deep  Action = "deep"
)

// Settings says when sleep comes.
type Settings struct {
	// IdleAfter is how long after its newest node a session counts as idle.
	IdleAfter time.Duration
	// DeepAt is the time of day of the deep sleep, since midnight, local time.
	DeepAt time.Duration
	// Location is the person's time zone.
	Location *time.Location
}

// Input is what a decision depends on.
type Input struct {
	Now time.Time
	// LastDeep is the end of the newest deep sleep, or, where there was none, the first start of the service.
	LastDeep time.Time
	// Sessions are those that hold nodes which no sleep has dealt with.
	Sessions []Waiting
	// Newest is the time of the newest node of any session.
	Newest time.Time
}

// Waiting is a session with nodes to be distilled, and when it grew last.
type Waiting struct {
	ID   string
	Grew time.Time
}

// Decision is what to do now.
type Decision struct {
	Phase  Phase
	Action Action
	// Sessions are the idle ones that the action is for; a deep sleep is for all of them and for the memory as a whole.
	Sessions []string
}

// Decide says what is due at in.Now. A deep sleep goes before a light one, which it contains.
func Decide(in Input, set Settings) Decision {
	d := Decision{Phase: Idle}
	for _, w := range in.Sessions {
		if idle(in.Now, w.Grew, set.IdleAfter) {
			d.Sessions = append(d.Sessions, w.ID)
		}
	}
	if !in.Newest.IsZero() && !idle(in.Now, in.Newest, set.IdleAfter) {
		d.Phase = Active
	}
	switch {
	case in.LastDeep.Before(LastNight(in.Now, set)):
		d.Action = Deep
	case len(d.Sessions) > 0:
		d.Action = Light
	}
	return d
}

// idle compares wall clocks, so that a suspended machine counts as idle. A time in the future (a clock that was set back)
// counts as idle too: waiting for it could last for ever.
func idle(now, grew time.Time, after time.Duration) bool {
	since := now.Round(0).Sub(grew.Round(0))
	return since >= after || since < 0
}

// LastNight is the newest moment up to now at which a deep sleep was due.
func LastNight(now time.Time, set Settings) time.Time {
	at := night(now.In(set.Location), 0, set)
	if at.After(now) {
		return night(now.In(set.Location), -1, set)
	}
	return at
}

// NextNight is the next moment after now at which a deep sleep is due.
func NextNight(now time.Time, set Settings) time.Time {
	at := night(now.In(set.Location), 0, set)
	if !at.After(now) {
		return night(now.In(set.Location), 1, set)
	}
	return at
}

// night is the time of the deep sleep on the day of local plus days. On a day whose clock skips that time, it is the moment
// that time.Date gives for it.
func night(local time.Time, days int, set Settings) time.Time {
	y, m, d := local.Date()
	return time.Date(y, m, d+days, 0, 0, int(set.DeepAt/time.Second), 0, set.Location)
}

// LastDeep is the end of the newest deep sleep among runs, else the start of the first run, else fallback.
func LastDeep(runs []memory.Run, fallback time.Time) time.Time {
	var deep, first int64
	for _, r := range runs {
		if r.Kind == string(Deep) {
			deep = max(deep, r.Ended)
		}
		if first == 0 || r.Started < first {
			first = r.Started
		}
	}
	switch {
	case deep != 0:
		return time.Unix(deep, 0)
	case first != 0:
		return time.Unix(first, 0)
	}
	return fallback
}
