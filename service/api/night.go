package api

import "dormouse/store/memory"

// The paths of sleep beside PathSleep.
const (
	PathNight     = "/v1/sleep/night"  // POST ?kind=: do all that a night does, now; light is for the sessions that are idle alone
	PathNights    = "/v1/sleep/nights" // ?limit=: what the nights did, the newest first
	PathSleepPlan = "/v1/sleep/plan"   // what a sleep would do now
	PathDays      = "/v1/days"         // ?since=&until=: how much there is of each day
)

// Day is how much there is of a day of the service's calendar. Days of which there is nothing are left out.
type Day struct {
	Day      string `json:"day"`      // 2026-05-31
	Sessions int    `json:"sessions"` // that went on last on that day
	Memories int    `json:"memories"` // events of that day that are remembered
}

// The kinds of a sleep that is asked for.
const (
	NightNow   = "now"
	NightLight = "light"
)

// Night is the report of one whole sleep. It is kept.
type Night struct {
	ID string `json:"id"`
	// Kind is deep for a nightly one, manual for one that somebody asked for.
	Kind string `json:"kind"`
	// Why it began when it did: time (it was time), quiet (the first quiet moment after), patience (it had waited for long enough),
	// asked.
	Why string `json:"why"`
	// Due is when it was due; 0 of one that was asked for.
	Due   int64 `json:"due"`
	Began int64 `json:"began"`
	// Ended is 0 while it goes on or has paused. Cut says that it was left unfinished: the next one did the rest.
	Ended  int64        `json:"ended"`
	Cut    bool         `json:"cut,omitempty"`
	Pauses []NightPause `json:"pauses"`
	Stages []NightStage `json:"stages"`
	// Counts, Model, tokens and cost are the sums of what its runs wrote into the log.
	Counts       memory.RunCounts `json:"counts"`
	Model        string           `json:"model,omitempty"`
	InputTokens  int64            `json:"input_tokens"`
	OutputTokens int64            `json:"output_tokens"`
	CostMicros   int64            `json:"cost_micros"`
	// Review is how much waits for the person, Waits what waits for another sleep, each with the reason.
	Review int      `json:"review"`
	Waits  []string `json:"waits"`
}

// Failures are the stages that failed.
func (n Night) Failures() (out []NightStage) {
	for _, s := range n.Stages {
		if s.Failure != "" {
			out = append(out, s)
		}
	}
	return out
}

// NightPause is a time in which a sleep waited.
type NightPause struct {
	At    int64  `json:"at"`
	Until int64  `json:"until"` // 0 while it lasts
	Why   string `json:"why"`
}

// NightStage is one step of a sleep.
type NightStage struct {
	// Name is backlog, tags, memory, packing, index, logs or sync.
	Name         string `json:"name"`
	Milliseconds int64  `json:"milliseconds"`
	Done         bool   `json:"done"`
	Failure      string `json:"failure,omitempty"`
	Note         string `json:"note,omitempty"` // what it did, or why there was nothing to do
}

// SleepPlan is what a sleep would do now.
type SleepPlan struct {
	Sessions int      `json:"sessions"` // with nodes that no sleep has dealt with
	Turns    int      `json:"turns"`
	Nodes    int      `json:"nodes"`
	Open     int      `json:"open"` // of the sessions, those that still go on
	Stages   []string `json:"stages"`
	// Model is what reads the sessions; empty for the rules, which cost nothing.
	Model string `json:"model,omitempty"`
	Calls int    `json:"calls"` // of the model, at the least
	// InputTokens is about what would be sent, OutputTokens and CostMicros the most that could come back and be paid.
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	CostMicros   int64 `json:"cost_micros"`
	Priced       bool  `json:"priced"` // the model's price is known
	// Due is when the nightly sleep comes or came, Waits why it does not begin.
	Due   int64    `json:"due"`
	Waits string   `json:"waits,omitempty"`
	Held  []string `json:"held"` // what would be left, with the reason
}
