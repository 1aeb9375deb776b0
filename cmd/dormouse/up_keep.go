package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"gopkg.in/natefinch/lumberjack.v2"

	"dormouse/service/osservice"
	"dormouse/store/home"
)

// endTime is how long a kept service may take to end in order when its keeper is told to; as TimeoutStopSec of the unit.
const endTime = 90 * time.Second

// keepFile says that a keeper of the service is to go on.
func keepFile(h home.Home) string { return filepath.Join(h.Run(), "keeper") }

// keepUp runs the service as a process of its own and starts it again when it fails.
func (a *app) keepUp(ctx context.Context, vars []string) error {
	leaveConsole()
	env, err := withVars(a.Env, vars)
	if err != nil {
		return err
	}
	h, err := home.Default(env)
	if err != nil {
		return err
	}
	if err := home.Mkdir(h.Dir()); err != nil {
		return err
	}
	for _, dir := range []string{h.Run(), h.Logs()} {
		if err := home.Mkdir(dir); err != nil {
			return err
		}
	}
	args := []string{"up", "--service"}
	for _, v := range vars {
		args = append(args, "--env", v)
	}
	code, err := osservice.Keeper{File: keepFile(h), Told: func(why string, again time.Time) { noteRestart(h, why, again) },
		Life: func(ctx context.Context) (int, error) { return life(ctx, a.Exe, args) }}.Run(ctx)
	if err != nil {
		return err
	}
	if code != exitOK {
		return &saidError{exitError(code)}
	}
	return nil
}

// exitError is the exit code of another process, to be passed on.
type exitError int

func (e exitError) Error() string { return "the service has failed" }

// life runs a program until it ends, and returns its exit code. When ctx ends the program is told to end, in order where the system
// has a signal for that.
func life(ctx context.Context, exe string, args []string) (int, error) {
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = osservice.Apart()
	cmd.Cancel = func() error { return osservice.AskToEnd(cmd.Process) }
	cmd.WaitDelay = endTime
	err := cmd.Run()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return failed.ExitCode(), nil
	}
	return 0, err
}

// noteRestart writes to the service's log, which nobody else has open while the service does not run.
func noteRestart(h home.Home, why string, again time.Time) {
	file := &lumberjack.Logger{Filename: h.Log(), MaxSize: 10, MaxBackups: 5}
	defer file.Close() //nolint:errcheck // nothing is left to tell it to
	slog.New(slog.NewTextHandler(file, nil)).Warn("the service failed and is started again", "why", why, "at", again.Format(time.RFC3339))
}
