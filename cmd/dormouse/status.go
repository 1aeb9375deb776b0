package main

import (
	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func statusCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "How the service is: what it captured, what waits, what failed",
		Long: `How the service is: what it captured of which agent, what waits for sleep, what it could not use and why, and which
part of it is in trouble and what helps.`,
		Example: `  dormouse status
  dormouse status --json | jq .counts`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a,
				func(c *client.Client) (api.Status, error) { return c.Status(cmd.Context()) }, formatStatus)
		},
	}
}
