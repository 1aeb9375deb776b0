package main

import (
	"context"
	"errors"
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
			case branches && a.json:
				return onOpened(cmd, a, args[0], (*client.Client).SessionCommits, nil)
			case branches:
				return onOpened(cmd, a, args[0], (*client.Client).SessionBranches, formatBranches)
			case seen && one == nil:
				return usage(cmd, "--context needs --turn")
			case seen:
				return onOpened(cmd, a, args[0], func(c *client.Client, ctx context.Context, id string) (api.Context, error) {
					return c.SessionContext(ctx, id, turn)
				}, formatContext)
			}
			return a.with(cmd.Context(), func(c *client.Client) error {
				return a.show(cmd.Context(), c, shown{session: strings.TrimSpace(args[0]), turn: one, node: node, full: full && !a.json})
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

// shown is what of a session is to be shown.
type shown struct {
	session string
	turn    *int
	node    string // of which the turn is shown
	full    bool
}

// show prints a session, or a turn of it. A whole one is printed as it comes, since it may be long.
func (a *app) show(ctx context.Context, c *client.Client, what shown) error {
	var w *writer
	var all api.Transcript
	for page, err := range openSession(ctx, c, what.session, what.turn) {
		if err != nil {
			return errors.Join(w.flush(), err)
		}
		if what.node != "" {
			if page.Turns = turnsWith(page.Turns, what.node); len(page.Turns) == 0 {
				all.Session = page.Session
				continue
			}
		}
		all.Add(page)
		if what.node != "" {
			break
		}
		if a.json {
			continue
		}
		if w == nil {
			w = a.transcriptWriter(page.Session, what.full)
		}
		if err := w.turns(ctx, c, page); err != nil {
			return err
		}
		all.Turns = all.Turns[:0]
	}
	switch {
	case what.node != "" && len(all.Turns) == 0:
		return fmt.Errorf("session %s has no node %q", all.Session.ID, what.node)
	case a.json:
		return a.printJSON(all)
	case w == nil:
		w = a.transcriptWriter(all.Session, what.full)
		if err := w.turns(ctx, c, all); err != nil {
			return err
		}
	}
	return w.end()
}

// turnsWith keeps the first turn that holds a node.
func turnsWith(turns []api.Turn, node string) []api.Turn {
	i := slices.IndexFunc(turns, func(turn api.Turn) bool {
		return slices.ContainsFunc(turn.Nodes, func(n memory.Node) bool { return strings.HasPrefix(n.ID, node) })
	})
	if i < 0 {
		return nil
	}
	return turns[i : i+1]
}
