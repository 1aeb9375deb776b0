package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

// shells are those for which there is a completion, each with the way in which it is turned on.
var shells = []string{"bash", "fish", "powershell", "zsh"}

func completionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|fish|powershell|zsh",
		Short: "The script that has your shell complete commands, flags, agents, sessions and projects",
		Long: `Print the script that has your shell complete commands and flags and, while the service runs, the ids of sessions and the names of
projects. Packages bring it with them; where Dormouse was not installed by one, put it where your shell looks for it.`,
		Example: `  dormouse completion bash > ~/.local/share/bash-completion/completions/dormouse
  dormouse completion zsh > "${fpath[1]}/_dormouse"
  dormouse completion fish > ~/.config/fish/completions/dormouse.fish
  dormouse completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: shells,
		Args:      cobra.MatchAll(takes(cobra.ExactArgs(1), "the name of one shell")),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.Stdout, true)
			case "fish":
				return root.GenFishCompletion(a.Stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.Stdout)
			case "zsh":
				return root.GenZshCompletion(a.Stdout)
			}
			return usage(cmd, "there is no completion for %q; there is one for %s", args[0], strings.Join(shells, ", "))
		},
	}
}

// completionTime is how long a shell waits for what the service knows.
const completionTime = time.Second

// complete gives the commands what their arguments can be, by the word that stands for one in their usage.
func (a *app) complete(root *cobra.Command) {
	known := map[string]cobra.CompletionFunc{"SESSION": a.sessionIDs, "PROJECT": a.projectNames, "[PROJECT]": a.projectNames}
	for _, cmd := range allCommands(root) {
		if cmd.ValidArgsFunction == nil && cmd.ValidArgs == nil {
			words := strings.Fields(cmd.Use)
			if len(words) > 1 && known[words[1]] != nil {
				cmd.ValidArgsFunction = first(known[words[1]])
			}
		}
		if f := cmd.Flags().Lookup("project"); f != nil {
			_ = cmd.RegisterFlagCompletionFunc("project", a.projectNames) // the flag is there
		}
		if f := cmd.Flags().Lookup("agent"); f != nil {
			_ = cmd.RegisterFlagCompletionFunc("agent", a.agentNames)
		}
	}
}

// allCommands are a command and all below it.
func allCommands(cmd *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		out = append(out, allCommands(sub)...)
	}
	return out
}

// first completes the first argument alone.
func first(f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, part string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return f(cmd, args, part)
	}
}

func (a *app) sessionIDs(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return a.asked(cmd.Context(), func(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
		all, err := c.Sessions(ctx, api.SessionQuery{Limit: 50})
		for _, s := range all {
			out = append(out, cobra.CompletionWithDesc(s.ID, text.Line(s.Title)))
		}
		return out, err
	})
}

func (a *app) projectNames(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return a.asked(cmd.Context(), func(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
		all, err := c.Projects(ctx)
		for _, p := range all {
			out = append(out, cobra.CompletionWithDesc(text.Line(p.Name), a.view().path(p.Path)))
		}
		return out, err
	})
}

func (a *app) agentNames(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return a.asked(cmd.Context(), func(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
		s, err := c.Status(ctx)
		for _, x := range s.Agents {
			out = append(out, text.Line(x.Name))
		}
		return out, err
	})
}

// asked completes from what the service knows; where it does not run or does not answer at once there is nothing to complete.
func (a *app) asked(ctx context.Context, ask func(context.Context, *client.Client) ([]cobra.Completion, error)) (out []cobra.Completion, how cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	err := a.with(ctx, func(c *client.Client) (err error) {
		out, err = ask(ctx, c)
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
