package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/service/config"
	"dormouse/service/connect"
	"dormouse/service/daemon"
	"dormouse/service/osservice"
	"dormouse/store/home"
)

// firstRun goes with a person through the first run, or does it by its flags.
type firstRun struct {
	*app
	ctx       context.Context
	in        *bufio.Reader
	agents    []string // to connect; nil lets the person choose, or takes all that are there
	yes, dry  bool
	noService bool
	out       setupReport
}

// setupReport is what was found and done.
type setupReport struct {
	Found     []foundAgent  `json:"found"`
	Changes   []hookOutcome `json:"changes"`
	Trouble   []string      `json:"trouble"` // settings that could not be read, which were left alone
	Connected []string      `json:"connected"`
	Captured  *api.Counts   `json:"captured,omitempty"` // what the memory holds then
	Service   string        `json:"service"`            // installed, upgraded, unchanged, or not installed
	DryRun    bool          `json:"dry_run,omitempty"`
}

// foundAgent is one agent on this machine.
type foundAgent struct {
	Name     string `json:"name"`
	Files    int    `json:"transcripts"`
	Bytes    int64  `json:"bytes"`
	Newest   int64  `json:"newest,omitempty"`
	KeptDays int    `json:"kept_days,omitempty"`
	Soon     int    `json:"deleted_within_7_days,omitempty"`
	Hooks    string `json:"hooks"`
}

func setupCommand(a *app) *cobra.Command {
	s := &firstRun{app: a}
	agents := ""
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Find your agents, connect them, capture what is there, and start at log-on",
		Long: `Find your coding agents and what they have kept, show what would be written into which of their files, and do it when you agree;
then capture and learn from all that is there, and ask whether Dormouse is to start when you log on. Nothing is written before you were asked.
It can be run again at any time, and "dormouse uninstall" takes all of it back.

With --yes nothing is asked: all agents that are there are connected, or those of --agents, and Dormouse starts at log-on unless --no-service says otherwise.`,
		Example: `  dormouse setup
  dormouse setup --dry-run                     show what would be done
  dormouse setup --agents claude-code,codex    connect these two
  dormouse setup --yes --agents none --no-service --json`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s.ctx, s.in = cmd.Context(), bufio.NewReader(a.Stdin)
			if cmd.Flags().Changed("agents") {
				names, err := setupAgents(cmd, agents)
				if err != nil {
					return err
				}
				s.agents = names
			}
			if a.json && !s.yes && !s.dry {
				return usage(cmd, "with --json nobody can be asked; add --yes or --dry-run")
			}
			return s.run()
		},
	}
	cmd.Flags().StringVar(&agents, "agents", "", "those to connect, with commas between; or all, or none")
	cmd.Flags().BoolVarP(&s.yes, "yes", "y", false, "do it without asking")
	cmd.Flags().BoolVar(&s.noService, "no-service", false, "do not start Dormouse at log-on, and do not ask")
	cmd.Flags().BoolVar(&s.dry, "dry-run", false, "show what would be done, and do nothing")
	_ = cmd.RegisterFlagCompletionFunc("agents", cobra.FixedCompletions(append(hookAgents(), "all", "none"), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// setupAgents reads --agents: nil for all that are there, an empty list for none.
func setupAgents(cmd *cobra.Command, s string) ([]string, error) {
	switch s {
	case "all":
		return nil, nil
	case "none":
		return []string{}, nil
	}
	names := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
	for _, name := range names {
		if !slices.Contains(hookAgents(), name) {
			return nil, usage(cmd, "--agents: %q is no agent whose settings Dormouse knows; it knows those of %s", name, strings.Join(hookAgents(), ", "))
		}
	}
	if len(names) == 0 {
		return nil, usage(cmd, "--agents takes names with commas between, \"all\" or \"none\"")
	}
	return names, nil
}

func (s *firstRun) run() error {
	h, err := home.Default(s.Env)
	if err != nil {
		return err
	}
	cfg, err := config.Load(h.Config())
	if err != nil {
		return err
	}
	s.out = setupReport{Found: []foundAgent{}, Changes: []hookOutcome{}, Trouble: []string{}, Connected: []string{}, Service: "not installed", DryRun: s.dry}
	if err := s.find(cfg); err != nil {
		return err
	}
	if err := s.connect(); err != nil {
		return err
	}
	if !s.dry {
		if err := s.capture(h, cfg); err != nil {
			return err
		}
	}
	if err := s.host(); err != nil {
		return err
	}
	return s.answer(s.out, func(v view) []string { return formatSetup(v, s.out) })
}

// tell prints what has to be seen before the next question.
func (s *firstRun) tell(lines []string) error {
	if s.json {
		return nil
	}
	return s.print(lines)
}

// find lists the agents: those that have written something, and those whose settings are there.
func (s *firstRun) find(cfg config.Config) error {
	found, err := daemon.Survey(cfg, s.Env, s.Now())
	if err != nil {
		return err
	}
	for _, f := range found {
		s.out.Found = append(s.out.Found, foundAgent{Name: f.Agent, Files: f.Files, Bytes: f.Bytes, Newest: stampOf(f.Newest),
			KeptDays: int(f.Kept.Hours() / 24), Soon: f.Soon, Hooks: hooksNone})
	}
	for _, agent := range connect.Table() {
		i := slices.IndexFunc(s.out.Found, func(x foundAgent) bool { return x.Name == agent.Name })
		r := s.linking(s.Env).StateOf(agent)
		remove := agent.ByPlugin(s.Env, s.view().user)
		switch {
		case i < 0 && !r.Installed:
			continue
		case i < 0:
			s.out.Found = append(s.out.Found, foundAgent{Name: agent.Name})
			i = len(s.out.Found) - 1
		}
		s.out.Found[i].Hooks = r.Hooks
		switch {
		case r.Trouble != "":
			s.out.Found[i].Hooks = "unreadable"
		case remove != "":
			s.out.Found[i].Hooks = byPlugin
		}
	}
	slices.SortFunc(s.out.Found, func(x, y foundAgent) int { return strings.Compare(x.Name, y.Name) })
	return s.tell(formatFound(s.view(), s.out.Found))
}

// byPlugin is said of an agent that has Dormouse by a plugin already: connected besides, it would tell everything twice.
const byPlugin = "by its plugin"

// connectable are the agents that are there and have hooks that Dormouse knows.
func (s *firstRun) connectable() (out []string) {
	for _, f := range s.out.Found {
		if slices.Contains(hookAgents(), f.Name) && f.Hooks != byPlugin {
			out = append(out, f.Name)
		}
	}
	return out
}

// connect shows what would be written, asks, and writes it.
func (s *firstRun) connect() error {
	names := s.agents
	if names == nil {
		names = s.connectable()
	}
	if len(names) > 0 { // without its programs no agent can be connected
		if _, err := s.hookBinary(); err != nil {
			return err
		}
	}
	plans := s.plans(names)
	todo := slices.DeleteFunc(slices.Clone(plans), connect.Plan.Nothing)
	if err := s.tell(formatConnections(s.view(), plans, s.out.Trouble)); err != nil {
		return err
	}
	if len(todo) > 0 && !s.yes && !s.dry {
		chosen, err := s.choose(agentsOf(todo))
		if err != nil {
			return err
		}
		todo = slices.DeleteFunc(todo, func(p connect.Plan) bool { return !slices.Contains(chosen, p.Agent.Name) })
	}
	for _, p := range todo {
		o := hookOutcome{Agent: p.Agent.Name, File: p.Path, Diff: p.Diff()}
		if !s.dry {
			if err := p.Apply(); err != nil {
				return err
			}
			o.Changed, o.Note = true, p.Agent.Note
		}
		s.out.Changes = append(s.out.Changes, o)
	}
	if !s.dry {
		s.out.Connected = agentsOf(todo)
	}
	return nil
}

func agentsOf(plans []connect.Plan) []string {
	out := []string{}
	for _, p := range plans {
		if !slices.Contains(out, p.Agent.Name) {
			out = append(out, p.Agent.Name)
		}
	}
	return out
}

// plans are the changes for these agents. Settings that can't be read are told of and left; they keep no other agent waiting.
func (s *firstRun) plans(names []string) (out []connect.Plan) {
	for _, name := range names {
		agent, _ := connect.Find(connect.Table(), name)
		mine, err := s.linking(s.Env).Plans(agent, connect.All, false)
		if err != nil {
			s.out.Trouble = append(s.out.Trouble, text.Clean(fmt.Sprintf("%s is not connected: %v", name, err)))
			continue
		}
		out = append(out, mine...)
	}
	return out
}

// choose asks which of the agents are to be connected.
func (s *firstRun) choose(names []string) ([]string, error) {
	for {
		_, _ = fmt.Fprintf(s.Stderr, "Connect %s? [y = yes, n = none, or the names of some] ", strings.Join(names, ", "))
		line, err := s.in.ReadString('\n')
		words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return strings.ContainsRune(" ,\r\n\t", r) })
		switch {
		case err != nil && len(words) == 0:
			return nil, errNotAgreed
		case len(words) == 0:
			continue
		case len(words) == 1 && (words[0] == "y" || words[0] == "yes"):
			return names, nil
		case len(words) == 1 && (words[0] == "n" || words[0] == "no" || words[0] == "none"):
			return nil, nil
		}
		unknown := slices.IndexFunc(words, func(w string) bool { return !slices.Contains(names, w) })
		if unknown < 0 {
			return words, nil
		}
		s.note("%q is none of them.", words[unknown])
		if err != nil {
			return nil, errNotAgreed
		}
	}
}

// capture has all that is there captured and learned from, by the service that runs, else here.
func (s *firstRun) capture(h home.Home, cfg config.Config) error {
	c := client.New(client.Options{Home: h.Dir()})
	defer c.Close()
	on, err := c.Running(s.ctx)
	if err != nil {
		return err
	}
	if on {
		st, err := c.Status(s.ctx)
		s.out.Captured = &st.Counts
		return err
	}
	life, end := context.WithCancel(s.ctx)
	defer end()
	p := s.params(h, cfg)
	err = s.serveUntil(life, p, func(ctx context.Context) error {
		defer end()
		st, err := c.Status(ctx)
		s.out.Captured = &st.Counts
		return err
	})
	if err == nil && s.ctx.Err() != nil {
		err = errors.New("interrupted; what was captured is saved, and \"dormouse setup\" goes on from there")
	}
	return err
}

// host asks whether Dormouse is to start at log-on.
func (s *firstRun) host() error {
	err := s.hostAsked()
	if s.noService { // what starts it is nobody's question then: there may be no home folder, as in a container
		return nil
	}
	return err
}

func (s *firstRun) hostAsked() error {
	return s.withService(func(hosted *hosted) error {
		st, err := hosted.entry.Status(s.ctx)
		if err != nil {
			return err
		}
		if st.Installed && st.Enabled && !st.Outdated {
			s.out.Service = string(osservice.Unchanged)
			return nil
		}
		_, _, tray := hosted.tray()
		if s.noService || s.dry || !s.yes && !s.wantsService(tray, st) {
			return nil
		}
		change, err := hosted.bringUp(s.ctx, tray, true)
		s.out.Service = string(change.Change)
		for _, n := range change.Notes {
			s.note("%s", n)
		}
		return err
	})
}

func (s *firstRun) wantsService(tray bool, st osservice.Status) bool {
	what := "Dormouse"
	if tray {
		what = "Dormouse and its icon in the tray"
	}
	_, _ = fmt.Fprintf(s.Stderr, "Start %s now and whenever you log on (%s)? [y/N] ", what, text.Line(st.System))
	line, _ := s.in.ReadString('\n') // no answer is no
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true
	}
	return false
}
