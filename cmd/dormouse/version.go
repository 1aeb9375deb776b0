package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"dormouse/service/api"
)

// release is set by the linker when a release is built: -X main.release=1.2.3.
var release string

// build is what this program is.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	System  string `json:"system"`
	API     int    `json:"api_version"`
}

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Which release this is",
		Example: `  dormouse version
  dormouse version --json`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			b := buildOf(info)
			return a.answer(b, func(view) []string { return formatBuild(b) })
		},
	}
}

// buildOf reads what the linker recorded; info may be nil.
func buildOf(info *debug.BuildInfo) build {
	b := build{Version: release, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, API: api.Version}
	if info != nil {
		b.Version = cmp.Or(release, info.Main.Version)
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				b.Commit = s.Value
			}
		}
	}
	if b.Version == "" || b.Version == "(devel)" {
		b.Version = "development build"
	}
	return b
}

func formatBuild(b build) []string {
	commit := ""
	if b.Commit != "" {
		commit = "commit " + b.Commit[:min(12, len(b.Commit))]
	}
	return []string{"dormouse " + joined(b.Version, commit, b.Go, b.System, fmt.Sprintf("local API %d", b.API))}
}
