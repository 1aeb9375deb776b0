package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tidwall/gjson"
)

// How Dormouse is while an agent runs.
const (
	absent = "absent" // never installed
	up     = "up"
	hung   = "hung" // stopped by a signal, its hooks connected
	down   = "down" // hooks connected, no service
)

const agentTime = 10 * time.Minute

// world is one run of one agent: a home folder and, where Dormouse is there, its service.
type world struct {
	bin     string // folder of Dormouse's binaries
	agents  string // folder of the agents' binaries
	home    string
	url     string // of the scripted model
	memory  string // what sessions are told, as the service says; empty without one
	service *exec.Cmd
}

// seen is what a run shows and leaves.
type seen struct {
	screen     string
	exit       int
	transcript string // normalised; empty where the agent's is no text
	took       time.Duration
}

func (w *world) env(more ...string) []string {
	return append([]string{"PATH=" + w.agents + ":/usr/local/bin:/usr/bin:/bin", "HOME=" + w.home, "TERM=dumb", "LANG=C.UTF-8", "NO_COLOR=1"}, more...)
}

// settle makes the home folder anew and brings Dormouse into a state.
func (w *world) settle(a agent, state string) error {
	if err := os.RemoveAll(w.home); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(w.home, "work"), 0o700); err != nil {
		return err
	}
	if a.prepare != nil {
		if err := a.prepare(w.home, w.url); err != nil {
			return err
		}
	}
	w.memory = ""
	return w.bring(a, state)
}

// runs runs the agent with a prompt until it ends.
func (w *world) runs(a agent, says string) (seen, error) {
	ctx, cancel := context.WithTimeout(context.Background(), agentTime)
	defer cancel()
	cmd := w.command(ctx, a, says)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if a.names != nil {
		out = a.names.ReplaceAll(out, nil)
	}
	s := seen{screen: normal(string(out)), took: time.Since(began)}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		s.exit = exit.ExitCode()
	} else if err != nil {
		return s, err
	}
	s.transcript, err = w.transcripts(a)
	return s, err
}

// bring connects the hooks and starts or stops the service.
func (w *world) bring(a agent, state string) error {
	if state == absent {
		return nil
	}
	if out, err := w.dormouse("agents", "connect", a.name, "--yes"); err != nil {
		return fmt.Errorf("connect %s: %w: %s", a.name, err, out)
	}
	if a.trust != nil {
		if err := a.trust(w); err != nil {
			return fmt.Errorf("trust the hooks of %s: %w", a.name, err)
		}
		out, err := w.dormouse("agents", "--json")
		if err != nil || gjson.Get(out, `agents.#(name="`+a.name+`").hooks`).String() != "connected" {
			return fmt.Errorf("hooks that are trusted are not told as connected: %v: %s", err, out)
		}
	}
	if state == down {
		return os.MkdirAll(filepath.Join(w.home, ".dormouse", "run"), 0o700)
	}
	if err := w.lived(); err != nil {
		return err
	}
	if err := w.start(); err != nil {
		return err
	}
	if err := w.remember(a); err != nil {
		return err
	}
	if state == hung {
		return w.service.Process.Signal(syscall.SIGSTOP)
	}
	return nil
}

func (w *world) start() error {
	w.service = exec.Command(filepath.Join(w.bin, "dormouse"), "up", "--service") // as the system starts it, never the demo
	w.service.Env = w.env("DORMOUSE_HOME=" + filepath.Join(w.home, ".dormouse"))
	if err := w.service.Start(); err != nil {
		return err
	}
	for range 600 {
		if _, err := w.dormouse("status"); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("the service does not answer")
}

// wake ends a hang.
func (w *world) wake() { _ = w.service.Process.Signal(syscall.SIGCONT) }

func (w *world) stop() {
	if w.service == nil {
		return
	}
	w.wake()
	_ = w.service.Process.Signal(syscall.SIGTERM)
	_ = w.service.Wait()
	w.service = nil
}

// dormouse runs one of Dormouse's commands and gives what it printed.
func (w *world) dormouse(args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(w.bin, "dormouse"), args...)
	cmd.Env = w.env("DORMOUSE_HOME=" + filepath.Join(w.home, ".dormouse"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%w: %s", err, errs.String())
	}
	return out.String(), nil
}

// transcripts are the agent's own files, normalised, in an order that does not depend on names.
func (w *world) transcripts(a agent) (string, error) {
	var texts []string
	for _, pattern := range a.logs {
		found, err := filepath.Glob(filepath.Join(w.home, pattern))
		if err != nil {
			return "", err
		}
		for _, path := range found {
			b, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			texts = append(texts, normalLines(string(b)))
		}
	}
	slices.Sort(texts)
	return strings.Join(texts, "\n---\n"), nil
}
