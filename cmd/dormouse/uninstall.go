package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/connect"
	"dormouse/store/home"
)

// removal is what is taken back of an installation.
type removal struct {
	hosted *hosted
	plans  []connect.Plan // of agents' settings
	homes  []home.Home    // to be purged
	out    removalReport
}

// removalReport is what was there, and what was done about it.
type removalReport struct {
	Changes  []hookOutcome `json:"changes"`
	LogOn    []string      `json:"log_on"` // the entries that start service and tray
	Removed  []string      `json:"removed"`
	Kept     []string      `json:"kept"`     // what stays: the memory, or what is not Dormouse's
	Plugins  []string      `json:"plugins"`  // of agents, which they remove by their own means: how
	Trouble  []string      `json:"trouble"`  // settings that could not be read, which were left alone
	Programs programs      `json:"programs"` // what is left to be removed
	DryRun   bool          `json:"dry_run,omitempty"`
}

func uninstallCommand(a *app) *cobra.Command {
	yes, purge, dry := false, false, false
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Take Dormouse out of everything that it was put into",
		Long: `Stop Dormouse and take it out of everything that it was put into: your agents' settings, hooks and tools alike, and what starts service and
tray when you log on. A file of an agent that was not touched since is byte for byte what it was before. All of it is shown first, and done
when you agree.

Your memory stays, unless you say --purge; what a sync has sent to a remote stays there in any case. The programs themselves are removed by what installed
them; how is told at the end.`,
		Example: `  dormouse uninstall
  dormouse uninstall --dry-run        show what would be done
  dormouse uninstall --purge          your memory as well; asks first
  dormouse uninstall --purge --yes    does not ask`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case yes && dry:
				return usage(cmd, "--yes and --dry-run exclude each other")
			case a.json && !yes && !dry:
				return usage(cmd, "with --json nobody can be asked; add --yes or --dry-run")
			}
			return a.withService(func(s *hosted) error {
				r := removal{hosted: s, out: removalReport{Changes: []hookOutcome{}, LogOn: []string{}, Removed: []string{}, Kept: []string{}, Plugins: []string{}, Trouble: []string{}, DryRun: dry}}
				if err := r.look(cmd.Context(), purge); err != nil {
					return err
				}
				if dry {
					return r.told()
				}
				if err := r.agreed(yes); err != nil {
					return err
				}
				if err := r.do(cmd.Context()); err != nil {
					return err
				}
				return r.told()
			})
		},
	}
	cmd.Flags().BoolVar(&purge, "purge", false, "remove your memory as well")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do it without asking")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "show what would be done, and do nothing")
	return cmd
}

// look finds what there is to take back.
func (r *removal) look(ctx context.Context, purge bool) error {
	s := r.hosted
	links := s.a.linking(s.a.Env)
	for _, agent := range connect.Table() {
		if remove := agent.ByPlugin(s.a.Env, s.a.view().user); remove != "" {
			r.out.Plugins = append(r.out.Plugins, agent.Name+": "+text.Line(remove))
		}
		files, err := links.Files(agent, connect.All, true)
		if err != nil {
			return err
		}
		for _, f := range files {
			p, err := links.Disconnecting(f)
			switch {
			case err != nil:
				r.out.Trouble = append(r.out.Trouble, text.Clean(fmt.Sprintf("%s: %v", agent.Name, err)))
			case !p.Nothing():
				r.plans = append(r.plans, p)
				r.out.Changes = append(r.out.Changes, hookOutcome{Agent: agent.Name, File: p.Path, Diff: p.Diff()})
			}
		}
	}
	report, err := s.look(ctx)
	if err != nil {
		return err
	}
	if report.System.Installed {
		r.out.LogOn = append(r.out.LogOn, report.System.Place)
	}
	if report.Tray.Installed {
		r.out.LogOn = append(r.out.LogOn, report.Tray.Place)
	}
	if purge {
		if r.homes, err = s.purgeable(); err != nil {
			return err
		}
	}
	r.out.Programs = s.a.programs(ctx)
	return nil
}

// agreed shows what is going to be done and asks whether it is to be.
func (r *removal) agreed(yes bool) error {
	a := r.hosted.a
	if !a.json {
		if err := a.print(formatRemovalPlan(a.view(), r.out)); err != nil {
			return err
		}
	}
	if yes || len(r.plans)+len(r.out.LogOn)+len(r.homes) == 0 {
		return nil
	}
	if len(r.homes) > 0 {
		for _, h := range r.homes {
			a.note("%s: %s", a.view().path(h.Dir()), holds(h))
		}
		return a.sure("Take all of it out and delete this memory for good?", "nothing was uninstalled or deleted")
	}
	return a.sure("Take all of it out?", "nothing was uninstalled")
}

// do takes everything back: first the agents' settings, so that none calls what is gone.
func (r *removal) do(ctx context.Context) error {
	for i, p := range r.plans {
		if err := p.Apply(); err != nil {
			return err
		}
		r.out.Changes[i].Changed = true
	}
	s := r.hosted
	if _, err := s.end(ctx); err != nil { // one that was started by hand as well
		return err
	}
	tray, _, _ := s.tray()
	_, err1 := tray.Uninstall(ctx)
	_, err2 := s.entry.Uninstall(ctx)
	if err := errors.Join(err1, err2, s.forgetWindow()); err != nil {
		return err
	}
	for _, h := range r.homes {
		gone, left, err := s.remove(h)
		if err != nil {
			return err
		}
		r.out.Removed = append(r.out.Removed, gone...)
		r.out.Kept = append(r.out.Kept, left...)
	}
	if len(r.homes) == 0 && isHere(s.home.Dir()) {
		r.out.Kept = append(r.out.Kept, s.home.Dir())
	}
	return nil
}

// told prints what was done. Settings that could not be read are an error, since they may still name Dormouse.
func (r *removal) told() error {
	a := r.hosted.a
	err := a.answer(r.out, func(v view) []string {
		if r.out.DryRun {
			return append(formatRemovalPlan(v, r.out), "Nothing was changed.")
		}
		return formatRemoval(v, r.out)
	})
	if err != nil || len(r.out.Trouble) == 0 {
		return err
	}
	return errors.New("not all was taken out: mend these settings and run it again: " + strings.Join(r.out.Trouble, "; "))
}

// formatRemovalPlan shows what would be taken back.
func formatRemovalPlan(v view, r removalReport) []string {
	p := &page{view: v}
	for _, c := range r.Changes {
		p.add(diffLines(v, c.Diff)...)
		p.gap()
	}
	for _, place := range r.LogOn {
		p.field("Log-on", v.path(place)+" goes")
	}
	if len(r.Changes)+len(r.LogOn) == 0 {
		p.add("No agent's settings name Dormouse, and nothing starts it when you log on.")
	}
	p.gap()
	return p.lines
}

// formatRemoval tells what was taken back, and what is left to be removed by other means.
func formatRemoval(v view, r removalReport) []string {
	p := &page{view: v}
	var names []string
	for _, c := range r.Changes {
		if !slices.Contains(names, c.Agent) {
			names = append(names, c.Agent)
		}
	}
	if len(names) > 0 {
		p.field("Taken out", "of the settings of "+strings.Join(names, ", "))
	}
	if len(r.LogOn) > 0 {
		p.field("Log-on", "nothing starts Dormouse any more; an icon in the tray stays until you quit it or log out")
	}
	for _, dir := range r.Removed {
		p.field("Removed", v.path(dir))
	}
	for _, dir := range r.Kept {
		if len(r.Removed) > 0 {
			p.field("Kept", v.path(dir)+", which is not Dormouse's")
			continue
		}
		p.field("Memory", "Your memory stays in "+v.path(dir)+"; to delete it too: dormouse uninstall --purge")
	}
	for _, plugin := range r.Plugins {
		p.field("Plugin", plugin)
	}
	p.gap()
	p.prose(r.Programs.Say, "", nil)
	for _, c := range r.Programs.Commands {
		p.add("  " + p.Link(c))
	}
	return p.lines
}
