package llm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// dialect is how one command line is asked and how it answers.
type dialect interface {
	// args are the arguments for a call in a folder; they may write files there.
	args(dir string, o *Options, r *request) ([]string, error)
	// env are the variables that are set for the call.
	env(r *request) []string
	// input is what is written to the command.
	input(r *request) string
	// read makes a reply of what the command printed. exit is its exit code.
	read(stdout []byte, exit int) (reply, error)
	overhead() int64
}

// command asks an agent's command line, each time in an empty folder.
type command struct {
	o       Options
	program string
	dialect dialect
}

func newCommand(o Options) *command {
	c := &command{o: o, program: cmp.Or(o.Program, o.Provider), dialect: claude{}}
	if o.Provider == Codex {
		c.dialect = codex{}
	}
	return c
}

func (c *command) overhead() int64 { return c.dialect.overhead() }

// endTime is how long a command has for ending after it was told to.
const endTime = 5 * time.Second

func (c *command) call(ctx context.Context, r request) (reply, error) {
	path, err := exec.LookPath(c.program)
	if err != nil {
		return reply{}, &Failure{Kind: Setup, Detail: fmt.Sprintf("%s is not found: install it, or name its path in llm.program", c.program)}
	}
	if err := os.MkdirAll(c.o.Dir, 0o700); err != nil {
		return reply{}, &Failure{Kind: Setup, Detail: line(err.Error(), "")}
	}
	dir, err := os.MkdirTemp(c.o.Dir, "call-")
	if err != nil {
		return reply{}, &Failure{Kind: Setup, Detail: line(err.Error(), "")}
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what stays is removed at the next start
	args, err := c.dialect.args(dir, &c.o, &r)
	if err != nil {
		return reply{}, &Failure{Kind: Setup, Detail: line(err.Error(), "")}
	}
	cmd := exec.CommandContext(ctx, path, args...)
	alone(cmd)
	cmd.Dir, cmd.WaitDelay = dir, endTime
	cmd.Env = append(without(c.o.Environ(), nested), append(c.dialect.env(&r), "PWD="+dir)...)
	cmd.Stdin = strings.NewReader(c.dialect.input(&r))
	stdout, stderr := &tail{max: maxAnswer}, &tail{max: 8 << 10}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	runtime.LockOSThread() // on Linux a command ends with the thread that started it
	defer runtime.UnlockOSThread()
	err = cmd.Run()
	endRest(cmd)
	return c.outcome(ctx, err, stdout, stderr)
}

// outcome is what a command's end and output come to.
func (c *command) outcome(ctx context.Context, err error, stdout, stderr *tail) (reply, error) {
	if ctx.Err() != nil {
		return reply{}, ctx.Err()
	}
	var exit *exec.ExitError
	switch {
	case stdout.cut:
		return reply{}, &Failure{Kind: Server, Detail: c.program + " prints without end", final: true}
	case err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay):
		return reply{}, &Failure{Kind: Setup, Detail: line(err.Error(), "")}
	}
	code := 0
	if exit != nil {
		code = exit.ExitCode()
	}
	got, err := c.dialect.read(stdout.buf.Bytes(), code)
	if f := (*Failure)(nil); errors.As(err, &f) && f.Detail == "" {
		f.Detail = line(fmt.Sprintf("%s ended with code %d: %s", c.program, code, bytes.TrimSpace(stderr.buf.Bytes())), "")
	}
	return got, err
}

// nested are the variables by which an agent's program knows that it runs within another one.
var nested = []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SSE_PORT", "CLAUDE_PROJECT_DIR", "CODEX_SANDBOX",
	"CODEX_THREAD_ID", "PWD", "OLDPWD"}

// without leaves variables out of an environment.
func without(env, names []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(names, name)
	})
}

// tail keeps the last bytes of an output.
type tail struct {
	buf bytes.Buffer // not embedded: its ReadFrom would take all
	max int
	cut bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.buf.Write(p)
	if over := t.buf.Len() - t.max; over > 0 {
		t.cut = true
		t.buf.Next(over)
	}
	return len(p), nil
}

// told is a prompt for a program that takes one text.
func told(r *request) string {
	if r.broken == "" {
		return r.User
	}
	return r.User + "\n\nYou have answered before:\n\n" + r.broken + "\n\n" + r.mend()
}

// said makes a failure of the words in which a command line says what went wrong.
func said(message string) *Failure {
	low := strings.ToLower(message)
	f := &Failure{Kind: Server, Detail: line(message, "")}
	for _, c := range []struct {
		kind  Kind
		final bool
		words []string
	}{
		{Quota, true, []string{"usage limit", "limit reached", "hit your limit", "quota", "credit balance", "spend limit", "budget"}},
		{Auth, true, []string{"login", "log in", "logged in", "authenticat", "api key", "unauthorized", "401", "403", "oauth"}},
		{Quota, false, []string{"rate limit", "429", "too many requests"}},
		{Server, false, []string{"overloaded", "529", "500", "502", "503", "504"}},
		{TooLong, false, []string{"prompt is too long", "context window", "context_length", "maximum context"}},
		{Request, true, []string{"model", "unknown option", "unexpected argument", "400", "404"}},
		{Unreachable, false, []string{"connect", "network", "stream disconnected", "enotfound", "econn"}},
	} {
		for _, w := range c.words {
			if strings.Contains(low, w) {
				f.Kind, f.final = c.kind, c.final
				return f
			}
		}
	}
	return f
}
