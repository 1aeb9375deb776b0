package main

import (
	"strings"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/store/memory"
)

func askCommand(a *app) *cobra.Command {
	q := api.AskQuery{}
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Answer a question with sentences of the memory",
		Long: `Answer a question with the sentences of the memory that hold most of what it asks for, word for word, each with where it
stands. No model takes part: nothing is made up, and where the memory says nothing, nothing is told.`,
		Example: `  dormouse ask "which port does the gateway listen on?"
  dormouse ask "why SQLite for the cache" --project shop --limit 3`,
		Args: takes(cobra.MinimumNArgs(1), "a question"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if q.Question = strings.TrimSpace(strings.Join(args, " ")); q.Question == "" {
				return usage(cmd, "ask takes a question")
			}
			if q.Limit < 1 {
				return usage(cmd, "--limit has to be 1 or more, not %d", q.Limit)
			}
			var projects names
			return ask(cmd.Context(), a, func(c *client.Client) (got api.Asked, err error) {
				if got, err = c.Ask(cmd.Context(), q); err == nil && !a.json {
					projects, err = projectNames(cmd.Context(), c)
				}
				return got, err
			}, func(v view, got api.Asked) []string { return formatAsked(v, projects, got) })
		},
	}
	projectFlag(cmd, &q.Project, "within one project, by name, id or folder")
	cmd.Flags().IntVarP(&q.Limit, "limit", "n", 5, "how many sentences at most")
	return cmd
}

// formatAsked shows each sentence and where it stands.
func formatAsked(v view, projects names, got api.Asked) []string {
	p := &page{view: v}
	for _, s := range got.Sentences {
		h := got.Hits[s.Hit]
		p.gap()
		p.prose(text.Line(s.Text), "", p.Strong)
		who := says(h.Trust)
		if s.Speaker != "" {
			who = says(memory.Trust(s.Speaker))
		}
		when := ""
		if h.Time != 0 {
			when = p.when(h.Time)
		}
		p.receipt("  ", joined(when, projects.of(h.ProjectID), who), openHit(h))
	}
	if len(got.Sentences) == 0 {
		p.say("The memory says nothing about that.", "")
	}
	if got.Indexing {
		p.hint("The index is still catching up: there may be more.", "")
	}
	return p.lines
}
