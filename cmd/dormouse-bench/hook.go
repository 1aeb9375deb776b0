package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/service/socket"
)

// hookFigures are the times of one hook process, from its start to its end, in milliseconds of the clock, which is what an
// agent waits. Failed counts those with an exit code other than 0 or with output.
type hookFigures struct {
	Service string  `json:"service"` // up, down, hung or busy
	Runs    int     `json:"runs"`
	P50     float64 `json:"p50_ms"`
	P95     float64 `json:"p95_ms"`
	P99     float64 `json:"p99_ms"`
	Most    float64 `json:"max_ms"`
	Failed  int     `json:"failed"`
}

// hookBench runs a hook's process again and again, as an agent would.
func hookBench(args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("hook", flag.ContinueOnError)
	f.SetOutput(stdout)
	binary := f.String("hook", "", "the dormouse-hook to measure")
	runs := f.Int("runs", 200, "how many processes for each state of the service")
	asJSON := f.Bool("json", false, "print one JSON array")
	f.Usage = func() {
		_, _ = fmt.Fprintln(stdout, "usage: dormouse-bench hook [flags]\nexample: dormouse-bench hook --hook bin/dormouse-hook")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return err
	}
	if *binary == "" || *runs < 1 {
		return fmt.Errorf("say which binary, and at least one run: dormouse-bench hook --hook bin/dormouse-hook --runs 200")
	}
	path, err := filepath.Abs(*binary)
	if err != nil {
		return err
	}
	figs, err := measureHook(path, *runs)
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(figs)
	}
	t := tabwriter.NewWriter(stdout, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "service\truns\tp50 ms\tp95 ms\tp99 ms\tmost ms\tfailed")
	for _, g := range figs {
		_, _ = fmt.Fprintf(t, "%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%d\n", g.Service, g.Runs, g.P50, g.P95, g.P99, g.Most, g.Failed)
	}
	return t.Flush()
}

func measureHook(binary string, runs int) ([]hookFigures, error) {
	dir, err := os.MkdirTemp("", "dormouse-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a folder of ours
	var out []hookFigures
	for _, state := range []string{"down", "hung", "up", "busy"} {
		fig, err := hookRuns(binary, filepath.Join(dir, state), state, runs)
		if err != nil {
			return nil, fmt.Errorf("with the service %s: %w", state, err)
		}
		out = append(out, fig)
	}
	return out, nil
}

// hookRuns measures with a service in one state.
func hookRuns(binary, home, state string, runs int) (hookFigures, error) {
	fig := hookFigures{Service: state, Runs: runs}
	end, err := serviceIn(state, home)
	if err != nil {
		return fig, err
	}
	defer end()
	var times []float64
	for i := range runs {
		payload := fmt.Sprintf(`{"session_id":"bench-%d","hook_event_name":"Stop","cwd":"/nowhere","prompt":%q}`, i, strings.Repeat("words ", 200))
		ms, ok := timed(exec.Command(binary, "Stop"), home, payload)
		times = append(times, ms)
		if !ok {
			fig.Failed++
		}
	}
	slices.Sort(times)
	at := func(share float64) float64 { return times[min(runs-1, int(share*float64(runs)))] }
	fig.P50, fig.P95, fig.P99, fig.Most = at(0.5), at(0.95), at(0.99), times[runs-1]
	return fig, nil
}

// timed runs a process and gives its time in milliseconds, and whether it was silent and fine.
func timed(cmd *exec.Cmd, home, stdin string) (ms float64, ok bool) {
	cmd.Env = append(os.Environ(), "DORMOUSE_HOME="+home)
	cmd.Stdin = strings.NewReader(stdin)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	return float64(time.Since(began).Microseconds()) / 1000, err == nil && len(out) == 0
}

// serviceIn brings a service into a state: down is a state folder without one, hung a listener that never answers, up a service
// with the sample sessions, busy one that is asked for everything without a pause.
func serviceIn(state, home string) (end func(), err error) {
	if err := os.MkdirAll(filepath.Join(home, "run"), 0o700); err != nil {
		return nil, err
	}
	switch state {
	case "down":
		return func() {}, nil
	case "hung":
		ln, err := socket.Listen(home)
		if err != nil {
			return nil, err
		}
		return func() { _ = ln.Close() }, nil
	}
	roots := filepath.Join(home, "roots")
	if _, err := assets.ExtractSamples(roots); err != nil {
		return nil, err
	}
	s := &soakService{home: home, roots: roots}
	if err := s.start(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for state == "busy" && ctx.Err() == nil {
			_, _ = s.client.Search(ctx, api.SearchQuery{Words: "fix the build", Limit: 50})
			_, _ = s.client.Sleep(ctx)
		}
	}()
	return func() {
		cancel()
		<-done
		_ = s.stop()
	}, nil
}
