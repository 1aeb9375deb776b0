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

// hooksNone is how the hooks of an agent are that has none that Dormouse knows.
const hooksNone = "has none"

// agentReport is what is known of one agent on this machine.
type agentReport struct {
	api.Agent
	connect.State
}

// agentsReport is what the command prints.
type agentsReport struct {
	Running  bool             `json:"running"` // the service answered; else nothing is known of what was captured
	Agents   []agentReport    `json:"agents"`
	Skipped  []api.SkipReason `json:"skipped"`
	Problems []string         `json:"problems"`
	Settings string           `json:"settings,omitempty"` // what is wrong with config.toml
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
	cmd.AddCommand(hookChange(a, "connect", "Put Dormouse's hooks and tools into an agent's settings",
		`Put Dormouse's hooks, and the MCP server with the tools by which the agent asks the memory, into an agent's own settings. The change is shown first, as a diff, and made when you agree. Comments,
order and everything else in the files stay as they are; a copy of each lies beside it until you disconnect. Doing it again changes
nothing, and after Dormouse has moved it puts the new path in.`),
		hookChange(a, "disconnect", "Take Dormouse's hooks and tools out of an agent's settings",
			`Take Dormouse's hooks and its MCP server out of an agent's own settings. A file that was not touched since is byte for byte what it was
before; in another one, they alone are taken out.`))
	for _, sub := range cmd.Commands() {
		sub.Long = reflow(sub.Long, a.Width)
	}
	return cmd
}

// linking is what agents are connected with.
func (a *app) linking(env func(string) string) *connect.Setup {
	return &connect.Setup{Env: env, User: a.view().user, Program: a.lasting, Hook: a.hookBinary, Moments: func(agent string) ([]inject.Moment, error) {
		h, err := home.Default(env)
		if err != nil {
			return nil, err
		}
		cfg, err := config.Load(h.Config())
		return cfg.Inject.Moments(agent), err
	}}
}

func hookChange(a *app, use, short, long string) *cobra.Command {
	yes, dry, only, no := false, false, false, false
	cmd := &cobra.Command{
		Use: use + " NAME...", Short: short, Long: long, ValidArgs: hookAgents(),
		Example: fmt.Sprintf("  dormouse agents %[1]s claude-code\n  dormouse agents %[1]s codex gemini-cli --yes\n  dormouse agents %[1]s cursor --dry-run   show the change alone", use),
		Args:    takes(cobra.MinimumNArgs(1), "the names of agents"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if only && no {
				return usage(cmd, "--mcp-only and --no-mcp leave nothing to do")
			}
			part := connect.All
			if only {
				part = connect.Tools
			} else if no {
				part = connect.Hooks
			}
			plans, err := a.hookPlans(cmd, args, part)
			if err != nil {
				return err
			}
			return a.changeHooks(plans, use, yes, dry)
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do it without asking")
	cmd.Flags().BoolVar(&only, "mcp-only", false, "the tools alone, and no hooks")
	cmd.Flags().BoolVar(&no, "no-mcp", false, "the hooks alone, and no tools")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "show the change and make none")
	return cmd
}

// hookPlans plans the change for each agent that was named; for none where one of them cannot be done. An agent may have several files.
func (a *app) hookPlans(cmd *cobra.Command, names []string, part connect.Part) ([]connect.Plan, error) {
	var out []connect.Plan
	for _, name := range names {
		agent, ok := connect.Find(connect.Table(), name)
		if !ok {
			return nil, usage(cmd, "%q is no agent whose settings Dormouse knows; it knows those of %s", name, strings.Join(hookAgents(), ", "))
		}
		plans, err := a.linking(a.Env).Plans(agent, part, cmd.Name() == "disconnect")
		if err != nil {
			return nil, err
		}
		out = append(out, plans...)
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
			r.Agents = append(r.Agents, agentReport{Agent: agent, State: connect.State{Installed: agent.Found, Hooks: hooksNone}})
		}
		return nil
	})
	if err != nil && !errors.Is(err, client.ErrNotRunning) {
		return r, err
	}
	hooks := a.linking(a.Env)
	if _, err := hooks.Moments(""); err != nil {
		r.Settings = err.Error()
		hooks.Moments = func(agent string) ([]inject.Moment, error) { return config.Default().Inject.Moments(agent), nil }
	}
	for _, agent := range connect.Table() {
		i := slices.IndexFunc(r.Agents, func(x agentReport) bool { return x.Name == agent.Name })
		if i < 0 {
			r.Agents = append(r.Agents, agentReport{Agent: api.Agent{Name: agent.Name, Roots: []string{}}})
			i = len(r.Agents) - 1
		}
		state := hooks.StateOf(agent)
		state.Installed = state.Installed || r.Agents[i].Found
		r.Agents[i].State = state
	}
	slices.SortFunc(r.Agents, func(x, y agentReport) int { return strings.Compare(x.Name, y.Name) })
	return r, nil
}
