package launch

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/service/osservice"
	"dormouse/store/home"
)

// program puts an empty program into a folder.
func program(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// launcher is one in a folder of its own, with what it spawned.
func launcher(t *testing.T, env map[string]string) (*Launcher, *[]osservice.Program) {
	t.Helper()
	var spawned []osservice.Program
	return &Launcher{Self: filepath.Join(t.TempDir(), "dormouse-desktop"), User: t.TempDir(), Env: func(k string) string { return env[k] },
		Spawn: func(p osservice.Program) error { spawned = append(spawned, p); return nil }}, &spawned
}

func TestTheServiceBesideThisProgramIsStartedOnItsOwn(t *testing.T) {
	for _, env := range []map[string]string{{home.EnvHome: t.TempDir()}, {}} {
		l, spawned := launcher(t, env)
		exe := program(t, filepath.Dir(l.Self), "dormouse")
		if err := l.Service(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(*spawned) != 1 || (*spawned)[0].Exe != exe || !slices.Equal((*spawned)[0].Args, []string{"up", "--service"}) {
			t.Errorf("spawned %+v", *spawned)
		}
	}
}

func TestAProgramThatIsNotBesideIsLookedForOnThePath(t *testing.T) {
	l, _ := launcher(t, nil)
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if _, err := l.Find("dormouse"); err == nil || !strings.Contains(err.Error(), filepath.Dir(l.Self)) {
		t.Errorf("found nowhere: %v", err)
	}
	if err := l.Service(t.Context()); err == nil {
		t.Error("a service that is nowhere was started")
	}
	exe := program(t, dir, "dormouse")
	if got, err := l.Find("dormouse"); err != nil || got != exe {
		t.Errorf("%s, %v", got, err)
	}
}

func TestAStartThatFailsIsAnError(t *testing.T) {
	l, _ := launcher(t, map[string]string{home.EnvHome: "/x"})
	program(t, filepath.Dir(l.Self), "dormouse")
	boom := errors.New("boom")
	l.Spawn = func(osservice.Program) error { return boom }
	if err := l.Service(t.Context()); !errors.Is(err, boom) {
		t.Errorf("%v", err)
	}
}

func TestTheSystemsLauncherKnowsThisProgram(t *testing.T) {
	l, err := System()
	if err != nil || !filepath.IsAbs(l.Self) || l.User == "" || l.Spawn == nil {
		t.Errorf("%+v, %v", l, err)
	}
}
