package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/store/home"
)

func TestEveryServiceCommandHelpsWithAnExample(t *testing.T) {
	r := dormouse(t, t.TempDir(), "service")
	if r.code != exitOK || !strings.Contains(r.out, "loginctl enable-linger") {
		t.Errorf("%+v", r)
	}
	for _, cmd := range serviceCommand(&app{Params: Params{Env: os.Getenv}}).Commands() {
		r := dormouse(t, t.TempDir(), "service", cmd.Name(), "--help")
		if r.code != exitOK || cmd.Short == "" || cmd.Long == "" || !strings.Contains(r.out, "Examples:") {
			t.Errorf("%s --help: %+v", cmd.Name(), r)
		}
		for line := range strings.Lines(r.out) {
			if len([]rune(line)) > 81 {
				t.Errorf("%s --help is too wide: %s", cmd.Name(), line)
			}
		}
	}
	for args, want := range map[string]string{
		"service frobnicate":     `there is no command "frobnicate"`,
		"service start now":      "start takes no arguments",
		"service logs --lines 0": "--lines has to be 1 or more",
	} {
		if r := dormouse(t, t.TempDir(), strings.Fields(args)...); r.code != exitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

func TestAProgramThatWillBeGoneIsNotInstalled(t *testing.T) {
	for exe, want := range map[string]string{"": "not known", filepath.FromSlash("/tmp/go-build123/b001/exe/dormouse"): "make build"} {
		a := &app{Params: Params{Exe: exe, Env: func(string) string { return "" }}}
		if _, err := a.lasting(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", exe, err)
		}
	}
}

func TestTheLastingPathIsTheOneOnThePathThatLeadsHere(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "1.2", "dormouse.exe"), filepath.Join(dir, "bin", "dormouse.exe") // .exe is found on Windows as well
	for _, d := range []string{filepath.Dir(real), filepath.Dir(link)} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(real, []byte("#!"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	a := &app{Params: Params{Exe: real, Env: func(string) string { return "" }}}
	t.Setenv("PATH", t.TempDir())
	if got, err := a.lasting(); got != real || err != nil {
		t.Errorf("off PATH: %q, %v", got, err)
	}
	t.Setenv("PATH", filepath.Dir(link))
	if got, err := a.lasting(); got != link || err != nil {
		t.Errorf("on PATH: %q, %v", got, err)
	}
}

func TestVariablesThatAServiceNeedsAreKept(t *testing.T) {
	env := map[string]string{"DORMOUSE_HOME": "rel", "CODEX_HOME": "", "CLAUDE_CONFIG_DIR": "/c", "SECRET": "x"}
	a := &app{Params: Params{Env: func(k string) string { return env[k] }}}
	got := a.kept()
	if len(got) != 2 || !filepath.IsAbs(got["DORMOUSE_HOME"]) || got["CLAUDE_CONFIG_DIR"] == "" {
		t.Errorf("%v", got)
	}
	set, err := withVars(a.Env, []string{"CODEX_HOME=/a=b", "CLAUDE_CONFIG_DIR="})
	if err != nil || set("CODEX_HOME") != "/a=b" || set("CLAUDE_CONFIG_DIR") != "" || set("SECRET") != "x" {
		t.Errorf("%v", err)
	}
	for _, bad := range []string{"x", "=y", ""} {
		if _, err := withVars(a.Env, []string{bad}); err == nil {
			t.Errorf("%q is a variable", bad)
		}
	}
}

func TestTheServicesLogIsShownFromItsEnd(t *testing.T) {
	for _, tt := range []struct {
		data string
		n    int
		want string
	}{{"", 3, ""}, {"a\nb\nc\n", 2, "b\nc\n"}, {"a\nb\nc", 1, "c"}, {"a\nb\n", 9, "a\nb\n"}, {"a\n\nb\n", 2, "\nb\n"}, {"\n\n", 1, "\n\n"}} {
		if got := string(lastLines([]byte(tt.data), tt.n)); got != tt.want {
			t.Errorf("last %d of %q: %q", tt.n, tt.data, got)
		}
	}
	dir := filepath.Join(t.TempDir(), "home")
	s := hostedIn(t, dir)
	if err := s.logs(t.Context(), 3, false); err != nil {
		t.Errorf("without a log: %v", err)
	}
	path := home.At(dir).Log()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, "one\ntwo\x1b[31m\nthree\n")
	out := s.a.Stdout.(*output)
	if err := s.logs(t.Context(), 2, false); err != nil || out.String() != "two\nthree\n" {
		t.Errorf("%v %q", err, out.String())
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.follow(ctx, path, int64(len("one\ntwo\x1b[31m\nthree\n"))) }()
	appendTo(t, path, "four\nfi")
	await(t, func() bool { return strings.HasSuffix(out.String(), "four\n") })
	appendTo(t, path, "ve\n")
	await(t, func() bool { return strings.HasSuffix(out.String(), "five\n") })
	if err := os.WriteFile(path, []byte("new\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	await(t, func() bool { return strings.HasSuffix(out.String(), "five\nnew\n") })
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func hostedIn(t *testing.T, dir string) *hosted {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	a := &app{Params: Params{Exe: filepath.Join(dir, "dormouse"), Stdout: &output{}, Stderr: &output{}, Now: time.Now,
		Env: func(k string) string { return map[string]string{"DORMOUSE_HOME": dir}[k] }}}
	var s *hosted
	if err := a.withService(func(h *hosted) error { s = h; return nil }); err != nil {
		t.Fatal(err)
	}
	return s
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// await returns when ok holds; go test's own limit ends it otherwise.
func await(t *testing.T, ok func() bool) {
	t.Helper()
	for !ok() {
		if t.Context().Err() != nil {
			t.Fatal("it never came")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestServiceStatusIsToldAsJSONWithItsExitCode(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	t.Setenv("HOME", t.TempDir())
	ask := func() (int, serviceReport) {
		var out, errs output
		code := run(t.Context(), []string{"service", "status", "--json"}, Params{Stdout: &out, Stderr: &errs, Now: time.Now,
			Exe: filepath.Join(dir, "dormouse"), Env: func(k string) string { return map[string]string{"DORMOUSE_HOME": dir}[k] }})
		var r serviceReport
		if err := json.Unmarshal([]byte(out.String()), &r); err != nil || errs.String() != "" {
			t.Errorf("%v %q %q", err, out.String(), errs.String())
		}
		return code, r
	}
	if code, r := ask(); code != exitNotRunning || r.Answers || r.System.Installed {
		t.Errorf("%d %+v", code, r)
	}
	serve(t, dir)
	if code, r := ask(); code != exitOK || !r.Answers || r.Home != dir {
		t.Errorf("%d %+v", code, r)
	}
}
