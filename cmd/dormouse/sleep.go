package main

import (
	"cmp"
	"strconv"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func sleepCommand(a *app) *cobra.Command {
	dry, last := false, 0
	cmd := &cobra.Command{
		Use:   "sleep [now|light]",
		Short: "Do now what a night does, or look back at the nights",
		Long: `Do now all that a night does: the backlog is distilled, also of sessions that still go on, tags are tended, the memory is
drawn up anew, sessions are packed, the index and the log are tidied up, and what was learned is exchanged. The word now may be
left out. With light, only sessions that have been idle for a while are distilled.

--last shows the reports of the nights, and --dry-run says what a night would do now and changes nothing. The command ends when
the sleep does.`,
		Example: `  dormouse sleep
  dormouse sleep light
  dormouse sleep --dry-run
  dormouse sleep --last      the last night
  dormouse sleep --last 7    the last seven`,
		ValidArgs: []string{api.NightNow, api.NightLight},
		Args:      takes(cobra.MaximumNArgs(1), "at most one of the words now and light"),
		RunE: func(cmd *cobra.Command, args []string) error {
			kind := "" // the whole night
			if len(args) == 1 {
				kind = args[0]
			}
			if cmd.Flags().Changed("last") && kind != "" {
				n, err := strconv.Atoi(kind) // --last 7: the number of an optional value is an argument
				if err != nil {
					return usage(cmd, "--last looks back and does not sleep; leave %q out", kind)
				}
				last, kind = n, ""
			}
			switch {
			case kind != "" && kind != api.NightNow && kind != api.NightLight:
				return usage(cmd, "sleep takes now or light, not %q", kind)
			case cmd.Flags().Changed("last") && dry:
				return usage(cmd, "--last looks back and --dry-run ahead; take one of them")
			case cmd.Flags().Changed("last"):
				return a.nights(cmd, last)
			case dry:
				return ask(cmd.Context(), a, func(c *client.Client) (api.SleepPlan, error) { return c.SleepPlan(cmd.Context()) }, formatSleepPlan)
			}
			return a.sleep(cmd, cmp.Or(kind, api.NightNow))
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what a night would do now, and change nothing")
	cmd.Flags().IntVar(&last, "last", 1, "show the reports of so many nights")
	cmd.Flags().Lookup("last").NoOptDefVal = "1"
	return cmd
}

// maxNights is how many reports are kept.
const maxNights = 400

func (a *app) nights(cmd *cobra.Command, n int) error {
	if n < 1 || n > maxNights {
		return usage(cmd, "--last has to be from 1 to %d, not %d", maxNights, n)
	}
	return ask(cmd.Context(), a, func(c *client.Client) ([]api.Night, error) { return c.Nights(cmd.Context(), n) }, formatNights)
}

func (a *app) sleep(cmd *cobra.Command, kind string) error {
	if a.Terminal && !a.json {
		a.note("Sleeping on what was captured ...")
	}
	return ask(cmd.Context(), a, func(c *client.Client) (api.Night, error) { return c.Night(cmd.Context(), kind) }, formatSlept)
}

// formatSlept tells what a sleep that was asked for did.
func formatSlept(v view, n api.Night) []string {
	p := &page{view: v}
	p.night(n)
	if n.Counts.Nodes > 0 {
		p.hint("Read it:", "dormouse timeline")
	}
	return p.lines
}
