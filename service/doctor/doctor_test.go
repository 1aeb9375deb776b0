package doctor

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/home"
	"dormouse/store/memory"
	"dormouse/store/project"
	"dormouse/store/session"
)

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_AUTHOR_NAME=R", "GIT_AUTHOR_EMAIL=r@example.org", "GIT_COMMITTER_NAME=R", "GIT_COMMITTER_EMAIL=r@example.org")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// settle is a state folder of a person whose git settings are the test's own.
func settle(t *testing.T) home.Home {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(dir, "gitconfig"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	h := home.At(filepath.Join(dir, ".dormouse"))
	if err := h.Create(); err != nil {
		t.Fatal(err)
	}
	return h
}

// one is what a check that finds one thing has found.
func one(t *testing.T, c Check) Finding {
	t.Helper()
	r := Examine(t.Context(), []Check{c})
	if len(r.Findings) != 1 || r.Findings[0].Check != c.Name {
		t.Fatalf("%s: %+v", c.Name, r)
	}
	if f := r.Findings[0]; (f.State == OK) != (f.Remedy == "") {
		t.Errorf("what is wrong has a remedy, and only that: %+v", f)
	}
	return r.Findings[0]
}

func want(t *testing.T, f Finding, s State, text string) {
	t.Helper()
	if f.State != s || !strings.Contains(f.Text+" "+f.Remedy, text) {
		t.Errorf("%+v, want %s with %q", f, s, text)
	}
}

func TestTheWorstFindingCountsAndACheckThatGoesWrongStopsNoOther(t *testing.T) {
	say := func(s ...State) Check {
		return Check{Name: "x", Look: func(context.Context) []Finding {
			var out []Finding
			for _, state := range s {
				out = append(out, Finding{State: state, Text: "t"})
			}
			return out
		}}
	}
	broken := Check{Name: "broken", Look: func(context.Context) []Finding { panic("oh") }}
	for _, c := range []struct {
		checks []Check
		state  State
		n      int
	}{
		{nil, OK, 0}, {[]Check{say(OK)}, OK, 1}, {[]Check{say(OK, Warn, OK)}, Warn, 3}, {[]Check{say(Fail), say(Warn)}, Fail, 2},
		{[]Check{say()}, Fail, 1}, {[]Check{broken, say(OK)}, Fail, 2},
	} {
		if r := Examine(t.Context(), c.checks); r.State != c.state || len(r.Findings) != c.n {
			t.Errorf("%+v", r)
		}
	}
}

func TestGitIsLookedFor(t *testing.T) {
	want(t, one(t, Git()), OK, "git ")
	if runtime.GOOS == "windows" {
		t.Skip("the other cases plant a script for sh")
	}
	dir := t.TempDir()
	for says, w := range map[string]State{"git version 2.10.1": Warn, "git version 2.50.0 (Apple Git-154)": OK, "git version 3.0.0": OK, "nonsense": Warn} {
		if err := os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\necho '"+says+"'\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir)
		want(t, one(t, Git()), w, "")
	}
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	want(t, one(t, Git()), Fail, "does not start")
	t.Setenv("PATH", "")
	want(t, one(t, Git()), Warn, "install git")
}

func TestTheStateFolderAndTheSettingsAreLookedAt(t *testing.T) {
	h := settle(t)
	want(t, one(t, Folder(h)), OK, h.Dir())
	want(t, one(t, Settings(h)), OK, h.Config())
	if err := os.WriteFile(h.Config(), []byte("[capture]\nnonsense = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want(t, one(t, Settings(h)), Fail, "nonsense")
	if runtime.GOOS != "windows" {
		if err := os.Chmod(h.Dir(), 0o755); err != nil {
			t.Fatal(err)
		}
		want(t, one(t, Folder(h)), Warn, "chmod go=")
		if err := os.Chmod(h.Dir(), 0o500); err != nil {
			t.Fatal(err)
		}
		want(t, one(t, Folder(h)), Fail, "cannot be written to")
		if err := os.Chmod(h.Dir(), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	want(t, one(t, Folder(home.At(filepath.Join(h.Dir(), "gone")))), Warn, "dormouse up")
	want(t, one(t, Folder(home.At(h.Config()))), Fail, "no folder")
}

func TestTheServiceIsAskedAndItsTroubleTold(t *testing.T) {
	down := errors.New("down")
	ask := func(s api.Status, err error) Check {
		return Service(func(context.Context) (api.Status, error) { return s, err }, down, func(context.Context) string { return "dormouse up" })
	}
	want(t, one(t, ask(api.Status{}, down)), Warn, "dormouse up")
	want(t, one(t, ask(api.Status{}, errors.New("it hangs"))), Fail, "it hangs")
	want(t, one(t, ask(api.Status{PID: 7}, nil)), OK, "process 7")
	r := Examine(t.Context(), []Check{ask(api.Status{Parts: []api.Part{{Name: "sync", State: "amber", Failed: 3, Failure: "no route"}, {Name: "api", State: "ok"}}, Problems: []string{"a problem"}}, nil)})
	if r.State != Warn || len(r.Findings) != 3 || !strings.Contains(r.Findings[1].Text, "no route") || r.Findings[2].Text != "a problem" {
		t.Errorf("%+v", r)
	}
}

func TestEachProjectsWayOfReadingIsToldWithoutTheService(t *testing.T) {
	h := settle(t)
	want(t, one(t, Projects(h, "")), OK, "no project yet")
	reg := project.New(project.Options{Dir: h.Projects()})
	dirs := map[string]string{}
	for _, name := range []string{"plain", "sparse", "none", "wanting", "broken", "foreign"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		dirs[name] = dir
		if name != "none" {
			git(t, dir, "init", "-q")
			git(t, dir, "commit", "-q", "--allow-empty", "-m", name)
		}
		p, err := reg.Bind(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if name == "plain" || name == "wanting" {
			if _, err := reg.SetAutoCommit(p.ID, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	git(t, dirs["sparse"], "sparse-checkout", "set", "x")
	if err := os.RemoveAll(filepath.Join(dirs["wanting"], ".git")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dirs["broken"], ".git", "HEAD"), []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	foreign := OK
	if os.Geteuid() == 0 { // only root can give a folder away
		foreign = Warn
		if err := os.Chown(dirs["foreign"], 4242, 4242); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]Finding{}
	for _, f := range Examine(t.Context(), []Check{Projects(h, "")}).Findings {
		name, _, _ := strings.Cut(f.Text, " ")
		got[name] = f
	}
	want(t, got["plain"], OK, "read by go-git; agents' turns are committed")
	want(t, got["sparse"], OK, "read by the git command, because")
	want(t, got["none"], OK, "no git repository")
	want(t, got["wanting"], Warn, "bind --init")
	want(t, got["broken"], Warn, "fsck")
	want(t, got["foreign"], foreign, map[State]string{OK: "go-git", Warn: "safe.directory"}[foreign])
	if err := os.WriteFile(filepath.Join(h.Projects(), "projects.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	want(t, one(t, Projects(h, "")), Fail, "projects.json")
}

func TestFsckNamesTheSessionThatIsDamaged(t *testing.T) {
	h := settle(t)
	want(t, one(t, Fsck(h)), OK, "sessions (0)")
	store := session.New(session.Options{Dir: h.Sessions(), Machine: "m"})
	var dirs []string
	for _, id := range []string{"a", "b"} {
		x, err := store.Ensure(memory.Session{Agent: "claude-code", AgentSessionID: id, CreatedAt: 1}, "cc_")
		if err != nil {
			t.Fatal(err)
		}
		b := x.Begin(false)
		if _, err := b.Append(memory.Node{ID: "n" + id, Role: memory.RoleUser, Output: "x", CreatedAt: 1, Metadata: memory.Metadata{Kind: memory.KindPrompt}}); err != nil {
			t.Fatal(err)
		}
		if err := b.Close(true); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, x.Dir())
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	want(t, one(t, Fsck(h)), OK, "sessions (2)")
	objects, err := filepath.Glob(filepath.Join(dirs[1], ".git", "objects", "*", "*"))
	if err != nil || len(objects) == 0 {
		t.Fatal(objects, err)
	}
	for _, o := range objects {
		if err := os.Remove(o); err != nil {
			t.Fatal(err)
		}
	}
	want(t, one(t, Fsck(h)), Fail, dirs[1])
	t.Setenv("PATH", "")
	want(t, Examine(t.Context(), []Check{Fsck(h)}).Findings[0], Warn, "install git")
}
