package main

import (
	"context"
	"errors"
	"fmt"

	"dormouse/service/client"
	"dormouse/service/socket"
	"dormouse/store/home"
	"dormouse/store/process"
)

// heldError is what is wrong when something else than a service in order has the state folder's lock or its socket. It wraps the error with
// which that was noticed, which gives the exit code.
type heldError struct {
	text, remedy string
	cause        error
	begins       bool // it is a service, which begins or ends
}

func (e *heldError) Error() string { return e.text + "; " + e.remedy }

func (e *heldError) Unwrap() error { return e.cause }

// InTheWay is for the doctor.
func (e *heldError) InTheWay() (text, remedy string) { return e.text, e.remedy }

// held says who is in the way where the service of a state folder could not be asked. Other errors, and answers of the service, stay as
// they are.
func (a *app) held(ctx context.Context, h home.Home, err error) error {
	var known *heldError
	if ctx.Err() != nil || !client.Unanswered(err) || errors.As(err, &known) {
		return err
	}
	if who := inTheWay(ctx, h, err); who != nil {
		return who
	}
	return err
}

// inTheWay looks who has the lock and the socket of a state folder whose service could not be asked, which err says. It returns nil where
// that is as it should be: nobody, or one service that does not answer.
func inTheWay(ctx context.Context, h home.Home, err error) *heldError {
	free, looked := h.Free()
	if looked != nil {
		return nil
	}
	if door := socket.Holder(ctx, h.Dir()); door != 0 {
		return atTheDoor(h, door, free, err)
	}
	pid, looked := h.Holder()
	switch {
	case free || looked != nil || pid == 0 || !errors.Is(err, client.ErrNotRunning):
		return nil
	case !process.IsOurs(pid):
		return &heldError{text: fmt.Sprintf("no service can run: %s holds the lock %s and is none of Dormouse", process.Said(pid), h.LockFile()),
			remedy: fmt.Sprintf("end it (%s), then: dormouse up", process.HowToEnd(pid)), cause: err}
	}
	return &heldError{text: fmt.Sprintf("the Dormouse service is beginning or ending: %s holds the state folder %s and does not listen", process.Said(pid), h.Dir()),
		remedy: "if it stays like this: dormouse stop, which ends it", cause: err, begins: true}
}

// atTheDoor is what is wrong with the process that listens, if anything.
func atTheDoor(h home.Home, pid int, free bool, err error) *heldError {
	remedy := fmt.Sprintf("end it (%s), then: dormouse up", process.HowToEnd(pid))
	switch {
	case !process.IsOurs(pid):
		return &heldError{text: fmt.Sprintf("%s listens at the service's socket %s and is no Dormouse", process.Said(pid), socket.Path(h.Dir())), remedy: remedy, cause: err}
	case free:
		return &heldError{text: fmt.Sprintf("%s listens at the service's socket %s without holding the lock %s, which somebody may have deleted", process.Said(pid),
			socket.Path(h.Dir()), h.LockFile()), remedy: remedy, cause: err}
	}
	return nil
}
