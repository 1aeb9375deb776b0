// Package sleep decides when the memory is consolidated: a session that went idle is distilled soon after (light sleep),
// and once a night, or at the first quiet moment after it, everything is (deep sleep).
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
	// Quiet is the moment that a deep sleep waits for.
	Quiet Quiet
}

// Input is what a decision depends on.
type Input struct {
	Now time.Time
	// Night is the night that was slept last, by the moment at which its sleep was due; a night that was begun and not ended
	// does not count.
	Night time.Time
	// Wanted is when it was first seen that the sleep of the newest night is due; zero where that is now.
	Wanted time.Time
	// Sessions are those that hold nodes which no sleep has dealt with.
	Sessions []Waiting
	// Newest is the time of the newest node of any session.
	Newest time.Time
	// Machine is what is known of the machine.
	Machine Machine
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
	// Due is the moment of the night whose deep sleep is due; zero where none is.
	Due time.Time
	// Waits is why a deep sleep that is due does not begin; empty where nothing hinders it.
	Waits string
	// Gentle says that the sleep has waited for long enough: it begins without a quiet moment, takes little of the machine at a time
	// and does not pause.
	Gentle bool
	// Metered says that nothing is to be sent that costs.
	Metered bool
}

// Decide says what is due at in.Now. A deep sleep goes before a light one, which it contains; while it waits for a quiet moment,
// light ones go on.
func Decide(in Input, set Settings) Decision {
	d := Decision{Phase: Idle, Metered: in.Machine.Metered}
	for _, w := range in.Sessions {
		if idle(in.Now, w.Grew, set.IdleAfter) {
			d.Sessions = append(d.Sessions, w.ID)
		}
	}
	if !in.Newest.IsZero() && !idle(in.Now, in.Newest, set.IdleAfter) {
		d.Phase = Active
	}
	if night, ok := Due(in.Now, in.Night, set); ok {
		d.Due = night
		d.Waits = Unquiet(in.Machine, in.Now, in.Newest, set)
		if d.Waits != "" && !in.Wanted.IsZero() && !in.Wanted.After(in.Now) && in.Now.Round(0).Sub(in.Wanted.Round(0)) >= set.Quiet.Patience {
			d.Waits, d.Gentle = "", true
		}
	}
	switch {
	case !d.Due.IsZero() && d.Waits == "":
		d.Action = Deep
	case len(d.Sessions) > 0:
		d.Action = Light
	}
	return d
}

// halfDay is how far two nights are apart at the least. Who travels west or sets the clock back sees 03:00 of a night twice; that is
// one night.
const halfDay = 12 * time.Hour

// Due is the newest night up to now, and whether its sleep is due when the night slept last is the given one.
func Due(now, slept time.Time, set Settings) (time.Time, bool) {
	night := LastNight(now, set)
	return night, night.Sub(slept) >= halfDay
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

// LastDeep is the end of the newest deep sleep among runs, else the start of the first run, else fallback. It stands in where nothing
// else tells which night was slept last.
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
