package main

import (
	"time"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func timelineCommand(a *app) *cobra.Command {
	var since, until string
	var back lookBack
	ids := false
	q := api.TimelineQuery{}
	cmd := &cobra.Command{
		Use:   "timeline",
		Short: "What happened and was decided, newest first",
		Long: `What happened, was decided and was learned, newest first, each with who said it and how to open the turn that it comes
from.

--as-of-event looks from a point in the past: what had happened by then, with what was superseded only later still standing.
--as-of-known shows as much as the memory knew then. What was forgotten since is shown by neither.

--since, --until and the two others take ` + accepted + `.`,
		Example: `  dormouse timeline --since 7d
  dormouse timeline --since 2026-04 --until 2026-05 --project dormouse
  dormouse timeline --entity file.store/index/open.go
  dormouse timeline --tag redaction
  dormouse timeline --as-of-known 2026-04-30`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := period(cmd, &q, since, until, a.Now()); err != nil {
				return err
			}
			var err error
			if q.AsOf, err = back.point(cmd, a.Now()); err != nil {
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
			}, func(v view, t api.Timeline) []string { v.ids = ids; return formatTimeline(v, q, projects, t) })
		},
	}
	cmd.Flags().StringVar(&since, "since", "", "from this time on, for example 2026-05 or 7d")
	cmd.Flags().StringVar(&until, "until", "", "up to this time; a month or a day is included")
	cmd.Flags().StringVarP(&q.Entity, "entity", "e", "", "that name an entity, by id or name")
	cmd.Flags().StringVarP(&q.Tag, "tag", "t", "", "of turns about a tag (see dormouse tags)")
	projectFlag(cmd, &q.Project, "of one project, by name, id or folder")
	cmd.Flags().IntVarP(&q.Limit, "limit", "n", 30, "how many at most")
	cmd.Flags().BoolVar(&ids, "ids", false, "show ids, for dormouse forget and review")
	back.flags(cmd)
	return cmd
}

// lookBack are the flags for looking at the memory from a point in the past.
type lookBack struct{ event, known string }

func (l *lookBack) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&l.event, "as-of-event", "", "as things were at this time")
	cmd.Flags().StringVar(&l.known, "as-of-known", "", "as far as was known at this time")
}

// point is the point from which is looked back; a month or a day is its last second.
func (l *lookBack) point(cmd *cobra.Command, now time.Time) (at api.AsOf, err error) {
	read := func(name, s string) (int64, error) {
		if s == "" {
			return 0, nil
		}
		from, err := parseTime(s, now, false)
		if err != nil {
			return 0, usage(cmd, "--%s: %v", name, err)
		}
		to, err := parseTime(s, now, true)
		if err != nil || to == from {
			return from, err
		}
		return to - 1, nil
	}
	if at.Event, err = read("as-of-event", l.event); err != nil {
		return at, err
	}
	at.Known, err = read("as-of-known", l.known)
	return at, err
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
