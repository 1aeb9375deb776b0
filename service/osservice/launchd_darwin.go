package osservice

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/kardianos/service"
)

func (e *Entry) systems(context.Context) (use system, others []system) {
	o := e.o
	return &launchd{managed{o: o, option: optionLaunchd, open: service.New,
		file: filepath.Join(o.User, "Library", "LaunchAgents", launchLabel(o.Program)+".plist"),
		text: func(made int) string { return plist(o.Program, made) }}}, nil
}

// launchd is a LaunchAgent. kardianos/service starts it by loading it and stops it by unloading it.
type launchd struct{ managed }

func (l *launchd) name() string { return "LaunchAgent" }

func (l *launchd) enabled(context.Context) bool { return true }

func (l *launchd) remove(context.Context) error { return l.uninstall() }

// start loads the agent, also when it was loaded and has ended since.
func (l *launchd) start(ctx context.Context) error {
	_ = l.stop(ctx) //nolint:errcheck // it may not be loaded
	return l.managed.start(ctx)
}

func (l *launchd) state(context.Context) (State, string) {
	s, err := l.service("")
	if err != nil {
		return Unknown, err.Error()
	}
	switch state, err := s.Status(); {
	case errors.Is(err, service.ErrNotInstalled):
		return Stopped, ""
	case err != nil:
		return Unknown, err.Error()
	case state == service.StatusRunning:
		return Running, ""
	}
	return Stopped, ""
}
