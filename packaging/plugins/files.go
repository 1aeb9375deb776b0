package main

import "fmt"

// version is that of all plugins; agents take up a new one when it changes.
const version = "0.1.0"

const (
	short   = "One long-term memory for all your coding agents"
	long    = "What you and your coding agents decided, found and finished, from all sessions on this machine, each memory with the turn that it comes from. Needs the programs of Dormouse; nothing leaves the machine."
	licence = "Apache-2.0"
)

type object = map[string]any

// server starts the MCP server for an agent.
func server(agent string) object {
	return object{"command": "dormouse", "args": []string{"mcp", "--agent", agent}}
}

// files are those of all plugins, by their paths with slashes.
func files() (map[string][]byte, error) {
	author := object{"name": "Dormouse"}
	out := map[string][]byte{}
	var failed error
	add := func(name string, text []byte, err error) {
		if err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", name, err)
		}
		out[name] = text
	}
	put := func(name string, v any) {
		text, err := indented(v)
		add(name, text, err)
	}

	put(".claude-plugin/marketplace.json", object{"name": "dormouse", "owner": author,
		"metadata": object{"description": short},
		"plugins":  []any{object{"name": "dormouse", "source": "./claude-code", "description": short, "version": version, "license": licence, "category": "productivity"}}})
	put("claude-code/.claude-plugin/plugin.json", object{"name": "dormouse", "version": version, "description": long, "author": author, "license": licence,
		"keywords": []string{"memory", "history"}})
	put("claude-code/.mcp.json", object{"mcpServers": object{"dormouse": server("claude-code")}})
	text, err := hooks("claude-code")
	add("claude-code/hooks/hooks.json", text, err)

	put(".agents/plugins/marketplace.json", object{"name": "dormouse", "interface": object{"displayName": "Dormouse"},
		"plugins": []any{object{"name": "dormouse", "source": object{"source": "local", "path": "./codex"},
			"policy": object{"installation": "AVAILABLE", "authentication": "ON_INSTALL"}, "category": "Productivity"}}})
	put("codex/.codex-plugin/plugin.json", object{"name": "dormouse", "version": version, "description": short, "author": author, "license": licence,
		"skills": "./skills/", "mcpServers": "./.mcp.json",
		"interface": object{"displayName": "Dormouse", "shortDescription": short, "longDescription": long, "developerName": "Dormouse", "category": "Productivity",
			"capabilities": []string{"Interactive"}, "defaultPrompt": "What do you remember of this project?"}})
	put("codex/.mcp.json", object{"mcpServers": object{"dormouse": server("codex")}})
	text, err = written("codex")
	add("codex/hooks.json", text, err)
	add("codex/skills/memory/SKILL.md", skill(), nil)

	put("cursor/.cursor-plugin/plugin.json", object{"name": "dormouse", "displayName": "Dormouse", "version": version, "description": long, "author": author, "license": licence,
		"commands": "./commands/", "hooks": "./hooks/hooks.json", "mcpServers": "./mcp.json"})
	put("cursor/mcp.json", object{"mcpServers": object{"dormouse": server("cursor")}})
	text, err = hooks("cursor")
	add("cursor/hooks/hooks.json", text, err)

	put("gemini-cli/gemini-extension.json", object{"name": "dormouse", "version": version, "description": short, "mcpServers": object{"dormouse": server("gemini-cli")}})
	text, err = hooks("gemini-cli")
	add("gemini-cli/hooks/hooks.json", text, err)

	put("opencode/package.json", object{"name": "dormouse-opencode", "version": version, "description": short, "license": licence, "type": "module",
		"main": "index.js", "exports": "./index.js", "files": []string{"index.js", "hooks.js"}, "engines": object{"node": ">=18"}})
	text, err = written("opencode")
	add("opencode/hooks.js", text, err)
	text, err = opencodeIndex()
	add("opencode/index.js", text, err)

	for _, c := range commands {
		add("claude-code/commands/"+c.name+".md", c.markdown("$ARGUMENTS", true), nil)
		add("cursor/commands/"+c.name+".md", c.markdown("what the user wrote after the command", false), nil)
		add("gemini-cli/commands/"+c.name+".toml", c.toml(), nil)
	}
	return out, failed
}

// opencodeIndex is the entry of the package: the hooks, and what adds server and commands to opencode's settings while it runs.
func opencodeIndex() ([]byte, error) {
	more := object{}
	for _, c := range commands {
		more[c.name] = object{"description": c.about, "template": c.text("$ARGUMENTS")}
	}
	text, err := indented(more)
	if err != nil {
		return nil, err
	}
	return []byte(`// Dormouse for opencode 1: hooks, tools and commands. It changes no file; what the person's own settings say under these names stays.
export { Dormouse } from "./hooks.js"

const commands = ` + string(text) + `
export const DormouseTools = async () => ({
  config: async (config) => {
    config.mcp = { dormouse: { type: "local", command: ["dormouse", "mcp", "--agent", "opencode"], enabled: true }, ...config.mcp }
    config.command = { ...commands, ...config.command }
  },
})
`), nil
}
