package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func coreCommand(a *app) *cobra.Command {
	project, global, explain := "", false, false
	cmd := &cobra.Command{
		Use:   "core",
		Short: "The core memory, as the next session gets it",
		Long: `The core memory, as the next session gets it: of the project that this folder belongs to, of the one that --project names,
or what holds in every project. --explain says of each line why it is there: the factors of its score, its record, and the decision
that put it into the memory.`,
		Example: `  dormouse core
  dormouse core --explain
  dormouse core --project dormouse
  dormouse core --global`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var core api.Core
			err := ask(cmd.Context(), a, func(c *client.Client) (_ api.Core, err error) {
				askFor := c.Core
				if explain {
					askFor = c.ExplainCore
				}
				core, err = a.coreOf(cmd.Context(), askFor, project, global)
				return core, err
			}, formatCore)
			if err == nil && !a.json && core.Text != "" {
				a.note("%s of at most %s bytes", number(core.Bytes), number(core.Limit))
			}
			return err
		},
	}
	projectFlag(cmd, &project, "of one project, by name, id or folder")
	cmd.Flags().BoolVarP(&global, "global", "g", false, "what holds in every project")
	cmd.Flags().BoolVar(&explain, "explain", false, "why each line is there")
	cmd.MarkFlagsMutuallyExclusive("project", "global")
	return cmd
}

// coreOf asks for the core memory that is meant. Where nothing is said, it is that of the project of this folder; a folder
// that is no known project gets the global one.
func (a *app) coreOf(ctx context.Context, askFor func(context.Context, string) (api.Core, error), project string, global bool) (api.Core, error) {
	if project != "" || global || a.Dir == "" {
		return askFor(ctx, project)
	}
	core, err := askFor(ctx, a.Dir)
	var e *api.Error
	if errors.As(err, &e) && e.Code == api.CodeNotFound {
		return askFor(ctx, "")
	}
	return core, err
}

// formatCore is the core as it is, but for what a terminal would obey: agents get no other line breaks either.
func formatCore(v view, c api.Core) []string {
	p := &page{view: v}
	if c.Text == "" {
		of := "The global core memory"
		if c.Project != "" {
			of = fmt.Sprintf("The core memory of %s", text.Line(c.Project))
		}
		p.say(of+" is empty. It is written when Dormouse sleeps; to do that now:", "dormouse sleep")
		return p.lines
	}
	if len(c.Lines) > 0 {
		p.explained(c)
		return p.lines
	}
	p.add(text.Wrap(text.Clean(withMissing(c)), 0)...)
	return p.lines
}

// explained lists the lines of a core memory, each with why it is there.
func (p *page) explained(c api.Core) {
	section := ""
	for _, l := range c.Lines {
		if l.Section != section {
			section = l.Section
			if len(p.lines) > 0 {
				p.gap()
			}
			p.add(text.Line(section))
		}
		p.add(text.Wrap("· "+text.Line(l.Text), 0)...)
		var parts []string
		for _, part := range l.Parts {
			parts = append(parts, fmt.Sprintf("%s %s", text.Line(part.Name), weightOf(part.Value)))
		}
		p.add(fmt.Sprintf("    score %s = %s", strconv.FormatFloat(l.Score, 'f', 1, 64), strings.Join(parts, " × ")))
		by := "no decision that is known"
		if l.Decision != "" {
			by = fmt.Sprintf("decision %s (%s)", text.Line(l.Decision), text.Line(l.Reason))
		}
		p.add(fmt.Sprintf("    %s %s, by %s, %d bytes", text.Line(string(l.Kind)), text.Line(l.Record), by, l.Bytes))
	}
}

// pointerSign stands before the pointer at the end of a line of a core.md.
const pointerSign = "  ↪ session:"

// withMissing is the text of a core memory, whose pointers that lead nowhere say so.
func withMissing(c api.Core) string {
	lines, n := strings.Split(c.Text, "\n"), 0
	for i, line := range lines {
		_, session, ok := strings.Cut(line, pointerSign)
		if !ok {
			continue
		}
		if n < len(c.Pointers) && c.Pointers[n].SessionID == strings.TrimSpace(session) && c.Pointers[n].Missing != "" {
			lines[i] += " (" + c.Pointers[n].Missing + ")"
		}
		n++
	}
	return strings.Join(lines, "\n")
}

// weightOf is a part of a score with three digits, and all before the point.
func weightOf(v float64) string {
	if math.Abs(v) >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
