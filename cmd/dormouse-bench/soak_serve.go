package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"gopkg.in/natefinch/lumberjack.v2"

	"dormouse/assets"
	"dormouse/service/config"
	"dormouse/service/daemon"
	"dormouse/store/home"
)

// The variables by which this program is told to be a service and nothing else, in a process of its own.
const (
	serveHome  = "DORMOUSE_SOAK_HOME"
	serveRoots = "DORMOUSE_SOAK_ROOTS"
)

// serveMemory is what the garbage collector of the service aims at, in bytes, as in the product.
const serveMemory = 128 << 20

// reading is what a service in a process of its own tells of itself.
type reading struct {
	CPU        float64 `json:"cpu"` // seconds since it began
	Resident   float64 `json:"mb"`  // 10^6 bytes
	Goroutines int     `json:"goroutines"`
	Open       float64 `json:"open"`
}

// serve is the service as `dormouse up --service` runs it, until its standard input ends. It prints a reading when it is ready, and
// one for each line that it reads.
func serve(dir, roots string, in io.Reader, out io.Writer) error {
	debug.SetMemoryLimit(serveMemory)
	log := &lumberjack.Logger{Filename: home.At(dir).Log(), MaxSize: 10, MaxBackups: 5}
	defer log.Close() //nolint:errcheck // nothing is left to tell it to
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tell := func() { _ = json.NewEncoder(out).Encode(readSelf()) }
	p := daemon.Params{Home: home.At(dir), Config: soakConfig(roots), Embedding: assets.Embedding(), Env: func(string) string { return "" },
		MemoryLimit: serveMemory, RotateLog: log.Rotate, Log: slog.New(slog.NewTextHandler(log, nil))}
	ready := make(chan struct{})
	p.Report = func(r daemon.Report) {
		if r.Stage == daemon.StageReady {
			tell()
			close(ready)
		}
	}
	go func() {
		<-ready
		for lines := bufio.NewScanner(in); lines.Scan(); {
			tell()
		}
		cancel()
	}()
	return daemon.New(p).Run(ctx)
}

// soakConfig are the default settings on the transcripts below roots.
func soakConfig(roots string) config.Config {
	cfg := config.Default()
	cfg.Capture.Agents = []string{"claude-code", "codex"} // the others' folders are the person's own
	cfg.Capture.Roots = map[string][]string{
		"claude-code": {filepath.Join(roots, filepath.FromSlash(assets.SampleClaude))},
		"codex":       {filepath.Join(roots, filepath.FromSlash(assets.SampleCodex))},
	}
	return cfg
}

func readSelf() reading {
	return reading{CPU: cpuSeconds(), Resident: residentMB(), Goroutines: runtime.NumGoroutine(), Open: openFiles()}
}

// residentMB is what of the process lies in memory, in 10^6 bytes; where the system does not tell, what the Go heap takes of it.
func residentMB() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.Sys-m.HeapReleased) / 1e6
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.ParseFloat(kb, 64)
	return n * 1024 / 1e6
}

// served is a service in a process of its own.
type served struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *json.Decoder
	ready reading
	took  time.Duration // from the start of the process until the service was ready
}

// startServed starts a service and returns when it is ready.
func startServed(dir, roots string) (*served, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &served{cmd: exec.Command(self)}
	s.cmd.Env = append(os.Environ(), serveHome+"="+dir, serveRoots+"="+roots)
	s.cmd.Stderr = os.Stderr
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	s.out = json.NewDecoder(out)
	err = s.out.Decode(&s.ready)
	s.took = time.Since(began)
	if err != nil {
		_ = s.in.Close()
		return nil, fmt.Errorf("the service ended before it was ready: %w", err)
	}
	return s, nil
}

func (s *served) read() (r reading, err error) {
	if _, err := io.WriteString(s.in, "\n"); err != nil {
		return r, err
	}
	return r, s.out.Decode(&r)
}

func (s *served) stop() error {
	_ = s.in.Close()
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("the service ended with %w", err)
	}
	return nil
}
