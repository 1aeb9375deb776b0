//go:build !linux

package main

import (
	"context"

	"github.com/gen2brain/beeep"

	"dormouse/app/model"
)

// libraryNotifier shows notifications through beeep, which knows no clicks.
type libraryNotifier struct{}

func newNotifier(func(string)) notifier {
	beeep.AppName = "Dormouse"
	return libraryNotifier{}
}

func (libraryNotifier) Notify(_ context.Context, m model.TrayMessage) error {
	return beeep.Notify(scriptSafe(m.Title), scriptSafe(m.Body), "") // a picture would have to lie in a file that stays
}

func (libraryNotifier) Close() {}
