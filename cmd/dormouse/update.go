package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/config"
	releases "dormouse/service/update"
	"dormouse/store/home"
)

// updateReport is what is known of new releases.
type updateReport struct {
	Feed string `json:"feed"` // empty where none is set, and nothing was asked
	releases.Answer
}

func updateCommand(a *app) *cobra.Command {
	check := false
	cmd := &cobra.Command{
		Use:   "update --check",
		Short: "Ask whether there is a new release",
		Long: `Ask the release feed of the settings whether there is a newer release than this one. Without a feed nothing is asked, and none is set until you set
one. Only this command ever asks, and it sends nothing but a plain request; it never installs anything. The feed has to be signed by the key of the settings;
its format is in docs/formats.md.`,
		Example: `  dormouse update --check
  dormouse update --check --json`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !check {
				return usage(cmd, "Dormouse never updates itself; with --check it asks whether there is a new release")
			}
			h, err := home.Default(a.Env)
			if err != nil {
				return err
			}
			cfg, err := config.Load(h.Config())
			if err != nil {
				return err
			}
			info, _ := debug.ReadBuildInfo()
			r := updateReport{Feed: cfg.Update.Feed, Answer: releases.Answer{Current: buildOf(info).Version, Files: []releases.File{}}}
			if r.Feed != "" {
				if rest, ok := strings.CutPrefix(r.Feed, "~/"); ok {
					r.Feed = filepath.Join(a.view().user, filepath.FromSlash(rest))
				}
				r.Answer, err = releases.Check(cmd.Context(), releases.Options{Feed: r.Feed, Key: cfg.Update.Key, Current: strings.TrimPrefix(r.Current, "v"), Now: a.Now()})
				if err != nil {
					return err
				}
			}
			return a.answer(r, func(v view) []string { return formatUpdate(v, r, v.path(h.Config())) })
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "ask, and do no more")
	return cmd
}

// formatUpdate tells whether there is a new release.
func formatUpdate(v view, r updateReport, settings string) []string {
	p := &page{view: v}
	switch {
	case r.Feed == "":
		p.prose("No release feed is set, so nothing was asked. This is Dormouse "+text.Line(r.Current)+". To have this command ask, set feed and key under [update] in "+settings+".", "", nil)
		return p.lines
	case r.Newest == nil:
		p.prose("The feed knows no release.", "", nil)
		return p.lines
	case !r.Release:
		p.prose(fmt.Sprintf("This is a %s, which is no release. The newest release is %s, of %s.", text.Line(r.Current), text.Line(r.Newest.Version), text.Line(r.Newest.Date)), "", nil)
	case !r.Newer:
		p.prose("Dormouse "+text.Line(r.Current)+" is the newest release.", "", v.Good)
		return p.lines
	default:
		p.prose(fmt.Sprintf("Dormouse %s is out, of %s; this is %s.", text.Line(r.Newest.Version), text.Line(r.Newest.Date), text.Line(r.Current)), "", v.Strong)
	}
	if r.Security {
		p.prose("Between the two something of security was mended.", "", v.Warn)
	}
	if r.Newest.Notes != "" {
		p.prose(text.Line(r.Newest.Notes), "", nil)
	}
	p.gap()
	p.field("Where", text.Line(r.Newest.URL))
	for _, f := range r.Files {
		p.field("For "+runtime.GOOS, text.Line(f.Name)+"  sha256 "+text.Line(f.SHA256))
	}
	return p.lines
}
