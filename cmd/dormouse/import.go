package main

import (
	"errors"
	"math"
	"path/filepath"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
	"github.com/spf13/cobra"
)

func importCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE|FOLDER",
		Short: "Take in what lies elsewhere: a data export, a copy of an agent's store",
		Long: `Take in the conversations of a data export, or the sessions in a copy of an agent's store. What kind it is, is told from what
it holds.

It takes the data exports of ChatGPT and of Claude.ai: the .zip as it was downloaded, the folder that it was unpacked to, or the
conversations.json in it. It takes what "opencode export" wrote, a copy of an opencode*.db or of opencode's folder "storage", and
a copy of Cursor's state.vscdb. It takes a state folder of OpenProgram, the folder "sessions" in it, a project that has sessions of it,
or one session; what there is damaged is counted and named. What stands on the pages of its memory (short-term, wiki or topics) is learned
as a candidate with its page as source: you find it in review and search, and no agent is told it before you accept it.

Secrets are replaced as everywhere, before anything is written. The file stays as it is and is not watched. The same file may be
given again, and a newer export of the same account: only what is new is added.`,
		Example: `  dormouse import ~/Downloads/chatgpt-export.zip
  dormouse import ~/Downloads/data-2026-05-04/conversations.json
  dormouse import ~/backup/.openprogram
  dormouse import ~/backup/opencode.db --json`,
		Args: takes(cobra.ExactArgs(1), "one file or folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := args[0]
			if !filepath.IsAbs(path) {
				path = filepath.Join(a.Dir, path)
			}
			var got api.Imported
			err := ask(cmd.Context(), a, func(c *client.Client) (v api.Imported, err error) {
				if a.Terminal && !a.json {
					a.note("Reading %s ...", a.view().path(path))
				}
				got, err = c.Import(cmd.Context(), filepath.Clean(path))
				return got, err
			}, formatImported)
			if err == nil && len(got.Problems) > 0 {
				return &saidError{errors.New("not everything could be read")}
			}
			return err
		},
	}
}

// formatImported tells what an import gave.
func formatImported(v view, r api.Imported) []string {
	p := &page{view: v}
	p.add("Read " + v.Strong(v.path(r.Path)) + ", of " + text.Line(r.Agent) + ".")
	p.field("Holds", count(r.Found, "session"))
	added := "nothing: all of it was captured before"
	if r.Nodes > 0 {
		added = joined(count(r.Nodes, "node"), "in "+count(r.Sessions, "session"))
	} else if len(r.Problems) > 0 || r.Found == 0 {
		added = "nothing"
	}
	p.field("New", added)
	if len(r.Problems) > 0 {
		p.head("Could not be read")
		for _, problem := range r.Problems {
			p.prose(text.Clean(problem), "  ", v.Warn)
		}
	}
	p.skipped(r.Skipped, math.MaxInt)
	if r.Nodes > 0 {
		p.hint("See them:", "dormouse sessions --agent "+text.Line(r.Agent))
	}
	return p.lines
}
