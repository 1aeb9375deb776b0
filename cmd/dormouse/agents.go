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
	MCP       string `json:"mcp,omitempty"` // whether its settings name the MCP server: connected or not connected
	MCPFile   string `json:"mcp_file,omitempty"`
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
	cmd.AddCommand(hookChange(a, "connect", "Put Dormouse's hooks and tools into an agent's settings",
		`Put Dormouse's hooks, and the MCP server with the tools by which the agent asks the memory, into an agent's own settings. The change is shown first, as a diff, and made when you agree. Comments,
order and everything else in the files stay as they are; a copy of each lies beside it until you disconnect. Doing it again changes
nothing, and after Dormouse has moved it puts the new path in.`, a.connecting),
		hookChange(a, "disconnect", "Take Dormouse's hooks and tools out of an agent's settings",
			`Take Dormouse's hooks and its MCP server out of an agent's own settings. A file that was not touched since is byte for byte what it was
before; in another one, they alone are taken out.`, a.disconnecting))
	for _, sub := range cmd.Commands() {
		sub.Long = reflow(sub.Long, a.Width)
	}
	return cmd
}

// planner plans the change of one agent's settings.
type planner func(connect.Agent) (connect.Plan, error)

func (a *app) connecting(agent connect.Agent) (connect.Plan, error) {
	if !agent.HasHooks() {
		return agent.Connect(a.Env, a.view().user, "")
	}
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
	yes, dry, only, no := false, false, false, false
	cmd := &cobra.Command{
		Use: use + " NAME...", Short: short, Long: long, ValidArgs: hookAgents(),
		Example: fmt.Sprintf("  dormouse agents %[1]s claude-code\n  dormouse agents %[1]s codex gemini-cli --yes\n  dormouse agents %[1]s cursor --dry-run   show the change alone", use),
		Args:    takes(cobra.MinimumNArgs(1), "the names of agents"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if only && no {
				return usage(cmd, "--mcp-only and --no-mcp leave nothing to do")
			}
			plans, err := a.hookPlans(cmd, args, plan, only, no)
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
func (a *app) hookPlans(cmd *cobra.Command, names []string, plan planner, mcpOnly, noMCP bool) ([]connect.Plan, error) {
	var out []connect.Plan
	for _, name := range names {
		agent, ok := connect.Find(connect.Table(), name)
		if !ok {
			return nil, usage(cmd, "%q is no agent whose settings Dormouse knows; it knows those of %s", name, strings.Join(hookAgents(), ", "))
		}
		files, err := a.filesOf(agent, mcpOnly, noMCP, cmd.Name() == "disconnect")
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			p, err := plan(f)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// filesOf are an agent's files: that of the hooks and that of the MCP server, which may be one.
func (a *app) filesOf(agent connect.Agent, mcpOnly, noMCP, leaving bool) ([]connect.Agent, error) {
	server, ok := connect.Find(connect.MCPTable(), agent.Name)
	if noMCP || !ok {
		return []connect.Agent{agent}, nil
	}
	exe, err := a.lasting()
	if err != nil && !leaving { // what is taken out may be gone already
		return nil, err
	}
	user := a.view().user
	server = server.Server(exe).Existing(a.Env, user)
	if mcpOnly {
		return []connect.Agent{server}, nil
	}
	return connect.Joined(agent, server, a.Env, user), nil
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
		a.serverOf(&r.Agents[i], agent)
	}
	slices.SortFunc(r.Agents, func(x, y agentReport) int { return strings.Compare(x.Name, y.Name) })
	return r, nil
}

// serverOf says whether an agent's settings name the MCP server.
func (a *app) serverOf(r *agentReport, agent connect.Agent) {
	files, err := a.filesOf(agent, true, false, false)
	if err != nil || len(files) != 1 || files[0].HasHooks() {
		return
	}
	p, err := files[0].Connect(a.Env, a.view().user, "")
	r.MCP, r.MCPFile = hooksMissing, p.Path
	if err == nil && p.Nothing() {
		r.MCP = hooksConnected
	}
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
