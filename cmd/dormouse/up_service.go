package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/natefinch/lumberjack.v2"

	"dormouse/service/config"
	"dormouse/service/daemon"
	"dormouse/service/machine"
	"dormouse/store/home"
)

// inBackground runs the service for the operating system: on the person's own memory, without a word but for what went
// wrong, which goes to the log as well. vars are variables, as NAME=VALUE, that the system could not give.
func (a *app) inBackground(ctx context.Context, vars []string) error {
	leaveConsole()
	env, err := withVars(a.Env, vars)
	if err != nil {
		return err
	}
	h, err := home.Default(env)
	if err != nil {
		return err
	}
	if err := h.Create(); err != nil {
		return err
	}
	limit := limitMemory(env)
	file := &lumberjack.Logger{Filename: logFile(h), MaxSize: 10, MaxBackups: 5}
	defer file.Close() //nolint:errcheck // nothing is left to tell it to
	cfg, err := config.Load(h.Config())
	if err != nil {
		slog.New(slog.NewTextHandler(file, nil)).Error("the service could not start", "error", err)
		return err
	}
	log := slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: cfg.Log.SlogLevel()}))
	log.Info("the service starts", "home", h.Dir(), "process", os.Getpid())
	senses := machine.New(machine.Options{Env: env})
	defer senses.Close()
	p := a.params(h, cfg)
	p.Env, p.Log, p.MemoryLimit, p.Machine, p.RotateLog, p.Links = env, log, limit, senses.Read, file.Rotate, a.linking(env)
	err = daemon.New(p).Run(ctx)
	if err != nil {
		log.Error("the service ended", "error", err)
		return err
	}
	log.Info("the service has ended in order")
	return nil
}

// logFile is the service's log.
func logFile(h home.Home) string { return filepath.Join(h.Logs(), "dormouse.log") }

// withVars puts variables before those of the system.
func withVars(env func(string) string, vars []string) (func(string) string, error) {
	set := map[string]string{}
	for _, v := range vars {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--env takes NAME=VALUE, not %q", v)
		}
		set[name] = value
	}
	return func(name string) string {
		if v, ok := set[name]; ok {
			return v
		}
		return env(name)
	}, nil
}
