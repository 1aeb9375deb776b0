package osservice

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/kardianos/service"
)

// askTime is how long systemd may take to answer a question.
const askTime = 5 * time.Second

// systems are the way to use here, and the others, which may have been used before. Programs that need the desktop are
// started with it.
func (e *Entry) systems(ctx context.Context) (use system, others []system) {
	auto, unit := autostart{e.o}, newSystemd(e.o)
	version, there := unit.manager(ctx)
	if e.o.Program.Desktop || !there {
		return auto, []system{unit}
	}
	unit.version = version
	return unit, []system{auto}
}

// systemd is a unit of the systemd user manager.
type systemd struct {
	managed
	version int // of systemd
}

func newSystemd(o Options) *systemd {
	s := &systemd{}
	// kardianos/service does not look at XDG_CONFIG_HOME, and a user manager has seldom been told of it.
	s.managed = managed{o: o, option: optionSystemd, open: openSystemd,
		file: filepath.Join(o.User, ".config", "systemd", "user", o.Program.Name+".service"),
		text: func(made int) string { return unit(o.Program, s.version, made) }}
	return s
}

// openSystemd takes systemd whatever kardianos/service makes of this machine: the user manager has answered.
func openSystemd(i service.Interface, c *service.Config) (service.Service, error) {
	for _, s := range service.AvailableSystems() {
		if s.String() == "linux-systemd" {
			return s.New(i, c)
		}
	}
	return nil, errors.New("kardianos/service knows no systemd")
}

func (s *systemd) name() string { return "systemd user unit" }

func (s *systemd) unit() string { return s.o.Program.Name + ".service" }

// manager reports whether the person's systemd user manager answers, and its version.
func (s *systemd) manager(ctx context.Context) (version int, there bool) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	out, err := s.o.Run(ctx, "systemctl", "--user", "show", "--property=Version", "--value")
	if err != nil {
		return 0, false
	}
	digits := strings.TrimSpace(out)
	if i := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		digits = digits[:i]
	}
	version, err = strconv.Atoi(digits)
	return version, err == nil
}

func (s *systemd) enabled(ctx context.Context) bool {
	return s.show(ctx)["UnitFileState"] == "enabled"
}

// remove takes the unit back; by hand where the user manager is not there to do it.
func (s *systemd) remove(ctx context.Context) error {
	if _, there := s.manager(ctx); there {
		if err := s.uninstall(); err != nil {
			return err
		}
		// A unit that has failed is kept in mind, though its file is gone.
		_, _ = s.o.Run(ctx, "systemctl", "--user", "reset-failed", s.unit()) //nolint:errcheck // most have not failed
		return nil
	}
	wants := filepath.Join(filepath.Dir(s.file), "default.target.wants")
	if link := filepath.Join(wants, s.unit()); fileExists(link) {
		if err := os.Remove(link); err != nil {
			return err
		}
		_ = os.Remove(wants) // other units may be in it
	}
	return os.Remove(s.file)
}

// lingerFolder holds a file for every person whose user manager outlives the log-out (loginctl enable-linger).
const lingerFolder = "/var/lib/systemd/linger"

func (s *systemd) linger() string {
	me, err := user.Current()
	switch {
	case err != nil || !fileExists(filepath.Dir(lingerFolder)):
		return ""
	case fileExists(filepath.Join(lingerFolder, me.Username)):
		return "yes"
	}
	return "no"
}

// show asks systemd for what it knows of the unit.
func (s *systemd) show(ctx context.Context) map[string]string {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	out, err := s.o.Run(ctx, "systemctl", "--user", "show", s.unit(),
		"--property=LoadState,ActiveState,SubState,Result,NRestarts,ExecMainStatus,UnitFileState,ConditionResult")
	if err != nil {
		return nil
	}
	known := map[string]string{}
	for line := range strings.Lines(out) {
		k, v, _ := strings.Cut(strings.TrimSpace(line), "=")
		known[k] = v
	}
	return known
}

// state is systemd's word. Its "activating" is also the wait before a failed program is started again.
func (s *systemd) state(ctx context.Context) (State, string) {
	known := s.show(ctx)
	if known == nil {
		return Unknown, "the systemd user manager does not answer"
	}
	detail := ""
	if n := known["NRestarts"]; n != "" && n != "0" {
		detail = fmt.Sprintf("started again %s times after a failure", n)
	}
	switch known["ActiveState"] {
	case "active", "reloading":
		return Running, detail
	case "activating":
		if known["SubState"] == "auto-restart" {
			detail = strings.TrimPrefix(detail+"; ", "; ") + "waits before it starts it again: " + failure(known)
		}
		return Starting, detail
	case "deactivating":
		return Running, "it is shutting down"
	case "failed":
		return Failed, failure(known)
	}
	if known["ConditionResult"] == "no" && known["NRestarts"] == "0" && known["ExecMainStatus"] == "0" && !fileExists(s.o.Program.Exe) {
		return Stopped, "the program is not there: " + s.o.Program.Exe
	}
	return Stopped, detail
}

// failure tells how a unit's program ended.
func failure(known map[string]string) string {
	if known["Result"] == "exit-code" {
		return "it ended with exit code " + known["ExecMainStatus"]
	}
	return "it ended with " + known["Result"]
}
