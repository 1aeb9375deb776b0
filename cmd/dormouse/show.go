package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/store/memory"
)

func showCommand(a *app) *cobra.Command {
	var turn int
	var node, file, out string
	var full, branches, seen bool
	cmd := &cobra.Command{
		Use:   "show SESSION",
		Short: "Read a session, or one turn of it",
		Long: `Read a session: what you and the agent said, and each tool call on one line with its result's size. SESSION is its id, a
unique beginning of it, or a beginning of the agent's own id of the session.

Texts that are too long for a message, and images where capture.keep_images in config.toml has them kept, lie beside it: their lines say
how --file writes them out. Without --out they go to the output, if that is no terminal.`,
		Example: `  dormouse show cc_1a2b3c4d
  dormouse show cc_1a --turn 3 --full
  dormouse show cc_1a --turn 3 --context
  dormouse show cc_1a --branches
  dormouse show cc_1a --file 5f3c9a12 --out result.txt
  dormouse show cc_1a --file 0b7d11e4 > image.png`,
		Args: takes(cobra.ExactArgs(1), "the id of one session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			one, err := chosenTurn(cmd, turn, node)
			if err != nil {
				return err
			}
			switch {
			case file != "" || out != "":
				return saveFile(cmd, a, args[0], file, out)
			case branches:
				return onSession(cmd, a, args[0], false, func(c *client.Client, id string) (api.SessionCommits, error) {
					return c.SessionCommits(cmd.Context(), id)
				}, formatBranches)
			case seen && one == nil:
				return usage(cmd, "--context needs --turn")
			case seen:
				return onSession(cmd, a, args[0], false, func(c *client.Client, id string) (api.Context, error) {
					return c.SessionContext(cmd.Context(), id, turn)
				}, formatContext)
			}
			return a.with(cmd.Context(), func(c *client.Client) error {
				t, err := openSession(cmd.Context(), c, strings.TrimSpace(args[0]), one)
				if err == nil && node != "" {
					t, err = turnOf(t, node)
				}
				if err != nil {
					return err
				}
				if full && !a.json {
					return a.printWhole(cmd.Context(), c, t)
				}
				return a.answer(t, func(v view) []string { return formatTranscript(v, t) })
			})
		},
	}
	cmd.Flags().IntVarP(&turn, "turn", "t", 0, "only this turn; 0 is what came before the first prompt")
	cmd.Flags().StringVar(&node, "node", "", "only the turn that holds this node")
	cmd.Flags().BoolVarP(&full, "full", "f", false, "fold nothing: arguments, results, changes, thoughts")
	cmd.Flags().BoolVar(&branches, "branches", false, "list its branches: the main line and what was tried again")
	cmd.Flags().BoolVar(&seen, "context", false, "what the model saw in that turn, and how much of it")
	cmd.Flags().StringVar(&file, "file", "", "write out the text or image with this hash")
	cmd.Flags().StringVarP(&out, "out", "o", "", "where --file goes: a new file, or - for the output")
	cmd.MarkFlagsMutuallyExclusive("branches", "context", "full", "file")
	return cmd
}

// chosenTurn is the turn that the flags name, or nil for all.
func chosenTurn(cmd *cobra.Command, turn int, node string) (*int, error) {
	if !cmd.Flags().Changed("turn") {
		return nil, nil
	}
	if node != "" {
		return nil, usage(cmd, "--turn and --node exclude each other")
	}
	if turn < 0 {
		return nil, usage(cmd, "--turn has to be 0 or more, not %d", turn)
	}
	return &turn, nil
}

// turnOf keeps the turn that holds a node.
func turnOf(t api.Transcript, node string) (api.Transcript, error) {
	i := slices.IndexFunc(t.Turns, func(turn api.Turn) bool {
		return slices.ContainsFunc(turn.Nodes, func(n memory.Node) bool { return strings.HasPrefix(n.ID, node) })
	})
	if i < 0 {
		return t, fmt.Errorf("session %s has no node %q", t.Session.ID, node)
	}
	t.Turns = t.Turns[i : i+1]
	return t, nil
}
