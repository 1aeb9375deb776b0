package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// binary is the real program, in a place of the test's own.
func binary(t *testing.T) string {
	t.Helper()
	built, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(t.TempDir(), "dormouse")
	if err := os.Link(built, exe); err != nil {
		t.Fatal(err)
	}
	return exe
}

// buildOnce builds the program for all tests that need it, while HOME is still the one in which go has its modules.
var buildOnce = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "dormouse-built-")
	if err != nil {
		return "", err
	}
	atEnd = append(atEnd, func() { _ = os.RemoveAll(dir) }) //nolint:errcheck // a temporary folder
	exe := filepath.Join(dir, "dormouse")
	cmd := exec.Command("go", "build", "-o", exe, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return exe, nil
})

// person runs the real program as a person without a systemd user manager, wherever the test runs.
type person struct {
	t         *testing.T
	exe, home string
}

func (p *person) run(args ...string) result {
	p.t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(p.exe, args...)
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + p.home, "DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere"}
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the exit code says it
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

func (p *person) report() serviceReport {
	p.t.Helper()
	var r serviceReport
	if got := p.run("service", "status", "--json"); json.Unmarshal([]byte(got.out), &r) != nil {
		p.t.Fatalf("%+v", got)
	}
	return r
}

func TestWithoutSystemdTheServiceIsInstalledStartedStoppedAndUninstalled(t *testing.T) {
	p := &person{t, binary(t), t.TempDir()}
	t.Cleanup(func() { p.run("stop") })
	if err := os.Mkdir(filepath.Join(p.home, ".config"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := tree(t, p.home)
	ok := func(want string, args ...string) {
		t.Helper()
		if r := p.run(args...); r.code != exitOK || !strings.Contains(r.out, want) {
			t.Fatalf("%v: %+v, want %q", args, r, want)
		}
	}
	ok("Installed: Dormouse starts when you log on.", "service", "install")
	first := p.report()
	if !first.Answers || first.System.System != "XDG autostart entry" || first.System.State != "running" {
		t.Errorf("%+v", first)
	}
	ok("Nothing to change", "service", "install")
	ok("runs anew", "service", "restart")
	second := p.report()
	if !second.Answers || second.PID == first.PID {
		t.Errorf("restart: process %d, then %d", first.PID, second.PID)
	}
	ok("has stopped", "service", "stop")
	if r := p.report(); r.Answers {
		t.Errorf("after stop: %+v", r)
	}
	if f := findings(t, p.run("doctor", "--json").out, "service"); f.Remedy != "dormouse service start" {
		t.Errorf("installed and stopped: %+v", f)
	}
	ok("was not running", "service", "stop")
	ok("Dormouse runs.", "service", "start")
	ok("the service starts", "service", "logs")
	crashed := p.report()
	if err := syscall.Kill(crashed.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	await(t, func() bool { return p.report().System.State == "starting" })
	if r := p.report(); r.Answers || !strings.Contains(r.System.Detail, "is started again at") {
		t.Errorf("after a crash: %+v", r)
	}
	ok("has stopped", "service", "stop") // what would start it again as well
	if r := p.report(); r.System.State != "stopped" {
		t.Errorf("stopped after a crash: %+v", r)
	}
	ok("Dormouse runs.", "service", "start")
	moved := filepath.Join(t.TempDir(), "dormouse")
	if err := os.Rename(p.exe, moved); err != nil {
		t.Fatal(err)
	}
	p.exe = moved
	if r := p.report(); !r.System.Outdated {
		t.Errorf("after a move: %+v", r.System)
	}
	ok("Upgraded", "service", "install")
	if r := p.report(); r.System.Outdated || !r.Answers {
		t.Errorf("after the upgrade: %+v", r)
	}
	r := p.run("service", "install", "--tray")
	if r.code != exitFailure || !strings.Contains(r.err, "dormouse-tray is neither beside dormouse nor on PATH") {
		t.Errorf("without a tray program: %+v", r)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(moved), "dormouse-tray"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	ok("when you next log on to a desktop", "service", "install", "--tray")
	if r := p.report(); !r.Tray.Installed || !strings.HasSuffix(r.Tray.Place, "autostart/dormouse-tray.desktop") {
		t.Errorf("%+v", r.Tray)
	}
	ok("Uninstalled", "service", "uninstall")
	if after := tree(t, p.home); after != before {
		t.Errorf("left behind:\n%s\nbefore:\n%s", after, before)
	}
	ok("Nothing to uninstall", "service", "uninstall")
	if r := p.report(); r.Answers {
		t.Errorf("it still runs: %+v", r)
	}
	ok("Installed", "service", "install")
	if r := p.run("service", "uninstall", "--purge"); r.code != exitFailure || !strings.Contains(r.err, "Type yes") || !p.report().Answers {
		t.Errorf("purge without an answer: %+v", r)
	}
	ok("Removed: ~/.dormouse", "service", "uninstall", "--purge", "--yes")
	if _, err := os.Lstat(filepath.Join(p.home, ".dormouse")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the memory is still there: %v", err)
	}
	if after := tree(t, p.home); after != before {
		t.Errorf("left behind by a purge:\n%s", after)
	}
	ok("Nothing to uninstall", "service", "uninstall", "--purge")
}

func TestASecondServiceIsSaidWhenOneWasStartedByHand(t *testing.T) {
	p := &person{t, binary(t), t.TempDir()}
	cmd := exec.Command(p.exe, "up", "--service")
	cmd.Env = []string{"HOME=" + p.home}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if r := p.run("stop"); r.code != exitOK {
			t.Errorf("stop: %+v", r)
			_ = cmd.Process.Kill()
		}
		_ = cmd.Wait()
	})
	await(t, func() bool { return p.report().Answers })
	if r := p.report(); r.PID != cmd.Process.Pid || r.System.Installed {
		t.Errorf("%+v", r)
	}
	if r := p.run("service", "restart"); r.code != exitFailure || !strings.Contains(r.err, "dormouse service install") {
		t.Errorf("%+v", r)
	}
	if r := p.report(); r.PID != cmd.Process.Pid {
		t.Errorf("a refused restart stopped the service: %+v", r)
	}
}

func TestABrokenConfigIsToldInTheLog(t *testing.T) {
	p := &person{t, binary(t), t.TempDir()}
	dir := filepath.Join(p.home, ".dormouse")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("[sleep]\nidle = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := p.run("up", "--service"); r.code != exitFailure || r.out != "" || !strings.Contains(r.err, "config.toml, line 2") {
		t.Errorf("%+v", r)
	}
	if r := p.run("service", "logs"); !strings.Contains(r.out, "config.toml, line 2") {
		t.Errorf("%+v", r)
	}
}

// TestUnderARealSystemdUserManager starts a systemd user manager in a mount and process namespace of its own, where it
// believes to be on a machine that systemd has booted.
func TestUnderARealSystemdUserManager(t *testing.T) {
	manager := ""
	for _, path := range []string{"/lib/systemd/systemd", "/usr/lib/systemd/systemd"} {
		if _, err := os.Stat(path); err == nil {
			manager = path
			break
		}
	}
	if manager == "" {
		t.Skip("systemd is not installed on this machine")
	}
	if out, err := exec.Command("unshare", "-m", "-p", "-f", "--mount-proc", "-C", "true").CombinedOutput(); err != nil {
		t.Skipf("this machine allows no namespaces: %v %s", err, out)
	}
	exe, user := binary(t), t.TempDir()
	before := tree(t, user)
	script, err := filepath.Abs(filepath.Join("testdata", "systemd.sh"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("unshare", "-m", "-p", "-f", "--mount-proc", "-C", "sh", script, manager, exe, user).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	steps := map[string]serviceReport{}
	pids := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, rest, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		var r serviceReport
		if err := json.Unmarshal([]byte(rest), &r); err != nil {
			pids[name] = strings.TrimSpace(rest)
			continue
		}
		steps[name] = r
	}
	for _, name := range []string{"installed", "again", "restarted", "upgraded", "after-crash", "after-log-on"} {
		r := steps[name]
		if !r.Answers || r.System.System != "systemd user unit" || r.System.State != "running" || !r.System.Enabled || r.System.Outdated {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if a, b := steps["installed"].PID, steps["again"].PID; a != b {
		t.Errorf("a second install restarted the service: %d, %d", a, b)
	}
	for name, before := range map[string]string{"restarted": "again", "upgraded": "restarted", "after-crash": "upgraded"} {
		if steps[name].PID == steps[before].PID {
			t.Errorf("%s is still process %d", name, steps[name].PID)
		}
	}
	if r := steps["crashed"]; r.Answers || r.System.State != "starting" || !strings.Contains(r.System.Detail, "signal") {
		t.Errorf("crashed: %+v", r)
	}
	if r := steps["stopped"]; r.Answers || r.System.State != "stopped" {
		t.Errorf("stopped: %+v", r)
	}
	if r := steps["stopped-by-api"]; r.Answers || r.System.State != "stopped" {
		t.Errorf("an ordered end counts as a failure: %+v", r)
	}
	if pid, _ := strconv.Atoi(pids["unit-pid"]); pid != steps["installed"].PID {
		t.Errorf("systemd runs process %q, the service is %d", pids["unit-pid"], steps["installed"].PID)
	}
	if left := tree(t, user); left != before {
		t.Errorf("left behind:\n%s", left)
	}
	if err := syscall.Access(filepath.Join(user, ".dormouse", "config.toml"), 4); err != nil {
		t.Errorf("the memory is gone: %v", err)
	}
}
