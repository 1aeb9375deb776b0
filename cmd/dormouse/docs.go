package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"dormouse/service/config"
)

func docsCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "Write the manual: man pages, and the reference of the settings",
		Long: `Write those parts of the manual that are made from the program itself. Packages bring the man pages with them: then "man dormouse" shows
them.`,
		Example: `  dormouse docs man ~/.local/share/man/man1
  dormouse docs config`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "man FOLDER",
		Short: "Write a man page for each command into a folder",
		Long: `Write a man page for each command into a folder, which is made where it is missing. Pages of these names that are there are written over.
The pages bear the date of the release, or that in SOURCE_DATE_EPOCH.`,
		Example: `  dormouse docs man ~/.local/share/man/man1`,
		Args:    takes(cobra.ExactArgs(1), "the path of one folder"),
		RunE:    func(_ *cobra.Command, args []string) error { return a.writeMan(args[0]) },
	}, &cobra.Command{
		Use:     "config",
		Short:   "Print the reference of the settings, in Markdown",
		Long:    `Print every setting with its type, its default and what it does, in Markdown. docs/configuration.md is this page.`,
		Example: `  dormouse docs config > configuration.md`,
		Args:    takes(cobra.NoArgs, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			page, err := config.Reference()
			if err != nil {
				return err
			}
			_, err = a.Stdout.Write(page)
			return err
		},
	})
	return cmd
}

// manuals is what the command tells of the man pages that it wrote.
type manuals struct {
	Folder string `json:"folder"`
	Pages  int    `json:"pages"`
}

func (a *app) writeMan(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root := newRootCommand(a.Params)
	for _, cmd := range allCommands(root) {
		cmd.DisableAutoGenTag = true // it would name the day of the making
	}
	info, _ := debug.ReadBuildInfo()
	at := a.releasedAt(info)
	head := &doc.GenManHeader{Section: "1", Date: &at, Source: "Dormouse " + buildOf(info).Version, Manual: "Dormouse"}
	if err := doc.GenManTree(root, head, dir); err != nil {
		return fmt.Errorf("write the man pages: %w", err)
	}
	out := manuals{Folder: dir}
	for _, cmd := range allCommands(root) {
		if cmd.IsAvailableCommand() || cmd == root {
			out.Pages++
		}
	}
	return a.answer(out, func(v view) []string {
		return []string{fmt.Sprintf("%s written to %s", count(out.Pages, "man page"), v.path(out.Folder))}
	})
}

// releasedAt is when this program was made, as far as it is known; two runs of one release give equal pages.
func (a *app) releasedAt(info *debug.BuildInfo) time.Time {
	if s, err := strconv.ParseInt(a.Env("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(s, 0).UTC()
	}
	if info != nil {
		for _, s := range info.Settings {
			if t, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				return t.UTC()
			}
		}
	}
	return a.Now().UTC()
}
