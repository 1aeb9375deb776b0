package sleep

import "time"

// Machine is what is known of the machine at a moment. What is not known is nil or false and hinders nothing.
type Machine struct {
	// Input is how long ago the person last touched keyboard or mouse.
	Input *time.Duration
	// Locked says that the screen is locked.
	Locked bool
	// Load is how much of the processors others than Dormouse use: 1 is all of them.
	Load *float64
	// Battery is its charge in percent while the machine runs on it; nil on mains.
	Battery *int
	// Metered says that the network costs by what is sent.
	Metered bool
	// Prompted is when the person last wrote to an agent, as hooks tell; zero where that is not known.
	Prompted time.Time
	// Grew is when a session last got something, as far as that is known sooner than by Input.Newest.
	Grew time.Time
}

// Quiet says what a quiet moment is.
type Quiet struct {
	// Input is for how long nothing was touched.
	Input time.Duration
	// Load is the most that others may use of the processors.
	Load float64
	// Battery is the least charge in percent on battery; 0 is any, 100 is none: on mains alone.
	Battery int
	// Patience is how long a deep sleep waits for a quiet moment, from when it was first seen to be due.
	Patience time.Duration
}

// The reasons why a deep sleep waits, as people read them.
const (
	WaitInput   = "the machine is in use"
	WaitSession = "a session is going on"
	WaitLoad    = "the machine is busy"
	WaitBattery = "the machine runs on battery"
)

// lockedFor is for how long nothing is touched on a locked screen before the moment counts as quiet.
const lockedFor = time.Minute

// Unquiet says why the moment is not quiet; empty where it is. newest is when a session last grew, and a session that goes on
// counts only where nobody knows whether the person is there: an agent that works through the night keeps nobody awake.
func Unquiet(m Machine, now, newest time.Time, set Settings) string {
	q := set.Quiet
	if m.Grew.After(newest) {
		newest = m.Grew
	}
	need := q.Input
	if m.Locked {
		need = min(need, lockedFor)
	}
	switch {
	case !m.Prompted.IsZero() && !idle(now, m.Prompted, need):
		return WaitInput
	case m.Input != nil && *m.Input < need:
		return WaitInput
	case m.Input == nil && !m.Locked && !newest.IsZero() && !idle(now, newest, set.IdleAfter):
		return WaitSession
	case m.Battery != nil && (*m.Battery < q.Battery || q.Battery >= 100):
		return WaitBattery
	case m.Load != nil && *m.Load > q.Load:
		return WaitLoad
	}
	return ""
}
