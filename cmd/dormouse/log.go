package main

import (
	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func logCommand(a *app) *cobra.Command {
	var since, until string
	q := api.CommitQuery{}
	cmd := &cobra.Command{
		Use:   "log [PROJECT]",
		Short: "The commits of a project, and the sessions that they come from",
		Long: `The commits on all local branches of a project, newest first, each with the session that it comes from where that is known;
this folder's project where none is named. With --session: those that were made while a session went on, by the agent or by you.

--since and --until take ` + accepted + `.`,
		Example: `  dormouse log
  dormouse log shop --agent --since 7d
  dormouse log --session cc_1a2b3c4d`,
		Args: takes(cobra.MaximumNArgs(1), "at most the name, id or folder of one project"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			bounds := api.TimelineQuery{}
			if err := period(cmd, &bounds, since, until, a.Now()); err != nil {
				return err
			}
			if q.Limit < 1 {
				return usage(cmd, "--limit has to be 1 or more, not %d", q.Limit)
			}
			q.Since, q.Until = bounds.Since, bounds.Until
			if len(args) > 0 || q.Session == "" {
				if q.Project, err = a.project(cmd, args); err != nil {
					return err
				}
			}
			return ask(cmd.Context(), a, func(c *client.Client) (api.Commits, error) {
				if q.Session != "" {
					if q.Session, err = wholeID(cmd.Context(), c, q.Session, false); err != nil {
						return api.Commits{}, err
					}
				}
				return c.Commits(cmd.Context(), q)
			}, func(v view, list api.Commits) []string { return formatCommits(v, q, list) })
		},
	}
	cmd.Flags().BoolVar(&q.Agent, "agent", false, "only those that were made for agents")
	cmd.Flags().StringVarP(&q.Session, "session", "s", "", "only those that were made while a session went on")
	cmd.Flags().StringVar(&since, "since", "", "from this time on, for example 2026-05 or 7d")
	cmd.Flags().StringVar(&until, "until", "", "up to this time; a month or a day is included")
	cmd.Flags().IntVarP(&q.Limit, "limit", "n", 30, "how many at most")
	return cmd
}

func commitCommand(a *app) *cobra.Command {
	stat := false
	cmd := &cobra.Command{
		Use:   "commit PROJECT ID",
		Short: "What one commit of a project changed, and where it comes from",
		Example: `  dormouse commit shop 1a2b3c4d
  dormouse commit . 1a2b3c4d --stat`,
		Args: takes(cobra.ExactArgs(2), "a project and the id of one commit"),
		RunE: func(cmd *cobra.Command, args []string) error {
			what, err := a.project(cmd, args[:1])
			if err != nil {
				return err
			}
			return ask(cmd.Context(), a, func(c *client.Client) (api.CommitShown, error) { return c.Commit(cmd.Context(), what, args[1], 0) },
				func(v view, x api.CommitShown) []string { return formatCommit(v, x, stat) })
		},
	}
	cmd.Flags().BoolVar(&stat, "stat", false, "only which files it changed")
	return cmd
}
