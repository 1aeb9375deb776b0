package osservice

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Options are what an Entry is made of. Program and User must be set.
type Options struct {
	Program Program
	// User is the person's home folder.
	User string
	// ConfigHome is the folder of XDG autostart entries and their like; the default is User/.config.
	ConfigHome string
	// Stop asks the program to end and returns when it has, where the system has no means for that. It may be nil.
	Stop func(context.Context) error
	// Running reports whether the program runs, where the system does not know. It may be nil.
	Running func(context.Context) (bool, error)
	// Run runs a command of the system and returns what it prints; the default runs it.
	Run func(ctx context.Context, name string, args ...string) (string, error)
}

// Entry is what makes the system start a program. It may be used by one goroutine at a time.
type Entry struct{ o Options }

// New makes an entry's handle. It does no I/O.
func New(o Options) *Entry {
	if o.ConfigHome == "" {
		o.ConfigHome = filepath.Join(o.User, ".config")
	}
	if o.Run == nil {
		o.Run = runCommandLine
	}
	return &Entry{o: o}
}

func runCommandLine(ctx context.Context, name string, args ...string) (string, error) {
	var errs strings.Builder
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	return string(out), err
}

// Change is what an Install did.
type Change string

// The changes.
const (
	Installed Change = "installed"
	Upgraded  Change = "upgraded"  // another entry was there: of another place, release or setting
	Unchanged Change = "unchanged" // all was there already
)

// system is one way in which an operating system starts programs.
type system interface {
	// name is what people call it.
	name() string
	// place is the file or registry value that holds the entry.
	place() string
	// have is the entry's text; empty where there is none.
	have() (string, error)
	// want is the text to install over what is there.
	want(have string) string
	// enabled reports whether an entry that is there is heeded.
	enabled(context.Context) bool
	// install writes the entry where none is.
	install(text string) error
	// remove takes the entry back, but not the folders above it.
	remove(ctx context.Context) error
	start(context.Context) error
	stop(context.Context) error
	state(context.Context) (State, string)
}

// Install makes the system start the program at every log-on from now on. It does not start it, except anew when it runs
// under an entry that is replaced. It may be run again at any time.
func (e *Entry) Install(ctx context.Context) (Change, error) {
	if err := e.o.Program.check(); err != nil {
		return "", err
	}
	use, others := e.systems(ctx)
	for _, other := range others {
		if err := e.takeBack(ctx, other); err != nil {
			return "", err
		}
	}
	have, err := use.have()
	if err != nil {
		return "", fmt.Errorf("install %s: %w", use.place(), err)
	}
	want := use.want(have)
	if have == want && use.enabled(ctx) {
		return Unchanged, nil
	}
	if have == "" {
		if err := use.install(want); err != nil {
			return "", fmt.Errorf("install %s: %w", use.place(), err)
		}
		return Installed, nil
	}
	return Upgraded, e.replace(ctx, use, want)
}

// replace puts a new text in an entry's place.
func (e *Entry) replace(ctx context.Context, use system, text string) error {
	was, _ := use.state(ctx)
	runs := was == Running || was == Starting
	if runs {
		if err := use.stop(ctx); err != nil {
			return fmt.Errorf("stop the program that %s starts: %w", use.place(), err)
		}
	}
	if err := use.remove(ctx); err != nil {
		return fmt.Errorf("replace %s: %w", use.place(), err)
	}
	if err := use.install(text); err != nil {
		return fmt.Errorf("replace %s: %w", use.place(), err)
	}
	if !runs {
		return nil
	}
	return e.explain(use, "start", use.start(ctx))
}

// Uninstall stops what the system started and takes back all that Install made. Without an entry it does nothing and
// returns false.
func (e *Entry) Uninstall(ctx context.Context) (bool, error) {
	use, others := e.systems(ctx)
	found := false
	var errs []error
	for _, s := range append(others, use) {
		have, err := s.have()
		if err == nil && have == "" {
			continue
		}
		found = true
		errs = append(errs, err, e.takeBack(ctx, s))
	}
	return found, errors.Join(errs...)
}

// takeBack stops and removes an entry, if there is one.
func (e *Entry) takeBack(ctx context.Context, s system) error {
	have, err := s.have()
	if err != nil || have == "" {
		return err
	}
	if state, _ := s.state(ctx); state == Running || state == Starting {
		if err := s.stop(ctx); err != nil {
			return fmt.Errorf("stop what %s has started: %w", s.place(), err)
		}
	}
	if err := s.remove(ctx); err != nil {
		return fmt.Errorf("remove %s: %w", s.place(), err)
	}
	return prune(s.place(), madeIn(have))
}

// Start starts the program as the system will at log-on. It returns before the program is ready. The error wraps
// ErrNotInstalled where there is no entry.
func (e *Entry) Start(ctx context.Context) error {
	return e.act(ctx, "start", func(s system) error {
		if state, _ := s.state(ctx); state == Running {
			return nil
		}
		return s.start(ctx)
	})
}

// Stop ends what the system started, in order; it is started again at the next log-on.
func (e *Entry) Stop(ctx context.Context) error {
	return e.act(ctx, "stop", func(s system) error { return s.stop(ctx) })
}

// Restart is Stop, of what may not run, and Start.
func (e *Entry) Restart(ctx context.Context) error {
	return e.act(ctx, "restart", func(s system) error {
		if state, _ := s.state(ctx); state == Running || state == Starting {
			if err := s.stop(ctx); err != nil {
				return err
			}
		}
		return s.start(ctx)
	})
}

func (e *Entry) act(ctx context.Context, what string, do func(system) error) error {
	use, _ := e.systems(ctx)
	have, err := use.have()
	if err != nil {
		return fmt.Errorf("%s %s: %w", what, e.o.Program.Title, err)
	}
	if have == "" {
		return fmt.Errorf("%s %s: %w", what, e.o.Program.Title, ErrNotInstalled)
	}
	return e.explain(use, what, do(use))
}

func (e *Entry) explain(s system, what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s (%s, %s): %w", what, e.o.Program.Title, s.name(), s.place(), err)
}

// fileExists reports whether something lies at path.
func fileExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
