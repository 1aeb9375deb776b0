// Package launch starts the programs of Dormouse from a desktop program: the service that the window asks, now and at log-on.
//
// It never stops one and never waits for one to come up.
package launch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"dormouse/service/osservice"
	"dormouse/store/home"
)

// Launcher knows where programs lie and how they are started. Fields that are nil or empty are the system's.
type Launcher struct {
	Self  string // path of this program; the others lie beside it
	User  string // the user's home folder
	Env   func(string) string
	Spawn func(osservice.Program) error
}

// System is the launcher of this process.
func System() (*Launcher, error) {
	l := &Launcher{Env: os.Getenv, Spawn: osservice.Spawn}
	var err error
	if l.Self, err = os.Executable(); err != nil {
		return nil, fmt.Errorf("find out where this program lies: %w", err)
	}
	if l.User, err = os.UserHomeDir(); err != nil {
		return nil, fmt.Errorf("find your home folder: %w", err)
	}
	return l, nil
}

// Service has the system start the service where it is installed, and starts it itself where it is not, or where a state
// folder of its own is asked for.
func (l *Launcher) Service(ctx context.Context) error {
	exe, err := l.Find("dormouse")
	if err != nil {
		return err
	}
	if l.Env(home.EnvHome) == "" {
		entry := l.entry(exe)
		if known, err := entry.Status(ctx); err == nil && known.Installed {
			return entry.Start(ctx)
		}
	}
	return l.Spawn(serviceProgram(exe)) // it inherits our variables
}

func serviceProgram(exe string) osservice.Program {
	return osservice.Program{Name: "dormouse", Title: "Dormouse", Exe: exe, Args: []string{"up", "--service"}}
}

// Find is a program of Dormouse: the one beside this one, else the one on PATH.
func (l *Launcher) Find(name string) (string, error) {
	file := name
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	beside := filepath.Join(filepath.Dir(l.Self), file)
	if info, err := os.Stat(beside); err == nil && !info.IsDir() {
		return beside, nil
	}
	found, err := exec.LookPath(file)
	if err == nil {
		found, err = filepath.Abs(found)
	}
	if err != nil {
		return "", fmt.Errorf("the program %s is neither in %s nor on PATH; install it there", name, filepath.Dir(l.Self))
	}
	return found, nil
}
