package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dormouse/assets"
	"dormouse/service/api"
)

// TestAServiceStoppedBySignalHoldsNobodyUpAndLosesNothing stops the service as a debugger or a shell's Ctrl-Z does: hooks and commands
// come back, and what agents write meanwhile is captured once it goes on.
func TestAServiceStoppedBySignalHoldsNobodyUpAndLosesNothing(t *testing.T) {
	p := &person{t, binary(t), t.TempDir()}
	hook := filepath.Join(filepath.Dir(p.exe), "dormouse-hook")
	if out, err := exec.Command("go", "build", "-o", hook, "../dormouse-hook").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	samples := t.TempDir()
	if _, err := assets.ExtractSamples(samples); err != nil {
		t.Fatal(err)
	}
	from, to := filepath.Join(samples, filepath.FromSlash(assets.SampleClaude)), filepath.Join(p.home, ".claude", "projects")
	give := func(project string) string {
		t.Helper()
		if err := os.CopyFS(filepath.Join(to, project), os.DirFS(filepath.Join(from, project))); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(to, project, "*.jsonl"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		return files[0]
	}
	give("-Users-dev-wks-cli")
	cmd := exec.Command(p.exe, "up", "--service")
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGCONT)
		p.run("stop")
		_ = cmd.Wait()
	})
	sessions := func() int {
		var st api.Status
		if err := json.Unmarshal([]byte(p.run("status", "--json").out), &st); err != nil {
			return -1
		}
		return st.Counts.Sessions
	}
	await(t, func() bool { return sessions() == 1 })
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	second := give("-home-dev-projects-agentv")
	report := exec.Command(hook, "Stop", "--agent", "claude-code")
	report.Env = cmd.Env
	report.Stdin = strings.NewReader(`{"session_id":"x","transcript_path":"` + second + `"}`)
	if out, err := report.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("the hook: %v %s", err, out)
	}
	if r := p.run("status"); r.code == exitOK || !strings.Contains(r.err, "does not answer") {
		t.Errorf("status of a stopped service: %+v", r)
	}
	if r := p.run("sleep", "--last"); r.code == exitOK || !strings.Contains(r.err, "dormouse stop, which ends its process") {
		t.Errorf("the nights of a stopped service: %+v", r)
	}
	if err := errors.Join(cmd.Process.Signal(syscall.SIGCONT)); err != nil {
		t.Fatal(err)
	}
	await(t, func() bool { return sessions() == 2 })
	if r := p.run("verify"); r.code != exitOK {
		t.Errorf("verify: %+v", r)
	}
}

// TestAHungServiceIsEndedByStop has a service that is stopped by a signal, and would never answer, ended in order and its socket's queue left.
func TestAHungServiceIsEndedByStop(t *testing.T) {
	p := &person{t, binary(t), t.TempDir()}
	cmd := exec.Command(p.exe, "up", "--service")
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	await(t, func() bool { return p.run("service", "status").code == exitOK })
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if r := p.run("stop"); r.code != exitOK || !strings.Contains(r.err, fmt.Sprintf("its process %d is told to end", cmd.Process.Pid)) {
		t.Errorf("%+v", r)
	}
	if err := <-ended; err != nil && !strings.Contains(err.Error(), "killed") { // in order, or killed on a machine that has no time for it
		t.Errorf("it ended with %v", err)
	}
	if r := p.run("status"); r.code != exitNotRunning {
		t.Errorf("after it: %+v", r)
	}
}
