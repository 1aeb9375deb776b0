package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"dormouse/service/client"
	"dormouse/service/osservice"
	"dormouse/store/home"
)

// hosted is the service as the operating system hosts it.
type hosted struct {
	a      *app
	home   home.Home
	client *client.Client
	entry  *osservice.Entry
	user   string
}

// withService hands the hosted service of the person's own memory to do.
func (a *app) withService(do func(*hosted) error) error {
	h, err := home.Default(a.Env)
	if err != nil {
		return err
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return fmt.Errorf("find your home folder: %w", err)
	}
	exe, err := a.lasting()
	if err != nil {
		return err
	}
	s := &hosted{a: a, home: h, user: user, client: client.New(client.Options{Home: h.Dir()})}
	defer s.client.Close()
	s.entry = s.entryOf(osservice.Program{Name: "dormouse", Title: "Dormouse", Exe: exe, Args: []string{"up", "--service"},
		Env: a.kept(), Log: h.Said(), Keep: "--keep", KeepFile: keepFile(h)})
	return do(s)
}

func (s *hosted) entryOf(p osservice.Program) *osservice.Entry {
	o := osservice.Options{Program: p, User: s.user, ConfigHome: s.a.Env("XDG_CONFIG_HOME")}
	if !filepath.IsAbs(o.ConfigHome) {
		o.ConfigHome = "" // the specification says so
	}
	if !p.Desktop {
		o.Stop, o.Running = s.stopByAPI, s.client.Running
	}
	return osservice.New(o)
}

// keptVars are the variables that a shell may set and a service has to know.
var keptVars = []string{home.EnvHome, "CLAUDE_CONFIG_DIR", "CODEX_HOME"}

func (a *app) kept() map[string]string {
	out := map[string]string{}
	for _, k := range keptVars {
		v := a.Env(k)
		if v == "" {
			continue
		}
		if abs, err := filepath.Abs(v); err == nil {
			v = abs // the service starts in another folder
		}
		out[k] = v
	}
	return out
}

// lasting is the path under which this program is found again tomorrow: the one on PATH where it leads here, since the place
// behind it changes with every release of a package manager.
func (a *app) lasting() (string, error) {
	if a.Exe == "" {
		return "", errors.New("the path of this program is not known; start it by its whole path")
	}
	if strings.Contains(a.Exe, string(filepath.Separator)+"go-build") {
		return "", errors.New("\"go run\" deletes its program when it ends, so the system could not start it; build one first: make build, then bin/dormouse service install")
	}
	if found := onPath(filepath.Base(a.Exe)); found != "" && sameFile(found, a.Exe) {
		return found, nil
	}
	return a.Exe, nil
}

func onPath(name string) string {
	found, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	if found, err = filepath.Abs(found); err != nil {
		return ""
	}
	return found
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// tray is the entry of the icon in the tray. Its program is the one beside this one, else the one on PATH.
func (s *hosted) tray() (entry *osservice.Entry, p osservice.Program, found bool) {
	name := "dormouse-tray"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	beside := filepath.Join(filepath.Dir(s.a.Exe), name)
	exe := beside
	if info, err := os.Stat(exe); err != nil || info.IsDir() {
		exe = onPath(name)
	}
	env := s.a.kept()
	p = osservice.Program{Name: "dormouse-tray", Title: "Dormouse tray", Exe: cmp.Or(exe, beside), Env: env, Desktop: true}
	return s.entryOf(p), p, exe != ""
}

// hasScreen reports whether programs with a window can be started from here.
func (a *app) hasScreen() bool {
	return runtime.GOOS == "windows" || runtime.GOOS == "darwin" || a.Env("DISPLAY") != "" || a.Env("WAYLAND_DISPLAY") != ""
}
