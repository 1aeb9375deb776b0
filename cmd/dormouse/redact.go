package main

import (
	"path/filepath"
	"strconv"

	"dormouse/cmd/internal/text"
	"dormouse/service/config"
	"dormouse/service/daemon"
	"dormouse/store/home"
	"github.com/spf13/cobra"
)

func redactCommand(a *app) *cobra.Command {
	scan := false
	cmd := &cobra.Command{
		Use:   "redact --scan [FILE|FOLDER...]",
		Short: "Which secrets lie in files or transcripts, without showing them",
		Long: `Look for secrets in files, in all files of folders, or, when none is named, in the transcripts that your agents keep. It tells
where each lies, which kind it is, how long, and the placeholder that stands for it in Dormouse's memory; never the secret. It
changes nothing and needs no service.

What it finds in the transcripts lies there in the clear, written by your agents. Dormouse replaces it before it writes anything.`,
		Example: `  dormouse redact --scan
  dormouse redact --scan .env notes/ --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !scan {
				return usage(cmd, "redact looks only when it is told to: add --scan")
			}
			h, err := home.Default(a.Env)
			if err != nil {
				return err
			}
			cfg, err := config.Load(h.Config())
			if err != nil {
				return err
			}
			var paths []string
			for _, p := range args {
				if !filepath.IsAbs(p) {
					p = filepath.Join(a.Dir, p)
				}
				paths = append(paths, p)
			}
			found, err := daemon.FindLeaks(cmd.Context(), h, cfg, a.Env, paths)
			if err != nil {
				return err
			}
			return a.answer(found, func(v view) []string { return formatLeaks(v, found) })
		},
	}
	cmd.Flags().BoolVar(&scan, "scan", false, "look for secrets and list them")
	return cmd
}

// formatLeaks lists secrets by file.
func formatLeaks(v view, r daemon.Leaks) []string {
	p := &page{view: v}
	p.add(joined(count(len(r.Leaks), "secret"), count(r.Files, "file")+" looked through"))
	file := ""
	for _, l := range r.Leaks {
		if l.File != file {
			file = l.File
			p.head(v.path(file))
		}
		place := ""
		if l.Line > 0 {
			place = "line " + strconv.Itoa(l.Line) + ": "
		}
		p.add("  " + place + text.Line(l.Family) + ", " + count(l.Bytes, "byte") + "  " + text.Line(l.Placeholder))
	}
	if len(r.Skipped) > 0 {
		p.head("Not looked through")
		for _, s := range r.Skipped {
			p.prose(text.Clean(s), "  ", nil)
		}
	}
	return p.lines
}
