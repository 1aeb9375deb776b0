package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/service/connect"
	"dormouse/service/doctor"
	"dormouse/service/socket"
)

// setup is an installation for the doctor: a person's home folder with a state folder, and a hook on the PATH.
type setup struct {
	user, home, hook string
	free             int64
}

func newSetup(t *testing.T) *setup {
	t.Helper()
	user := t.TempDir()
	s := &setup{user: user, home: filepath.Join(user, ".dormouse"), hook: filepath.Join(user, "bin", "dormouse-hook"), free: 100 << 30}
	t.Setenv("HOME", user)
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(user, "none")) // no systemd of the machine's own
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(user, "none"))
	t.Setenv("PATH", filepath.Dir(s.hook)+string(os.PathListSeparator)+os.Getenv("PATH"))
	for path, text := range map[string]string{s.hook: "#!/bin/sh\n", filepath.Join(s.user, "bin", "dormouse"): "", filepath.Join(s.home, "machine"): "0a1b2c3d\n", filepath.Join(s.home, "format"): "2\n"} {
		s.write(t, path, text)
	}
	if err := os.Chmod(s.hook, 0o700); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *setup) write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// env is what the person's environment says.
func (s *setup) env(k string) string {
	return map[string]string{"HOME": s.user, "DORMOUSE_HOME": s.home, "XDG_CONFIG_HOME": filepath.Join(s.user, ".config"), "PATH": os.Getenv("PATH")}[k]
}

func (s *setup) run(t *testing.T, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), append([]string{"doctor"}, args...), Params{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Env: s.env, Exe: filepath.Join(s.user, "bin", "dormouse"), Dir: s.user, Now: time.Now, Free: func(string) (int64, error) { return s.free, nil }})
	return result{code, out.String(), errs.String()}
}

var (
	stamps   = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d( [A-Z]+)?`)
	versions = regexp.MustCompile(`(?m)Dormouse \S+( \(\S+\))? for \S+,|git \d\S* on \w+|development build for \w+/\w+`)
)

// plainly is what the doctor says without what differs from machine to machine.
func (s *setup) plainly(out string) []string {
	for from, to := range map[string]string{socket.Path(s.home): "SOCKET"} {
		out = strings.ReplaceAll(out, from, to)
	}
	out = strings.ReplaceAll(out, s.user, "~")
	out = stamps.ReplaceAllString(out, "TIME")
	out = versions.ReplaceAllString(out, "VERSION")
	return strings.Split(strings.TrimRight(out, "\n"), "\n")
}

// broken are set-ups with one thing wrong, the check that tells of it, and what --fix does about it, if anything.
var broken = map[string]struct {
	check string
	state doctor.State
	fixed bool // --fix makes it right
	spoil func(*testing.T, *setup)
}{
	"permissions": {"permissions", doctor.Warn, true, func(t *testing.T, s *setup) {
		if err := os.Chmod(filepath.Join(s.home, "machine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}},
	"ghost-socket": {"socket", doctor.Warn, true, func(t *testing.T, s *setup) {
		s.write(t, filepath.Join(s.home, "run", "lock"), "")
		ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket.Path(s.home), Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		ln.SetUnlinkOnClose(false)
		if err := ln.Close(); err != nil {
			t.Fatal(err)
		}
	}},
	"index": {"index", doctor.Warn, false, func(t *testing.T, s *setup) {
		s.write(t, filepath.Join(s.home, "index", "FORMAT"), "dormouse search index 2\n")
		s.write(t, filepath.Join(s.home, "index", "MANIFEST"), "junk")
	}},
	"session": {"sessions", doctor.Warn, false, func(t *testing.T, s *setup) {
		s.write(t, filepath.Join(s.home, "sessions", "cc_1a2b3c4d", "meta.json"), "{torn")
	}},
	"remote-gone": {"remote", doctor.Warn, false, func(t *testing.T, s *setup) {
		s.write(t, filepath.Join(s.home, "memory", ".git", "config"), "[remote \"origin\"]\n\turl = /media/stick/memory.git\n")
	}},
	"disk-full": {"disk", doctor.Fail, false, func(_ *testing.T, s *setup) { s.free = 1 << 20 }},
	"hooks-moved": {"hooks", doctor.Warn, true, func(t *testing.T, s *setup) {
		s.write(t, filepath.Join(s.user, ".claude", "settings.json"), "{\"model\": \"opus\"}\n")
		agent, ok := connect.Find(connect.Table(), "claude-code")
		if !ok {
			t.Fatal("no such agent")
		}
		plan, err := agent.Connect(s.env, s.user, "/opt/old/dormouse-hook")
		if err != nil {
			t.Fatal(err)
		}
		if err := plan.Apply(); err != nil {
			t.Fatal(err)
		}
	}},
	"settings": {"settings", doctor.Fail, false, func(t *testing.T, s *setup) {
		s.write(t, filepath.Join(s.home, "config.toml"), "[sleep]\nidle_after = \"soon\"\n")
	}},
	"newer-format": {"format", doctor.Fail, false, func(t *testing.T, s *setup) { s.write(t, filepath.Join(s.home, "format"), "99\n") }},
	"clock": {"clock", doctor.Warn, false, func(t *testing.T, s *setup) {
		path := filepath.Join(s.home, "memory", "log", "0a1b2c3d", "2026-05-04.jsonl")
		s.write(t, path, "{}\n")
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(24*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}},
	"other-unit": {"log-on", doctor.Warn, false, func(t *testing.T, s *setup) {
		s.write(t, filepath.Join(s.user, ".config", "autostart", "dormouse.desktop"), "[Desktop Entry]\nType=Application\nName=Dormouse\nExec=/opt/old/dormouse up --service\n")
	}},
	"torn-log": {"log", doctor.Warn, false, func(t *testing.T, s *setup) {
		s.write(t, filepath.Join(s.home, "memory", "log", "0a1b2c3d", "2026-05-04.jsonl"), "{}\n{\"torn")
	}},
}

func TestTheDoctorTellsWhatIsWrongWithBrokenSetups(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the pages name Linux's places")
	}
	for name, b := range broken {
		t.Run(name, func(t *testing.T) {
			s := newSetup(t)
			b.spoil(t, s)
			r := s.run(t)
			golden(t, "broken-"+name, s.plainly(r.out))
			if (r.code == exitFailure) != (b.state == doctor.Fail) {
				t.Errorf("code %d", r.code)
			}
			said := findings(t, s.run(t, "--json").out, b.check)
			if said.State != b.state || said.Remedy == "" || (said.Fix != "") != b.fixed {
				t.Errorf("%+v", said)
			}
			if dry := s.run(t, "--fix", "--dry-run"); b.fixed != strings.Contains(dry.out, "--fix would ") {
				t.Errorf("%s", dry.out)
			}
			if again := s.run(t); !slices.Equal(s.plainly(again.out), s.plainly(r.out)) { // the clock goes on
				t.Errorf("--dry-run changed something:\n%s", again.out)
			}
			s.run(t, "--fix", "--json")
			if after := findings(t, s.run(t, "--json").out, b.check); (after.State == doctor.OK) != b.fixed {
				t.Errorf("after --fix: %+v", after)
			}
		})
	}
}

// findings is the first finding of a check in the doctor's answer.
func findings(t *testing.T, out, check string) doctor.Finding {
	t.Helper()
	var e examined
	if err := json.Unmarshal([]byte(out), &e); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, f := range e.Findings {
		if f.Check == check {
			return f
		}
	}
	t.Fatalf("no check %s in %s", check, out)
	return doctor.Finding{}
}

func TestTheDoctorFindsNothingWrongWithAWholeSetup(t *testing.T) {
	s := newSetup(t)
	r := s.run(t, "--json")
	var e examined
	if err := json.Unmarshal([]byte(r.out), &e); err != nil {
		t.Fatal(err)
	}
	for _, f := range e.Findings {
		if f.State != doctor.OK && f.Check != "service" {
			t.Errorf("%+v", f)
		}
	}
}
