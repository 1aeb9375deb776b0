package crash

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/assets"
	"dormouse/store/home"
)

// child is the program that runs the service, once built.
var child string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "dormouse-crash-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	child = filepath.Join(dir, "child.exe")
	build := exec.Command("go", "build", "-o", child, "./child")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the service for the tests: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// clock is a time after all samples, so that they are idle and records carry equal times in every run.
var clock = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func samples(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := assets.ExtractSamples(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// bed is what a service works on.
type bed struct {
	home, roots string
	at          time.Time
	night       bool
}

// process is a service that was started.
type process struct {
	*exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	said  *bytes.Buffer // on its standard error
}

// start starts a service, which is killed when ctx ends.
func (b bed) start(ctx context.Context, t *testing.T) *process {
	t.Helper()
	args := []string{"-home", b.home, "-roots", b.roots, "-at", b.at.Format(time.RFC3339)}
	if b.night {
		args = append(args, "-night")
	}
	p := &process{Cmd: exec.CommandContext(ctx, child, args...), said: &bytes.Buffer{}}
	p.Stderr = p.said
	in, err1 := p.StdinPipe()
	out, err2 := p.StdoutPipe()
	if err := errors.Join(err1, err2, p.Start()); err != nil {
		t.Fatal(err)
	}
	p.in, p.lines = in, bufio.NewScanner(out)
	return p
}

// end waits until a service has ended, and returns the last line that it said.
func (p *process) end(t *testing.T) (last string) {
	t.Helper()
	for p.lines.Scan() {
		last = p.lines.Text()
	}
	_ = p.Wait() // it may have been killed
	if p.said.Len() > 0 {
		t.Errorf("the service said %s", p.said)
	}
	return last
}

// through runs a service until it has caught up and ends it in order. It has to tell of no problems.
func (b bed) through(t *testing.T) {
	t.Helper()
	p := b.start(t.Context(), t)
	p.ready(t)
	p.stop(t)
}

// ready returns when the service has caught up.
func (p *process) ready(t *testing.T) {
	t.Helper()
	for p.lines.Scan() {
		if problems, ok := strings.CutPrefix(p.lines.Text(), "problems "); ok {
			if problems != "" {
				t.Errorf("problems %s", problems)
			}
			return
		}
	}
	t.Fatalf("the service ended before it was ready: %s", p.said)
}

func (p *process) stop(t *testing.T) {
	t.Helper()
	_ = p.in.Close()
	for p.lines.Scan() { // a pipe is read before it is waited for
	}
	if err := p.Wait(); err != nil {
		t.Errorf("the service ended with %v: %s", err, p.said)
	}
}

// published is the content of the files that a memory shows to people, by name and digest.
func published(t *testing.T, homeDir string) string {
	t.Helper()
	root := home.At(homeDir).Memory()
	var b strings.Builder
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		if d.IsDir() {
			if rel == ".git" || rel == "log" {
				return filepath.SkipDir
			}
			return nil
		}
		data, err := os.ReadFile(p)
		fmt.Fprintf(&b, "%s %x\n", filepath.ToSlash(rel), sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_OPTIONAL_LOCKS=0")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s in %s: %v\n%s", strings.Join(args, " "), dir, err, out)
	}
	return string(out)
}

// repositories are all repositories of a state folder, that of the memory first.
func repositories(t *testing.T, homeDir string) []string {
	t.Helper()
	h := home.At(homeDir)
	dirs, err := filepath.Glob(filepath.Join(h.Sessions(), "*", ".git"))
	if err != nil {
		t.Fatal(err)
	}
	out := []string{h.Memory()}
	for _, d := range dirs {
		out = append(out, filepath.Dir(d))
	}
	return out
}

// sound makes sure that stock git finds nothing wrong with any repository of a state folder, and nothing uncommitted.
func sound(t *testing.T, homeDir string) {
	t.Helper()
	for _, dir := range repositories(t, homeDir) {
		git(t, dir, "fsck", "--strict", "--full")
		if s := git(t, dir, "status", "--porcelain"); s != "" {
			t.Errorf("git status in %s:\n%s", dir, s)
		}
	}
}

// histories lists the commits of all sessions: equal nodes give equal commits.
func histories(t *testing.T, homeDir string) string {
	t.Helper()
	var out []string
	for _, dir := range repositories(t, homeDir)[1:] {
		out = append(out, filepath.Base(dir)+" "+strings.Join(strings.Fields(git(t, dir, "log", "--format=%H")), " "))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// same compares two memories.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	if a, b := published(t, got), published(t, want); a != b || !strings.Contains(a, "core.md") {
		t.Errorf("published %s:\n%s\nwithout:\n%s", what, a, b)
	}
	if a, b := histories(t, got), histories(t, want); a != b || a == "" {
		t.Errorf("sessions %s:\n%s\nwithout:\n%s", what, a, b)
	}
}
