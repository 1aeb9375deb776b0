package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
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
	file := &lumberjack.Logger{Filename: h.Log(), MaxSize: 10, MaxBackups: 5}
	defer file.Close() //nolint:errcheck // nothing is left to tell it to
	cfg, err := config.Load(h.Config())
	if err != nil {
		slog.New(slog.NewTextHandler(file, nil)).Error("the service could not start", "error", err)
		return err
	}
	log := slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: cfg.Log.SlogLevel()}))
	if err := boundSaid(h.Said()); err != nil {
		log.Warn("what earlier services said is not cut", "error", err)
	}
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

// mostSaid is from which size on what services said is cut to its last keptSaid bytes, when the next one begins. One that fails again and
// again says something at each start.
const (
	mostSaid = 1 << 20
	keptSaid = 64 << 10
)

// boundSaid cuts what earlier services said on their standard error. Whoever has the file open appends to it, also after that.
func boundSaid(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() <= mostSaid {
		return nil
	}
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // what it could lose is what is to be lost
	last := make([]byte, keptSaid)
	if _, err := f.ReadAt(last, info.Size()-keptSaid); err != nil {
		return err
	}
	last = last[bytes.IndexByte(last, '\n')+1:]
	if _, err := f.WriteAt(last, 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(last)))
}

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
