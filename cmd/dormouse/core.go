package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func coreCommand(a *app) *cobra.Command {
	project := ""
	cmd := &cobra.Command{
		Use:   "core",
		Short: "The core memory, as the next session gets it",
		Example: `  dormouse core
  dormouse core --project dormouse`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var core api.Core
			err := ask(cmd.Context(), a, func(c *client.Client) (_ api.Core, err error) {
				core, err = c.Core(cmd.Context(), project)
				return core, err
			}, formatCore)
			if err == nil && !a.json && core.Text != "" {
				a.note("%s of at most %s bytes", number(core.Bytes), number(core.Limit))
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&project, "project", "p", "", "of one project instead of the global one")
	return cmd
}

// formatCore is the core as it is, but for what a terminal would obey: agents get no other line breaks either.
func formatCore(v view, c api.Core) []string {
	p := &page{view: v}
	if c.Text == "" {
		of := "The global core memory"
		if c.Project != "" {
			of = fmt.Sprintf("The core memory of %s", text.Line(c.Project))
		}
		p.say(of+" is empty. It is written when Dormouse sleeps; to do that now:", "dormouse sleep")
		return p.lines
	}
	p.add(text.Wrap(text.Clean(c.Text), 0)...)
	return p.lines
}
