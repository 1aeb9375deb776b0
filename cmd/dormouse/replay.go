package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/service/pager/replay"
	"dormouse/store/memory"
)

// replayed is what a policy would have made of sessions; ratios are of sums. A token is counted as four bytes.
type replayed struct {
	Policy    string  `json:"policy"`
	Requests  int     `json:"requests"`
	Tokens    int     `json:"tokens"`    // of all requests, those included that faults would have caused
	Peak      int     `json:"peak"`      // tokens of the largest request
	Saved     float64 `json:"saved"`     // percent of the tokens without a policy
	Cost      float64 `json:"cost"`      // against no policy, with the prices of a prompt cache
	Shortened int     `json:"shortened"` // results
	Fetched   int     `json:"fetched"`   // results that were asked for again while they were short
	Missed    int     `json:"missed"`    // edits that quote a line which was not there

	bytes, raw    int
	cost, without float64
}

const bytesPerToken = 4

func replayCommand(a *app) *cobra.Command {
	var only []string
	cmd := &cobra.Command{
		Use:   "replay SESSION|FILE...",
		Short: "What a smaller context would have saved in past sessions, and what would have been missing",
		Long: `Run past sessions again, offline, through policies of what each request to the model carries, side by side: none sends all,
fifo drops each tool result after four messages, fifo-10 does so at every tenth request, dormouse is Dormouse's own engine. The calls that the model really made show what
would have been missing. Nothing is sent anywhere and nothing is changed.

SESSION is a session's id or a unique beginning of it; FILE is a recording in the form "trace v1", such as dormouse proxy record
makes. Of a captured session the system
prompt, the definitions of tools, thinking and images are not counted.`,
		Example: `  dormouse replay cc_1a2b3c4d
  dormouse replay cc_1a cx_a66 --policy dormouse
  dormouse replay recorded.jsonl.gz --policy fifo,dormouse --json`,
		Args: takes(cobra.MinimumNArgs(1), "sessions or files"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range only {
				if !slices.Contains(replay.Names(), name) {
					return usage(cmd, "--policy is one of %s, or several with commas, not %q", strings.Join(replay.Names(), ", "), name)
				}
			}
			var rows []*replayed
			for _, arg := range args {
				t, err := a.trace(cmd.Context(), strings.TrimSpace(arg))
				if err != nil {
					return err
				}
				rows = addReplay(rows, replay.New(t), only)
			}
			for _, r := range rows {
				r.ratios()
			}
			return a.answer(rows, func(v view) []string { return formatReplay(v, rows) })
		},
	}
	cmd.Flags().StringSliceVar(&only, "policy", nil, "some alone beside none: "+strings.Join(replay.Names()[1:], ", "))
	return cmd
}

// trace reads a recording, or asks the service for a session.
func (a *app) trace(ctx context.Context, arg string) (*replay.Trace, error) {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	t, err := replay.Open(path)
	if !errors.Is(err, os.ErrNotExist) {
		return t, err
	}
	var all api.Transcript
	err = a.with(ctx, func(c *client.Client) error {
		for page, err := range openSession(ctx, c, arg, nil) {
			if err != nil {
				return err
			}
			all.Add(page)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s is no file here, and as a session: %w", arg, err)
	}
	var nodes []memory.Node
	for _, turn := range all.Turns {
		nodes = append(nodes, turn.Nodes...)
	}
	return replay.FromNodes(all.Session.ID, all.Session.Agent, nodes), nil
}

func addReplay(rows []*replayed, r *replay.Replay, only []string) []*replayed {
	none := r.None()
	i := 0
	for _, p := range replay.Policies() {
		if len(only) > 0 && p.Name != "none" && !slices.Contains(only, p.Name) {
			continue
		}
		if i == len(rows) {
			rows = append(rows, &replayed{Policy: p.Name})
		}
		res := none
		if p.Name != "none" {
			res = p.Run(r)
		}
		rows[i].add(res, none)
		i++
	}
	return rows
}

func (x *replayed) add(r, none replay.Result) {
	x.Requests += r.Requests
	x.Peak = max(x.Peak, r.Peak/bytesPerToken)
	x.Shortened += r.Evictions
	x.Fetched += r.F2
	x.Missed += r.F3
	x.bytes += r.Sent + r.Refault
	x.raw += none.Sent
	x.cost += r.Cost + r.RefaultCost
	x.without += none.Cost
}

func (x *replayed) ratios() {
	x.Tokens = x.bytes / bytesPerToken
	x.Cost = 1
	if x.raw > 0 {
		x.Saved = 100 * (1 - float64(x.bytes)/float64(x.raw))
		x.Cost = x.cost / x.without
	}
}

// formatReplay is the table of policies.
func formatReplay(v view, rows []*replayed) []string {
	p := &page{view: v}
	if len(rows) == 0 || rows[0].Requests == 0 {
		p.say("No request to a model was found there: nothing could be saved.", "")
		return p.lines
	}
	t := text.Table{Head: p.Faint, Columns: []text.Column{{Title: "policy"}, {Title: "tokens", Right: true}, {Title: "saved", Right: true}, {Title: "cost", Right: true},
		{Title: "largest", Right: true, Drop: 3}, {Title: "shortened", Right: true, Drop: 2}, {Title: "fetched again", Right: true, Drop: 1}, {Title: "missed", Right: true}}}
	for _, r := range rows {
		t.Rows = append(t.Rows, []string{r.Policy, number(r.Tokens), fmt.Sprintf("%.1f %%", r.Saved), fmt.Sprintf("%.0f %%", 100*r.Cost), number(r.Peak),
			number(r.Shortened), number(r.Fetched), number(r.Missed)})
	}
	p.table(t, "")
	p.gap()
	p.prose(fmt.Sprintf("Of %s. Cost is against none, with the prices of a prompt cache. Missed are edits that quote a line which was not there; "+
		"the request counts once more for each.", count(rows[0].Requests, "request")), "", p.Faint)
	return p.lines
}
