package osservice

import (
	"context"
	"os"
	"path/filepath"
)

// autostart is an XDG autostart entry: the desktop starts the program at log-on, and leaves it to itself, so it gets a Keeper.
type autostart struct{ o Options }

func (a autostart) name() string { return "XDG autostart entry" }

func (a autostart) place() string {
	return filepath.Join(a.o.ConfigHome, "autostart", a.o.Program.Name+".desktop")
}

func (a autostart) have() (string, error) { return read(a.place()) }

func (a autostart) want(have string) string {
	return desktopEntry(a.o.Program, madeIn(have)+missing(a.place()))
}

func (a autostart) enabled(context.Context) bool { return true }

func (a autostart) install(text string) error {
	if err := os.MkdirAll(filepath.Dir(a.place()), 0o700); err != nil {
		return err
	}
	return os.WriteFile(a.place(), []byte(text), 0o644)
}

func (a autostart) remove(context.Context) error { return os.Remove(a.place()) }

func (a autostart) start(context.Context) error { return Spawn(a.o.Program) }

func (a autostart) stop(ctx context.Context) error {
	return stopKept(ctx, a.o)
}

func (a autostart) state(ctx context.Context) (State, string) { return stateOf(ctx, a.o) }
