package osservice

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// bed is a person's home folder on a machine with or without a systemd user manager.
type bed struct {
	t       *testing.T
	user    string
	systemd string // the manager's state; not there means no manager
	o       Options
}

func newBed(t *testing.T, withSystemd bool) *bed {
	b := &bed{t: t, user: t.TempDir(), systemd: filepath.Join(t.TempDir(), "systemd")}
	here, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", here+":"+os.Getenv("PATH"))
	t.Setenv("HOME", b.user)
	t.Setenv("FAKE_SYSTEMD", b.systemd)
	if withSystemd {
		b.manager(true)
	}
	b.o = Options{User: b.user, Program: Program{Name: "dormouse", Title: "Dormouse", Exe: "/bin/true", Args: []string{"up", "--service"}}}
	return b
}

func (b *bed) manager(on bool) {
	b.t.Helper()
	var err error
	if on {
		err = os.MkdirAll(b.systemd, 0o700)
	} else {
		err = os.RemoveAll(b.systemd)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// says sets what the manager knows of the unit.
func (b *bed) says(lines string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.systemd, "state"), []byte(lines+"\n"), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bed) calls() string {
	out, _ := os.ReadFile(filepath.Join(b.systemd, "calls"))
	return string(out)
}

// tree is every file below the home folder with its bytes, every folder and every link.
func (b *bed) tree() string {
	b.t.Helper()
	var out []string
	err := filepath.WalkDir(b.user, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		text := ""
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			text, err = os.Readlink(path)
		case d.Type().IsRegular():
			var data []byte
			data, err = os.ReadFile(path)
			text = string(data)
		}
		out = append(out, fmt.Sprintf("%s %s %q", d.Type(), strings.TrimPrefix(path, b.user), text))
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func (b *bed) install(want Change) {
	b.t.Helper()
	got, err := New(b.o).Install(b.t.Context())
	if err != nil || got != want {
		b.t.Fatalf("install: %q, %v; want %q", got, err, want)
	}
}

func (b *bed) status() Status {
	b.t.Helper()
	s, err := New(b.o).Status(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

func (b *bed) write(path, text string) {
	b.t.Helper()
	path = filepath.Join(b.user, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func TestUninstallLeavesNothingBehind(t *testing.T) {
	for _, manager := range []bool{true, false} {
		for _, there := range [][]string{nil, {".config/x"}, {".config/autostart/other.desktop", ".config/systemd/user/other.service"},
			{".config/systemd/user/default.target.wants/other.service"}} {
			b := newBed(t, manager)
			for _, path := range there {
				b.write(path, "theirs")
			}
			before := b.tree()
			b.install(Installed)
			if b.tree() == before {
				t.Fatal("nothing was installed")
			}
			b.o.Program.Exe = "/bin/false" // an upgrade in between keeps the books
			b.install(Upgraded)
			if found, err := New(b.o).Uninstall(t.Context()); err != nil || !found {
				t.Fatalf("uninstall: %v, %v", found, err)
			}
			if after := b.tree(); after != before {
				t.Errorf("with systemd %v beside %v, left behind:\n%s\nbefore:\n%s", manager, there, after, before)
			}
			if found, err := New(b.o).Uninstall(t.Context()); err != nil || found {
				t.Errorf("uninstall again: %v, %v", found, err)
			}
		}
	}
}

func TestInstallAgainChangesNothingOrWhatIsOld(t *testing.T) {
	for _, manager := range []bool{true, false} {
		b := newBed(t, manager)
		b.install(Installed)
		first := b.tree()
		b.install(Unchanged)
		if b.tree() != first {
			t.Error("a second install changed something")
		}
		b.o.Program.Exe = "/bin/false"
		if s := b.status(); !s.Installed || !s.Outdated {
			t.Errorf("an entry of another path is not told: %+v", s)
		}
		b.install(Upgraded)
		if s := b.status(); s.Outdated || !s.Enabled || !strings.Contains(b.tree(), "/bin/false") || strings.Contains(b.tree(), "/bin/true") {
			t.Errorf("%+v\n%s", s, b.tree())
		}
	}
}

func TestAnEntryThatIsSwitchedOffIsSwitchedOnByInstall(t *testing.T) {
	b := newBed(t, true)
	b.install(Installed)
	if err := os.Remove(filepath.Join(b.user, ".config/systemd/user/default.target.wants/dormouse.service")); err != nil {
		t.Fatal(err)
	}
	if b.status().Enabled {
		t.Error("it counts as enabled")
	}
	b.install(Upgraded)
	if !b.status().Enabled {
		t.Error("it is still off")
	}
}

func TestAnUpgradeStartsAnewWhatRunsAndNothingElse(t *testing.T) {
	b := newBed(t, true)
	b.install(Installed)
	b.o.Program.Exe = "/bin/false"
	b.install(Upgraded)
	if calls := b.calls(); strings.Contains(calls, "start --user dormouse.service") {
		t.Errorf("a stopped service was started:\n%s", calls)
	}
	b.says("ActiveState=active")
	b.o.Program.Exe = "/bin/true"
	b.install(Upgraded)
	calls := b.calls()
	stop, start := strings.LastIndex(calls, "stop --user dormouse.service"), strings.LastIndex(calls, "start --user dormouse.service")
	if stop < 0 || start < stop {
		t.Errorf("a running service was not restarted:\n%s", calls)
	}
}

func TestTheMachineMayHaveGainedOrLostSystemd(t *testing.T) {
	b := newBed(t, false)
	empty := b.tree()
	b.install(Installed)
	b.manager(true)
	if s := b.status(); !s.Installed || !s.Outdated || s.System != "XDG autostart entry" {
		t.Errorf("%+v", s)
	}
	b.install(Installed)
	if s := b.status(); s.System != "systemd user unit" || s.Outdated || strings.Contains(b.tree(), "autostart") {
		t.Errorf("%+v\n%s", s, b.tree())
	}
	b.manager(false)
	if found, err := New(b.o).Uninstall(t.Context()); !found || err != nil || b.tree() != empty {
		t.Errorf("without the manager: %v, %v\n%s", found, err, b.tree())
	}
}

func TestProgramsOfTheDesktopAreStartedWithIt(t *testing.T) {
	b := newBed(t, true)
	b.o.Program.Name, b.o.Program.Desktop = "dormouse-tray", true
	b.install(Installed)
	if s := b.status(); s.System != "XDG autostart entry" || s.Place != filepath.Join(b.user, ".config/autostart/dormouse-tray.desktop") {
		t.Errorf("%+v", s)
	}
}

func TestTheStateIsSystemdsWordWithItsReason(t *testing.T) {
	b := newBed(t, true)
	b.install(Installed)
	for says, want := range map[string]string{
		"ActiveState=active\nNRestarts=0":        "running ",
		"ActiveState=active\nNRestarts=3":        "running started again 3 times after a failure",
		"ActiveState=reloading":                  "running ",
		"ActiveState=activating\nSubState=start": "starting ",
		"ActiveState=activating\nSubState=auto-restart\nResult=exit-code\nExecMainStatus=1": "starting waits before it starts it again: it ended with exit code 1",
		"ActiveState=activating\nSubState=auto-restart\nResult=signal\nNRestarts=2":         "starting started again 2 times after a failure; waits before it starts it again: it ended with signal",
		"ActiveState=deactivating":            "running it is shutting down",
		"ActiveState=failed\nResult=oom-kill": "failed it ended with oom-kill",
		"ActiveState=inactive":                "stopped ",
		"ActiveState=inactive\nConditionResult=no\nNRestarts=0\nExecMainStatus=0\nResult=success\nX=y": "stopped ",
	} {
		b.says(says)
		if s := b.status(); string(s.State)+" "+s.Detail != want {
			t.Errorf("%q is told as %q %q", says, s.State, s.Detail)
		}
	}
	b.o.Program.Exe = "/nowhere/dormouse"
	b.says("ActiveState=inactive\nConditionResult=no\nNRestarts=0\nExecMainStatus=0")
	if s := b.status(); s.State != Stopped || s.Detail != "the program is not there: /nowhere/dormouse" {
		t.Errorf("%+v", s)
	}
	if err := os.WriteFile(filepath.Join(b.systemd, "fail-show"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := b.status(); s.State != Unknown || s.Detail == "" {
		t.Errorf("%+v", s)
	}
}

func TestStartStopAndRestartNeedAnEntry(t *testing.T) {
	for _, manager := range []bool{true, false} {
		b := newBed(t, manager)
		e := New(b.o)
		for _, do := range []func(context.Context) error{e.Start, e.Stop, e.Restart} {
			if err := do(t.Context()); !errors.Is(err, ErrNotInstalled) || !strings.Contains(err.Error(), "dormouse service install") {
				t.Errorf("%v", err)
			}
		}
	}
}

func TestSystemdStartsStopsAndRestarts(t *testing.T) {
	b := newBed(t, true)
	b.install(Installed)
	e := New(b.o)
	for _, step := range []struct {
		do   func(context.Context) error
		want State
	}{{e.Start, Running}, {e.Start, Running}, {e.Restart, Running}, {e.Stop, Stopped}, {e.Restart, Running}} {
		if err := step.do(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := b.status(); s.State != step.want {
			t.Errorf("%+v, want %s", s, step.want)
		}
	}
	for _, fail := range []string{"fail-stop", "fail-start"} {
		if err := os.WriteFile(filepath.Join(b.systemd, fail), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.o.Program.Exe = "/bin/false"
	if _, err := New(b.o).Install(t.Context()); err == nil || !strings.Contains(err.Error(), "dormouse.service") {
		t.Errorf("a failed upgrade: %v", err)
	}
	if _, err := New(b.o).Uninstall(t.Context()); err == nil {
		t.Error("a failed stop is not told")
	}
	b.says("ActiveState=inactive")
	if err := e.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "systemd user unit") {
		t.Errorf("a failed start: %v", err)
	}
}

func TestWithoutSystemdTheProgramIsStartedByHandAndStoppedByItsOwnDoor(t *testing.T) {
	b := newBed(t, false)
	mark, log := filepath.Join(t.TempDir(), "mark"), filepath.Join(t.TempDir(), "log")
	running, fails := false, error(nil)
	b.o.Program = Program{Name: "dormouse", Title: "Dormouse", Exe: "/bin/sh", Log: log, Env: map[string]string{"DORMOUSE_HOME": "/x"},
		Args: []string{"-c", `echo oops >&2; echo "$DORMOUSE_HOME" >` + mark + `.tmp; mv ` + mark + `.tmp ` + mark}}
	b.o.Running = func(context.Context) (bool, error) { return running, fails }
	b.o.Stop = func(context.Context) error { running = false; return nil }
	b.install(Installed)
	e := New(b.o)
	if err := e.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for !fileExists(mark) {
		time.Sleep(time.Millisecond)
	}
	if got, _ := read(mark); got != "/x\n" {
		t.Errorf("its variables: %q", got)
	}
	if got, _ := read(log); got != "oops\n" {
		t.Errorf("its log: %q", got)
	}
	running = true
	if s := b.status(); s.State != Running || !s.Enabled {
		t.Errorf("%+v", s)
	}
	if err := e.Start(t.Context()); err != nil {
		t.Error(err)
	}
	if err := e.Restart(t.Context()); err != nil || running {
		t.Errorf("restart: %v", err)
	}
	if err := e.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	fails = errors.New("it hangs")
	if s := b.status(); s.State != Unknown || s.Detail != "it hangs" {
		t.Errorf("%+v", s)
	}
	b.o.Program.Exe, b.o.Running, b.o.Stop = "/nowhere/x", nil, nil
	b.install(Upgraded)
	if err := New(b.o).Start(t.Context()); err == nil || !strings.Contains(err.Error(), "/nowhere/x") {
		t.Errorf("%v", err)
	}
	if err := New(b.o).Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestWhatLiesInTheWayIsTold(t *testing.T) {
	b := newBed(t, false)
	b.write(".config/autostart", "a file, not a folder")
	if _, err := New(b.o).Install(t.Context()); err == nil || !strings.Contains(err.Error(), "autostart") {
		t.Errorf("%v", err)
	}
	b.o.Program.Exe = "relative"
	if _, err := New(b.o).Install(t.Context()); err == nil {
		t.Error("a relative path is installed")
	}
	if Spawn(b.o.Program) == nil {
		t.Error("a relative path is started")
	}
	b.o.Program.Exe, b.o.Program.Log = "/bin/true", "/nowhere/log"
	if err := Spawn(b.o.Program); err == nil || !strings.Contains(err.Error(), "/nowhere/log") {
		t.Errorf("%v", err)
	}
}
