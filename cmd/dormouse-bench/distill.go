package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"dormouse/service/distill"
	"dormouse/store/ledger"
	"dormouse/store/memory"
)

// prediction is one record in the format that the scorer of labelled sessions reads.
type prediction struct {
	Session  string   `json:"session"` // the agent's own id
	Kind     string   `json:"kind"`
	Summary  string   `json:"summary"`
	Entities []string `json:"entities"`
	UUIDs    []string `json:"uuids"` // ids of the agent's own records
}

// distillFigures is what --json prints.
type distillFigures struct {
	Sessions         int     `json:"sessions"`
	Nodes            int     `json:"nodes"`
	Records          int     `json:"records"`
	Entities         int     `json:"entities"`
	Edges            int     `json:"edges"`
	SkippedLines     int     `json:"skipped_lines"`
	ReadSeconds      float64 `json:"read_seconds"`
	DistillSeconds   float64 `json:"distill_seconds"`
	NodesPerSecond   float64 `json:"nodes_per_second"`
	MeanSummaryBytes float64 `json:"mean_summary_bytes"`
	// With --nodes alone: CPU time, and private memory in 10^6 bytes at its peak and before the first session was distilled.
	CPUSeconds float64 `json:"cpu_seconds,omitempty"`
	PrivateMB  float64 `json:"private_mb,omitempty"`
	BeforeMB   float64 `json:"private_mb_before,omitempty"`
	// What one more session took that went idle, the slowest of idleSessions, with a log of that size.
	IdleSeconds float64 `json:"idle_cpu_seconds,omitempty"`
	// What opening the log takes: CPU time, private memory at the peak and afterwards, and the size of the log in 10^6 bytes.
	OpenSeconds float64 `json:"open_cpu_seconds,omitempty"`
	OpenMB      float64 `json:"open_private_mb,omitempty"`
	OpenedMB    float64 `json:"opened_private_mb,omitempty"`
	LogMB       float64 `json:"log_mb,omitempty"`
}

// distillBench distils the transcripts below a folder with the product's capture, extractor and log, all with their default
// settings, and writes one record a line.
func distillBench(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("distill", flag.ContinueOnError)
	dir := fs.String("sessions", "", "folder of transcripts")
	out := fs.String("out", "", "file for the records, one JSON object a line")
	asJSON := fs.Bool("json", false, "print the figures as JSON")
	nodes := fs.Int("nodes", 0, "measure speed: repeat the sessions, with ids of their own, to this many nodes in sessions of 1,000")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *dir == "" || *out == "" && *nodes == 0 {
		return fmt.Errorf("distill: --sessions DIR and --out FILE, or --sessions DIR and --nodes N, are needed")
	}
	began := time.Now()
	store, err := readSessions(*dir)
	if err != nil {
		return err
	}
	if *nodes > 0 {
		many, err := repeat(store, *nodes, idleSessions)
		if err != nil {
			return err
		}
		defer many.close() //nolint:errcheck // a temporary file
		store = nil        // its memory is the bench's
		fig, err := scaled(many)
		if err != nil || !*asJSON {
			return errors.Join(err, printScale(stdout, fig))
		}
		return printFigures(stdout, fig, true)
	}
	read := time.Since(began)
	began = time.Now()
	preds, figures, err := distilled(store)
	if err != nil {
		return err
	}
	figures.ReadSeconds, figures.DistillSeconds = read.Seconds(), time.Since(began).Seconds()
	if figures.DistillSeconds > 0 {
		figures.NodesPerSecond = float64(figures.Nodes) / figures.DistillSeconds
	}
	if err := writePredictions(*out, preds); err != nil {
		return err
	}
	return printFigures(stdout, figures, *asJSON)
}

// distilled runs the distiller over all sessions with a log of its own in a temporary folder.
func distilled(store *transcripts) ([]prediction, distillFigures, error) {
	fig := distillFigures{Sessions: len(store.sessions), SkippedLines: store.skipped}
	home, err := os.MkdirTemp("", "dormouse-bench-")
	if err != nil {
		return nil, fig, fmt.Errorf("make a folder for the log: %w", err)
	}
	defer os.RemoveAll(home)
	log := ledger.New(ledger.Options{Dir: home, Machine: "bench", Now: time.Now})
	if err := log.Open(); err != nil {
		return nil, fig, err
	}
	res, err := distill.New(distill.Options{Sessions: store, Log: log}).Run(context.Background(), nil, "manual")
	if err != nil {
		return nil, fig, err
	}
	for _, f := range res.Failed {
		return nil, fig, fmt.Errorf("distill session %s: %w", f.Session, f.Err)
	}
	fig.Nodes = res.Counts.Nodes
	var preds []prediction
	log.Read(func(s *memory.State) {
		preds = store.predictions(s)
		fig.Entities, fig.Edges = len(s.Entities), len(s.Edges)
	})
	fig.Records = len(preds)
	for _, p := range preds {
		fig.MeanSummaryBytes += float64(len(p.Summary)) / float64(len(preds))
	}
	return preds, fig, nil
}

func writePredictions(path string, preds []prediction) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write records: %w", err)
	}
	e := json.NewEncoder(f)
	e.SetEscapeHTML(false)
	for _, p := range preds {
		if err := e.Encode(p); err != nil {
			f.Close()
			return fmt.Errorf("write records to %s: %w", path, err)
		}
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write records to %s: %w", path, err)
	}
	return nil
}

func printFigures(w io.Writer, f distillFigures, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(f)
	}
	_, err := fmt.Fprintf(w, "sessions %d, nodes %d, lines skipped %d\nrecords %d (mean %.0f bytes), entities %d, edges %d\nread %.2f s, distilled %.2f s, %.0f nodes/s\n",
		f.Sessions, f.Nodes, f.SkippedLines, f.Records, f.MeanSummaryBytes, f.Entities, f.Edges, f.ReadSeconds, f.DistillSeconds, f.NodesPerSecond)
	return err
}
