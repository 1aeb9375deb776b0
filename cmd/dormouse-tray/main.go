// Command dormouse-tray is the icon in the system's tray, and the desktop notifications: it follows the running service live,
// over the local socket, and says so when there is none.
//
// It never opens the state folder, and has no window: that is dormouse-desktop's, which it starts when asked. Without a tray
// it goes on for the notifications.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"dormouse/app/lang"
	"dormouse/service/config"
	"dormouse/store/home"
)

func main() {
	runtime.LockOSThread() // the tray of most systems belongs to the first thread
	os.Exit(start(os.Args[1:]))
}

// start runs the tray until the person quits it or the process is told to end, and returns the exit code.
func start(args []string) int {
	fail := func(code int, err error) int {
		_, _ = fmt.Fprintln(os.Stderr, "dormouse-tray:", err) // nobody to tell if that fails
		return code
	}
	if err := readVars(args, os.Stderr); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return fail(2, err)
	}
	h, err := home.Default(os.Getenv)
	if err != nil {
		return fail(1, err)
	}
	c, _ := config.Load(h.Config()) // settings that cannot be read are told by the service
	lang.Choose(c.Window.Language)
	lock, err := alone(h.Dir(), os.Getenv)
	if errors.Is(err, errAnother) {
		return fail(0, err)
	}
	if err != nil {
		return fail(1, err)
	}
	defer lock.Close() //nolint:errcheck // the system takes it back
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	app := newApp(h, stop)
	if err := screen(os.Getenv); err != nil {
		app.withoutTray(ctx, lang.Say("There is no tray here ({why}).", err.Error()))
		app.run(ctx, nil)
		return 0
	}
	runBar(ctx, app)
	return 0
}

// readVars takes the command line: --env NAME=VALUE, which sets a variable where the system that starts the tray could not.
func readVars(args []string, out io.Writer) error {
	set := flag.NewFlagSet("dormouse-tray", flag.ContinueOnError)
	set.SetOutput(out)
	set.Usage = func() {
		_, _ = fmt.Fprintln(out, "dormouse-tray shows Dormouse in the tray and notifies you of what it learned.\n\n"+
			"Have it start when you log on: dormouse service install --tray\n"+
			"Another state folder:          DORMOUSE_HOME=/data/m dormouse-tray")
	}
	set.Func("env", "set a variable, as NAME=VALUE", func(v string) error {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return fmt.Errorf("%q is not NAME=VALUE", v)
		}
		return os.Setenv(name, value)
	})
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return fmt.Errorf("it takes no arguments, not %q", set.Arg(0))
	}
	return nil
}
