package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dormouse/assets"
)

func TestCaptureBenchMeasuresEveryAgentsFiles(t *testing.T) {
	dir := t.TempDir()
	n, err := assets.ExtractSamples(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run([]string{"capture", "--sessions", dir, "--json"}, &out, &errs); code != 0 {
		t.Fatalf("%d: %s", code, errs.String())
	}
	var f captureFigures
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	if f.Sessions != n || f.Nodes < 400 || f.MBPerCPU <= 0 || f.DiskFiles == 0 || f.IndexCPU <= 0 || len(f.Problems) > 0 {
		t.Errorf("%+v", f)
	}
	out.Reset()
	if code := run([]string{"capture", "--sessions", filepath.Join(dir, "codex"), "--agent", "codex"}, &out, &errs); code != 0 || !regexp.MustCompile(`(?m)^sessions +3$`).MatchString(out.String()) {
		t.Errorf("%d: %s%s", code, out.String(), errs.String())
	}
}

func TestBenchSaysWhatItNeeds(t *testing.T) {
	var out, errs bytes.Buffer
	for args, want := range map[string]string{"capture": "--sessions DIR", "capture --sessions /nowhere/at/all": "/nowhere/at/all", "cook": "no bench"} {
		errs.Reset()
		if code := run(strings.Fields(args), &out, &errs); code == 0 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: %d %s", args, code, errs.String())
		}
	}
	if code := run(nil, &out, &errs); code != 0 || !strings.Contains(out.String(), "distill") {
		t.Errorf("help: %s", out.String())
	}
}
