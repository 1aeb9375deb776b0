package main

import (
	"strings"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func diffCommand(a *app) *cobra.Command {
	var turn int
	stat := false
	cmd := &cobra.Command{
		Use:   "diff SESSION",
		Short: "What a session changed in files, in one turn or in all",
		Long: `What an agent changed in the files of a project that you bound, from the project's shadow history: one turn of a session, or the
whole of it.

Each file says how it is known: exact (the session proves it), disk (it was seen there), derived (the change fits on what was known
before), or that it is not known, with what the agent's calls show. Changes that no call tells of, such as those of shell commands,
are not the session's; where they lie between two of its turns, the file is marked.`,
		Example: `  dormouse diff cc_1a2b3c4d
  dormouse diff cc_1a --turn 3
  dormouse diff cc_1a --stat`,
		Args: takes(cobra.ExactArgs(1), "the id of one session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			one, err := chosenTurn(cmd, turn, "")
			if err != nil {
				return err
			}
			return ask(cmd.Context(), a, func(c *client.Client) (api.Diff, error) {
				id, err := wholeID(cmd.Context(), c, strings.TrimSpace(args[0]), false)
				if err != nil {
					return api.Diff{}, err
				}
				return c.Diff(cmd.Context(), id, one)
			}, func(v view, d api.Diff) []string { return formatDiff(v, d, stat) })
		},
	}
	cmd.Flags().IntVarP(&turn, "turn", "t", 0, "only this turn; 0 is what came before the first prompt")
	cmd.Flags().BoolVar(&stat, "stat", false, "only which files it changed")
	return cmd
}

func restoreCommand(a *app) *cobra.Command {
	var turn int
	var before bool
	q := api.RestoreQuery{Side: "after"}
	cmd := &cobra.Command{
		Use:   "restore SESSION --to FOLDER",
		Short: "Write the files that a session edited to another folder",
		Long: `Write the files that an agent edited to another folder, as they were after a turn, or before it: one turn's files, or all that the
session edited. Nothing is ever written into the project itself: compare, and copy what you want.

Files that are not known on that side are named and left out.`,
		Example: `  dormouse restore cc_1a2b3c4d --turn 3 --to /tmp/then
  dormouse restore cc_1a --before --to ../before`,
		Args: takes(cobra.ExactArgs(1), "the id of one session"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if q.Turn, err = chosenTurn(cmd, turn, ""); err != nil {
				return err
			}
			if q.Dir == "" {
				return usage(cmd, "say where to: --to FOLDER")
			}
			if q.Dir, err = a.absolute(q.Dir); err != nil {
				return usage(cmd, "%v", err)
			}
			if before {
				q.Side = "before"
			}
			return ask(cmd.Context(), a, func(c *client.Client) (api.Restored, error) {
				if q.ID, err = wholeID(cmd.Context(), c, strings.TrimSpace(args[0]), false); err != nil {
					return api.Restored{}, err
				}
				return c.Restore(cmd.Context(), q)
			}, formatRestored)
		},
	}
	cmd.Flags().IntVarP(&turn, "turn", "t", 0, "only this turn's files")
	cmd.Flags().BoolVar(&before, "before", false, "as they were before, not after")
	cmd.Flags().StringVar(&q.Dir, "to", "", "the folder to write to; it is made where it is missing")
	cmd.Flags().BoolVar(&q.Force, "force", false, "write over what is in the folder")
	return cmd
}

func shadowCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "shadow on|off [PROJECT]",
		Short: "Keep the files that agents edit, turn by turn",
		Long: reflow(`Keep the files that agents edit in a project as they were before and after each turn, in a repository of Dormouse's own. It is on for
every project that you bound, until you turn it off. Your folder and its git repository are only read. Files that git ignores, that
hold a secret or are too long are not kept. What was kept stays when you turn it off.`, a.Width),
		Example: `  dormouse project shadow off
  dormouse project shadow on shop`,
		Args: takes(cobra.RangeArgs(1, 2), "on or off, and at most one project"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] != "on" && args[0] != "off" {
				return usage(cmd, "the shadow history is turned on or off, not %q", args[0])
			}
			what, err := a.project(cmd, args[1:])
			if err != nil {
				return err
			}
			return ask(cmd.Context(), a, func(c *client.Client) (api.ProjectState, error) {
				return c.SetShadow(cmd.Context(), what, args[0] == "on")
			}, formatProject)
		},
	}
}
