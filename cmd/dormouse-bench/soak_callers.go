package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/service/daemon"
	"dormouse/store/home"
)

// soakService is a service in this process, on a state folder of its own.
type soakService struct {
	home, roots string
	client      *client.Client
	cancel      context.CancelFunc
	done        chan error
	records     int // that a prompt is answered with
}

// start runs the service and returns when it has caught up.
func (s *soakService) start() error {
	cfg := soakConfig(s.roots)
	cfg.Inject.PromptRecords = s.records
	ready := make(chan struct{}, 1)
	d := daemon.New(daemon.Params{Home: home.At(s.home), Config: cfg, Embedding: assets.Embedding(), Env: func(string) string { return "" },
		Report: func(r daemon.Report) {
			if r.Stage == daemon.StageReady {
				select {
				case ready <- struct{}{}:
				default: // it began anew
				}
			}
		}})
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel, s.done = cancel, make(chan error, 1)
	go func() { s.done <- d.Run(ctx) }()
	s.client = client.New(client.Options{Home: s.home, Timeout: time.Minute})
	select {
	case <-ready:
		return nil
	case err := <-s.done:
		cancel()
		return fmt.Errorf("the service ended before it was ready: %w", err)
	}
}

func (s *soakService) stop() error {
	s.client.Close()
	s.cancel()
	return <-s.done
}

// soakCallers asks the service what people and programs ask.
type soakCallers struct {
	s                       *soakService
	random                  *rand.Rand
	calls, sleeps, restarts int
	faults                  []string
}

func newSoakCallers(s *soakService, seed uint64) *soakCallers {
	return &soakCallers{s: s, random: rand.New(rand.NewPCG(seed, 2))}
}

// restartEvery is after how many calls the service is stopped and started, sleepEvery after how many it is put to sleep.
const (
	restartEvery = 400
	sleepEvery   = 60
)

// run calls until ctx ends. A call under way is waited for.
func (c *soakCallers) run(ctx context.Context) {
	for ctx.Err() == nil && len(c.faults) < 20 {
		c.calls++
		switch {
		case c.calls%restartEvery == 0:
			c.restarts++
			c.fault("restart", c.s.stop())
			c.fault("restart", c.s.start())
		case c.calls%sleepEvery == 0:
			c.sleeps++
			_, err := c.s.client.Sleep(context.Background())
			c.fault("sleep", err)
		default:
			c.ask(context.Background())
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(c.random.IntN(120)) * time.Millisecond):
		}
	}
}

func (c *soakCallers) fault(what string, err error) {
	if err != nil {
		c.faults = append(c.faults, fmt.Sprintf("call %d, %s: %v", c.calls, what, err))
	}
}

var soakWords = []string{"test", "fix the build", "config file", "error", "parser.go", "why does it fail", "release"}

func (c *soakCallers) ask(ctx context.Context) {
	var err error
	what := ""
	switch c.random.IntN(6) {
	case 0:
		var st api.Status
		what = "status"
		if st, err = c.s.client.Status(ctx); len(st.Problems) > 0 {
			err = fmt.Errorf("it has problems: %q", st.Problems)
		}
	case 1:
		what = "timeline"
		_, err = c.s.client.Timeline(ctx, api.TimelineQuery{Limit: 20})
	case 2:
		what = "core"
		_, err = c.s.client.Core(ctx, "")
	case 3:
		what = "open a session"
		err = c.open(ctx)
	default:
		what = "search"
		_, err = c.s.client.Search(ctx, api.SearchQuery{Words: soakWords[c.random.IntN(len(soakWords))], Limit: 10})
	}
	c.fault(what, err)
}

// open opens one of the sessions.
func (c *soakCallers) open(ctx context.Context) error {
	all, err := c.s.client.Sessions(ctx, api.SessionQuery{})
	if err != nil || len(all) == 0 {
		return err
	}
	turn := 1
	x := all[c.random.IntN(len(all))]
	if x.Turns == 0 {
		return nil
	}
	_, err = c.s.client.Session(ctx, x.ID, &turn)
	return err
}
