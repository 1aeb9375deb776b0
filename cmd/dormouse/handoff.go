package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func handoffCommand(a *app) *cobra.Command {
	out, force := "", false
	cmd := &cobra.Command{
		Use:   "handoff [PROJECT]",
		Short: "The open threads of a project, as a page that another agent can start from",
		Long: `Write the open threads of a project as a page of Markdown that another agent or another machine can start from: how the work tree stands,
how the last sessions ended and what was left, what was said of the next steps, the decisions in force and what you prefer; this folder's
project where none is named. What was said stands as a quotation under its speaker. No model takes part, and the page has at most 12 KB.`,
		Example: `  dormouse handoff
  dormouse handoff shop --out handoff.md`,
		Args: takes(cobra.MaximumNArgs(1), "at most the name, id or folder of one project"),
		RunE: func(cmd *cobra.Command, args []string) error {
			what, err := a.project(cmd, args)
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), func(c *client.Client) error {
				h, err := c.Handoff(cmd.Context(), what)
				if err != nil {
					return err
				}
				return a.handOff(h, out, force)
			})
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "write the page to this file")
	cmd.Flags().BoolVar(&force, "force", false, "replace the file where it is there")
	return cmd
}

// handOff prints the page, or writes it to a file.
func (a *app) handOff(h api.Handoff, out string, force bool) error {
	if out == "" {
		if a.json {
			return a.printJSON(h)
		}
		_, err := io.WriteString(a.Stdout, text.Clean(h.Text))
		return err
	}
	path, err := a.absolute(out)
	if err != nil {
		return err
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; name another file, or add --force to replace it", a.view().path(path))
	}
	if err != nil {
		return fmt.Errorf("write the handoff: %w", err)
	}
	_, err = io.WriteString(f, h.Text)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write the handoff: %w", err)
	}
	if a.json {
		return a.printJSON(h)
	}
	a.note("Wrote %s bytes to %s.", number(h.Bytes), a.view().path(path))
	return nil
}
