package connect

import (
	"path/filepath"
	"runtime"
	"slices"
)

// Agent is how one agent is told of hooks.
type Agent struct {
	Name string
	// Folder is where the agent keeps its settings, given the environment and the user's home folder. The agent counts as
	// installed when it is there.
	Folder func(env func(string) string, home string) string
	// File is the file with the hooks, below Folder.
	File string
	// Own is set where the file is Dormouse's alone, so that taking the hooks out deletes it.
	Own bool
	// Events are the agent's names of the events that it reports.
	Events []string
	// Note is what the person still has to do; empty where there is nothing.
	Note string
	// asks are those of Events at which the agent waits for what the hook tells it.
	asks map[string]bool

	// entry, which may be nil, is how the file names the MCP server; program is the absolute path of dormouse, which is the server.
	entry   *entry
	program string

	shape shape
	// plugin, which may be nil, is the whole of the file where the agent takes no hooks and runs a program of ours instead: its text, from
	// the absolute path of dormouse-hook and the events at which it asks.
	plugin func(hook string, asks map[string]bool) []byte
	// trusted, which may be nil, reports whether the person told the agent to run the hooks at these places of a file, whose path may be
	// written in several ways. dir is the folder of the settings.
	trusted func(dir string, files []string, all []position) (bool, error)
}

// shape is how a file writes a hook.
type shape struct {
	// grouped files hold groups of hooks for each event, flat ones the hooks themselves.
	grouped bool
	// handler is the JSON object of one hook, from its event, its command and whether the agent is to wait for what it tells.
	handler func(event, command string, waits bool) []member
	// first are the members that a new file begins with.
	first []member
}

// member is a member of a JSON object: a string, a number, or members again.
type member struct {
	name  string
	value any
}

// waitSeconds is how long an agent may wait for a hook, which ends after a twentieth of a second. Codex takes no more at the end of a
// session and says so on its screen.
const waitSeconds = 3

// Table lists the agents that have hooks, by name. Formats: the agents' documentation of hooks as of late 2026.
func Table() []Agent {
	grouped := func(per int) shape {
		return shape{grouped: true, handler: func(_, command string, _ bool) []member {
			return []member{{"type", "command"}, {"command", command}, {"timeout", waitSeconds * per}}
		}}
	}
	claudeEvents := []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SubagentStop", "SessionEnd"}
	familyEvents := claudeEvents[:6] // of opencode and what grew out of it: sessions have no end there
	return []Agent{
		{Name: "claude-code", Folder: inHome("CLAUDE_CONFIG_DIR", ".claude"), File: "settings.json", Events: claudeEvents, shape: grouped(1)},
		{Name: "codex", Folder: inHome("CODEX_HOME", ".codex"), File: "hooks.json", Events: claudeEvents, shape: shape{grouped: true, handler: codexHook},
			Note: "Codex runs no hook that you have not trusted. It asks when it is started next (\"Hooks need review\"): trust those of " +
				"dormouse-hook there, or later with /hooks. Until then Dormouse follows what Codex writes, without them.",
			trusted: codexTrusts},
		{Name: "copilot-cli", Folder: inHome("COPILOT_HOME", ".copilot"), File: filepath.Join("hooks", "dormouse.json"), Own: true,
			Events: []string{"sessionStart", "userPromptSubmitted", "postToolUse", "agentStop", "subagentStop", "sessionEnd"},
			shape: shape{first: []member{{"version", 1}}, handler: func(_, command string, _ bool) []member {
				return []member{{"type", "command"}, {"bash", command}, {"powershell", "& " + command}, {"timeoutSec", waitSeconds}}
			}}},
		{Name: "cursor", Folder: inHome("", ".cursor"), File: "hooks.json",
			Events: []string{"sessionStart", "beforeSubmitPrompt", "postToolUse", "preCompact", "stop", "subagentStop", "sessionEnd"},
			shape:  shape{first: []member{{"version", 1}}, handler: func(_, command string, _ bool) []member { return []member{{"command", command}} }}},
		{Name: "gemini-cli", Folder: inHome("", ".gemini"), File: "settings.json",
			Events: []string{"SessionStart", "BeforeAgent", "AfterTool", "PreCompress", "AfterAgent", "SessionEnd"}, shape: grouped(1000)},
		{Name: "kilo", Folder: inConfig("kilo"), File: filepath.Join("plugin", "dormouse.js"), Own: true, Events: familyEvents, plugin: pluginOf("kilo"),
			Note: "Kilo loads plugins when it starts: one that runs now tells nothing until it is started anew."},
		{Name: "opencode", Folder: inConfig("opencode"), File: filepath.Join("plugin", "dormouse.js"), Own: true, Events: familyEvents,
			plugin: pluginOf("opencode"), Note: "opencode loads plugins when it starts: one that runs now tells nothing until it is started anew."},
	}
}

// codexHook is a hook that Codex does not wait for, and does not show: what it waits for it names on the standard error of "codex exec". That of
// the end of a session it waits for anyway, and says so where it was asked not to. What is told by one that it does not wait for comes after
// the model's answer and has the model asked once more, so one that tells is waited for.
func codexHook(event, command string, waits bool) []member {
	hook := []member{{"type", "command"}, {"command", command}, {"timeout", waitSeconds}}
	if event != "SessionEnd" && !waits {
		hook = append(hook, member{"async", true})
	}
	return hook
}

// inHome is the folder that a variable names, else one in the home folder.
func inHome(variable, name string) func(func(string) string, string) string {
	return func(env func(string) string, home string) string {
		if variable != "" {
			if dir := env(variable); dir != "" {
				return dir
			}
		}
		if home == "" {
			return ""
		}
		return filepath.Join(home, name)
	}
}

// inConfig is a folder among the settings of programs that keep to the desktop's rule, on every system.
func inConfig(name string) func(func(string) string, string) string {
	return func(env func(string) string, home string) string {
		if dir := env("XDG_CONFIG_HOME"); dir != "" {
			return filepath.Join(dir, name)
		}
		if home == "" {
			return ""
		}
		return filepath.Join(home, ".config", name)
	}
}

// Find is the agent with this name.
func Find(table []Agent, name string) (Agent, bool) {
	i := slices.IndexFunc(table, func(a Agent) bool { return a.Name == name })
	if i < 0 {
		return Agent{}, false
	}
	return table[i], true
}

// command is the command line of one hook. Agents on Windows run it through a shell that reads a backslash as a mark, so the
// path has slashes there.
func command(hook, event, agent string, asks bool) string {
	if runtime.GOOS == "windows" {
		hook = filepath.ToSlash(hook)
	}
	if asks {
		event += " --inject"
	}
	return quoted(hook) + " " + event + " --agent " + agent
}
