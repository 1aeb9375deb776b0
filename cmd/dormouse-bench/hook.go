package main

import (
	"context"
	"encoding/json"
	"errors"
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
// agent waits. Told counts those that told the agent something, Failed those with an exit code other than 0 or with output that is
// none of an agent's form, or that nobody asked for.
type hookFigures struct {
	Event   string  `json:"event"`
	Service string  `json:"service"` // up, down, hung or busy
	Runs    int     `json:"runs"`
	P50     float64 `json:"p50_ms"`
	P95     float64 `json:"p95_ms"`
	P99     float64 `json:"p99_ms"`
	Most    float64 `json:"max_ms"`
	Told    int     `json:"told"`
	Failed  int     `json:"failed"`
}

// hookCalls are the events that are measured, with the arguments of the hook: one that only reports, and the two that ask.
var hookCalls = []struct {
	event string
	args  []string
}{
	{"Stop", []string{"Stop"}},
	{"SessionStart", []string{"SessionStart", "--inject", "--agent", "claude-code"}},
	{"UserPromptSubmit", []string{"UserPromptSubmit", "--inject", "--agent", "claude-code"}},
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
	_, _ = fmt.Fprintln(t, "event\tservice\truns\tp50 ms\tp95 ms\tp99 ms\tmost ms\ttold\tfailed")
	for _, g := range figs {
		_, _ = fmt.Fprintf(t, "%s\t%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%d\t%d\n", g.Event, g.Service, g.Runs, g.P50, g.P95, g.P99, g.Most, g.Told, g.Failed)
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
		figs, err := hookRuns(binary, filepath.Join(dir, state), state, runs)
		if err != nil {
			return nil, fmt.Errorf("with the service %s: %w", state, err)
		}
		out = append(out, figs...)
	}
	return out, nil
}

// hookRuns measures with a service in one state.
func hookRuns(binary, home, state string, runs int) (out []hookFigures, err error) {
	end, err := serviceIn(state, home)
	if err != nil {
		return nil, err
	}
	defer end()
	for _, call := range hookCalls {
		out = append(out, callRuns(binary, home, state, call.event, call.args, runs))
	}
	return out, nil
}

// callRuns measures one call. Each run is of another session, so that what an earlier one was told does not count.
func callRuns(binary, home, state, event string, args []string, runs int) hookFigures {
	fig := hookFigures{Event: event, Service: state, Runs: runs}
	var times []float64
	for i := range runs {
		payload := fmt.Sprintf(`{"session_id":"bench-%s-%d","hook_event_name":%q,"source":"startup","cwd":%q,"prompt":%q}`, event, i, event, benchWork(home),
			"do the Go files have tabs? "+strings.Repeat("words ", 200))
		ms, printed, err := timed(exec.Command(binary, args...), home, payload)
		times = append(times, ms)
		asks := len(args) > 1
		switch {
		case err != nil || len(printed) > 0 && !(asks && json.Valid(printed)):
			fig.Failed++
		case len(printed) > 0:
			fig.Told++
		}
	}
	slices.Sort(times)
	at := func(share float64) float64 { return times[min(runs-1, int(share*float64(runs)))] }
	fig.P50, fig.P95, fig.P99, fig.Most = at(0.5), at(0.95), at(0.99), times[runs-1]
	return fig
}

// timed runs a process and gives its time in milliseconds, and what it printed.
func timed(cmd *exec.Cmd, home, stdin string) (ms float64, printed []byte, err error) {
	cmd.Env = append(os.Environ(), "DORMOUSE_HOME="+home)
	cmd.Stdin = strings.NewReader(stdin)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	return float64(time.Since(began).Microseconds()) / 1000, out, err
}

// benchWork is the folder of the project of which a session is told. It lies outside of the state folder, where sessions are our own.
func benchWork(home string) string { return home + "-work" }

// leaveMemory writes a session that said what is to be told.
func leaveMemory(home, roots string) error {
	dir := filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), "bench")
	if err := errors.Join(os.MkdirAll(benchWork(home), 0o700), os.MkdirAll(dir, 0o700)); err != nil {
		return err
	}
	head := func(kind, id, up, at string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":"bench","cwd":%q,"timestamp":"2026-05-01T10:00:%sZ",`, kind, id, up, benchWork(home), at)
	}
	text := head("user", "b1", "null", "00") + `"message":{"role":"user","content":"From now on use tabs in all Go files."}}` + "\n" +
		head("assistant", "b2", `"b1"`, "09") + `"message":{"id":"b","role":"assistant","model":"m","content":[{"type":"text","text":"I will."}],"stop_reason":"end_turn"}}` + "\n"
	return os.WriteFile(filepath.Join(dir, "bench.jsonl"), []byte(text), 0o600)
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
	if err := leaveMemory(home, roots); err != nil {
		return nil, err
	}
	s := &soakService{home: home, roots: roots, records: 3}
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
