package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"dormouse/cmd/internal/text"
	"github.com/spf13/cobra"
)

// app is what the commands share.
type app struct {
	Params
	json bool // print the service's answer as one JSON document
}

// run runs one command line and returns the exit code.
func run(ctx context.Context, args []string, p Params) int {
	root := newRootCommand(p)
	root.SetArgs(append([]string{}, args...)) // nil would stand for the process's own
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if told := (*saidError)(nil); !errors.As(err, &told) {
		report(p.Stderr, err)
	}
	return exitCode(err)
}

// newRootCommand builds the whole command line.
func newRootCommand(p Params) *cobra.Command {
	a := &app{Params: p}
	root := &cobra.Command{
		Use:   "dormouse",
		Short: "One long-term memory for all your coding agents",
		Long: `Dormouse keeps every session of your coding agents, sleeps on them, and hands the next session what is worth
remembering. Every memory leads back to the turn that it came from.

Begin with "dormouse setup", or with "dormouse up" to try it first; most other commands ask the running service.`,
		Example: `  dormouse setup                     connect your agents, capture, start at log-on
  dormouse up                        run in this terminal, and watch it learn
  dormouse status                    how it is
  dormouse search "flaky test"       find a memory
  dormouse show cc_1a2b3c4d          read the session that it came from`,
		SilenceUsage: true, SilenceErrors: true,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage(cmd, "%v", err) })
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print the answer as one JSON document")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		upCommand(a), statusCommand(a), sessionsCommand(a), showCommand(a), renameCommand(a), pinCommand(a), openCommand(a), switchCommand(a), deleteCommand(a), timelineCommand(a), graphCommand(a), searchCommand(a), whenCommand(a),
		coreCommand(a), projectsCommand(a), bindCommand(a), unbindCommand(a), sleepCommand(a), syncCommand(a), devicesCommand(a), pauseCommand(a), resumeCommand(a),
		agentsCommand(a), stopCommand(a), serviceCommand(a), versionCommand(a),
	)
	root.AddCommand(mcpCommand(a), askCommand(a), proxyCommand(a))
	root.AddCommand(projectCommand(a), logCommand(a), commitCommand(a), doctorCommand(a), diffCommand(a), restoreCommand(a), importCommand(a), redactCommand(a), llmCommand(a), costCommand(a))
	root.AddCommand(reviewCommand(a), forgetCommand(a), undoCommand(a), ledgerCommand(a), factsCommand(a), tagsCommand(a), verifyCommand(a), indexCommand(a))
	root.AddCommand(injectCommand(a), blameCommand(a), handoffCommand(a), replayCommand(a), objectsCommand(a), inspectCommand(a), statsCommand(a))
	root.AddCommand(setupCommand(a), uninstallCommand(a), updateCommand(a), completionCommand(a), docsCommand(a))
	a.complete(root)
	for _, cmd := range append(root.Commands(), root) {
		cmd.Long = reflow(cmd.Long, p.Width)
		for _, sub := range cmd.Commands() {
			sub.Long = reflow(sub.Long, p.Width)
		}
	}
	return root
}

// reflow wraps the paragraphs of a help text for a terminal, at most 100 columns wide.
func reflow(s string, width int) string {
	if width <= 0 {
		width = 80
	}
	var out []string
	for paragraph := range strings.SplitSeq(s, "\n\n") {
		out = append(out, strings.Join(text.Wrap(text.Line(paragraph), min(width, 100)), "\n"))
	}
	return strings.Join(out, "\n\n")
}

// unknownCommand refuses a first word that is no command and names those that it may have meant.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage(cmd, "there is no command %q%s", args[0], hint)
}

// answer prints what the service said: as JSON, or as the lines that format makes of it.
func (a *app) answer(v any, format func(view) []string) error {
	if a.json {
		return a.printJSON(v)
	}
	return a.print(format(a.view()))
}

func (a *app) printJSON(v any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write the answer as JSON: %w", err)
	}
	_, err := a.Stdout.Write(text.JSON([]byte(b.String())))
	return err
}

func (a *app) print(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	_, err := io.WriteString(a.Stdout, strings.Join(lines, "\n")+"\n")
	return err
}

// note tells something beside the answer.
func (a *app) note(format string, args ...any) {
	_, _ = fmt.Fprintln(a.Stderr, text.Clean(fmt.Sprintf(format, args...))) // nobody to tell if that fails
}
