package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"dormouse/service/client"
	"dormouse/store/home"
)

// How long stop waits for the service to end, and how often it looks.
const (
	stopTime = time.Minute
	stopLook = 100 * time.Millisecond
)

// stopped is what stop says as JSON.
type stopped struct {
	Stopped bool   `json:"stopped"`
	Home    string `json:"home"`
}

func stopCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "stop",
		Short: "Shut the service down, in order",
		Long: `Shut the service down in order: what is being captured is committed first. Agents work on as if Dormouse were not
installed; what they do meanwhile is captured at the next start.`,
		Example: `  dormouse stop`,
		Args:    takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a, func(c *client.Client) (stopped, error) {
				if err := c.Stop(cmd.Context()); err != nil {
					return stopped{}, err
				}
				return stopped{Stopped: true, Home: c.Home()}, awaitEnd(cmd.Context(), c)
			}, func(v view, s stopped) []string {
				return []string{"Dormouse has stopped (" + v.path(s.Home) + ")."}
			})
		},
	}
}

// awaitEnd returns when nobody listens any more and all is put away.
func awaitEnd(ctx context.Context, c *client.Client) error {
	ctx, cancel := context.WithTimeoutCause(ctx, stopTime,
		errors.New("the service is still shutting down; see whether it has ended with: dormouse status"))
	defer cancel()
	look := time.NewTicker(stopLook)
	defer look.Stop()
	for {
		if on, err := c.Running(ctx); err == nil && !on {
			if free, err := home.At(c.Home()).Free(); err == nil && free {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-look.C:
		}
	}
}
