package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/service/config"
	"dormouse/service/connect"
	"dormouse/service/inject"
	"dormouse/store/home"
)

// How an agent's hooks are.
const (
	hooksConnected = "connected"
	hooksMissing   = "not connected"
	hooksUntrusted = "not yet trusted" // they are there, and the agent does not run them
	hooksNone      = "has none"        // the agent has no hooks that Dormouse knows
)

// agentReport is what is known of one agent on this machine.
type agentReport struct {
	api.Agent
	Installed bool   `json:"installed"`
	Hooks     string `json:"hooks"`
	// Injects says that its sessions are told what the settings have them told.
	Injects   bool   `json:"injects"`
	HooksFile string `json:"hooks_file,omitempty"`
	Note      string `json:"note,omitempty"`    // what the person has to do for the hooks to run
	Trouble   string `json:"trouble,omitempty"` // why it cannot be told whether the hooks are there
}

// agentsReport is what the command prints.
type agentsReport struct {
	Running  bool             `json:"running"` // the service answered; else nothing is known of what was captured
	Agents   []agentReport    `json:"agents"`
	Skipped  []api.SkipReason `json:"skipped"`
	Problems []string         `json:"problems"`
}

func agentsCommand(a *app) *cobra.Command {
	problems := false
	cmd := &cobra.Command{
		Use:   "agents",
		Short: "Your coding agents: what is captured of each, and their hooks",
		Long: `Show which coding agents are on this machine, what is captured of each, when it was seen last, and whether its hooks are
connected. Some agents delete what they wrote after a time; what of that is not captured yet, and when it goes, is told.

Dormouse reads what the agents write by themselves and needs no hooks. With hooks it also hears at once where the file system
does not tell of changes, when a turn ends, and that a session is over. A hook takes a few milliseconds, and an agent works the
same when Dormouse is stopped or gone. Through hooks a session is also told the core memory of its project when it begins; the section
[inject] of config.toml says what, and whom.`,
		Example: `  dormouse agents
  dormouse agents --problems             what could not be used, and why
  dormouse agents connect claude-code    shows the change and asks
  dormouse agents disconnect claude-code`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := a.agentsReport(cmd.Context())
			if err != nil {
				return err
			}
			return a.answer(r, func(v view) []string { return formatAgents(v, r, problems) })
		},
	}
	cmd.Flags().BoolVar(&problems, "problems", false, "list what could not be used, with place and reason")
	cmd.AddCommand(hookChange(a, "connect", "Put Dormouse's hooks into an agent's settings",
		`Put Dormouse's hooks into an agent's own settings. The change is shown first, as a diff, and made when you agree. Comments,
order and everything else in the file stay as they are; a copy of it lies beside it until you disconnect. Doing it again changes
nothing, and after Dormouse has moved it puts the new path in.`, a.connecting),
		hookChange(a, "disconnect", "Take Dormouse's hooks out of an agent's settings",
			`Take Dormouse's hooks out of an agent's own settings. A file that was not touched since is byte for byte what it was
before; in another one, the hooks alone are taken out.`, a.disconnecting))
	for _, sub := range cmd.Commands() {
		sub.Long = reflow(sub.Long, a.Width)
	}
	return cmd
}

// planner plans the change of one agent's settings.
type planner func(connect.Agent) (connect.Plan, error)

func (a *app) connecting(agent connect.Agent) (connect.Plan, error) {
	hook, err := a.hookBinary()
	if err != nil {
		return connect.Plan{}, err
	}
	agent, err = a.asking(agent)
	if err != nil {
		return connect.Plan{}, err
	}
	return agent.Connect(a.Env, a.view().user, hook)
}

// asking is an agent with the hooks that the settings ask for.
func (a *app) asking(agent connect.Agent) (connect.Agent, error) {
	h, err := home.Default(a.Env)
	if err != nil {
		return agent, err
	}
	cfg, err := config.Load(h.Config())
	if err != nil {
		return agent, err
	}
	var moments []inject.Moment
	if c := cfg.Inject; !slices.Contains(c.Except, agent.Name) {
		for m, on := range map[inject.Moment]bool{inject.Start: c.Core, inject.Prompt: c.PromptRecords > 0, inject.Child: c.Core && c.SubAgents} {
			if on {
				moments = append(moments, m)
			}
		}
	}
	slices.Sort(moments)
	return agent.Asking(moments...), nil
}

// disconnecting works without a binary: it may be gone already.
func (a *app) disconnecting(agent connect.Agent) (connect.Plan, error) {
	return agent.Disconnect(a.Env, a.view().user)
}

func hookChange(a *app, use, short, long string, plan planner) *cobra.Command {
	yes, dry := false, false
	cmd := &cobra.Command{
		Use: use + " NAME...", Short: short, Long: long,
		Example: fmt.Sprintf("  dormouse agents %[1]s claude-code\n  dormouse agents %[1]s codex gemini --yes\n  dormouse agents %[1]s cursor --dry-run   show the change alone", use),
		Args:    takes(cobra.MinimumNArgs(1), "the names of agents"),
		RunE: func(cmd *cobra.Command, args []string) error {
			plans, err := hookPlans(cmd, args, plan)
			if err != nil {
				return err
			}
			return a.changeHooks(plans, use, yes, dry)
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do it without asking")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "show the change and make none")
	return cmd
}

// hookPlans plans the change for each agent that was named; for none where one of them cannot be done.
func hookPlans(cmd *cobra.Command, names []string, plan planner) ([]connect.Plan, error) {
	var out []connect.Plan
	for _, name := range names {
		agent, ok := connect.Find(connect.Table(), name)
		if !ok {
			return nil, usage(cmd, "%q is no agent whose hooks Dormouse knows; it knows those of %s", name, strings.Join(hookAgents(), ", "))
		}
		p, err := plan(agent)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func hookAgents() (names []string) {
	for _, agent := range connect.Table() {
		names = append(names, agent.Name)
	}
	return names
}

// hookBinary is the absolute path of dormouse-hook: beside this program, else on PATH.
func (a *app) hookBinary() (string, error) {
	name := "dormouse-hook"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	exe, err := a.lasting()
	if err != nil {
		return "", err
	}
	if beside := filepath.Join(filepath.Dir(exe), name); isFile(beside) {
		return beside, nil
	}
	if found := onPath(name); found != "" {
		return found, nil
	}
	return "", fmt.Errorf("%s is neither beside %s nor on PATH; put it there, or build it with: make build", name, a.view().path(exe))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// hookOutcome is what was done to one agent's settings.
type hookOutcome struct {
	Agent   string `json:"agent"`
	File    string `json:"file"`
	Diff    string `json:"diff"` // empty where there was nothing to do
	Changed bool   `json:"changed"`
	Note    string `json:"note,omitempty"` // what is left to do by hand
}

var errNotAgreed = errors.New("nothing was changed; say yes to the question, or add --yes")

// changeHooks shows what is planned, asks, and does it.
func (a *app) changeHooks(plans []connect.Plan, use string, yes, dry bool) error {
	todo := slices.DeleteFunc(slices.Clone(plans), connect.Plan.Nothing)
	if !a.json {
		for _, p := range plans {
			if err := a.print(formatPlan(a.view(), p, use)); err != nil {
				return err
			}
		}
	}
	if len(todo) > 0 && !dry && !yes && !a.agrees("Make this change?") {
		return errNotAgreed
	}
	var done []hookOutcome
	for _, p := range plans {
		o := hookOutcome{Agent: p.Agent.Name, File: p.Path, Diff: p.Diff()}
		if !p.Nothing() && !dry {
			if err := p.Apply(); err != nil {
				return err
			}
			o.Changed = true
			if use == "connect" {
				o.Note = p.Agent.Note
			}
		}
		done = append(done, o)
	}
	return a.answer(done, func(v view) []string { return formatHooksDone(v, done, use) })
}

// agrees asks a question that only a yes answers. With --json nobody is there to be asked.
func (a *app) agrees(question string) bool {
	if a.json {
		return false
	}
	_, _ = fmt.Fprint(a.Stderr, question+" [y/N] ")
	line, _ := bufio.NewReader(a.Stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true
	}
	return false
}

// agentsReport puts together what the service captured and what the agents' settings say. Without the service the settings are
// all that can be told.
func (a *app) agentsReport(ctx context.Context) (agentsReport, error) {
	r := agentsReport{Skipped: []api.SkipReason{}, Problems: []string{}}
	err := a.with(ctx, func(c *client.Client) error {
		st, err := c.Status(ctx)
		if err != nil {
			return err
		}
		r.Running, r.Skipped, r.Problems = true, st.Skipped, st.Problems
		for _, agent := range st.Agents {
			r.Agents = append(r.Agents, agentReport{Agent: agent, Installed: agent.Found, Hooks: hooksNone})
		}
		return nil
	})
	if err != nil && !errors.Is(err, client.ErrNotRunning) {
		return r, err
	}
	hook, _ := a.hookBinary() // without one no hook can be there
	for _, agent := range connect.Table() {
		i := slices.IndexFunc(r.Agents, func(x agentReport) bool { return x.Name == agent.Name })
		if i < 0 {
			r.Agents = append(r.Agents, agentReport{Agent: api.Agent{Name: agent.Name, Roots: []string{}}})
			i = len(r.Agents) - 1
		}
		a.hooksOf(&r.Agents[i], agent, hook)
	}
	slices.SortFunc(r.Agents, func(x, y agentReport) int { return strings.Compare(x.Name, y.Name) })
	return r, nil
}

// hooksOf says how an agent's hooks are.
func (a *app) hooksOf(r *agentReport, agent connect.Agent, hook string) {
	user := a.view().user
	r.Installed = r.Installed || agent.Installed(a.Env, user)
	r.Hooks = hooksMissing
	agent, err := a.asking(agent)
	if err != nil {
		r.Trouble = err.Error()
		return
	}
	p, err := agent.Connect(a.Env, user, hook)
	r.HooksFile = p.Path
	if err != nil {
		r.Trouble = err.Error()
		return
	}
	older := false
	if !p.Nothing() && hook != "" {
		older, err = agent.Reports(a.Env, user, hook)
	}
	switch {
	case err != nil:
		r.Trouble = err.Error()
	case hook == "" || !p.Nothing() && !older:
	case agent.Untrusted(a.Env, user):
		r.Hooks, r.Note = hooksUntrusted, agent.Note
	case older:
		r.Hooks, r.Note = hooksConnected, fmt.Sprintf(reconnect, agent.Name)
	default:
		r.Hooks, r.Injects = hooksConnected, agent.Asks()
	}
}

// reconnect is said where the hooks are there and tell the agent something else than the settings want.
const reconnect = "its hooks are of an older version or of other settings, and do not tell its sessions what they are to be told. " +
	"Connect it once more: dormouse agents connect %s"
