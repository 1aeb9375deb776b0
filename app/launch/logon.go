package launch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"dormouse/service/osservice"
	"dormouse/store/home"
)

// wants is where systemd notes that a unit is started with a session, below a folder of units. A package brings a unit that is not enabled;
// an administrator or the person may have enabled it.
const wants = "systemd/user/default.target.wants/dormouse.service"

// LogOn knows whether the system starts Dormouse when the person logs on, and has it do so. The person is asked once: an answer is kept in a
// file of the state folder.
type LogOn struct {
	l        *Launcher
	answered string   // the file that is there once the person has answered
	enabled  []string // files of which one is there where the service starts without an entry of ours
	// Run runs a program to its end and returns what it said; nil does.
	Run func(ctx context.Context, exe string, args ...string) (string, error)

	once   sync.Once
	wanted bool
}

// LogOn is the log-on's question for a state folder.
func (l *Launcher) LogOn(h home.Home) *LogOn {
	return &LogOn{l: l, answered: filepath.Join(h.Run(), "log-on-answered"),
		enabled: []string{filepath.Join("/etc", wants), filepath.Join(l.configHome(), wants)}, Run: output}
}

// Wanted reports whether the person is to be asked. The system is asked once, which may take a while. Nobody is asked for another state
// folder than the usual one.
func (o *LogOn) Wanted(ctx context.Context) bool {
	if _, err := os.Stat(o.answered); !errors.Is(err, fs.ErrNotExist) || o.l.Env(home.EnvHome) != "" {
		return false
	}
	o.once.Do(func() { o.wanted = o.missing(ctx) })
	return o.wanted
}

// missing reports whether nothing starts Dormouse at log-on, and something could.
func (o *LogOn) missing(ctx context.Context) bool {
	for _, file := range o.enabled {
		if _, err := os.Lstat(file); err == nil {
			return false
		}
	}
	exe, err := o.l.Find("dormouse")
	if err != nil {
		return false
	}
	known, err := o.l.entry(exe).Status(ctx)
	return err == nil && !known.Installed
}

// Install has the system start service and tray, now and at every log-on.
func (o *LogOn) Install(ctx context.Context) error {
	exe, err := o.l.Find("dormouse")
	if err != nil {
		return err
	}
	said, err := o.Run(ctx, exe, "service", "install", "--tray")
	if err != nil {
		return fmt.Errorf("%s service install --tray: %w: %s", exe, err, strings.TrimSpace(said))
	}
	return o.Answer()
}

// Answer keeps that the person has answered, so that they are not asked again.
func (o *LogOn) Answer() error {
	err := home.Mkdir(filepath.Dir(o.answered))
	if err == nil {
		err = home.WriteFile(o.answered, nil)
	}
	if err != nil {
		return fmt.Errorf("keep your answer: %w", err)
	}
	return nil
}

// configHome is where the person's programs keep their settings on Linux.
func (l *Launcher) configHome() string {
	if dir := l.Env("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(l.User, ".config")
}

// entry is what the system knows of the service.
func (l *Launcher) entry(exe string) *osservice.Entry {
	return osservice.New(osservice.Options{Program: serviceProgram(exe), User: l.User, ConfigHome: l.Env("XDG_CONFIG_HOME")})
}

func output(ctx context.Context, exe string, args ...string) (string, error) {
	said, err := exec.CommandContext(ctx, exe, args...).CombinedOutput() //nolint:gosec // the command line beside this program
	return string(said), err
}
