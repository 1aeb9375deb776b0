package main

import (
	"time"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func timelineCommand(a *app) *cobra.Command {
	var since, until string
	q := api.TimelineQuery{}
	cmd := &cobra.Command{
		Use:   "timeline",
		Short: "What happened and was decided, newest first",
		Long: `What happened, was decided and was learned, newest first, each with who said it and how to open the turn that it comes
from.

--since and --until take ` + accepted + `.`,
		Example: `  dormouse timeline --since 7d
  dormouse timeline --since 2026-04 --until 2026-05 --project dormouse
  dormouse timeline --entity file.store/index/open.go`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := period(cmd, &q, since, until, a.Now()); err != nil {
				return err
			}
			if q.Limit < 1 {
				return usage(cmd, "--limit has to be 1 or more, not %d", q.Limit)
			}
			var projects names
			return ask(cmd.Context(), a, func(c *client.Client) (t api.Timeline, err error) {
				if t, err = c.Timeline(cmd.Context(), q); err == nil && !a.json {
					projects, err = projectNames(cmd.Context(), c)
				}
				return t, err
			}, func(v view, t api.Timeline) []string { return formatTimeline(v, q, projects, t) })
		},
	}
	cmd.Flags().StringVar(&since, "since", "", "from this time on, for example 2026-05 or 7d")
	cmd.Flags().StringVar(&until, "until", "", "up to this time; a month or a day is included")
	cmd.Flags().StringVarP(&q.Entity, "entity", "e", "", "that name an entity, by id or name")
	projectFlag(cmd, &q.Project, "of one project, by name, id or folder")
	cmd.Flags().IntVarP(&q.Limit, "limit", "n", 30, "how many at most")
	return cmd
}

// period fills a query's bounds.
func period(cmd *cobra.Command, q *api.TimelineQuery, since, until string, now time.Time) (err error) {
	if since != "" {
		if q.Since, err = parseTime(since, now, false); err != nil {
			return usage(cmd, "--since: %v", err)
		}
	}
	if until != "" {
		if q.Until, err = parseTime(until, now, true); err != nil {
			return usage(cmd, "--until: %v", err)
		}
	}
	if q.Since != 0 && q.Until != 0 && q.Since >= q.Until {
		return usage(cmd, "--since %s has to be before --until %s", since, until)
	}
	return nil
}
