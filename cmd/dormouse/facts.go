package main

import (
	"strings"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func factsCommand(a *app) *cobra.Command {
	q := api.FactQuery{}
	var back lookBack
	cmd := &cobra.Command{
		Use:   "facts [SUBJECT]",
		Short: "What holds now: preferences, instructions and properties",
		Long: `What holds now: what you prefer and asked for, and what is known of things. A fact has a time in which it holds; one that begins later or
has ended is kept, and shown with --all, but agents are not told of it. The subject is an entity, by id or name, or "person" for you.

--as-of-event shows what held at a point in the past, --as-of-known as much as the memory knew then.`,
		Example: `  dormouse facts person
  dormouse facts --project dormouse --all
  dormouse facts person --as-of-event 2026-03-01`,
		Args: takes(cobra.ArbitraryArgs, "a subject"),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Subject = strings.TrimSpace(strings.Join(args, " "))
			var err error
			if q.AsOf, err = back.point(cmd, a.Now()); err != nil {
				return err
			}
			var projects names
			return ask(cmd.Context(), a, func(c *client.Client) (f api.Facts, err error) {
				if f, err = c.Facts(cmd.Context(), q); err == nil && !a.json {
					projects, err = projectNames(cmd.Context(), c)
				}
				return f, err
			}, func(v view, f api.Facts) []string { return formatFacts(v, q, projects, f) })
		},
	}
	cmd.Flags().BoolVarP(&q.All, "all", "a", false, "also what is future, over or not settled")
	projectFlag(cmd, &q.Project, "of one project, by name, id or folder")
	cmd.Flags().IntVarP(&q.Limit, "limit", "n", 100, "how many at most")
	back.flags(cmd)
	return cmd
}
