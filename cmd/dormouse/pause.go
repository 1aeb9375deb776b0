package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

// pauseForms says what pause takes.
const pauseForms = "how long (30m, 8h, 2d), until when (tomorrow, 2026-05-04, 2026-05-04T18:00) or indefinitely"

func pauseCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "pause [1h|tomorrow|indefinitely]",
		Short: "Capture nothing for a while",
		Long: `Capture nothing for a while: for an hour unless you say how long. The pause outlives a restart. What your agents write
meanwhile is captured when it goes on; to keep something out for good, delete the agent's transcript before that.`,
		Example: `  dormouse pause                     for an hour
  dormouse pause tomorrow            until midnight
  dormouse pause indefinitely        until "dormouse resume"`,
		Args: takes(cobra.MaximumNArgs(1), "at most one argument: "+pauseForms),
		RunE: func(cmd *cobra.Command, args []string) error {
			until, err := parsePause(strings.Join(args, ""), a.Now())
			if err != nil {
				return usage(cmd, "%v", err)
			}
			return ask(cmd.Context(), a,
				func(c *client.Client) (api.Status, error) { return c.Pause(cmd.Context(), until) }, formatPaused)
		},
	}
}

func resumeCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "resume",
		Short:   "Go on capturing after a pause",
		Long:    `Go on capturing after a pause, beginning with what your agents wrote meanwhile.`,
		Example: `  dormouse resume`,
		Args:    takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a,
				func(c *client.Client) (api.Status, error) { return c.Pause(cmd.Context(), 0) }, formatPaused)
		},
	}
}

// formatPaused tells whether capture is paused and until when.
func formatPaused(v view, s api.Status) []string {
	p := &page{view: v}
	switch s.PausedUntil {
	case 0:
		p.prose("Capturing.", "", nil)
		return p.lines
	default:
		p.prose("Paused "+v.pausedUntil(s)+". What your agents write meanwhile is captured then.", "", nil)
	}
	p.hint("To go on now:", "dormouse resume")
	return p.lines
}

// pausedUntil is how long a pause lasts.
func (v view) pausedUntil(s api.Status) string {
	if s.PausedUntil == api.Indefinitely {
		return "until you go on"
	}
	return "until " + v.when(s.PausedUntil)
}

// parsePause reads until when to pause, as Unix seconds or api.Indefinitely. The empty word is an hour.
func parsePause(s string, now time.Time) (int64, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "indefinitely" {
		return api.Indefinitely, nil
	}
	until, err := pauseEnd(cmp.Or(s, "1h"), now)
	if err != nil {
		return 0, err
	}
	if until <= now.Unix() {
		return 0, pauseError(s, "lies in the past")
	}
	return until, nil
}

func pauseEnd(s string, now time.Time) (int64, error) {
	if s == "tomorrow" {
		return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, now.Location()).Unix(), nil
	}
	if t, ok := parseAgo(s, now); ok {
		return now.Add(now.Sub(t)).Unix(), nil
	}
	until, err := parseTime(s, now, false)
	if err != nil {
		return 0, pauseError(s, "is no time")
	}
	return until, nil
}

func pauseError(s, what string) error {
	return fmt.Errorf("%q %s; say %s", s, what, pauseForms)
}
