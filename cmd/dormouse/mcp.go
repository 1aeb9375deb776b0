package main

import (
	"context"
	"errors"
	"io"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"dormouse/service/mcptools"
	"dormouse/store/home"
)

func mcpCommand(a *app) *cobra.Command {
	agent, dir := "", ""
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Answer an agent's questions over MCP, on standard input and output",
		Long: `Answer an agent over the Model Context Protocol on standard input and output. Agents start this by themselves, once their
settings name it: "dormouse agents connect NAME" puts it there.

The tools ask the running service. While it does not run, they say how to start it, and go on when it does. An agent sees what is global,
what belongs to the project that it works in, and its own. Which project that is it tells by its roots, else by the folder in which
this was started; where that is not clear, it is asked.`,
		Example: `  dormouse agents connect claude-code      puts it into the agent's settings
  dormouse mcp --agent codex               what the agent then starts
  dormouse mcp url                         how to reach the same tools over HTTP`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				dir = a.Dir
			}
			return a.serveMCP(cmd.Context(), agent, dir)
		},
	}
	cmd.Flags().StringVar(&agent, "agent", "", "the agent; by default as its client says")
	cmd.AddCommand(mcpURLCommand(a))
	for _, sub := range cmd.Commands() {
		sub.Long = reflow(sub.Long, a.Width)
	}
	projectFlag(cmd, &dir, "its folder; by default this one")
	return cmd
}

// serveMCP answers until the agent closes its end, or is gone.
func (a *app) serveMCP(ctx context.Context, agent, dir string) error {
	h, err := home.Default(a.Env)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go orphaned(ctx, stop)
	info, _ := debug.ReadBuildInfo()
	t := mcptools.New(mcptools.Options{Home: h.Dir(), Version: buildOf(info).Version, Dir: dir, Agent: agent, Now: a.Now})
	defer t.Close()
	in, ok := a.Stdin.(io.ReadCloser)
	if !ok {
		in = io.NopCloser(a.Stdin)
	}
	served := make(chan error, 1)
	go func() { served <- t.Serve(ctx, in, a.Stdout) }()
	select {
	case err = <-served:
	case <-ctx.Done(): // what still waits for the agent's words ends with the process
		return nil
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// orphanEvery is how often is looked whether the agent that started this is still there.
const orphanEvery = time.Second
