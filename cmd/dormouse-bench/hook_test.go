package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestHookBenchRunsTheHookInEveryStateOfTheService(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "dormouse-hook")
	if out, err := exec.Command("go", "build", "-o", binary, "dormouse/cmd/dormouse-hook").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var out bytes.Buffer
	if err := hookBench([]string{"--hook", binary, "--runs", "2", "--json"}, &out); err != nil {
		t.Fatal(err)
	}
	var figs []hookFigures
	if err := json.Unmarshal(out.Bytes(), &figs); err != nil || len(figs) != 4*len(hookCalls) {
		t.Fatalf("%v: %s", err, out.String())
	}
	for _, f := range figs {
		if f.Failed != 0 || f.P50 <= 0 || f.Most < f.P50 || f.Told > 0 && (f.Event == "Stop" || f.Service == "down" || f.Service == "hung") {
			t.Errorf("%+v", f)
		}
	}
}

func TestHookBenchCountsAHookThatIsNotSilent(t *testing.T) {
	figs, err := hookRuns("go", t.TempDir(), "down", 1)
	for _, fig := range figs {
		if fig.Failed != 1 {
			t.Errorf("%+v", fig)
		}
	}
	if err != nil || len(figs) != len(hookCalls) {
		t.Errorf("%+v, %v", figs, err)
	}
	if err := hookBench(nil, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "--hook") {
		t.Errorf("error %v", err)
	}
}
