package gitcmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Command is one run of git.
type Command struct {
	Dir    string // absolute; the repository that it lies in is the one that is meant
	Args   []string
	Writes bool
	Stdin  string
	Env    []string // beside what is left of the service's environment
	Config []string // "key=value", beside what keeps git quiet
	// Limit is how long it may take; the default is ReadTime or WriteTime.
	Limit time.Duration
	// MaxOutput is how many bytes of the standard output are kept; the default is MaxOutput. git is ended when it has written
	// more.
	MaxOutput int
}

// The defaults of a Command.
const (
	ReadTime  = 20 * time.Second
	WriteTime = 2 * time.Minute
	MaxOutput = 64 << 20
)

// endTime is how long git and what it has started may take to put their locks away after they were told to end.
const endTime = 3 * time.Second

// maxSaid is how much of the standard error is kept, in bytes.
const maxSaid = 8 << 10

// Read is what git prints for a command that reads.
func Read(ctx context.Context, dir string, args ...string) (Output, error) {
	return Command{Dir: dir, Args: args}.Run(ctx)
}

// Run runs git and is what it printed. An error is an *Error, or wraps ErrNoGit, ErrTime or the error of ctx.
func (c Command) Run(ctx context.Context) (Output, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return Output{}, errors.Join(ErrNoGit, err)
	}
	limit := cmp.Or(c.Limit, ReadTime)
	if c.Writes {
		limit = cmp.Or(c.Limit, WriteTime)
	}
	timed, cancel := context.WithTimeoutCause(ctx, limit, ErrTime)
	defer cancel()
	run, stop := context.WithCancelCause(timed)
	defer stop(nil)
	cmd := exec.CommandContext(run, program, c.arguments()...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.Dir, c.environment(), endTime
	if c.Stdin != "" {
		cmd.Stdin = strings.NewReader(c.Stdin)
	}
	out := &bounded{max: cmp.Or(c.MaxOutput, MaxOutput), full: func() { stop(errFull) }}
	said := &bounded{max: maxSaid}
	cmd.Stdout, cmd.Stderr = out, said
	alone(cmd)
	err = cmd.Run()
	cause := context.Cause(run)
	if cause != nil {
		endRest(cmd)
	}
	result := Output{Stdout: out.kept, Cut: out.cut}
	switch {
	case err == nil, errors.Is(cause, errFull):
		return result, nil
	case errors.Is(err, exec.ErrWaitDelay) && cause == nil:
		return result, nil // git ended well; a hook of the person's goes on in the background
	case cause != nil:
		return result, &Error{Command: c.name(), Code: -1, Said: said.text(), cause: cause}
	}
	return result, c.failure(err, said.text())
}

func (c Command) failure(err error, said string) error {
	e := &Error{Command: c.name(), Code: -1, Said: said, cause: err}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		e.Code = exit.ExitCode()
	}
	if strings.Contains(said, "dubious ownership") {
		e.cause = ErrForeign
	}
	return e
}

func (c Command) name() string {
	for _, a := range c.Args {
		if !strings.HasPrefix(a, "-") {
			return "git " + a
		}
	}
	return "git"
}

// quiet are settings for every command; unmoved are those for commands that read.
var (
	quiet   = []string{"gc.auto=0", "maintenance.auto=false", "color.ui=false", "advice.detachedHead=false"}
	unmoved = []string{"core.fsmonitor=false", "core.hooksPath=" + os.DevNull, "log.showSignature=false", "submodule.recurse=false",
		"diff.ignoreSubmodules=dirty"}
)

func (c Command) arguments() []string {
	args := []string{"--no-pager"}
	settings := quiet
	if !c.Writes {
		args = append(args, "--no-optional-locks")
		settings = append(settings[:len(settings):len(settings)], unmoved...)
	}
	for _, s := range append(settings[:len(settings):len(settings)], c.Config...) {
		args = append(args, "-c", s)
	}
	return append(args, c.Args...)
}

// bounded keeps the first max bytes and calls full, if set, when there are more. It has no ReadFrom, which would take all.
type bounded struct {
	kept []byte
	max  int
	cut  bool
	full func()
}

func (b *bounded) Write(p []byte) (int, error) {
	room := b.max - len(b.kept)
	b.kept = append(b.kept, p[:min(room, len(p))]...)
	if len(p) > room && !b.cut {
		b.cut = true
		if b.full != nil {
			b.full()
		}
	}
	return len(p), nil
}

func (b *bounded) text() string { return strings.ToValidUTF8(string(bytes.TrimSpace(b.kept)), "") }
