package connect

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"dormouse/service/inject"
)

// Setup is what a person's agents are connected with: where their settings lie, what is put into them, and what they are to be told.
type Setup struct {
	Env  func(string) string
	User string // the person's home folder
	// Program is the absolute path of dormouse, Hook that of dormouse-hook.
	Program, Hook func() (string, error)
	// Moments are those at which an agent is to be told something, in order.
	Moments func(agent string) ([]inject.Moment, error)
}

// Part is which of an agent's settings are meant.
type Part int

// The parts.
const (
	All   Part = iota // hooks and tools
	Hooks             // hooks alone
	Tools             // the MCP server alone
)

// How an agent's hooks or its MCP server are.
const (
	Connected = "connected"
	Missing   = "not connected"
	Untrusted = "not yet trusted" // the hooks are there, and the agent does not run them
)

// State is how an agent's settings are.
type State struct {
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

// Connecting plans to put the hooks and the server of a file of an agent into it.
func (s Setup) Connecting(agent Agent) (Plan, error) {
	if !agent.HasHooks() {
		return agent.Connect(s.Env, s.User, "")
	}
	hook, err := s.Hook()
	if err != nil {
		return Plan{}, err
	}
	if agent, err = s.Asking(agent); err != nil {
		return Plan{}, err
	}
	return agent.Connect(s.Env, s.User, hook)
}

// Disconnecting plans to take them out. It works without a binary: that may be gone already.
func (s Setup) Disconnecting(agent Agent) (Plan, error) { return agent.Disconnect(s.Env, s.User) }

// Asking is an agent with the hooks that the settings ask for.
func (s Setup) Asking(agent Agent) (Agent, error) {
	moments, err := s.Moments(agent.Name)
	if err != nil {
		return agent, err
	}
	return agent.Asking(moments...), nil
}

// Files are an agent's files: that of the hooks and that of the MCP server, which may be one. leaving says that it is about taking them out.
func (s Setup) Files(agent Agent, part Part, leaving bool) ([]Agent, error) {
	server, ok := Find(MCPTable(), agent.Name)
	if part == Hooks || !ok {
		return []Agent{agent}, nil
	}
	program, err := s.Program()
	if err != nil && !leaving { // what is taken out may be gone already
		return nil, err
	}
	server = server.Server(program).Existing(s.Env, s.User)
	if part == Tools {
		return []Agent{server}, nil
	}
	return Joined(agent, server, s.Env, s.User), nil
}

// Plans are the changes that connect an agent, or disconnect it.
func (s Setup) Plans(agent Agent, part Part, leaving bool) ([]Plan, error) {
	files, err := s.Files(agent, part, leaving)
	if err != nil {
		return nil, err
	}
	do := s.Connecting
	if leaving {
		do = s.Disconnecting
	}
	var out []Plan
	for _, f := range files {
		p, err := do(f)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// Mark names plans by what they change, so that what was agreed to is what is done.
func Mark(plans []Plan) string {
	h := sha256.New()
	for _, p := range plans {
		_, _ = fmt.Fprintf(h, "%s\x00%d\x00%s", p.Path, len(p.Diff()), p.Diff()) // a hash takes all
	}
	return hex.EncodeToString(h.Sum(nil))
}

// StateOf says how an agent's settings are.
func (s Setup) StateOf(agent Agent) State {
	out := State{Installed: agent.Installed(s.Env, s.User), Hooks: Missing}
	s.hooks(&out, agent)
	s.server(&out, agent)
	return out
}

// server says whether an agent's settings name the MCP server.
func (s Setup) server(out *State, agent Agent) {
	files, err := s.Files(agent, Tools, false)
	if err != nil || len(files) != 1 || files[0].HasHooks() {
		return
	}
	p, err := files[0].Connect(s.Env, s.User, "")
	out.MCP, out.MCPFile = Missing, p.Path
	if err == nil && p.Nothing() {
		out.MCP = Connected
	}
}

// hooks says how an agent's hooks are. Without a program none can be there.
func (s Setup) hooks(out *State, agent Agent) {
	hook, _ := s.Hook()
	agent, err := s.Asking(agent)
	if err != nil {
		out.Trouble = err.Error()
		return
	}
	p, err := agent.Connect(s.Env, s.User, hook)
	out.HooksFile = p.Path
	if err != nil {
		out.Trouble = err.Error()
		return
	}
	older := false
	if !p.Nothing() && hook != "" {
		older, err = agent.Reports(s.Env, s.User, hook)
	}
	switch {
	case err != nil:
		out.Trouble = err.Error()
	case hook == "" || !p.Nothing() && !older:
	case agent.Untrusted(s.Env, s.User):
		out.Hooks, out.Note = Untrusted, agent.Note
	case older:
		out.Hooks, out.Note = Connected, fmt.Sprintf(reconnect, agent.Name)
	default:
		out.Hooks, out.Injects = Connected, agent.Asks()
	}
}

// reconnect is said where the hooks are there and tell the agent something else than the settings want.
const reconnect = "its hooks are of an older version or of other settings, and do not tell its sessions what they are to be told. " +
	"Connect it once more: dormouse agents connect %s"
