package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAnInstalledServiceThatHangsOrCannotBeginIsSaidAndStartedAnew has an installed service that is stopped by a signal, and then one whose
// settings are broken.
func TestAnInstalledServiceThatHangsOrCannotBeginIsSaidAndStartedAnew(t *testing.T) {
	p := &person{t, binary(t), t.TempDir()}
	t.Cleanup(func() { p.run("stop") })
	if err := os.Mkdir(filepath.Join(p.home, ".config"), 0o755); err != nil {
		t.Fatal(err)
	}
	ok := func(want string, args ...string) {
		t.Helper()
		if r := p.run(args...); r.code != exitOK || !strings.Contains(r.out, want) {
			t.Fatalf("%v: %+v, want %q", args, r, want)
		}
	}
	ok("Installed", "service", "install")
	first := p.report()
	if first.PID == 0 {
		t.Fatalf("%+v", first)
	}
	t.Cleanup(func() { _ = syscall.Kill(first.PID, syscall.SIGCONT) })
	if err := syscall.Kill(first.PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if r := p.report(); r.Answers || !strings.Contains(r.Hung, "does not answer") {
		t.Errorf("status of one that hangs: %+v", r)
	}
	if f := findings(t, p.run("doctor", "--json").out, "service"); f.State != "fail" || !strings.Contains(f.Text, "does not answer") || !strings.Contains(f.Remedy, "dormouse stop") {
		t.Errorf("doctor of one that hangs: %+v", f)
	}
	ok("runs anew", "service", "restart")
	if r := p.report(); !r.Answers || r.PID == first.PID {
		t.Errorf("after a restart: %+v", r)
	}
	ok("has stopped", "service", "stop")
	settings := filepath.Join(p.home, ".dormouse", "config.toml")
	good, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, []byte("[sleep]\nidle = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := p.run("service", "start"); r.code == exitOK || !strings.Contains(r.err, "config.toml, line 2") || strings.Contains(r.err, "does not answer yet") {
		t.Errorf("with broken settings: %+v", r)
	}
	if err := os.WriteFile(settings, good, 0o600); err != nil {
		t.Fatal(err)
	}
	ok("Dormouse runs", "service", "restart")
}
