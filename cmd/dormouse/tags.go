package main

import (
	"strings"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func tagsCommand(a *app) *cobra.Command {
	q := api.TagQuery{}
	cmd := &cobra.Command{
		Use:   "tags [TAG]",
		Short: "What the work was about: the tags, and what is filed under one",
		Long: `The tags of your projects: what turns worked on often enough to have a name. With a tag, what is filed under it, newest first, each
with how to open it. Older names of a tag, other forms of the word and what the sessions call the same find it, too.

dormouse review merge and split take the ids of tags; dormouse forget takes a tag out.`,
		Example: `  dormouse tags
  dormouse tags redaction
  dormouse tags --project dormouse --json`,
		Args: takes(cobra.ArbitraryArgs, "a tag"),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Tag = strings.TrimSpace(strings.Join(args, " "))
			if q.Limit < 1 {
				return usage(cmd, "--limit has to be 1 or more, not %d", q.Limit)
			}
			var projects names
			return ask(cmd.Context(), a, func(c *client.Client) (t api.Tags, err error) {
				if t, err = c.Tags(cmd.Context(), q); err == nil && !a.json {
					projects, err = projectNames(cmd.Context(), c)
				}
				return t, err
			}, func(v view, t api.Tags) []string { return formatTags(v, q, projects, t) })
		},
	}
	projectFlag(cmd, &q.Project, "of one project, by name, id or folder")
	cmd.Flags().IntVarP(&q.Limit, "limit", "n", 50, "how many at most")
	return cmd
}
