package daemon

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/service/config"
	"dormouse/store/home"
)

// clock is a fixed time after all samples, so that they are idle and records carry equal times in every run.
func clock() time.Time { return time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC) }

// params is a service on a state folder that reads the transcripts below roots, laid out as assets lays out the samples.
func params(homeDir, roots string) Params {
	cfg := config.Default()
	cfg.Capture.Agents = []string{"claude-code", "codex"} // the others' folders are the person's own
	cfg.Capture.Roots = map[string][]string{
		"claude-code": {filepath.Join(roots, filepath.FromSlash(assets.SampleClaude))},
		"codex":       {filepath.Join(roots, filepath.FromSlash(assets.SampleCodex))},
	}
	return Params{Home: home.At(homeDir), Config: cfg, Now: clock, Env: func(string) string { return "" }}
}

// samples unpacks the sample sessions.
func samples(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := assets.ExtractSamples(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// service is a running service.
type service struct {
	*client.Client
	daemon *Daemon
	stop   func() error
}

// start runs a service until it has caught up. It is stopped at the end of the test, if not before.
func start(t *testing.T, p Params) *service {
	t.Helper()
	ready := make(chan Report, 1)
	p.Report = func(r Report) {
		if r.Stage == StageReady {
			ready <- r
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	d := New(p)
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	select {
	case <-ready:
	case err := <-done:
		cancel()
		t.Fatalf("the service ended before it was ready: %v", err)
	}
	stopped := false
	s := &service{Client: client.New(client.Options{Home: p.Home.Dir(), Timeout: 5 * time.Minute}), daemon: d}
	s.stop = func() error {
		if stopped {
			return nil
		}
		stopped = true
		s.Close()
		cancel()
		return <-done
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Errorf("stop the service: %v", err)
		}
	})
	return s
}

// looked waits until the loop that decides on sleep has looked for the first time. It looks again in a minute: a test that moves the
// clock before that decides alone.
func (s *service) looked(t *testing.T) {
	t.Helper()
	until(t, s, "the loop's first look", func(api.Status) bool {
		h := s.daemon.loop.Health()
		return !h.LastOK.IsZero() || h.Failed > 0
	})
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

// git runs the git command in a folder and returns what it prints.
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

// repositories are all repositories of a state folder.
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
