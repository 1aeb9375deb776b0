package osservice

import (
	"context"
	"fmt"
	"time"
)

// State is whether a program runs, in the system's word.
type State string

// The states.
const (
	Running  State = "running"
	Stopped  State = "stopped"
	Starting State = "starting" // or waiting to be started again after a failure
	Failed   State = "failed"   // and not started again
	Unknown  State = "unknown"
)

// Status is the system's word on a program. Whether it answers is another question.
type Status struct {
	System    string `json:"system"` // such as "systemd user unit"
	Place     string `json:"place"`  // of its entry
	Installed bool   `json:"installed"`
	Enabled   bool   `json:"enabled"`  // it is started at log-on
	Outdated  bool   `json:"outdated"` // it starts another program, or differently, than Install would have it now
	State     State  `json:"state"`
	Detail    string `json:"detail,omitempty"` // how often it was started again, why it failed
	// Linger is yes or no where the system ends a person's programs at log-out unless it was told not to (systemd's word);
	// empty where that is not known.
	Linger string `json:"linger,omitempty"`
}

// HasFailed reports whether the program has failed and waits to be started again, or is not started again.
func (s Status) HasFailed() bool { return s.State == Failed || s.State == Starting && s.Detail != "" }

// lingerer is a system that knows whether programs outlive the log-out.
type lingerer interface{ linger() string }

// Status asks the system.
func (e *Entry) Status(ctx context.Context) (Status, error) {
	use, others := e.systems(ctx)
	for i, s := range append([]system{use}, others...) {
		have, err := s.have()
		if err != nil {
			return Status{}, fmt.Errorf("read %s: %w", s.place(), err)
		}
		if have == "" {
			continue
		}
		out := Status{System: s.name(), Place: s.place(), Installed: true, Enabled: s.enabled(ctx),
			Outdated: i > 0 || have != s.want(have)}
		out.State, out.Detail = s.state(ctx)
		if l, ok := s.(lingerer); ok {
			out.Linger = l.linger()
		}
		return out, nil
	}
	return Status{System: use.name(), Place: use.place(), State: Stopped}, nil
}

// stateOf asks the one function that knows whether a program runs, and the one that may start it again.
func stateOf(ctx context.Context, o Options) (State, string) {
	if o.Running == nil {
		return Unknown, ""
	}
	on, err := o.Running(ctx)
	switch {
	case err != nil:
		return Unknown, err.Error()
	case on && o.Program.KeepFile != "" && !fileExists(o.Program.KeepFile): // what the system started has a keeper
		return Stopped, "the one that runs was started by hand"
	case on:
		return Running, ""
	}
	return keeping(o.Program.KeepFile, time.Now())
}

// stopKept ends a program that its system does not look after, and what would start it again. A program that does not run is
// not asked.
func stopKept(ctx context.Context, o Options) error {
	if err := letGo(o.Program.KeepFile); err != nil {
		return err
	}
	if o.Stop == nil {
		return nil
	}
	if o.Running != nil {
		if on, err := o.Running(ctx); err == nil && !on {
			return nil
		}
	}
	return o.Stop(ctx)
}
