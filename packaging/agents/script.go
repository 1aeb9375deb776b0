package main

import "strings"

// The scripted session: the model looks at something with a shell, hands something to a sub-agent where the agent has any,
// whose model does the same, and says that it is done.
const (
	mainMark  = "DORMOUSE-MAIN"
	subMark   = "DORMOUSE-SUB"
	prompt    = mainMark + ": count the stars and tell me how many there are."
	subPrompt = subMark + ": count the moons and report."

	mainSays, mainRuns, mainGets = "I look at the sky first.", "echo seven''teen stars", "seventeen stars"
	subRuns, subGets             = "echo for''ty moons", "forty moons"
	subSays                      = "There are forty moons."
	lastSays                     = "Seventeen stars and forty moons: all done."
	otherSays                    = "Counting stars"

	askMark    = "DORMOUSE-ASK"
	hangMark   = "DORMOUSE-HANG" // as before, and the model never answers after that
	askPrompt  = askMark + ": look into the memory for how Go files are indented here."
	hangPrompt = hangMark + ": look into the memory for how Go files are indented here."
	askQuery   = "Go files"
	knowsSays  = "The memory says: use tabs in all Go files."
)

// asked is what a request to the model comes down to, whatever its format.
type asked struct {
	first   string // text of the first message of the person
	results int    // results of tools in the conversation
	tools   []string
}

// reply is what the model says next: a text, a call, or both.
type reply struct {
	text string
	tool string // name of the tool; empty without a call
	args map[string]any
}

// next is the script. shells and helpers are the names that the agent's tools may have.
func next(a asked) reply {
	shell, delegate := pick(a.tools, shells), pick(a.tools, helpers)
	switch {
	case strings.Contains(a.first, askMark) || strings.Contains(a.first, hangMark):
		if search := searchTool(a.tools); search != "" && a.results == 0 {
			return reply{tool: search, args: map[string]any{"query": askQuery}}
		}
		return reply{text: knowsSays}
	case len(a.tools) == 0 || shell == "":
		return reply{text: otherSays}
	case strings.Contains(a.first, mainMark):
		switch {
		case a.results == 0:
			return reply{text: mainSays, tool: shell, args: shellArgs(shell, mainRuns)}
		case a.results == 1 && delegate != "":
			return reply{tool: delegate, args: helperArgs(delegate)}
		}
		return reply{text: lastSays}
	case strings.Contains(a.first, subMark):
		if a.results == 0 {
			return reply{tool: shell, args: shellArgs(shell, subRuns)}
		}
		return reply{text: subSays}
	}
	return reply{text: otherSays}
}

// shells and helpers are the agents' names of the tools that the script uses, the preferred first.
var (
	shells  = []string{"Bash", "bash", "run_shell_command", "shell_command", "exec_command", "shell"}
	helpers = []string{"Task", "Agent", "task"}
)

// searchTool is the name that an agent gives Dormouse's search; empty where it is not offered.
func searchTool(have []string) string {
	for _, h := range have {
		if strings.HasSuffix(h, "memory_search") {
			return h
		}
	}
	return ""
}

func pick(have, want []string) string {
	for _, w := range want {
		for _, h := range have {
			if h == w {
				return w
			}
		}
	}
	return ""
}

func shellArgs(tool, command string) map[string]any {
	switch tool {
	case "exec_command":
		return map[string]any{"cmd": command}
	case "shell":
		return map[string]any{"command": []string{"bash", "-c", command}}
	}
	return map[string]any{"command": command, "description": "Count"}
}

func helperArgs(tool string) map[string]any {
	kind := "general-purpose"
	if tool == "task" {
		kind = "general"
	}
	return map[string]any{"description": "Count moons", "prompt": subPrompt, "subagent_type": kind}
}
