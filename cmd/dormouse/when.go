package main

import (
	"strings"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func whenCommand(a *app) *cobra.Command {
	q := api.WhenQuery{}
	cmd := &cobra.Command{
		Use:   "when QUESTION",
		Short: "Ask about a time: what was decided last week, what held in March, what changed since",
		Long: `Answers a question about a time, in your own words: what was decided last week, what held in March, what has changed since then, a summary
of yesterday. Times are read in English, German, French, Spanish, Dutch, Italian, Portuguese, Chinese, Japanese and Korean, and in your
zone; where no year is said, the newest one that has begun is meant. The answer says how the time was understood. "before the release"
looks for the release in the timeline.

What lies outside of that time, or has no known time, is in no answer. --mode says what is wanted where the question does not:
  lookup   what fits the words, best first
  state    what held at the end of that time
  change   what took the place of what, what began and what ended, in order
  summary  how much happened on which day, and the most important of it`,
		Example: `  dormouse when "what did we decide about the cache last week"
  dormouse when what changed since 2026-05 --project dormouse
  dormouse when --mode state --time "end of March" "default branch"
  dormouse when "summary of yesterday" --json`,
		Args: takes(cobra.ArbitraryArgs, "a question"),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Question = strings.TrimSpace(strings.Join(args, " "))
			if q.Question == "" && strings.TrimSpace(q.Time) == "" {
				return usage(cmd, "when takes a question, or --time")
			}
			if q.Limit < 1 {
				return usage(cmd, "--limit has to be 1 or more, not %d", q.Limit)
			}
			if q.Zone == "" {
				q.Zone = zoneOf(a.Now().Location().String())
			}
			var projects names
			return ask(cmd.Context(), a, func(c *client.Client) (w api.When, err error) {
				if w, err = c.When(cmd.Context(), q); err == nil && !a.json {
					projects, err = projectNames(cmd.Context(), c)
				}
				return w, err
			}, func(v view, w api.When) []string { return formatWhen(v, q, projects, w) })
		},
	}
	cmd.Flags().StringVarP(&q.Time, "time", "t", "", `the time, if it is not in the question`)
	cmd.Flags().StringVarP(&q.Mode, "mode", "m", "", "lookup, state, change or summary")
	cmd.Flags().StringVar(&q.Zone, "zone", "", "whose days are meant: Europe/Berlin (default: yours)")
	projectFlag(cmd, &q.Project, "within one project, by name, id or folder")
	cmd.Flags().IntVarP(&q.Limit, "limit", "n", 20, "how many at most")
	return cmd
}

// zoneOf is the name of a zone that the service knows as well; empty where it is only this system's own, which is the service's too.
func zoneOf(name string) string {
	if name == "Local" || !strings.Contains(name, "/") && name != "UTC" {
		return ""
	}
	return name
}
