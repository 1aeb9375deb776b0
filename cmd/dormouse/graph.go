package main

import (
	"strings"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

// maxHops is how far the service looks around an entity.
const maxHops = 5

func graphCommand(a *app) *cobra.Command {
	q := api.GraphQuery{}
	var back lookBack
	cmd := &cobra.Command{
		Use:   "graph ENTITY",
		Short: "What is known of an entity and what lies around it",
		Long: `What is known of an entity (a project, file, commit, command, error, issue, preference, tool or library), how it is
related to others, and the events that name it. An entity is given by its id, such as file.store/index/open.go, or by its
name.`,
		Example: `  dormouse graph store/index/open.go
  dormouse graph library.badger --hops 2 --project dormouse
  dormouse graph service.worker --as-of-event 2026-03`,
		Args: takes(cobra.MinimumNArgs(1), "the id or name of an entity"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if q.Entity = strings.TrimSpace(strings.Join(args, " ")); q.Entity == "" {
				return usage(cmd, "graph takes the id or name of an entity")
			}
			if q.Hops < 1 || q.Hops > maxHops {
				return usage(cmd, "--hops has to be a number from 1 to %d, not %d", maxHops, q.Hops)
			}
			var err error
			if q.AsOf, err = back.point(cmd, a.Now()); err != nil {
				return err
			}
			var projects names
			return ask(cmd.Context(), a, func(c *client.Client) (g api.Graph, err error) {
				if g, err = c.Graph(cmd.Context(), q); err == nil && !a.json {
					projects, err = projectNames(cmd.Context(), c)
				}
				return g, err
			}, func(v view, g api.Graph) []string { return formatGraph(v, projects, g) })
		},
	}
	cmd.Flags().IntVar(&q.Hops, "hops", 1, "how far to look around it")
	back.flags(cmd)
	projectFlag(cmd, &q.Project, "as one project knows it, by name, id or folder")
	return cmd
}
