package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"dormouse/service/client"
	"dormouse/service/osservice"
	"dormouse/store/home"
)

// startTime is how long a started service may take until it answers.
const startTime = time.Minute

func (s *hosted) install(ctx context.Context, tray, start bool) error {
	out, err := s.bringUp(ctx, tray, start)
	if err != nil {
		return err
	}
	return s.answerDone(ctx, out)
}

// bringUp installs the service, with the tray or without, and starts it where it is to be started now.
func (s *hosted) bringUp(ctx context.Context, tray, start bool) (out said, err error) {
	if err := home.Mkdir(s.home.Dir()); err != nil { // what the system starts writes its log here
		return out, err
	}
	if err := home.Mkdir(s.home.Logs()); err != nil {
		return out, err
	}
	change, err := s.entry.Install(ctx)
	if err != nil {
		return out, err
	}
	out = said{Change: change, Done: map[osservice.Change]string{
		osservice.Installed: "Installed: Dormouse starts when you log on.",
		osservice.Upgraded:  "Upgraded: this Dormouse starts when you log on.",
		osservice.Unchanged: "Nothing to change: Dormouse starts when you log on.",
	}[change]}
	if start {
		note, err := s.ensureStarted(ctx)
		if err != nil {
			return out, err
		}
		out.note(note)
	}
	if tray {
		note, err := s.installTray(ctx, start)
		if err != nil {
			return out, err
		}
		out.note(note)
	}
	return out, nil
}

func (o *said) note(s string) {
	if s != "" {
		o.Notes = append(o.Notes, s)
	}
}

// ensureStarted starts the installed service unless one answers already, which is said when it is another one.
func (s *hosted) ensureStarted(ctx context.Context) (note string, err error) {
	on, err := s.client.Running(ctx)
	if err != nil {
		return "", s.a.held(ctx, s.home, err)
	}
	switch who := inTheWay(ctx, s.home, client.ErrNotRunning); {
	case who != nil && who.begins:
		return "", s.awaitAnswer(ctx)
	case who != nil:
		return "", who
	}
	if !on {
		if err := s.entry.Start(ctx); err != nil {
			return "", err
		}
		return "", s.awaitAnswer(ctx)
	}
	known, err := s.entry.Status(ctx)
	if err != nil || known.State == osservice.Running || known.State == osservice.Starting {
		return "", err
	}
	return "A service that was started by hand is running. The installed one takes over at the next log-on, or now: dormouse service restart", nil
}

func (s *hosted) installTray(ctx context.Context, start bool) (note string, err error) {
	entry, program, found := s.tray()
	if !found {
		return "", errors.New("the service is installed, but dormouse-tray is neither beside dormouse nor on PATH; put it there, then again: dormouse service install --tray")
	}
	if _, err := entry.Install(ctx); err != nil {
		return "", err
	}
	if !start {
		return "", nil
	}
	if !s.a.hasScreen() {
		return "The tray starts when you next log on to a desktop; this terminal has none.", nil
	}
	if runtime.GOOS == "darwin" {
		return "", entry.Start(ctx)
	}
	return "", osservice.Spawn(program) // a second tray sees the first one and ends
}

func (s *hosted) start(ctx context.Context) error {
	note, err := s.ensureStarted(ctx)
	if err != nil {
		return err
	}
	out := said{Done: "Dormouse runs."}
	out.note(note)
	return s.answerDone(ctx, out)
}

func (s *hosted) stop(ctx context.Context) error {
	stopped, err := s.end(ctx)
	if err != nil {
		return err
	}
	out := said{Done: "Dormouse has stopped, until the next log-on or: dormouse service start"}
	if !stopped {
		out.Done = "Dormouse was not running."
	}
	return s.answerDone(ctx, out)
}

// end stops what the system started, and what was started by hand. It reports whether there was anything to stop.
func (s *hosted) end(ctx context.Context) (bool, error) {
	known, err := s.entry.Status(ctx)
	if err != nil {
		return false, err
	}
	stopped := false
	if known.Installed && (known.State == osservice.Running || known.State == osservice.Starting) {
		if err := s.entry.Stop(ctx); err != nil {
			return false, err
		}
		stopped = true
	}
	on, err := s.client.Running(ctx)
	switch {
	case err != nil:
		return stopped, s.a.held(ctx, s.home, err)
	case on:
		return true, s.stopByAPI(ctx)
	}
	who := inTheWay(ctx, s.home, client.ErrNotRunning)
	switch {
	case who == nil:
		return stopped, nil
	case who.begins:
		return true, s.a.endHung(ctx, s.home, who)
	}
	return stopped, who
}

// stopByAPI asks the service to end and waits until it has.
func (s *hosted) stopByAPI(ctx context.Context) error {
	return s.a.held(ctx, s.home, s.a.end(ctx, s.client))
}

func (s *hosted) restart(ctx context.Context) error {
	known, err := s.entry.Status(ctx)
	if err != nil {
		return err
	}
	if !known.Installed {
		return fmt.Errorf("restart Dormouse: %w", osservice.ErrNotInstalled)
	}
	if _, err := s.end(ctx); err != nil {
		return err
	}
	if err := s.entry.Start(ctx); err != nil {
		return err
	}
	if err := s.awaitAnswer(ctx); err != nil {
		return err
	}
	return s.answerDone(ctx, said{Done: "Dormouse runs anew."})
}

// awaitAnswer returns when the service answers. One that has failed is not waited for, though it is tried again: what it cannot begin with
// does not change by itself.
func (s *hosted) awaitAnswer(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTime,
		errors.New("the service was started but does not answer yet; see why: dormouse service logs"))
	defer cancel()
	look := time.NewTicker(stopLook)
	defer look.Stop()
	for {
		if on, err := s.client.Running(ctx); err == nil && on {
			return nil
		}
		if known, err := s.entry.Status(ctx); err == nil && known.HasFailed() {
			return fmt.Errorf("the service was started and has failed: %s. Mend that, then: dormouse service restart", s.whyFailed(known))
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-look.C:
		}
	}
}
