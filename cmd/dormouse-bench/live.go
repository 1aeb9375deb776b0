package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dormouse/service/capture/claudecode"
)

// liveFigures is what the live bench prints: milliseconds of the clock from the moment that a turn stands in its transcript.
type liveFigures struct {
	Turns      int     `json:"turns"`
	StoredP50  float64 `json:"stored_p50_ms"` // until all of its nodes are stored durably
	StoredMost float64 `json:"stored_most_ms"`
	CommitP50  float64 `json:"committed_p50_ms"` // until the turn before it, which it closes, is a commit
	CommitMost float64 `json:"committed_most_ms"`
}

// liveBench follows a transcript as it is written, a turn at a time.
func liveBench(args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("live", flag.ContinueOnError)
	f.SetOutput(stdout)
	turns := f.Int("turns", 30, "turns that are written")
	text := f.String("corpus", "", "folder with source code that the turns are cut from; default: Go's own")
	asJSON := f.Bool("json", false, "print one JSON object")
	if err := f.Parse(args); err != nil {
		return err
	}
	c, err := readCorpus(*text, 1)
	if err != nil {
		return err
	}
	fig, err := measureLive(c, *turns)
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(fig)
	}
	_, err = fmt.Fprintf(stdout, "%d turns\nall nodes stored      %.0f ms at the median, %.0f at most\nturn before committed %.0f ms at the median, %.0f at most\n",
		fig.Turns, fig.StoredP50, fig.StoredMost, fig.CommitP50, fig.CommitMost)
	return err
}

// liveWait is how long a turn may take before the bench gives up.
const liveWait = 2 * time.Minute

func measureLive(c *corpus, turns int) (fig liveFigures, err error) {
	root, err := os.MkdirTemp("", "dormouse-live-")
	if err != nil {
		return fig, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	r, err := newCaptureRun(root, claudecode.Agent, "", true)
	if err != nil {
		return fig, err
	}
	defer r.close()
	path := filepath.Join(root, "-home-dev-app", sessionUUID(1)+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fig, err
	}
	out, err := os.Create(path)
	if err != nil {
		return fig, err
	}
	defer out.Close() //nolint:errcheck // thrown away
	ctx, end := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- r.engine.Run(ctx) }()
	defer func() { end(); <-over }()
	w := &transcriptWriter{c: c, out: bufio.NewWriterSize(out, 1<<20), session: sessionUUID(1)}
	var stored, committed []float64
	for turn := 1; turn <= turns; turn++ {
		w.turn(turn, nodesATurn)
		if err := w.out.Flush(); err != nil {
			return fig, err
		}
		written := time.Now()
		if _, err := r.until(written, func(nodes, _ int) bool { return nodes >= turn*nodesATurn-nodesATurn+1 }); err != nil {
			return fig, err
		}
		ms, err := r.until(written, func(_, commits int) bool { return commits >= turn-1 })
		if err != nil {
			return fig, err
		}
		if turn > 1 {
			committed = append(committed, ms)
		}
		if ms, err = r.until(written, func(nodes, _ int) bool { return nodes >= turn*nodesATurn }); err != nil {
			return fig, err
		}
		stored = append(stored, ms)
	}
	slices.Sort(stored)
	slices.Sort(committed)
	fig = liveFigures{Turns: turns, StoredP50: stored[len(stored)/2], StoredMost: stored[len(stored)-1]}
	if len(committed) > 0 {
		fig.CommitP50, fig.CommitMost = committed[len(committed)/2], committed[len(committed)-1]
	}
	return fig, nil
}

// until waits for the only session to be as far, and says how long after a moment it was, in milliseconds.
func (r *captureRun) until(since time.Time, ok func(nodes, commits int) bool) (ms float64, err error) {
	for time.Since(since) < liveWait {
		list, _, err := r.sessions.List()
		if err != nil {
			return 0, err
		}
		if len(list) > 0 {
			x, err := r.sessions.Open(list[0].ID)
			if err != nil {
				return 0, err
			}
			commits, err := x.Commits()
			if err != nil {
				return 0, err
			}
			if ok(x.Len(), len(commits)) {
				return float64(time.Since(since).Microseconds()) / 1000, nil
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	return 0, fmt.Errorf("a turn was not captured within %s", liveWait)
}
