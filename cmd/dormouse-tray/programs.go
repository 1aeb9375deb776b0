package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"dormouse/service/osservice"
	"dormouse/store/home"
)

// startTime is how long a started service may take until it answers.
const startTime = 20 * time.Second

// programs are the other programs of Dormouse.
type programs struct {
	startService func(context.Context) error
	openWindow   func() error
}

func systemPrograms(h home.Home) programs {
	return programs{
		startService: func(ctx context.Context) error { return startService(ctx, h) },
		openWindow: func() error {
			exe, err := find("dormouse-desktop")
			if err != nil {
				return err
			}
			return osservice.Spawn(osservice.Program{Name: "dormouse-desktop", Title: "Dormouse", Exe: exe})
		},
	}
}

// startService has the system start the service where it is installed, and starts it itself where it is not.
func startService(ctx context.Context, h home.Home) error {
	exe, err := find("dormouse")
	if err != nil {
		return err
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	p := osservice.Program{Name: "dormouse", Title: "Dormouse", Exe: exe, Args: []string{"up", "--service"}}
	entry := osservice.New(osservice.Options{Program: p, User: user, ConfigHome: os.Getenv("XDG_CONFIG_HOME")})
	known, err := entry.Status(ctx)
	if err == nil && known.Installed && os.Getenv(home.EnvHome) == "" {
		return entry.Start(ctx)
	}
	return osservice.Spawn(p) // it inherits our variables
}

// find is a program of Dormouse: the one beside this one, else the one on PATH.
func find(name string) (string, error) {
	file := name
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), file)
		if info, err := os.Stat(beside); err == nil && !info.IsDir() {
			return beside, nil
		}
	}
	found, err := exec.LookPath(file)
	if err == nil {
		found, err = filepath.Abs(found)
	}
	if err != nil {
		return "", fmt.Errorf("%s is neither beside dormouse-tray nor on PATH; install it there", name)
	}
	return found, nil
}
