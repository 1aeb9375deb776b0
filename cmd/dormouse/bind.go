package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func bindCommand(a *app) *cobra.Command {
	init := false
	cmd := &cobra.Command{
		Use:   "bind PATH",
		Short: "Make a folder one of your projects",
		Long: `Make a folder one of your projects before an agent has worked in it, or again after you have unbound it. A folder within
a git repository binds the repository's project. Its sessions are kept in the folder from then on, in .dormouse, which its git does
not see; nothing else in it is changed, unless --init says that it is to have a repository where it has none.

Sessions of a linked worktree, a submodule or a temporary folder are never kept in those.`,
		Example: `  dormouse bind .
  dormouse bind ~/code/shop
  dormouse bind --init ~/notes`,
		Args: takes(cobra.ExactArgs(1), "the path of one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := a.absolute(args[0])
			if err != nil {
				return usage(cmd, "%v", err)
			}
			return ask(cmd.Context(), a, func(c *client.Client) (api.Project, error) {
				if init {
					return c.BindInit(cmd.Context(), path)
				}
				return c.Bind(cmd.Context(), path)
			}, formatBound)
		},
	}
	cmd.Flags().BoolVar(&init, "init", false, "make a git repository in it where it lies in none")
	return cmd
}

// absolute is a path as seen from the folder that the person stands in.
func (a *app) absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	if a.Dir == "" {
		return "", fmt.Errorf("%q is no whole path, and the folder that you are in is not known", path)
	}
	return filepath.Join(a.Dir, path), nil
}

func unbindCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "unbind PROJECT",
		Short: "Take a project's binding back",
		Long: `Take a project's binding back. Its sessions and what was learned from them stay, and so does its folder with its git
repository. Agents that work there are captured as before, and it can be bound again.`,
		Example: `  dormouse unbind shop
  dormouse unbind ~/code/shop`,
		Args: takes(cobra.ExactArgs(1), "the name, id or folder of one project"),
		RunE: func(cmd *cobra.Command, args []string) error {
			what, err := a.project(cmd, args)
			if err != nil {
				return err
			}
			return ask(cmd.Context(), a,
				func(c *client.Client) (api.Project, error) { return c.Unbind(cmd.Context(), what) }, formatUnbound)
		},
	}
}

// formatBound tells what was bound.
func formatBound(v view, x api.Project) []string {
	p := &page{view: v}
	p.prose("Bound "+nameOf(x)+".", "", nil)
	p.placeOf(x)
	p.hint("Its sessions:", "dormouse sessions --project "+quote(nameOf(x)))
	return p.lines
}

// formatUnbound tells what was unbound, and what stays.
func formatUnbound(v view, x api.Project) []string {
	p := &page{view: v}
	kept := "What was learned stays"
	if x.Sessions > 0 {
		kept = "Its " + count(x.Sessions, "session") + " and what was learned stay"
	}
	p.prose(fmt.Sprintf("Unbound %s. %s; the folder was not touched.", nameOf(x), kept), "", nil)
	p.placeOf(x)
	where := x.Path
	if where == "" {
		where = "PATH"
	}
	p.hint("To bind it again:", "dormouse bind "+quote(where))
	return p.lines
}

func nameOf(x api.Project) string {
	if name := text.Line(x.Name); name != "" {
		return name
	}
	return text.Line(x.ID)
}

func (p *page) placeOf(x api.Project) {
	p.field("Folder", p.path(x.Path))
	p.field("Remote", text.Line(x.Remote))
	p.field("Id", text.Line(x.ID))
}
