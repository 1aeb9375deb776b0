package model

import (
	"context"
	"errors"

	"dormouse/app/lang"
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
	t := &Trouble{Title: lang.Say("That did not work"), Text: lang.Say("Try again; if it stays, the service's log may tell more."), Detail: Clean(err.Error())}
	var refused *api.Error
	switch {
	case errors.Is(err, client.ErrNotRunning):
		t.Title, t.Start, t.Detail = lang.Say("Dormouse is not running"), true, ""
		t.Text = lang.Say("Your agents work as usual. What they write meanwhile is kept by them and captured when Dormouse starts.")
	case errors.Is(err, client.ErrHung):
		t.Title = lang.Say("Dormouse does not answer")
		t.Text = lang.Say("It may be very busy. This page comes back as soon as it answers; if it does not, stop it with “dormouse stop” and start it again.")
	case errors.Is(err, client.ErrVersion):
		t.Title = lang.Say("The window and the service are of different releases")
		t.Text = lang.Say("Stop the service with “dormouse stop”, then start it again.")
	case errors.As(err, &refused) && refused.Code == api.CodeNotFound:
		t.Title, t.Text, t.Detail = lang.Say("It is not there any more"), sentence(refused.Message), ""
	case errors.As(err, &refused) && refused.Code == api.CodeElsewhere:
		t.Title, t.Text, t.Detail = lang.Say("It is on another machine"), sentence(refused.Message), ""
	case errors.As(err, &refused) && refused.Code == api.CodeBusy:
		t.Title, t.Text, t.Detail = lang.Say("Dormouse is busy"), sentence(refused.Message), ""
	}
	return t
}

// failed is a notice of what did not work.
func failed(what string, err error) Notice {
	n := Notice{Tone: Bad}
	var refused *api.Error
	switch {
	case errors.Is(err, client.ErrNotRunning):
		n.Text = lang.Say("{what} is not possible: Dormouse is not running.", what)
	case errors.Is(err, context.Canceled):
		return Notice{Tone: Plain, Text: lang.Say("{what} was given up.", what)}
	case errors.As(err, &refused) && refused.Code == api.CodeBusy:
		n.Text, n.Tone = sentence(refused.Message), Warn
	default:
		n.Text = lang.Say("{what} failed: {why}", what, Clean(err.Error()))
	}
	return n
}

// asRefusal is the service's own answer to a request that it would not carry out.
func asRefusal(err error) (*api.Error, bool) {
	var e *api.Error
	ok := errors.As(err, &e)
	return e, ok
}
