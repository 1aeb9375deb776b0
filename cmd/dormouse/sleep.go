package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func sleepCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "sleep [now]",
		Short: "Distil what is waiting, now",
		Long: `Distil what was captured and is waiting, now, instead of at night, also of sessions that still go on. The command ends
when the sleep does.`,
		Example: `  dormouse sleep
  dormouse sleep now   the same`,
		ValidArgs: []string{"now"},
		Args:      takes(cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs), "no argument or the word now"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a, func(c *client.Client) (api.Slept, error) {
				if a.Terminal && !a.json {
					a.note("Sleeping on what was captured ...")
				}
				return c.Sleep(cmd.Context())
			}, formatSlept)
		},
	}
}

// formatSlept tells what a sleep did.
func formatSlept(v view, s api.Slept) []string {
	p := &page{view: v}
	r := s.Run
	if r.Counts.Nodes == 0 {
		p.say("Nothing was waiting: all that was captured was learned from. What there is:", "dormouse status")
		return p.lines
	}
	took := time.Duration(max(0, r.Ended-r.Started)) * time.Second
	p.prose(fmt.Sprintf("Slept %s on %s (%s): %s, %s, %s.", took, count(r.Counts.Sessions, "session"), count(r.Counts.Turns, "turn"),
		count(r.Counts.Events, "event"), count(r.Counts.Entities, "entity"), count(r.Counts.Edges, "relation")), "", nil)
	if r.Counts.Superseded > 0 || r.Counts.Refused > 0 {
		p.prose(fmt.Sprintf("%s replaced by newer ones, %s refused.", count(r.Counts.Superseded, "record"), number(r.Counts.Refused)), "", nil)
	}
	if r.Model != "" {
		p.prose(fmt.Sprintf("%s: %s tokens in, %s out, $%.4f.", text.Line(r.Model), number(r.InputTokens), number(r.OutputTokens),
			float64(r.CostMicros)/1e6), "", nil)
	}
	p.hint("Read it:", "dormouse timeline")
	return p.lines
}
