package model

import (
	"context"
	"errors"

	"dormouse/service/api"
	"dormouse/service/client"
)

// Trouble is what a page shows in place of its content when the service did not answer.
type Trouble struct {
	Title, Text string
	// Start offers to start the service.
	Start bool
	// Detail is the error itself, for those who want to know.
	Detail string
}

// troubleOf says what an error of the service means and what to do; nil for no error.
func troubleOf(err error) *Trouble {
	if err == nil {
		return nil
	}
	t := &Trouble{Title: "That did not work", Text: "Try again; if it stays, the service's log may tell more.", Detail: Clean(err.Error())}
	var refused *api.Error
	switch {
	case errors.Is(err, client.ErrNotRunning):
		t.Title, t.Start, t.Detail = "Dormouse is not running", true, ""
		t.Text = "Your agents work as usual. What they write meanwhile is kept by them and captured when Dormouse starts."
	case errors.Is(err, client.ErrHung):
		t.Title = "Dormouse does not answer"
		t.Text = "It may be very busy. This page comes back as soon as it answers; if it does not, stop it with “dormouse stop” and start it again."
	case errors.Is(err, client.ErrVersion):
		t.Title = "The window and the service are of different releases"
		t.Text = "Stop the service with “dormouse stop”, then start it again."
	case errors.As(err, &refused) && refused.Code == api.CodeNotFound:
		t.Title, t.Text, t.Detail = "It is not there any more", sentence(refused.Message), ""
	case errors.As(err, &refused) && refused.Code == api.CodeElsewhere:
		t.Title, t.Text, t.Detail = "It is on another machine", sentence(refused.Message), ""
	case errors.As(err, &refused) && refused.Code == api.CodeBusy:
		t.Title, t.Text, t.Detail = "Dormouse is busy", sentence(refused.Message), ""
	}
	return t
}

// failed is a notice of what did not work.
func failed(what string, err error) Notice {
	n := Notice{Tone: Bad}
	var refused *api.Error
	switch {
	case errors.Is(err, client.ErrNotRunning):
		n.Text = what + " is not possible: Dormouse is not running."
	case errors.Is(err, context.Canceled):
		return Notice{Tone: Plain, Text: what + " was given up."}
	case errors.As(err, &refused) && refused.Code == api.CodeBusy:
		n.Text, n.Tone = sentence(refused.Message), Warn
	default:
		n.Text = what + " failed: " + Clean(err.Error())
	}
	return n
}

// asRefusal is the service's own answer to a request that it would not carry out.
func asRefusal(err error) (*api.Error, bool) {
	var e *api.Error
	ok := errors.As(err, &e)
	return e, ok
}
