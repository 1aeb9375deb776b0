package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func indexCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "index",
		Short: "See how the search index stands, or make it anew",
		Long:  `Tells how the search index stands. It is made from the sessions and the records, and can always be made again.`,
		Example: `  dormouse index
  dormouse index rebuild   after another embedding model was set`,
		Args: takes(cobra.NoArgs, "no arguments; there is one command below it: rebuild"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a, func(c *client.Client) (api.Index, error) { return c.Index(cmd.Context()) }, formatIndex)
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "rebuild",
		Short: "Make the search index anew, while the old one answers",
		Long: `Draws every document up again from the sessions and the records, and makes all vectors anew with the model of the settings. What is
there answers until the new is whole. The service does the work: when this command is ended it goes on, and also after a restart.
With --json each step is one JSON document on a line.`,
		Example: `  dormouse index rebuild
  dormouse index rebuild --json | tail -1`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(c *client.Client) error { return a.rebuildIndex(cmd.Context(), c) })
		},
	})
	return cmd
}

// lookEvery is how often it is asked how far a rebuild is.
const lookEvery = 300 * time.Millisecond

// rebuildIndex starts a rebuild, or joins the one that goes on, and shows how far it is until it is done.
func (a *app) rebuildIndex(ctx context.Context, c *client.Client) error {
	state, err := c.RebuildIndex(ctx)
	show := newRebuildProgress(a)
	for idle := 0; err == nil; state, err = c.Index(ctx) {
		if err := show.report(state); err != nil {
			return err
		}
		waits := state.Vectors.Waiting + state.Vectors.NextWaiting
		switch {
		case !state.Rebuilding && waits == 0:
			show.end()
			if a.json {
				return nil
			}
			return a.answer(state, func(v view) []string { return formatIndex(v, state) })
		case state.Vectors.Failure == "":
			idle = 0
		default:
			idle++
		}
		if idle > 10 {
			show.end()
			return fmt.Errorf("vectors can't be made now: %s; what is there answers, and the service tries again by itself", text.Line(state.Vectors.Failure))
		}
		select {
		case <-ctx.Done():
			show.end()
			a.note("The service goes on with it; dormouse index tells how far it is.")
			return nil
		case <-time.After(lookEvery):
		}
	}
	show.end()
	if errors.Is(err, context.Canceled) {
		a.note("The service goes on with it; dormouse index tells how far it is.")
		return nil
	}
	return err
}

// rebuildProgress shows a rebuild: a bar a stage on a terminal, a line a change for programs.
type rebuildProgress struct {
	app   *app
	stage string
	last  api.Index
	bar   *progressbar.ProgressBar
}

func newRebuildProgress(a *app) *rebuildProgress { return &rebuildProgress{app: a} }

func (p *rebuildProgress) report(s api.Index) error {
	if p.app.json {
		if s == p.last {
			return nil
		}
		p.last = s
		return json.NewEncoder(p.app.Stdout).Encode(s)
	}
	stage, done, total := "Vectors", s.Vectors.NextDocs, s.Vectors.NextDocs+s.Vectors.NextWaiting
	switch {
	case s.SessionsWaiting > 0:
		stage, done, total = "Sessions", s.Sessions-s.SessionsWaiting, s.Sessions
	case s.Vectors.NextModel == "":
		done, total = s.Vectors.Docs, s.Vectors.Docs+s.Vectors.Waiting
	}
	if stage != p.stage {
		p.end()
		p.stage = stage
		p.begin(int64(total))
	}
	if p.bar != nil {
		p.bar.ChangeMax64(max(int64(total), 1))
		_ = p.bar.Set64(int64(done)) // a bar that can't be drawn is no reason to stop
	}
	return nil
}

func (p *rebuildProgress) begin(total int64) {
	if !p.app.Terminal {
		p.app.note("%s ...", p.stage)
		return
	}
	p.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(p.app.Stderr), progressbar.OptionSetDescription(fmt.Sprintf("%-10s", p.stage)),
		progressbar.OptionShowCount(), progressbar.OptionSetWidth(30), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(true), progressbar.OptionOnCompletion(func() { _, _ = io.WriteString(p.app.Stderr, "\n") }))
}

func (p *rebuildProgress) end() {
	if p.bar != nil && !p.bar.IsFinished() {
		_ = p.bar.Finish()
	}
	p.bar = nil
}

// formatIndex tells how the index stands.
func formatIndex(v view, s api.Index) []string {
	p := &page{view: v}
	p.field("Documents", joined(count(s.Docs, "document"), size(s.Bytes)))
	p.field("Sessions", joined(count(s.Sessions, "session"), waitingOf(s.SessionsWaiting)))
	p.vectors(s.Vectors)
	if s.Rebuilding {
		p.say("It is being made anew; what was there before answers meanwhile. To watch:", "dormouse index rebuild")
	}
	return p.lines
}

func waitingOf(n int) string {
	if n == 0 {
		return ""
	}
	return number(n) + " waiting"
}

// vectors tells of the vectors, where there are any or why there are none.
func (p *page) vectors(s api.Vectors) {
	if s.Model == "" && s.Failure == "" {
		p.field("Vectors", "none: search goes by words alone (embed.provider of the settings)")
		return
	}
	p.field("Vectors", joined(count(s.Docs, "document")+" by "+text.Line(s.Model), waitingOf(s.Waiting)))
	if s.NextModel != "" {
		p.field("Next", joined(number(s.NextDocs)+" made by "+text.Line(s.NextModel), waitingOf(s.NextWaiting)))
	}
	if s.Failure != "" {
		p.field("Not made", text.Line(s.Failure)+"; tried again by itself")
	}
}
