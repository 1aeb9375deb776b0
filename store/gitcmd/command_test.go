package gitcmd

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// isolate keeps the settings of whoever runs the tests out.
func isolate(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "gitconfig"))
	write(t, filepath.Join(home, "gitconfig"), "[user]\n\tname = Robin\n\temail = robin@example.org\n[init]\n\tdefaultBranch = main\n", 0o600)
	return home
}

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// stock runs git as the person does.
func stock(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func repo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	stock(t, dir, "init", "-q")
	write(t, filepath.Join(dir, "a"), "1\n", 0o600)
	stock(t, dir, "add", ".")
	stock(t, dir, "commit", "-qm", "First")
	return dir
}

// needsShell leaves out what is written as a script for sh.
func needsShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs that this test plants are scripts for sh")
	}
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

func TestACommandThatReadsStartsNothingThatTheRepositoryNames(t *testing.T) {
	needsShell(t)
	isolate(t)
	dir := repo(t)
	mark := filepath.Join(t.TempDir(), "started")
	trap := filepath.Join(t.TempDir(), "trap")
	write(t, trap, "#!/bin/sh\necho \"$0 $*\" >> '"+mark+"'\n", 0o700)
	for _, key := range []string{"core.fsmonitor", "core.pager", "pager.log", "gpg.program", "core.sshCommand", "core.editor"} {
		stock(t, dir, "config", key, trap)
	}
	stock(t, dir, "config", "log.showSignature", "true")
	write(t, filepath.Join(dir, ".git", "hooks", "post-index-change"), "#!/bin/sh\n: > '"+mark+"'\n", 0o700)
	write(t, filepath.Join(dir, "a"), "2\n", 0o600)
	for _, args := range [][]string{{"status", "--porcelain", "-z"}, {"log", "-p", "--no-ext-diff", "--no-textconv"}, {"rev-parse", "HEAD"}, {"diff", "--no-ext-diff"}} {
		if _, err := Read(t.Context(), dir, args...); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		if exists(mark) {
			b, _ := os.ReadFile(mark)
			t.Fatalf("%v started %s", args, b)
		}
	}
	stock(t, dir, "status")
	if !exists(mark) {
		t.Error("the trap does not work: plain git status started nothing")
	}
}

func TestACommandThatReadsReachesNoOtherRepository(t *testing.T) {
	isolate(t)
	dir, other := repo(t), repo(t)
	_, err := Read(t.Context(), dir, "ls-remote", other)
	if Code(err) < 1 || !strings.Contains(Said(err), "not allowed") {
		t.Errorf("%v", err)
	}
	if out, err := (Command{Dir: dir, Args: []string{"ls-remote", other}, Writes: true}).Run(t.Context()); err != nil || len(out.Stdout) == 0 {
		t.Errorf("one that writes: %v", err)
	}
}

func TestTheVariablesOfACallingHookAreNotObeyed(t *testing.T) {
	isolate(t)
	dir, other := repo(t), repo(t)
	stock(t, other, "commit", "-q", "--allow-empty", "-m", "Second")
	want := stock(t, dir, "rev-parse", "HEAD")
	for name, value := range map[string]string{"GIT_DIR": filepath.Join(other, ".git"), "GIT_WORK_TREE": other, "GIT_INDEX_FILE": filepath.Join(other, "x"),
		"GIT_OBJECT_DIRECTORY": other, "GIT_CONFIG_PARAMETERS": "'core.bare=true'", "GIT_TRACE": "1", "GIT_PREFIX": "x/", "GIT_LITERAL_PATHSPECS": "1"} {
		t.Setenv(name, value)
	}
	if out, err := Read(t.Context(), dir, "rev-parse", "HEAD"); err != nil || out.Line() != want {
		t.Errorf("%q, %v; want %s", out.Stdout, err, want)
	}
	if out, err := Read(t.Context(), dir, "status", "--porcelain", "-z"); err != nil || len(out.Stdout) != 0 {
		t.Errorf("%q, %v", out.Stdout, err)
	}
}

func TestACancelEndsGitWithAllThatItStartedAndLeavesNoLock(t *testing.T) {
	needsShell(t)
	isolate(t)
	dir := repo(t)
	pid := filepath.Join(t.TempDir(), "pid")
	write(t, filepath.Join(dir, ".git", "hooks", "pre-commit"), "#!/bin/sh\nsleep 600 &\necho $! > '"+pid+".new'\nmv '"+pid+".new' '"+pid+"'\nwait\n", 0o700)
	write(t, filepath.Join(dir, "a"), "2\n", 0o600)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := Command{Dir: dir, Args: []string{"commit", "-qam", "x"}, Writes: true}.Run(ctx)
		done <- err
	}()
	for !exists(pid) {
		time.Sleep(10 * time.Millisecond)
	}
	if !exists(filepath.Join(dir, ".git", "index.lock")) {
		t.Error("the commit holds no lock, so this test shows nothing")
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if exists(filepath.Join(dir, ".git", "index.lock")) {
		t.Error("index.lock is left")
	}
	b, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	for alive(t, strings.TrimSpace(string(b))) { // the system may take a moment to bury it
		time.Sleep(10 * time.Millisecond)
	}
}

// alive reports whether a process runs; one that is dead and not yet waited for does not.
func alive(t *testing.T, pid string) bool {
	t.Helper()
	out, _ := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
	state := strings.TrimSpace(string(out))
	return state != "" && !strings.HasPrefix(state, "Z")
}

func TestWhatTakesTooLongIsAnErrorThatSaysSo(t *testing.T) {
	needsShell(t)
	isolate(t)
	c := Command{Dir: repo(t), Args: []string{"x"}, Config: []string{"alias.x=!sleep 600"}, Limit: 50 * time.Millisecond}
	if _, err := c.Run(t.Context()); !errors.Is(err, ErrTime) || !strings.Contains(err.Error(), "git x") {
		t.Errorf("%v", err)
	}
}

func TestAnOutputWithoutEndIsCut(t *testing.T) {
	needsShell(t)
	isolate(t)
	c := Command{Dir: repo(t), Args: []string{"x"}, Config: []string{`alias.x=!while :; do printf 'ab\0cd\0'; done`}, MaxOutput: 10}
	out, err := c.Run(t.Context())
	if err != nil || !out.Cut || len(out.Stdout) != 10 || strings.Join(out.Fields(), " ") != "ab cd ab" {
		t.Errorf("%d bytes, %+v, %v", len(out.Stdout), out.Cut, err)
	}
}

func TestGitThatEndedWellIsASuccessThoughAHookGoesOn(t *testing.T) {
	needsShell(t)
	isolate(t)
	dir := repo(t)
	write(t, filepath.Join(dir, ".git", "hooks", "post-commit"), "#!/bin/sh\nsleep 20 &\n", 0o700)
	if _, err := (Command{Dir: dir, Args: []string{"commit", "-q", "--allow-empty", "-m", "x"}, Writes: true}).Run(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestFailuresAreTold(t *testing.T) {
	isolate(t)
	dir := repo(t)
	_, err := Read(t.Context(), dir, "rev-parse", "--verify", "nothing")
	if Code(err) != 128 || !strings.Contains(err.Error(), "git rev-parse") || !strings.Contains(Said(err), "Needed a single revision") {
		t.Errorf("%d %q %v", Code(err), Said(err), err)
	}
	_, err = Command{Dir: dir, Args: []string{"status"}, Env: []string{"GIT_TEST_ASSUME_DIFFERENT_OWNER=1"}}.Run(t.Context())
	if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "safe.directory") {
		t.Errorf("another owner: %v", err)
	}
	if _, err := Read(t.Context(), filepath.Join(dir, "gone"), "status"); err == nil || Code(err) != -1 {
		t.Errorf("no folder: %v", err)
	}
	if Code(nil) != -1 || Said(errors.New("x")) != "" {
		t.Error("other errors have a code")
	}
	t.Setenv("PATH", "")
	if _, err := Read(t.Context(), dir, "status"); !errors.Is(err, ErrNoGit) {
		t.Errorf("no git: %v", err)
	}
}
