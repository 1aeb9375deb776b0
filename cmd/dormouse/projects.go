package main

import (
	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func projectsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "projects",
		Short: "The projects that the sessions belong to",
		Example: `  dormouse projects
  dormouse projects --json`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a,
				func(c *client.Client) ([]api.Project, error) { return c.Projects(cmd.Context()) }, formatProjects)
		},
	}
}

// formatProjects lists projects, one a line.
func formatProjects(v view, list []api.Project) []string {
	p := &page{view: v}
	if len(list) == 0 {
		p.say("No project yet: the first captured session brings one. See what is watched:", "dormouse status")
		return p.lines
	}
	t := text.Table{Head: v.Faint, Columns: []text.Column{{Title: "project", Min: 10, Paint: v.Link}, {Title: "sessions", Right: true},
		{Title: "last seen"}, {Title: "age", Right: true}, {Title: "id", Drop: 1}, {Title: "path", Min: 12, Tail: true},
		{Title: "remote", Min: 16, Drop: 2}}}
	for _, x := range list {
		name := text.Line(x.Name)
		if name == "" {
			name = text.Line(x.ID)
		}
		t.Rows = append(t.Rows, []string{name, number(x.Sessions), v.stamp(x.LastSeen), v.age(x.LastSeen), text.Line(x.ID), v.path(x.Path),
			text.Line(x.Remote)})
	}
	p.table(t, "")
	p.hint("Its sessions:", "dormouse sessions --project "+quote(t.Rows[0][0]))
	return p.lines
}
