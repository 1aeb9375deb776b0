package main

import (
	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func sessionsCommand(a *app) *cobra.Command {
	q := api.SessionQuery{}
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "The sessions that were captured, newest first",
		Long:  `The sessions that were captured, newest first. A star marks those that you pinned.`,
		Example: `  dormouse sessions
  dormouse sessions --project dormouse --limit 100
  dormouse sessions --agent codex --json`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if q.Limit < 0 {
				return usage(cmd, "--limit has to be 0 (for all) or more, not %d", q.Limit)
			}
			return ask(cmd.Context(), a, func(c *client.Client) ([]api.Session, error) { return c.Sessions(cmd.Context(), q) },
				func(v view, list []api.Session) []string { return formatSessions(v, q, list) })
		},
	}
	projectFlag(cmd, &q.Project, "of one project, by name, id or folder")
	cmd.Flags().StringVarP(&q.Agent, "agent", "a", "", "of one agent, for example claude-code")
	cmd.Flags().BoolVar(&q.Deleted, "deleted", false, "those that you deleted")
	cmd.Flags().IntVarP(&q.Limit, "limit", "n", 30, "how many at most; 0 for all")
	return cmd
}
