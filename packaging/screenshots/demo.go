package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/service/config"
	"dormouse/service/daemon"
	"dormouse/store/home"
)

// demoHome is where the demo's memory lies while it is drawn; equal in every run, since it is to be seen.
const demoHome = "dormouse-screenshots"

// startDemo runs the service on the sample sessions until it has learned from them. stop ends it and deletes its memory.
func startDemo(ctx context.Context) (c *client.Client, stop func() error, err error) {
	root := filepath.Join(os.TempDir(), demoHome)
	if err := os.RemoveAll(root); err != nil {
		return nil, nil, err
	}
	dir := filepath.Join(root, ".dormouse-demo")
	samples := filepath.Join(dir, "samples")
	if err := home.At(dir).Create(); err != nil {
		return nil, nil, err
	}
	if _, err := assets.ExtractSamples(samples); err != nil {
		return nil, nil, err
	}
	cfg := config.Default()
	cfg.Capture.Agents = []string{"claude-code", "codex"} // the others' folders are the person's own
	cfg.Capture.Roots = map[string][]string{
		"claude-code": {filepath.Join(samples, filepath.FromSlash(assets.SampleClaude))},
		"codex":       {filepath.Join(samples, filepath.FromSlash(assets.SampleCodex))},
	}
	ctx, cancel := context.WithCancel(ctx)
	ready, done := make(chan struct{}), make(chan error, 1)
	d := daemon.New(daemon.Params{Home: home.At(dir), Config: cfg, Demo: true, Now: now, Env: func(string) string { return "" },
		Report: func(r daemon.Report) {
			if r.Stage == daemon.StageReady {
				close(ready)
			}
		}})
	go func() { done <- d.Run(ctx) }()
	select {
	case <-ready:
	case err := <-done:
		cancel()
		return nil, nil, fmt.Errorf("start the demo: %w", err)
	}
	c = client.New(client.Options{Home: dir})
	return c, func() error {
		c.Close()
		cancel()
		return errors.Join(<-done, os.RemoveAll(root))
	}, nil
}

// user is the home folder in the pictures.
func user() string { return filepath.Join(os.TempDir(), demoHome) }

// steady is the demo without what differs from run to run.
type steady struct{ *client.Client }

// Status names no real machine or process.
func (s steady) Status(ctx context.Context) (api.Status, error) {
	st, err := s.Client.Status(ctx)
	st.Machine, st.PID = "1a2b3c4d", 4711
	return st, err
}
