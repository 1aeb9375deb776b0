package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"dormouse/service/client"
	"dormouse/service/osservice"
	"dormouse/service/socket"
	"dormouse/store/home"
	"dormouse/store/process"
)

// How long stop waits for the service to end, and how often it looks.
const (
	stopTime = time.Minute
	stopLook = 100 * time.Millisecond
)

// stopped is what stop says as JSON.
type stopped struct {
	Stopped bool   `json:"stopped"`
	Home    string `json:"home"`
}

func stopCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "stop",
		Short: "Shut the service down, in order",
		Long: `Shut the service down in order: what is being captured is committed first. Agents work on as if Dormouse were not
installed; what they do meanwhile is captured at the next start. One that does not answer has its process ended, which loses
nothing.`,
		Example: `  dormouse stop`,
		Args:    takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := a.with(cmd.Context(), func(c *client.Client) error {
				if err := a.end(cmd.Context(), c); err != nil {
					return err
				}
				return a.saidStopped(home.At(c.Home()))
			})
			if who := (*heldError)(nil); errors.As(err, &who) && who.begins {
				return a.stopBeginning(cmd.Context(), who)
			}
			return err
		},
	}
}

func (a *app) saidStopped(h home.Home) error {
	return a.answer(stopped{Stopped: true, Home: h.Dir()}, func(v view) []string {
		return []string{"Dormouse has stopped (" + v.path(h.Dir()) + ")."}
	})
}

// stopBeginning ends a service that holds the state folder and does not listen, which how says.
func (a *app) stopBeginning(ctx context.Context, how error) error {
	h, err := home.Default(a.Env)
	if err != nil {
		return err
	}
	if err := a.endHung(ctx, h, how); err != nil {
		return err
	}
	return a.saidStopped(h)
}

// end has the service end in order, or has its process end where it does not answer.
func (a *app) end(ctx context.Context, c *client.Client) error {
	h := home.At(c.Home())
	if pid := socket.Holder(ctx, h.Dir()); pid != 0 && !process.IsOurs(pid) { // it might say yes to anything
		return atTheDoor(h, pid, false, client.ErrNotRunning)
	}
	err := c.Stop(ctx)
	switch {
	case errors.Is(err, client.ErrHung):
		return a.endHung(ctx, h, err)
	case err != nil:
		return err
	}
	return awaitEnd(ctx, c)
}

// hungTime is how long a service that does not answer has to end in order before its process is killed, and then to be gone.
const hungTime = 10 * time.Second

// endHung ends the process of a service that does not answer. A kill is as safe as a crash, which loses nothing. hung is returned where
// its process is not known.
func (a *app) endHung(ctx context.Context, h home.Home, hung error) error {
	pid, err := h.Holder()
	if err != nil || pid == 0 {
		return errors.Join(hung, err)
	}
	if !process.IsOurs(pid) {
		return fmt.Errorf("%s holds the state folder %s and is no Dormouse, so it is left alone; end it yourself (%s): %w", process.Said(pid), h.Dir(), process.HowToEnd(pid), hung)
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return errors.Join(hung, err)
	}
	a.note("The service does not answer; its process %d is told to end.", pid)
	if err := os.Remove(keepFile(h)); err != nil && !errors.Is(err, fs.ErrNotExist) { // whoever keeps it running is to let it go
		return err
	}
	if err := osservice.AskToEnd(p); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("end process %d: %w", pid, err)
	}
	if awaitFree(ctx, h) {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	a.note("It does not; it is killed.")
	if err := p.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("end process %d: %w", pid, err)
	}
	if !awaitFree(ctx, h) {
		return fmt.Errorf("process %d was killed and is still there: %w", pid, hung)
	}
	return nil
}

// awaitFree reports whether nobody holds the state folder any more, within hungTime.
func awaitFree(ctx context.Context, h home.Home) bool {
	ctx, cancel := context.WithTimeout(ctx, hungTime)
	defer cancel()
	look := time.NewTicker(stopLook)
	defer look.Stop()
	for {
		if free, err := h.Free(); err == nil && free {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-look.C:
		}
	}
}

// awaitEnd returns when nobody listens any more and all is put away.
func awaitEnd(ctx context.Context, c *client.Client) error {
	ctx, cancel := context.WithTimeoutCause(ctx, stopTime,
		errors.New("the service is still shutting down; see whether it has ended with: dormouse status"))
	defer cancel()
	look := time.NewTicker(stopLook)
	defer look.Stop()
	for {
		if on, err := c.Running(ctx); err == nil && !on {
			if free, err := home.At(c.Home()).Free(); err == nil && free {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-look.C:
		}
	}
}
