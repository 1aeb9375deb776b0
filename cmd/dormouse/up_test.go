package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/service/api"
)

// output is a buffer that another goroutine may read.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// running is a service in the foreground.
type running struct {
	out, err output
	cancel   context.CancelFunc
	code     chan int
}

// up starts `dormouse up` in this process, with a home folder of its own, and waits until it printed a text.
func up(t *testing.T, user, until string, args ...string) *running {
	t.Helper()
	t.Setenv("HOME", user)
	t.Setenv("USERPROFILE", user)
	r := &running{code: make(chan int, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	r.cancel = cancel
	go func() {
		r.code <- run(ctx, append([]string{"up"}, args...), Params{Stdin: strings.NewReader(""), Stdout: &r.out, Stderr: &r.err, Width: 100,
			Env: userEnv(user), Now: time.Now})
	}()
	t.Cleanup(func() { r.stop(t) })
	for !strings.Contains(r.out.String(), until) {
		select {
		case code := <-r.code:
			t.Fatalf("up ended with %d: %s", code, r.err.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
	return r
}

func (r *running) stop(t *testing.T) {
	t.Helper()
	if r.cancel == nil {
		return
	}
	r.cancel()
	r.cancel = nil
	if code := <-r.code; code != exitOK {
		t.Errorf("up ended with %d: %s", code, r.err.String())
	}
}

func userEnv(user string) func(string) string {
	return func(k string) string {
		if k == "HOME" || k == "USERPROFILE" {
			return user
		}
		return ""
	}
}

// ask runs one command against the service of a home folder.
func askIn(t *testing.T, user string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), args, Params{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Width: 100, Env: userEnv(user), Now: time.Now})
	return result{code, out.String(), errs.String()}
}

// runInTheReadme are the lines with figures of the run that the README shows.
func runInTheReadme(t *testing.T) []string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(readme)) {
		if strings.HasPrefix(line, "Captured  ") || strings.HasPrefix(line, "Learned  ") || strings.HasPrefix(line, "The newest ") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	if len(out) != 3 {
		t.Fatalf("the README shows another run: %q", out)
	}
	return out
}

func TestUpWithoutTranscriptsShowsItselfOnSamplesApartFromTheUsersMemory(t *testing.T) {
	user := t.TempDir()
	r := up(t, user, "Ctrl-C stops.")
	for _, want := range []string{"No sessions of a coding agent were found", "claude-code", "[capture.roots]", "sample sessions"} {
		if !strings.Contains(r.err.String(), want) {
			t.Errorf("up does not say %q:\n%s", want, r.err.String())
		}
	}
	for _, want := range append(runInTheReadme(t), "↪ dormouse show", "dormouse timeline", ".dormouse-demo") {
		if !strings.Contains(r.out.String(), want) {
			t.Errorf("up does not say %q:\n%s", want, r.out.String())
		}
	}
	if _, err := os.Stat(filepath.Join(user, ".dormouse")); err == nil {
		t.Error("the demo made the user's own state folder")
	}
	got := askIn(t, user, "status", "--json")
	var st api.Status
	if err := json.Unmarshal([]byte(got.out), &st); err != nil || !st.Demo || st.Counts.Events == 0 {
		t.Errorf("%+v %v", st.Counts, err)
	}
	for _, a := range st.Agents {
		if !slices.ContainsFunc(a.Roots, func(root string) bool { return strings.Contains(root, ".dormouse-demo") }) {
			t.Errorf("the demo looks for the person's own sessions of %s", a.Name)
		}
	}
	if !strings.Contains(got.err, "demo memory") {
		t.Errorf("the client does not say whose memory it is: %q", got.err)
	}
	r.stop(t)
	if got := askIn(t, user, "status"); got.code != exitNotRunning || !strings.Contains(got.err, "dormouse up") {
		t.Errorf("after the end: %d %s", got.code, got.err)
	}
}

func TestADemoThatNobodyAskedForEndsWithTheFirstSession(t *testing.T) {
	user := t.TempDir()
	r := up(t, user, "Ctrl-C stops.")
	samples, err := filepath.Glob(filepath.Join(user, ".dormouse-demo", "samples", "claude", "projects", "*agentv", "*.jsonl"))
	if err != nil || len(samples) != 1 {
		t.Fatalf("%v %v", samples, err)
	}
	if err := os.CopyFS(filepath.Join(user, ".claude", "projects", "-home-dev-x"), os.DirFS(filepath.Dir(samples[0]))); err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(r.out.String(), "1 session · 1 turn") {
		select {
		case code := <-r.code:
			t.Fatalf("up ended with %d: %s", code, r.err.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
	if got := askIn(t, user, "sessions"); got.err != "" || !strings.Contains(got.out, "cc_") {
		t.Errorf("%+v", got)
	}
}

func TestUpReadsTheUsersOwnSessions(t *testing.T) {
	user := t.TempDir()
	demo := up(t, user, "Ctrl-C stops.", "--demo")
	demo.stop(t)
	own := filepath.Join(user, ".claude", "projects", "-home-dev-x")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	samples, err := filepath.Glob(filepath.Join(user, ".dormouse-demo", "samples", "claude", "projects", "*agentv", "*.jsonl"))
	if err != nil || len(samples) != 1 {
		t.Fatalf("%v %v", samples, err)
	}
	data, err := os.ReadFile(samples[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own, filepath.Base(samples[0])), data, 0o600); err != nil {
		t.Fatal(err)
	}
	r := up(t, user, "Ctrl-C stops.")
	if strings.Contains(r.err.String(), "sample sessions") || !strings.Contains(r.out.String(), "1 session · 1 turn") {
		t.Errorf("%s\n%s", r.err.String(), r.out.String())
	}
	if got := askIn(t, user, "sessions"); got.err != "" || !strings.Contains(got.out, "cc_") {
		t.Errorf("%d %s %s", got.code, got.out, got.err)
	}
}

func TestUpSaysWhyItCannotBegin(t *testing.T) {
	user := t.TempDir()
	up(t, user, "Ctrl-C stops.", "--demo")
	if got := askIn(t, user, "up", "--demo"); got.code != exitFailure || !strings.Contains(got.err, "another Dormouse service") {
		t.Errorf("second service: %d %s", got.code, got.err)
	}
	bad := filepath.Join(user, ".dormouse")
	if err := os.MkdirAll(bad, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bad, "config.toml"), []byte("[sleep]\nidle = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := askIn(t, user, "up"); got.code != exitFailure || !strings.Contains(got.err, "config.toml, line 2") {
		t.Errorf("broken settings: %d %s", got.code, got.err)
	}
}

func TestCoreIsThatOfTheFolderThePersonStandsIn(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serve(t, home)
	in := func(dir string, args ...string) string {
		f.asked = nil
		var out, errs bytes.Buffer
		code := run(t.Context(), append([]string{"core"}, args...), Params{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Width: 80, Dir: dir,
			Env: func(k string) string { return map[string]string{"DORMOUSE_HOME": home}[k] }, Now: func() time.Time { return testNow }})
		if code != exitOK {
			t.Errorf("core in %q: %d %s", dir, code, errs.String())
		}
		return strings.Join(f.asked, "|")
	}
	if got := in("/home/robin/code/dormouse"); got != "core /home/robin/code/dormouse" {
		t.Errorf("in a project: %s", got)
	}
	if got := in("/nowhere"); got != "core /nowhere|core " {
		t.Errorf("in no project: %s", got)
	}
	if got := in("/home/robin/code/dormouse", "--global"); got != "core " {
		t.Errorf("--global: %s", got)
	}
	t.Chdir(t.TempDir())
	if err := os.Mkdir("sub", 0o700); err != nil {
		t.Fatal(err)
	}
	if got := in("/x", "--project", "./sub"); !filepath.IsAbs(strings.TrimPrefix(got, "core ")) {
		t.Errorf("a folder is not made absolute: %s", got)
	}
	if got := in("/x", "--project", "owner/name"); got != "core owner/name" {
		t.Errorf("an address is taken for a folder: %s", got)
	}
}
