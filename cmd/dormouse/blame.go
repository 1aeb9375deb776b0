package main

import (
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
)

func blameCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "blame FILE[:LINE[-LINE]]",
		Short: "Which sessions and decisions made the lines of a file what they are",
		Long: `Which commits made the lines of a file what they are, which turns of which sessions these come from and what was said there, and what is
remembered of that: decisions first. Lines that no commit has yet are looked for in what agents' calls wrote. Renames are followed; of a file
that is gone, the lines that it had last are told of.`,
		Example: `  dormouse blame store/index/index.go:42
  dormouse blame go.mod:3-9
  dormouse blame README.md`,
		Args: takes(cobra.ExactArgs(1), "one file, with or without lines"),
		RunE: func(cmd *cobra.Command, args []string) error {
			q, ok := blameOf(args[0])
			if !ok {
				return usage(cmd, "the lines of %q cannot be read: write FILE:20 or FILE:10-20, from 1 on", args[0])
			}
			path, err := a.absolute(q.Path)
			if err != nil {
				return usage(cmd, "%v", err)
			}
			q.Path = path
			return ask(cmd.Context(), a, func(c *client.Client) (api.Blame, error) { return c.Blame(cmd.Context(), q) }, formatBlame)
		},
	}
}

var (
	fileLines = regexp.MustCompile(`^(.+):(\d+)(?:-(\d+))?$`)
	oddLines  = regexp.MustCompile(`:[\d-]*$`)
)

// blameOf reads FILE, FILE:LINE or FILE:FROM-TO. A file whose own name ends like that is meant where it is there.
func blameOf(word string) (q api.BlameQuery, ok bool) {
	if isFile(word) {
		return api.BlameQuery{Path: word}, true
	}
	m := fileLines.FindStringSubmatch(word)
	if m == nil {
		return api.BlameQuery{Path: word}, !oddLines.MatchString(word) || filepath.VolumeName(word) == word
	}
	from, err := strconv.Atoi(m[2])
	to := from
	if err == nil && m[3] != "" {
		to, err = strconv.Atoi(m[3])
	}
	return api.BlameQuery{Path: m[1], From: from, To: to}, err == nil && from > 0 && to >= from
}
