package main

import (
	"context"
	"time"

	"dormouse/app/launch"
	"dormouse/service/osservice"
)

// startTime is how long a started service may take until it answers.
const startTime = 20 * time.Second

// programs are the other programs of Dormouse.
type programs struct {
	startService func(context.Context) error
	openWindow   func(args ...string) error
}

func systemPrograms() programs {
	return programs{
		startService: func(ctx context.Context) error {
			l, err := launch.System()
			if err != nil {
				return err
			}
			return l.Service(ctx)
		},
		openWindow: func(args ...string) error {
			l, err := launch.System()
			if err != nil {
				return err
			}
			exe, err := l.Find("dormouse-desktop")
			if err != nil {
				return err
			}
			return l.Spawn(osservice.Program{Name: "dormouse-desktop", Title: "Dormouse", Exe: exe, Args: args})
		},
	}
}
