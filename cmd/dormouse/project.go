package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func projectCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "project [PROJECT]",
		Short: "One project, its repository, and whether agents' turns are committed in it",
		Long: `One project, by name, id, address or folder; this folder's where none is named: how its git repository stands, how Dormouse
reads it, and whether what agents change in a turn is committed.`,
		Example: `  dormouse project
  dormouse project shop
  dormouse project autocommit on shop`,
		Args: takes(cobra.MaximumNArgs(1), "at most the name, id or folder of one project"),
		RunE: func(cmd *cobra.Command, args []string) error {
			what, err := a.project(cmd, args)
			if err != nil {
				return err
			}
			return ask(cmd.Context(), a,
				func(c *client.Client) (api.ProjectState, error) { return c.Project(cmd.Context(), what) }, formatProject)
		},
	}
	cmd.AddCommand(autoCommitCommand(a), shadowCommand(a), renameProjectCommand(a))
	return cmd
}

func autoCommitCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "autocommit on|off [PROJECT]",
		Short: "Commit what an agent changed in a turn",
		Long: reflow(`Commit what an agent changed in a turn, for agents whose hooks tell when a turn begins and ends. It is off until you turn it
on, for each project.

A turn is committed only if the work tree was clean when it began, no other agent worked there meanwhile, the branch was not moved,
and no merge, rebase or the like is under way. Your hooks, filters and signing are honoured; what you would have to be asked about is
not committed but told in dormouse status. Changes that look like a secret are never committed.`, a.Width),
		Example: `  dormouse project autocommit on
  dormouse project autocommit off shop`,
		Args: takes(cobra.RangeArgs(1, 2), "on or off, and at most one project"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] != "on" && args[0] != "off" {
				return usage(cmd, "autocommit is turned on or off, not %q", args[0])
			}
			what, err := a.project(cmd, args[1:])
			if err != nil {
				return err
			}
			return ask(cmd.Context(), a, func(c *client.Client) (api.ProjectState, error) {
				return c.AutoCommit(cmd.Context(), what, args[0] == "on")
			}, formatProject)
		},
	}
}

func renameProjectCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rename NAME [PROJECT]",
		Short: "Call a project as you like",
		Long: reflow(`Call a project as you like, in lists and in the window. Its folder, its id and the name that its memories are filed under stay as
they are. The name is this machine's, as all that lies in projects.json; an empty one takes it back.`, a.Width),
		Example: `  dormouse project rename "The shop"
  dormouse project rename shop ~/code/shop-v2
  dormouse project rename "" ~/code/shop-v2`,
		Args: takes(cobra.RangeArgs(1, 2), "a name, and at most one project"),
		RunE: func(cmd *cobra.Command, args []string) error {
			what, err := a.project(cmd, args[1:])
			if err != nil {
				return err
			}
			return ask(cmd.Context(), a, func(c *client.Client) (api.Project, error) {
				return c.RenameProject(cmd.Context(), what, args[0])
			}, formatRenamed)
		},
	}
}

// formatRenamed tells what a project is called.
func formatRenamed(v view, x api.Project) []string {
	p := &page{view: v}
	p.prose("It is called "+nameOf(x)+" now.", "", nil)
	p.placeOf(x)
	return p.lines
}

// project is the project that the first argument names, a folder as its whole path; without one it is this folder's.
func (a *app) project(cmd *cobra.Command, args []string) (string, error) {
	what := "."
	if len(args) > 0 {
		what = args[0]
	}
	if len(args) > 0 && !looksLikeFolder(what) {
		return what, nil
	}
	path, err := a.absolute(what)
	if err != nil {
		return "", usage(cmd, "%v", err)
	}
	return path, nil
}

// formatProject tells of one project.
func formatProject(v view, s api.ProjectState) []string {
	p := &page{view: v}
	p.add(p.Strong(nameOf(s.Project)))
	p.placeOf(s.Project)
	if s.Project.Sessions > 0 {
		p.field("Sessions", joined(number(s.Project.Sessions), "last "+v.when(s.Project.LastSeen)))
	}
	if s.Git == nil {
		p.field("Git", text.Line(s.Problem))
	} else {
		p.repository(*s.Git)
	}
	p.autoCommit(s.AutoCommit)
	if s.Project.Shadow {
		p.field("Shadow", "on: the files that agents edit are kept, turn by turn")
	} else {
		p.field("Shadow", "off")
	}
	if s.Git != nil {
		p.hint("Its commits:", "dormouse log "+quote(nameOf(s.Project)))
	}
	return p.lines
}

// repository tells how a repository stands.
func (p *page) repository(g api.Git) {
	branch := text.Line(g.Branch)
	if branch == "" {
		branch = "no branch (detached HEAD)"
	}
	if g.Head != "" {
		branch += " at " + short(g.Head)
	} else {
		branch += ", without a commit yet"
	}
	changes, doing := "clean", ""
	if g.Changes > 0 {
		changes = count(g.Changes, "change") + " not committed"
	}
	if g.Doing != "" {
		doing = text.Line(g.Doing) + " is under way"
	}
	p.field("Branch", joined(branch, changes, doing))
	if g.Why == "" {
		p.field("Read by", text.Line(g.ReadBy))
		return
	}
	p.field("Read by", "the git command, because "+text.Line(g.Why))
}

// autoCommit tells whether turns are committed, and what became of the newest.
func (p *page) autoCommit(c api.AutoCommit) {
	if !c.On {
		p.field("Auto-commit", "off")
		return
	}
	last := ""
	if o := c.Last; o != nil {
		turn := fmt.Sprintf("turn %d of %s", o.Turn, text.Line(o.SessionID))
		if o.Commit != "" {
			last = fmt.Sprintf("%s is commit %s (%s)", turn, short(o.Commit), p.ago(o.At))
		} else {
			last = fmt.Sprintf("%s was not committed: %s", turn, text.Line(o.Text))
		}
	}
	p.field("Auto-commit", joined("on", last))
}

// shortID is how much of a commit's id is shown.
const shortID = 10

func short(id string) string {
	id = text.Line(id)
	return id[:min(len(id), shortID)]
}
