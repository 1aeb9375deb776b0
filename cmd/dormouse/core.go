package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func coreCommand(a *app) *cobra.Command {
	project, global := "", false
	cmd := &cobra.Command{
		Use:   "core",
		Short: "The core memory, as the next session gets it",
		Long: `The core memory, as the next session gets it: of the project that this folder belongs to, of the one that --project names,
or what holds in every project.`,
		Example: `  dormouse core
  dormouse core --project dormouse
  dormouse core --global`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var core api.Core
			err := ask(cmd.Context(), a, func(c *client.Client) (_ api.Core, err error) {
				core, err = a.coreOf(cmd.Context(), c, project, global)
				return core, err
			}, formatCore)
			if err == nil && !a.json && core.Text != "" {
				a.note("%s of at most %s bytes", number(core.Bytes), number(core.Limit))
			}
			return err
		},
	}
	projectFlag(cmd, &project, "of one project, by name, id or folder")
	cmd.Flags().BoolVarP(&global, "global", "g", false, "what holds in every project")
	cmd.MarkFlagsMutuallyExclusive("project", "global")
	return cmd
}

// coreOf asks for the core memory that is meant. Where nothing is said, it is that of the project of this folder; a folder
// that is no known project gets the global one.
func (a *app) coreOf(ctx context.Context, c *client.Client, project string, global bool) (api.Core, error) {
	if project != "" || global || a.Dir == "" {
		return c.Core(ctx, project)
	}
	core, err := c.Core(ctx, a.Dir)
	var e *api.Error
	if errors.As(err, &e) && e.Code == api.CodeNotFound {
		return c.Core(ctx, "")
	}
	return core, err
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
	p.add(text.Wrap(text.Clean(withMissing(c)), 0)...)
	return p.lines
}

// pointerSign stands before the pointer at the end of a line of a core.md.
const pointerSign = "  ↪ session:"

// withMissing is the text of a core memory, whose pointers that lead nowhere say so.
func withMissing(c api.Core) string {
	lines, n := strings.Split(c.Text, "\n"), 0
	for i, line := range lines {
		_, session, ok := strings.Cut(line, pointerSign)
		if !ok {
			continue
		}
		if n < len(c.Pointers) && c.Pointers[n].SessionID == strings.TrimSpace(session) && c.Pointers[n].Missing != "" {
			lines[i] += " (" + c.Pointers[n].Missing + ")"
		}
		n++
	}
	return strings.Join(lines, "\n")
}
