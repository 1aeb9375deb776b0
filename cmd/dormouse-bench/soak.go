package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"dormouse/assets"
)

// soakFigures is what the soak prints. Memory is private memory in 10^6 bytes; early is the median of the second quarter of
// the time, late that of the last.
type soakFigures struct {
	Seconds         float64  `json:"seconds"`
	CPUSeconds      float64  `json:"cpu_seconds"`
	Sessions        int      `json:"sessions"` // that agents began
	Nodes           int      `json:"nodes"`    // that were captured of them
	Megabytes       float64  `json:"megabytes"`
	Calls           int      `json:"calls"` // of clients, sleeps included
	Sleeps          int      `json:"sleeps"`
	Restarts        int      `json:"restarts"`
	MemoryEarly     float64  `json:"private_mb_early"`
	MemoryLate      float64  `json:"private_mb_late"`
	MemoryPeak      float64  `json:"private_mb_peak"`
	GoroutinesEarly float64  `json:"goroutines_early"`
	GoroutinesLate  float64  `json:"goroutines_late"`
	OpenEarly       float64  `json:"open_files_early"` // 0 where the system does not tell
	OpenLate        float64  `json:"open_files_late"`
	Faults          []string `json:"faults"` // what must not be; empty is a pass

	Rest *restFigures `json:"rest"`
}

// soakBench runs a service for a while as a busy day would: agents write sessions line by line, clients ask at random, it sleeps
// again and again and is started anew. Afterwards all must be there that a calm capture of the same transcripts finds, no call
// may have failed, and nothing may have kept growing.
func soakBench(args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("soak", flag.ContinueOnError)
	f.SetOutput(stdout)
	length := f.Duration("for", 2*time.Minute, "how long: half of it is busy, a quarter is watched at rest, and the rest is for starts and comparisons")
	sessions := f.Int("sessions", 1000, "how many sessions the service at rest has")
	seed := f.Uint64("seed", 1, "of what happens when")
	asJSON := f.Bool("json", false, "print one JSON object")
	f.Usage = func() {
		_, _ = fmt.Fprintln(stdout, "usage: dormouse-bench soak [flags]\nexample: dormouse-bench soak --for 2m")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return err
	}
	if *length < 5*time.Second {
		return fmt.Errorf("--for %s is too short to tell growth from a start; give at least 5s", *length)
	}
	fig, err := soak(*length, *seed, *sessions)
	if err != nil {
		return err
	}
	if *asJSON {
		err = json.NewEncoder(stdout).Encode(fig)
	} else {
		err = printSoak(stdout, fig)
	}
	if err == nil && len(fig.Faults) > 0 {
		err = fmt.Errorf("%d faults, the first: %s", len(fig.Faults), fig.Faults[0])
	}
	return err
}

// soak lets everything happen for a time and compares.
func soak(length time.Duration, seed uint64, sessions int) (soakFigures, error) {
	var fig soakFigures
	dir, err := os.MkdirTemp("", "dormouse-soak-")
	if err != nil {
		return fig, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a folder of ours in the folder for temporary ones
	samples, roots := filepath.Join(dir, "samples"), filepath.Join(dir, "roots")
	if _, err := assets.ExtractSamples(samples); err != nil {
		return fig, err
	}
	writer, err := newSoakAgents(samples, roots, seed)
	if err != nil {
		return fig, err
	}
	s := &soakService{home: filepath.Join(dir, "home"), roots: roots}
	if err := s.start(); err != nil {
		return fig, err
	}
	began, cpu := time.Now(), cpuSeconds()
	ctx, cancel := context.WithTimeout(context.Background(), length/2)
	defer cancel()
	watched := watchGrowth(ctx)
	wrote := make(chan error, 1)
	go func() { wrote <- writer.run(ctx) }()
	callers := newSoakCallers(s, seed)
	callers.run(ctx)
	if err := <-wrote; err != nil {
		return fig, err
	}
	growth := <-watched
	fig.CPUSeconds, fig.Seconds = cpuSeconds()-cpu, time.Since(began).Seconds()
	fig.Sessions, fig.Megabytes = writer.sessions, float64(writer.bytes)/1e6
	fig.Calls, fig.Sleeps, fig.Restarts = callers.calls, callers.sleeps, callers.restarts
	growth.fill(&fig)
	fig.Faults = append(callers.faults, growth.faults()...)
	lost, nodes, err := compareWithCalm(s, dir)
	fig.Nodes = nodes
	fig.Faults = append(fig.Faults, lost...)
	if err != nil {
		return fig, err
	}
	state := bytesBelow(s.home)
	if fig.Rest, err = soakRest(dir, writer, sessions, length/4); err != nil {
		return fig, fmt.Errorf("at rest: %w", err)
	}
	fig.Rest.onPaper(state, fig.Nodes, fig.Sessions)
	fig.Faults = append(fig.Faults, fig.Rest.faults()...)
	return fig, nil
}

func printSoak(w io.Writer, f soakFigures) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintf(t, "ran\t%.0f s, %.0f CPU s\n", f.Seconds, f.CPUSeconds)
	_, _ = fmt.Fprintf(t, "captured\t%d sessions, %d nodes, %.1f MB\n", f.Sessions, f.Nodes, f.Megabytes)
	_, _ = fmt.Fprintf(t, "asked\t%d calls, %d sleeps, %d restarts\n", f.Calls, f.Sleeps, f.Restarts)
	_, _ = fmt.Fprintf(t, "private memory\t%.0f MB early, %.0f MB late, %.0f MB at most\n", f.MemoryEarly, f.MemoryLate, f.MemoryPeak)
	_, _ = fmt.Fprintf(t, "goroutines\t%.0f early, %.0f late\n", f.GoroutinesEarly, f.GoroutinesLate)
	_, _ = fmt.Fprintf(t, "open files\t%.0f early, %.0f late\n", f.OpenEarly, f.OpenLate)
	if r := f.Rest; r != nil {
		_, _ = fmt.Fprintf(t, "start to ready\t%.0f ms, %.0f ms of a processor, with %d sessions\n", r.Ready, r.ReadyCPU, r.Sessions)
		_, _ = fmt.Fprintf(t, "at rest\t%.3f %% of a core in %.0f s (to hold: %.1f) beside others that took %.0f %% of the machine, the log grew by %d bytes\n",
			r.Idle, r.Seconds, restIdle, 100*r.Others, r.Log)
		_, _ = fmt.Fprintf(t, "resident\t%.0f MB empty, %.0f MB early, %.0f MB late, %.0f MB at most\n", r.Empty, r.Early, r.Late, r.Peak)
		_, _ = fmt.Fprintf(t, "goroutines at rest\t%.0f early, %.0f late; open files %.0f, %.0f\n", r.GoroutinesEarly, r.GoroutinesLate, r.OpenEarly, r.OpenLate)
		_, _ = fmt.Fprintf(t, "a year on paper\t%d sessions: %.0f MB resident, %.1f GB of state (%.0f bytes a node), %.1f MB of log\n",
			r.Year.Sessions, r.Year.Resident, r.Year.State, r.Year.PerNode, r.Year.Log)
	}
	for _, fault := range f.Faults {
		_, _ = fmt.Fprintf(t, "fault\t%s\n", fault)
	}
	return t.Flush()
}
