package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
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

func TestCaptureBenchFindsHistoriesInTheFoldersOfProjects(t *testing.T) {
	dir := t.TempDir()
	const runs = "# aider chat started at 2025-01-01 05:21:00\n\n#### add a test  \n\nDone.\n\n# aider chat started at 2025-01-02 05:21:00\n\n#### and another  \n\nDone.\n"
	for _, project := range []string{"", "one", "deep/er/two"} {
		path := filepath.Join(dir, filepath.FromSlash(project), ".aider.chat.history.md")
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(runs), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	if code := run([]string{"capture", "--sessions", dir, "--agent", "aider"}, &out, &errs); code != 0 || !regexp.MustCompile(`(?m)^sessions +6$`).MatchString(out.String()) {
		t.Errorf("%d: %s%s", code, out.String(), errs.String())
	}
	if code := run([]string{"capture", "--sessions", dir, "--agent", "codex"}, &out, &errs); code == 0 || !strings.Contains(errs.String(), "no session") {
		t.Errorf("without a session of the agent: %d %s", code, errs.String())
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
