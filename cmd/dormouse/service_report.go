package main

import (
	"context"
	"errors"

	"dormouse/service/client"
	"dormouse/service/osservice"
)

// serviceReport is how the service is: what it answers itself, and what the system says.
type serviceReport struct {
	Answers bool   `json:"answers"`
	Hung    string `json:"hung,omitempty"` // why something is there that does not answer
	Held    string `json:"held,omitempty"` // what is in the service's place, and the remedy
	held    *heldError
	PID     int              `json:"pid,omitempty"`
	Phase   string           `json:"phase,omitempty"`
	Home    string           `json:"home"`
	System  osservice.Status `json:"system"`
	Tray    osservice.Status `json:"tray"`
}

// look asks the service and the system.
func (s *hosted) look(ctx context.Context) (serviceReport, error) {
	out := serviceReport{Home: s.home.Dir()}
	status, err := s.client.Status(ctx)
	switch {
	case err == nil:
		out.Answers, out.PID, out.Phase = true, status.PID, status.Phase
	case ctx.Err() != nil:
		return out, err
	case errors.As(s.a.held(ctx, s.home, err), &out.held):
		out.Held = out.held.Error()
	case !errors.Is(err, client.ErrNotRunning):
		out.Hung = err.Error()
	}
	if out.System, err = s.entry.Status(ctx); err != nil {
		return out, err
	}
	tray, _, _ := s.tray()
	out.Tray, err = tray.Status(ctx)
	return out, err
}

// tell prints how the service is.
func (s *hosted) tell(ctx context.Context) error {
	r, err := s.look(ctx)
	if err != nil {
		return err
	}
	if err := s.a.answer(r, func(v view) []string { return formatService(v, r) }); err != nil {
		return err
	}
	if !r.Answers {
		return errSaid
	}
	return nil
}

// errSaid says that the service is not running, when that has been told already.
var errSaid = &saidError{client.ErrNotRunning}

// saidError is an error that the person has read of, so that it only gives the exit code.
type saidError struct{ error }

func (e *saidError) Unwrap() error { return e.error }

// advice is what to do about a service, and with which command; empty when all is well.
func (r serviceReport) advice() (say, command string) {
	byUs := r.System.State == osservice.Running || r.System.State == osservice.Starting
	switch {
	case r.Held != "":
		return "", "" // said above
	case r.Hung != "" && r.System.Installed:
		return "If it stays like this, start it anew:", "dormouse service restart"
	case r.Hung != "":
		return "If it stays like this, end its process and start it again:", "dormouse service install"
	case !r.System.Installed && r.Answers:
		return "It was started by hand. To have it start when you log on:", "dormouse service install"
	case !r.System.Installed:
		return "To start it now and whenever you log on:", "dormouse service install"
	case r.System.Outdated:
		return "What is installed starts another Dormouse, or this one differently. To change that:", "dormouse service install"
	case !r.System.Enabled:
		return "It is switched off. To have it start when you log on:", "dormouse service install"
	case r.Answers && (r.System.State == osservice.Stopped || r.System.State == osservice.Failed):
		return "It was started by hand. To have the system run it:", "dormouse service restart"
	case !r.Answers && (byUs || r.System.State == osservice.Failed):
		return "To see why it does not answer:", "dormouse service logs"
	case !r.Answers:
		return "To start it:", "dormouse service start"
	}
	return "", ""
}
