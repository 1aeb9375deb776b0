package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func injectCommand(a *app) *cobra.Command {
	q, preview := api.InjectQuery{}, false
	cmd := &cobra.Command{
		Use:   "inject --preview",
		Short: "What an agent is told of the memory, byte for byte",
		Long: `Show what an agent is told of the memory when a session begins in this folder, or at a prompt: exactly the bytes that its hook hands
over, and beside them how many they are. --json has them in the agent's own form, too, as the hook prints them.

Sending is what the hooks do, and this command never does. Connect them with "dormouse agents connect"; the section [inject] of
config.toml says what is told, and whom.`,
		Example: `  dormouse inject --preview
  dormouse inject --preview --agent codex --cwd ~/code/shop
  dormouse inject --preview --prompt "why is the build flaky?"`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !preview {
				return usage(cmd, "it shows and never sends; add --preview")
			}
			if q.Cwd == "" {
				q.Cwd = a.Dir
			}
			dir, err := filepath.Abs(q.Cwd)
			if err != nil {
				return err
			}
			q.Cwd = dir
			return a.with(cmd.Context(), func(c *client.Client) error {
				in, err := c.Inject(cmd.Context(), q)
				if err != nil {
					return err
				}
				return a.showInjection(in)
			})
		},
	}
	cmd.Flags().BoolVar(&preview, "preview", false, "show it")
	cmd.Flags().StringVar(&q.Agent, "agent", "claude-code", "the agent that would be told")
	cmd.Flags().StringVar(&q.Cwd, "cwd", "", "the folder of the session (default: this one)")
	cmd.Flags().StringVar(&q.Prompt, "prompt", "", "at this prompt, and not when the session begins")
	return cmd
}

// showInjection prints the bytes as they are: what is told has no more than one kind of control character, the end of a line.
func (a *app) showInjection(in api.Injection) error {
	if a.json {
		return a.printJSON(in)
	}
	if in.Text == "" {
		a.note("Nothing would be told: %s.", text.Line(in.Why))
		return nil
	}
	if _, err := io.WriteString(a.Stdout, in.Text); err != nil {
		return err
	}
	a.note("%s of at most %s bytes, at the event %s of %s", fmt.Sprint(in.Bytes), fmt.Sprint(in.Limit), text.Line(in.Event), text.Line(in.Agent))
	return nil
}
