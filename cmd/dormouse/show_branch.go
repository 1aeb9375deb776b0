package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func switchCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "switch SESSION BRANCH",
		Short: "Show another branch of a session in its repository",
		Long: `Show another branch of a session in its repository. A retry, or a prompt that you wrote anew, is a branch: all of them stay, and
dormouse show --branches lists them. BRANCH is a branch's name, or the id of a message or tool call on it. The repository follows the
conversation again with the next message. This changes nothing for the agent.`,
		Example: `  dormouse show cc_1a2b3c4d --branches
  dormouse switch cc_1a2b3c4d main`,
		Args: takes(cobra.ExactArgs(2), "a session and one of its branches"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return onSession(cmd, a, args[0], false, func(c *client.Client, id string) (api.Session, error) {
				node, err := nodeOn(cmd.Context(), c, id, strings.TrimSpace(args[1]))
				if err != nil {
					return api.Session{}, err
				}
				return c.Switch(cmd.Context(), id, node)
			}, formatChanged)
		},
	}
}

// nodeOn is the newest node of a branch; what is no branch is taken for a node.
func nodeOn(ctx context.Context, c *client.Client, id, branch string) (string, error) {
	all, err := c.SessionBranches(ctx, id)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(all.Branches, func(b api.Branch) bool { return b.Name == branch })
	if i < 0 || all.Branches[i].Node == "" {
		return branch, nil
	}
	return all.Branches[i].Node, nil
}

// formatBranches lists the branches of a session.
func formatBranches(v view, all api.SessionBranches) []string {
	p := &page{view: v}
	if len(all.Branches) == 0 {
		p.say("The session has no commit yet: its first turn is not over.", "dormouse show "+quote(all.Session.ID))
		return p.lines
	}
	t := text.Table{Head: v.Faint, Columns: []text.Column{{Title: ""}, {Title: "branch", Paint: v.Link}, {Title: "commits", Right: true},
		{Title: "newest", Drop: 1}, {Title: "turn", Min: 16}}}
	for _, b := range all.Branches {
		mark := ""
		if b.Shown {
			mark = "*"
		}
		t.Rows = append(t.Rows, []string{mark, text.Line(b.Name), number(b.Turns), b.Commit[:min(10, len(b.Commit))], text.Line(b.Message)})
	}
	p.table(t, "")
	if i := slices.IndexFunc(all.Branches, func(b api.Branch) bool { return !b.Shown }); i >= 0 {
		p.hint("Show another one in the session's repository:", "dormouse switch "+quote(all.Session.ID)+" "+quote(all.Branches[i].Name))
	}
	return p.lines
}

// formatContext shows what the models saw in a turn.
func formatContext(v view, c api.Context) []string {
	p := &page{view: v}
	p.prose(titleOf(c.Session), "", p.Strong)
	from := "reconstructed from the transcript"
	if c.From == "proxy" {
		from = "as the proxy saw it"
	}
	tokens := ""
	if c.Tokens > 0 {
		tokens = number(int(c.Tokens)) + " tokens in the newest call"
	}
	p.field("Context", joined(fmt.Sprintf("turn %d", c.Turn), tokens, from))
	for _, view := range c.Views {
		p.gap()
		if view.Agent != "" {
			p.head("Sub-agent " + text.Line(view.Agent))
		}
		t := text.Table{Head: v.Faint, Columns: []text.Column{{Title: "turn", Right: true}, {Title: "seen"}, {Title: "tokens", Right: true},
			{Title: "node", Paint: v.Link, Drop: 1}, {Title: "text", Min: 16}}}
		for _, it := range view.Items {
			t.Rows = append(t.Rows, []string{number(it.Turn), it.State, "~" + number(it.Tokens), text.Line(it.ID), text.Line(it.Text)})
		}
		p.table(t, "")
	}
	return p.lines
}
