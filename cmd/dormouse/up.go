package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"dormouse/assets"
	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/service/config"
	"dormouse/service/daemon"
	"dormouse/service/machine"
	"dormouse/store/home"
	"github.com/spf13/cobra"
	"gopkg.in/natefinch/lumberjack.v2"
)

func upCommand(a *app) *cobra.Command {
	var demo, service, keep bool
	var vars []string
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Run the service in the foreground",
		Long: `Runs the service in this terminal until Ctrl-C: it captures the sessions of your coding agents, learns from those that are
over, tells what it learned, and goes on watching.

Where there are no sessions on this machine, it says so and shows itself on sample sessions, in a state folder of their own
that never mixes with yours.`,
		Example: `  dormouse up                        run on your own sessions
  dormouse up --demo                 run on the sample sessions
  DORMOUSE_HOME=/data/m dormouse up  keep the memory elsewhere`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if service && keep {
				return a.keepUp(cmd.Context(), vars)
			}
			if service {
				return a.inBackground(cmd.Context(), vars)
			}
			return a.up(cmd.Context(), demo)
		},
	}
	cmd.Flags().BoolVar(&service, "service", false, "run for the operating system: quietly, never on the sample sessions")
	cmd.Flags().StringArrayVar(&vars, "env", nil, "set a variable, as NAME=VALUE, for --service")
	cmd.Flags().BoolVar(&keep, "keep", false, "with --service: start it again when it fails")
	_, _, _ = cmd.Flags().MarkHidden("service"), cmd.Flags().MarkHidden("env"), cmd.Flags().MarkHidden("keep") // they are there
	cmd.Flags().BoolVar(&demo, "demo", false, "use the sample sessions, in a state folder of their own")
	return cmd
}

// up runs the service. One that shows itself on the samples because there was nothing else goes on with the person's own memory
// when their first session appears.
func (a *app) up(ctx context.Context, demo bool) error {
	for {
		p, err := a.service(demo)
		if err != nil {
			return err
		}
		life, end := context.WithCancel(ctx)
		if p.Demo && !demo {
			go func() {
				a.awaitTranscripts(life)
				end()
			}()
		}
		err = a.serve(life, p)
		over := ctx.Err() != nil || life.Err() == nil // stopped from outside, or by a client
		end()
		if err != nil {
			return err
		}
		if over {
			a.note("Stopped; everything is saved.")
			return nil
		}
		a.note("Your agents' first session is here: Dormouse goes on with your own memory.")
	}
}

// lookAgain is how often it is looked for the first session of the person.
const lookAgain = 3 * time.Second

// awaitTranscripts returns when the person's agents have written something, or ctx has ended.
func (a *app) awaitTranscripts(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookAgain):
		}
		if h, err := home.Default(a.Env); err == nil {
			cfg, err := config.Load(h.Config())
			if err != nil {
				continue
			}
			if found, err := daemon.HasTranscripts(cfg, a.Env); found && err == nil {
				return
			}
		}
	}
}

// serve runs the service until ctx ends and, once it has caught up, tells what it learned.
func (a *app) serve(ctx context.Context, p daemon.Params) error {
	return a.serveUntil(ctx, p, func(ctx context.Context) error {
		if err := a.welcome(ctx, p); err != nil && ctx.Err() == nil {
			a.note("the service runs, but does not tell what it learned: %v", err)
		}
		return nil
	})
}

// serveUntil runs the service until ctx ends, with its progress shown. When it has caught up, caughtUp is called; an error of it is
// returned once the service has ended.
func (a *app) serveUntil(ctx context.Context, p daemon.Params, caughtUp func(context.Context) error) error {
	if _, err := p.Home.FormatOf(); err != nil { // a newer program's folder is left as it is
		return err
	}
	if err := p.Home.Create(); err != nil {
		return err
	}
	p.MemoryLimit = limitMemory(a.Env)
	log := &lumberjack.Logger{Filename: p.Home.Log(), MaxSize: 10, MaxBackups: 5}
	defer log.Close() //nolint:errcheck // nothing is left to tell it to
	p.RotateLog, p.Links = log.Rotate, a.linking(a.Env)
	senses := machine.New(machine.Options{Env: a.Env})
	defer senses.Close()
	p.Machine = senses.Read
	p.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: p.Config.Log.SlogLevel()}))

	show := newProgress(a.Stderr, a.Terminal && !a.json)
	ready := make(chan struct{}, 1)
	p.Report = func(r daemon.Report) {
		show.report(r)
		if r.Stage == daemon.StageReady {
			ready <- struct{}{}
		}
	}
	done := make(chan error, 1)
	go func() { done <- daemon.New(p).Run(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ready:
	}
	err := caughtUp(ctx)
	return errors.Join(err, <-done)
}

// memoryLimit is what the garbage collector aims at, in bytes, unless GOMEMLIMIT says otherwise. It is a wish, not a bound:
// a large import takes what it needs and gives it back. What a large memory and index hold comes on top, see daemon.Params.
const memoryLimit = 128 << 20

// limitMemory sets the limit and returns it; 0 where GOMEMLIMIT has set one.
func limitMemory(env func(string) string) int64 {
	if env("GOMEMLIMIT") != "" {
		return 0
	}
	debug.SetMemoryLimit(memoryLimit)
	return memoryLimit
}

// service chooses the memory: the person's own, or the demo's where there is nothing to capture.
func (a *app) service(demo bool) (daemon.Params, error) {
	h, err := home.Default(a.Env)
	if err != nil {
		return daemon.Params{}, err
	}
	cfg, err := config.Load(h.Config())
	if err != nil {
		return daemon.Params{}, err
	}
	p := a.params(h, cfg)
	if !demo {
		found, err := daemon.HasTranscripts(cfg, a.Env)
		if err != nil {
			return p, err
		}
		if found || h.Used() {
			return p, nil
		}
		a.noTranscripts(cfg)
	}
	return a.demo(p)
}

// params are those of the service on a person's own memory.
func (a *app) params(h home.Home, cfg config.Config) daemon.Params {
	info, _ := debug.ReadBuildInfo()
	return daemon.Params{Home: h, Config: cfg, Embedding: assets.Embedding(), Env: a.Env, Now: a.Now, Version: buildOf(info).Version}
}

// noTranscripts says for whose sessions was looked in vain. The folders would be some eighty lines: those that the person set are
// named alone.
func (a *app) noTranscripts(cfg config.Config) {
	agents, err := daemon.Agents(cfg, a.Env)
	if err != nil {
		return
	}
	maps.DeleteFunc(agents, func(_ string, roots []string) bool { return len(roots) == 0 }) // those of imports
	said := fmt.Sprintf("No sessions of a coding agent were found on this machine; looked for those of %s. If yours lie elsewhere than your agents keep them "+
		"by default, name the folder in config.toml, under [capture.roots].", strings.Join(slices.Sorted(maps.Keys(agents)), ", "))
	for _, line := range text.Wrap(said, a.Width) {
		a.note("%s", line)
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Capture.Roots)) {
		for _, root := range cfg.Capture.Roots[name] {
			a.note("  %s, as config.toml says: %s", name, a.view().path(root))
		}
	}
	a.note("Here is Dormouse on sample sessions instead. It goes on with your own as soon as you have used an agent.")
}

// demo moves the service to the demo's state folder and sample sessions.
func (a *app) demo(p daemon.Params) (daemon.Params, error) {
	p.Home, p.Demo = p.Home.Demo(), true
	samples := filepath.Join(p.Home.Dir(), "samples")
	if err := p.Home.Create(); err != nil {
		return p, err
	}
	if _, err := assets.ExtractSamples(samples); err != nil {
		return p, err
	}
	p.Config.Capture.Agents = []string{"claude-code", "codex"} // the others' folders are the person's own
	p.Config.Capture.Roots = map[string][]string{
		"claude-code": {filepath.Join(samples, filepath.FromSlash(assets.SampleClaude))},
		"codex":       {filepath.Join(samples, filepath.FromSlash(assets.SampleCodex))},
	}
	return p, nil
}

// newest is how many events are shown when the service has caught up.
const newest = 5

// welcome tells what the memory holds now, where it lies, and what to do next.
func (a *app) welcome(ctx context.Context, p daemon.Params) error {
	c := client.New(client.Options{Home: p.Home.Dir()})
	defer c.Close()
	s, err := c.Status(ctx)
	if err != nil {
		return err
	}
	t, err := c.Timeline(ctx, api.TimelineQuery{Limit: newest})
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(struct {
			Status   api.Status   `json:"status"`
			Timeline api.Timeline `json:"timeline"`
		}{s, t})
	}
	projects, err := projectNames(ctx, c)
	if err != nil {
		return err
	}
	return a.print(formatWelcome(a.view(), projects, s, t))
}
