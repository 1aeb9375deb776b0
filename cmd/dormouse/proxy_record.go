package main

import (
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func proxyRecordCommand(a *app) *cobra.Command {
	limit := "100MB"
	cmd := &cobra.Command{
		Use:   "record [FILE|off]",
		Short: "Record what passes, for dormouse replay",
		Long: `Record what agents send through the proxy into a new file that dormouse replay reads: prompts, answers, calls and their results, each once,
in the form "trace v1". "off" ends that, and so does the end of the service or the limit. Without FILE it is told how the recording stands.

Secrets are taken out as capture does it, the file is yours alone to read, and it stays on this machine; but it holds what was said. Projects
that are excluded from capture are recorded too, since a request does not say which project it is of. System prompts, definitions of
tools, thinking, images and Gemini's requests are not recorded; an answer is, with the request that follows it.`,
		Example: `  dormouse proxy record today.jsonl
  dormouse proxy record off
  dormouse replay today.jsonl --policy fifo,dormouse`,
		Args: takes(cobra.MaximumNArgs(1), "one file, or off"),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := humanize.ParseBytes(limit)
			if err != nil || n < 1_000_000 || n > 1_000_000_000 {
				return usage(cmd, "--limit has to be a size from 1MB to 1GB, not %q", limit)
			}
			return ask(cmd.Context(), a, func(c *client.Client) (api.Proxy, error) {
				switch {
				case len(args) == 0:
					return c.Proxy(cmd.Context(), "")
				case args[0] == "off":
					return c.RecordProxy(cmd.Context(), "", 0)
				}
				path := strings.TrimSpace(args[0])
				if !filepath.IsAbs(path) {
					path = filepath.Join(a.Dir, path)
				}
				return c.RecordProxy(cmd.Context(), path, max(1<<20, int64(n))) //nolint:gosec // up to 1 GB
			}, formatRecording)
		},
	}
	cmd.Flags().StringVar(&limit, "limit", limit, "the size at which it ends by itself, 1MB to 1GB")
	return cmd
}

// formatRecording tells how a recording stands.
func formatRecording(v view, x api.Proxy) []string {
	p := &page{view: v}
	r := x.Recording
	if r == nil {
		p.prose("Nothing was recorded since the service began.", "", nil)
		p.gap()
		p.hint("To record what passes:", "dormouse proxy record FILE")
		return p.lines
	}
	if r.On {
		p.prose("What passes is recorded, without the secrets that are found in it.", "", nil)
	} else {
		p.prose("The recording is over: "+text.Line(r.Ended)+".", "", nil)
	}
	p.gap()
	p.recorded(r)
	p.gap()
	if r.On {
		p.hint("To end it:", "dormouse proxy record off")
	} else if r.Messages > 0 {
		p.hint("To replay it:", "dormouse replay "+text.Line(r.File))
	}
	return p.lines
}

func (p *page) recorded(r *api.ProxyRecording) {
	p.field("Recording", text.Line(r.File))
	p.field("Since", p.when(r.Since))
	p.field("Holds", joined(count(r.Requests, "request"), count(r.Messages, "message"), size(r.Bytes)+" of at most "+size(r.Limit)))
	p.field("Taken out", count(r.Redacted, "secret"))
	if r.Unread > 0 {
		p.field("Not read", count(r.Unread, "request"))
	}
	if r.Missed > 0 {
		p.field("Missed", count(r.Missed, "request")+" that came faster than they could be written")
	}
}
