package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func searchCommand(a *app) *cobra.Command {
	q := api.SearchQuery{}
	cmd := &cobra.Command{
		Use:   "search WORDS",
		Short: "Find memories and turns by words, best first",
		Example: `  dormouse search flaky test
  dormouse search "index.Open" --project dormouse
  dormouse search 迁移 --limit 3 --json
  dormouse search lease renewal --explain
  dormouse search retries --tag sync
  dormouse search "move to sqlite" --sessions`,
		Args: takes(cobra.MinimumNArgs(1), "the words to look for"),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Words = strings.TrimSpace(strings.Join(args, " "))
			if q.Words == "" {
				return usage(cmd, "search takes the words to look for")
			}
			if q.Limit < 1 {
				return usage(cmd, "--limit has to be 1 or more, not %d", q.Limit)
			}
			if q.Sessions && (q.Every || q.Explain) {
				return usage(cmd, "--sessions goes with neither --every-word nor --explain")
			}
			var projects names
			return ask(cmd.Context(), a, func(c *client.Client) (s api.Search, err error) {
				if s, err = c.Search(cmd.Context(), q); err == nil && !a.json {
					projects, err = projectNames(cmd.Context(), c)
				}
				return s, err
			}, func(v view, s api.Search) []string { return formatSearch(v, q, projects, s) })
		},
	}
	projectFlag(cmd, &q.Project, "within one project, by name, id or folder")
	cmd.Flags().StringSliceVarP(&q.Kinds, "kinds", "k", nil, "event, entity, fact, turn, segment, tag_summary")
	cmd.Flags().StringVar(&q.Tag, "tag", "", "only what is about a tag, by any of its names")
	cmd.Flags().BoolVar(&q.Sessions, "sessions", false, "whole sessions instead of memories and turns")
	cmd.Flags().BoolVar(&q.Every, "every-word", false, "only what has every one of the words")
	cmd.Flags().BoolVar(&q.Explain, "explain", false, "show the parts of each score")
	cmd.Flags().IntVarP(&q.Limit, "limit", "n", 10, "how many at most")
	return cmd
}

// projectNames asks for the names of all projects.
func projectNames(ctx context.Context, c *client.Client) (names, error) {
	list, err := c.Projects(ctx)
	return namesOf(list), err
}
