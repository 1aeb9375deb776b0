package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"dormouse/service/config"
)

func TestTheReferenceOfTheSettingsIsWhatTheCodeSays(t *testing.T) {
	want, err := config.Reference()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/configuration.md is out of date, %v; make it again: make docs", err)
	}
	if r := dormouse(t, t.TempDir(), "docs", "config"); r.code != exitOK || r.out != string(want) {
		t.Errorf("%d %s", r.code, r.err)
	}
}

// mannered runs "docs man" with the date of a release.
func mannered(t *testing.T, dir string) result {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"docs", "man", dir}, Params{Stdout: &out, Stderr: &errs, Now: time.Now, Env: func(k string) string {
		return map[string]string{"SOURCE_DATE_EPOCH": "1770000000"}[k]
	}})
	return result{code, out.String(), errs.String()}
}

func TestEveryCommandHasAManPageAndTwoRunsGiveTheSame(t *testing.T) {
	one, two := filepath.Join(t.TempDir(), "new", "man1"), t.TempDir()
	if r := mannered(t, one); r.code != exitOK || !strings.Contains(r.out, "man pages written to ") {
		t.Fatalf("%+v", r)
	}
	mannered(t, two)
	root := newRootCommand(Params{Env: os.Getenv, Now: time.Now})
	files, err := os.ReadDir(one)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range files {
		names[f.Name()] = true
	}
	for _, cmd := range allCommands(root) {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		if cmd.Hidden {
			if names[name] {
				t.Errorf("%s is hidden and has a page", cmd.Name())
			}
			continue
		}
		page, err := os.ReadFile(filepath.Join(one, name))
		if err != nil {
			t.Error(err)
			continue
		}
		delete(names, name)
		if again, err := os.ReadFile(filepath.Join(two, name)); err != nil || !bytes.Equal(page, again) {
			t.Errorf("%s differs between two runs, %v", name, err)
		}
		if strings.Contains(string(page), "Auto generated") {
			t.Errorf("%s says by what it was made", name)
		}
		for _, want := range []string{`"Feb 2026"`, ".SH NAME", ".SH EXAMPLE", strings.Fields(cmd.Short)[0]} {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s has no %s:\n%s", name, want, page[:min(len(page), 300)])
			}
		}
	}
	if len(names) > 0 {
		t.Errorf("pages of no command: %v", names)
	}
	readable(t, one)
}

// readable has groff set the pages, where there is one.
func readable(t *testing.T, dir string) {
	t.Helper()
	if _, err := exec.LookPath("groff"); err != nil {
		t.Log("not set by groff, which is not here")
		return
	}
	pages, _ := filepath.Glob(filepath.Join(dir, "*.1"))
	out, err := exec.Command("groff", append([]string{"-man", "-Kutf8", "-Tutf8", "-ww"}, pages...)...).CombinedOutput()
	if err != nil || strings.Contains(string(out), "warning") {
		t.Errorf("groff: %v\n%.2000s", err, out)
	}
}

func TestEveryShellGetsAScriptThatKnowsEveryCommand(t *testing.T) {
	registers := map[string]string{"bash": "complete -o default", "fish": "complete -c dormouse", "powershell": "Register-ArgumentCompleter", "zsh": "#compdef dormouse"}
	for _, shell := range shells {
		r := dormouse(t, t.TempDir(), "completion", shell)
		if r.code != exitOK || r.err != "" || !strings.Contains(r.out, "__complete") || !strings.Contains(r.out, registers[shell]) {
			t.Errorf("%s: %d %s", shell, r.code, r.err)
		}
		check, err := exec.LookPath(shell)
		if err != nil || shell == "powershell" {
			continue
		}
		cmd := exec.Command(check, "-n")
		cmd.Stdin = strings.NewReader(r.out)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s does not read it: %v\n%s", shell, err, out)
		}
	}
	if r := dormouse(t, t.TempDir(), "completion", "tcsh"); r.code != exitUsage || !strings.Contains(r.err, `no completion for "tcsh"`) {
		t.Errorf("%+v", r)
	}
}

func TestShellsCompleteCommandsAgentsSessionsAndProjects(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	completed := func(args ...string) []string {
		r := dormouse(t, home, append([]string{cobra.ShellCompNoDescRequestCmd}, args...)...)
		if r.code != exitOK {
			t.Fatalf("%v: %+v", args, r)
		}
		lines := strings.Split(strings.TrimSpace(r.out), "\n")
		return lines[:len(lines)-1] // the last is how the shell is to take them
	}
	if got := completed("show", ""); len(got) != 0 {
		t.Errorf("without a service sessions are %q", got)
	}
	serve(t, home)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"age"}, "agents"}, {[]string{"agents", "connect", "c"}, "codex"}, {[]string{"show", ""}, "cc_1a2b3c4d"},
		{[]string{"unbind", ""}, "webshop-frontend"}, {[]string{"search", "--project", ""}, "webshop-frontend"}, {[]string{"completion", "z"}, "zsh"},
		{[]string{"sessions", "--agent", ""}, "claude-code"}, {[]string{"timeline", "--"}, "--since"},
	} {
		if got := completed(tt.args...); !slices.Contains(got, tt.want) {
			t.Errorf("%q is completed by %q", tt.args, got)
		}
	}
	if got := completed("show", "cc_1a2b3c4d", ""); len(got) != 0 {
		t.Errorf("a second session is completed by %q", got)
	}
}
