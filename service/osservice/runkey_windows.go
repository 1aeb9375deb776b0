package osservice

import (
	"context"
	"errors"

	"golang.org/x/sys/windows/registry"
)

// The keys of the person's own registry: what is started at log-on, and what of it the person switched off in the task
// manager.
const (
	runPath      = `Software\Microsoft\Windows\CurrentVersion\Run`
	approvedPath = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`
)

func (e *Entry) systems(context.Context) (use system, others []system) { return runKey{e.o}, nil }

// runKey is a value of the registry's Run key: Windows starts the program at log-on and leaves it to itself, so it gets a Keeper.
// Its services are of no use here: they are the administrator's, and run as someone else. Nor are its scheduled tasks: one that
// starts at log-on needs an administrator.
type runKey struct{ o Options }

func (r runKey) name() string { return "registry Run key" }

func (r runKey) place() string { return `HKCU\` + runPath + `\` + r.o.Program.Name }

func (r runKey) have() (string, error) {
	k, err := registry.OpenKey(registry.CURRENT_USER, runPath, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer k.Close() //nolint:errcheck // only read
	text, _, err := k.GetStringValue(r.o.Program.Name)
	if errors.Is(err, registry.ErrNotExist) {
		return "", nil
	}
	return text, err
}

func (r runKey) want(string) string { return runCommand(r.o.Program) }

// enabled: the task manager marks what was switched off by an odd first byte.
func (r runKey) enabled(context.Context) bool {
	k, err := registry.OpenKey(registry.CURRENT_USER, approvedPath, registry.QUERY_VALUE)
	if err != nil {
		return true
	}
	defer k.Close() //nolint:errcheck // only read
	mark, _, err := k.GetBinaryValue(r.o.Program.Name)
	return err != nil || len(mark) == 0 || mark[0]&1 == 0
}

func (r runKey) install(text string) error {
	k, _, err := registry.CreateKey(registry.CURRENT_USER, runPath, registry.SET_VALUE)
	if err != nil {
		return err
	}
	return errors.Join(k.SetStringValue(r.o.Program.Name, text), k.Close())
}

func (r runKey) remove(context.Context) error {
	var errs []error
	for _, path := range []string{runPath, approvedPath} {
		k, err := registry.OpenKey(registry.CURRENT_USER, path, registry.SET_VALUE)
		if errors.Is(err, registry.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := k.DeleteValue(r.o.Program.Name); err != nil && !errors.Is(err, registry.ErrNotExist) {
			errs = append(errs, err)
		}
		errs = append(errs, k.Close())
	}
	return errors.Join(errs...)
}

func (r runKey) start(context.Context) error { return Spawn(r.o.Program) }

func (r runKey) stop(ctx context.Context) error {
	return stopKept(ctx, r.o)
}

func (r runKey) state(ctx context.Context) (State, string) { return stateOf(ctx, r.o) }
