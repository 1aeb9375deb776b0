package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitOK         = 0
	exitFailure    = 1
	exitUsage      = 2
	exitNotRunning = 3
)

// usageError says that the command line itself is wrong.
type usageError struct {
	message string
	command string // whose help says how it is right
}

func (e *usageError) Error() string { return e.message }

func usage(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...), command: cmd.CommandPath()}
}

// takes wraps one of cobra's checks of arguments, so that its error is one of usage and says what is wanted.
func takes(check cobra.PositionalArgs, wanted string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check(cmd, args) != nil {
			return usage(cmd, "%s takes %s, not %d arguments", cmd.Name(), wanted, len(args))
		}
		return nil
	}
}

func exitCode(err error) int {
	var u *usageError
	switch {
	case errors.As(err, &u):
		return exitUsage
	case errors.Is(err, client.ErrNotRunning):
		return exitNotRunning
	}
	var other exitError
	if errors.As(err, &other) && other > 0 {
		return int(other)
	}
	return exitFailure
}

// maxCandidates is how many meanings of an ambiguous word are listed.
const maxCandidates = 10

// report tells what went wrong and what to do.
func report(w io.Writer, err error) {
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	say := func(format string, args ...any) { _, _ = fmt.Fprintln(w, text.Clean(fmt.Sprintf(format, args...))) }
	say("dormouse: %v", err)
	var u *usageError
	if errors.As(err, &u) {
		say("See: %s --help", u.command)
	}
	var e *api.Error
	if !errors.As(err, &e) {
		return
	}
	for i, c := range e.Candidates {
		if i == maxCandidates {
			say("  and %d more", len(e.Candidates)-i)
			break
		}
		say("  %s", text.Line(c))
	}
}
