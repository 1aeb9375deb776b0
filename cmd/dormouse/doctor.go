package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/service/doctor"
	"dormouse/service/socket"
	"dormouse/store/home"
)

func doctorCommand(a *app) *cobra.Command {
	fsck, fix, dry := false, false, false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "What is wrong with this installation, and what helps",
		Long: `What is wrong with this installation, why, and what helps: git, the state folder with its format, permissions, disk and index, settings,
clock, the service and its parts, its entry at log-on, your agents' hooks, the remote, how each project's repository is read, and every
session. It needs no running service and changes nothing. It ends with code 1 where something is broken.

--fix does what is safe: permissions of the state folder, a socket that was left behind, hooks that name a program which is gone. Each is
shown before it is done; --dry-run shows and does nothing.`,
		Example: `  dormouse doctor
  dormouse doctor --fsck
  dormouse doctor --fix --dry-run
  dormouse doctor --json | jq '.findings[] | select(.state != "ok")'`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := home.Default(a.Env)
			if err != nil {
				return err
			}
			report := doctor.Examine(cmd.Context(), a.checks(h, fsck))
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			examined := examined{Report: report}
			if fix {
				examined.Fixed = doctor.Repair(cmd.Context(), report, dry, func(f doctor.Fixed) {
					if !a.json && !dry {
						a.note("%s ...", text.Line(capital(f.What)))
					}
				})
			}
			if fix && !dry && len(examined.Fixed) > 0 { // what is left
				report = doctor.Examine(cmd.Context(), a.checks(h, fsck))
				examined.Report = report
			}
			if err := a.answer(examined, func(v view) []string { return formatExamined(v, examined, fix && dry) }); err != nil {
				return err
			}
			if report.State == doctor.Fail {
				return &saidError{errors.New("something is broken")}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&fsck, "fsck", false, "have git look through all sessions too, which takes time")
	cmd.Flags().BoolVar(&fix, "fix", false, "do what is safe about it")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "with --fix: show what would be done, and do nothing")
	return cmd
}

// examined is what was found and, with --fix, what was done about it before.
type examined struct {
	doctor.Report
	Fixed []doctor.Fixed `json:"fixed,omitempty"`
}

func formatExamined(v view, e examined, dry bool) []string {
	lines := formatReport(v, e.Report)
	p := &page{view: v}
	for _, f := range e.Fixed {
		switch {
		case f.Error != "":
			p.prose("Could not "+text.Line(f.What)+": "+text.Line(f.Error), "", p.Bad)
		case dry:
			p.prose("--fix would "+text.Line(f.What), "", nil)
		default:
			p.prose("Done: "+text.Line(f.What), "", p.Good)
		}
	}
	return append(lines, p.lines...)
}

func capital(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] }

// checks are what the doctor looks at, in the order in which it is told.
func (a *app) checks(h home.Home, fsck bool) []doctor.Check {
	user, _ := os.UserHomeDir() // without one, no folder is taken for it
	c := client.New(client.Options{Home: h.Dir()})
	list := []doctor.Check{
		a.versions(), doctor.Git(), doctor.Folder(h), doctor.Place(h), doctor.Format(h), doctor.Permissions(h), doctor.Settings(h), doctor.Disk(h, a.Free),
		doctor.Clock(h, a.Now), doctor.Door(h, socket.Path(h.Dir()), func(ctx context.Context) int { return socket.Holder(ctx, h.Dir()) }),
		doctor.Service(func(ctx context.Context) (api.Status, error) {
			defer c.Close()
			s, err := c.Status(ctx)
			return s, a.held(ctx, h, err)
		}, client.ErrNotRunning, a.howToStart),
		a.unit(h), a.hooksCheck(user), doctor.Index(h), doctor.Log(h), doctor.Remote(h), doctor.Projects(h, user), doctor.Sessions(h, time.Now),
	}
	if fsck {
		list = append(list, doctor.Fsck(h))
	}
	return list
}

// formatReport lists what was found, a check at a time, and what helps.
func formatReport(v view, r doctor.Report) []string {
	p := &page{view: v}
	broken, weak := 0, 0
	check := ""
	for _, f := range r.Findings {
		label := ""
		if f.Check != check {
			check, label = f.Check, text.Line(f.Check)
		}
		p.finding(label, f)
		switch f.State {
		case doctor.Fail:
			broken++
		case doctor.Warn:
			weak++
		}
	}
	p.gap()
	switch {
	case broken > 0:
		p.add(p.Bad(fmt.Sprintf("%d broken, %s to look at.", broken, count(weak, "thing"))))
	case weak > 0:
		p.add(p.Warn(fmt.Sprintf("Nothing is broken, %s to look at.", count(weak, "thing"))))
	default:
		p.add(p.Good("All is well."))
	}
	return p.lines
}

// Where the sign and the text of a finding begin.
const findingWidth = labelWidth + 4

// finding adds one finding: the check's name, a sign, what was found, and below it what helps.
func (p *page) finding(label string, f doctor.Finding) {
	sign := p.Good("ok")
	switch f.State {
	case doctor.Warn:
		sign = p.Warn("! ")
	case doctor.Fail:
		sign = p.Bad("✗ ")
	}
	indent := text.Pad("", findingWidth+1)
	first := len(p.lines)
	p.prose(orNone(text.Line(f.Text), "nothing was said"), indent, nil)
	p.lines[first] = p.Faint(text.Pad(label, labelWidth+1)) + sign + "  " + p.lines[first][len(indent):]
	if f.Remedy != "" {
		p.remedy(text.Line(f.Remedy), indent)
	}
}

// commands begin a remedy that is to be copied, which is never broken.
var commands = []string{"git ", "dormouse ", "chmod "}

func (p *page) remedy(help, indent string) {
	const lead = "What helps: "
	isCommand := slices.ContainsFunc(commands, func(c string) bool { return strings.HasPrefix(help, c) })
	if !isCommand || p.width <= 0 || text.Width(indent+lead+help) <= p.width {
		p.prose(lead+help, indent, p.Faint)
		return
	}
	p.add(indent+p.Faint("What helps:"), indent+p.Faint(help))
}
