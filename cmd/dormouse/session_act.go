package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func renameCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rename SESSION TITLE",
		Short: "Give a session your own title",
		Long:  `Give a session your own title. Nothing but a newer one of yours replaces it. The session keeps its place in the list.`,
		Example: `  dormouse rename cc_1a2b3c4d "The flaky till test"
  dormouse rename cc_1a The flaky till test`,
		Args: takes(cobra.MinimumNArgs(2), "a session and its title"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return onSession(cmd, a, args[0], false, func(c *client.Client, id string) (api.Session, error) {
				return c.Rename(cmd.Context(), id, strings.Join(args[1:], " "))
			}, formatChanged)
		},
	}
}

func pinCommand(a *app) *cobra.Command {
	off := false
	cmd := &cobra.Command{
		Use:   "pin SESSION",
		Short: "Mark a session that you want to find again",
		Long:  `Mark a session that you want to find again, or take the mark away. It is shown in lists; the session keeps its place.`,
		Example: `  dormouse pin cc_1a2b3c4d
  dormouse pin cc_1a2b3c4d --off`,
		Args: takes(cobra.ExactArgs(1), "the id of one session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return onSession(cmd, a, args[0], false, func(c *client.Client, id string) (api.Session, error) {
				return c.Pin(cmd.Context(), id, !off)
			}, formatChanged)
		},
	}
	cmd.Flags().BoolVar(&off, "off", false, "take the mark away")
	return cmd
}

func openCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "open SESSION",
		Short: "Write a session's files out, to be read with git or an editor",
		Long: `Write a session's files out, and say where they are. Each session is a git repository: git log, git show and git diff work in it at
any time. Sessions that you do not work with keep no files beside that, so this writes one file for each message and tool call; after
a day they are packed again.`,
		Example: `  dormouse open cc_1a2b3c4d`,
		Args:    takes(cobra.ExactArgs(1), "the id of one session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return onSession(cmd, a, args[0], false, func(c *client.Client, id string) (api.Thawed, error) {
				return c.Thaw(cmd.Context(), id)
			}, formatThawed)
		},
	}
}

func deleteCommand(a *app) *cobra.Command {
	yes, undo := false, false
	cmd := &cobra.Command{
		Use:   "delete SESSION",
		Short: "Delete a session with its history",
		Long: `Delete a session with its history. It does not come back, although its agent's transcript is still there. What was learned from
it stays, with pointers that lead nowhere.

Undo captures it again, as far as the transcript is there.`,
		Example: `  dormouse delete cc_1a2b3c4d
  dormouse delete cc_1a2b3c4d --undo
  dormouse sessions --deleted`,
		Args: takes(cobra.ExactArgs(1), "the id of one session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return onSession(cmd, a, args[0], undo, func(c *client.Client, id string) (api.Session, error) {
				if undo {
					return c.Undelete(cmd.Context(), id)
				}
				if !yes {
					if err := a.confirmDelete(cmd.Context(), c, id); err != nil {
						return api.Session{}, err
					}
				}
				return c.Delete(cmd.Context(), id)
			}, formatDeleted)
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&undo, "undo", false, "capture a deleted session again")
	cmd.MarkFlagsMutuallyExclusive("yes", "undo")
	return cmd
}

// onSession does something with the one session that a word means, and prints what came of it.
func onSession[T any](cmd *cobra.Command, a *app, word string, deleted bool, do func(*client.Client, string) (T, error),
	format func(view, T) []string) error {
	return ask(cmd.Context(), a, func(c *client.Client) (none T, err error) {
		id, err := wholeID(cmd.Context(), c, strings.TrimSpace(word), deleted)
		if err != nil {
			return none, err
		}
		return do(c, id)
	}, format)
}

// confirmDelete asks whether a session is to be deleted.
func (a *app) confirmDelete(ctx context.Context, c *client.Client, id string) error {
	list, err := c.Sessions(ctx, api.SessionQuery{})
	if err != nil {
		return err
	}
	for _, s := range matching(list, id) {
		a.note("Delete %s, “%s”, with %s? Type yes:", s.ID, text.Line(s.Title), count(s.Turns, "turn"))
	}
	return a.saysYes("nothing was deleted; --yes deletes without asking")
}

// sure asks whether something that cannot be taken back is to be done.
func (a *app) sure(question, otherwise string) error {
	a.note("%s Type yes:", question)
	return a.saysYes(otherwise + "; --yes does not ask")
}

// saysYes reads the answer; anything but yes is the error.
func (a *app) saysYes(otherwise string) error {
	answer, _ := bufio.NewReader(a.Stdin).ReadString('\n') // no answer is no
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return errors.New(otherwise)
}

func formatChanged(v view, s api.Session) []string {
	p := &page{view: v}
	p.prose(titleOf(s), "", v.Strong)
	p.field("Session", joined(text.Line(s.ID), text.Line(s.Agent), projectOf(s)))
	return p.lines
}

func formatThawed(v view, t api.Thawed) []string {
	p := &page{view: v}
	p.prose(fmt.Sprintf("The %s of %s are in", count(t.Session.Nodes, "file"), text.Line(t.Session.ID)), "", nil)
	p.add("  " + v.path(t.Dir))
	p.hint("There, each turn is a commit:", "git log --graph --all")
	return p.lines
}

func formatDeleted(v view, s api.Session) []string {
	p := &page{view: v}
	switch s.Missing {
	case "":
		p.prose("Captured "+text.Line(s.ID)+" again: "+count(s.Turns, "turn")+".", "", nil)
		p.hint("Read it:", "dormouse show "+quote(s.ID))
	case api.MissingDeleted:
		p.prose("Deleted "+text.Line(s.ID)+". What was learned from it stays.", "", nil)
		p.hint("To capture it again, while its transcript is there:", "dormouse delete --undo "+quote(s.ID))
	default:
		p.prose(text.Line(s.ID)+" is not deleted any more: "+text.Line(s.Reason)+".", "", nil)
	}
	return p.lines
}
