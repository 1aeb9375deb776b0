package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/assets"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestDistilledSamplesReadAsTheyDid is the golden page of what comes out of the real sample sessions that ship with the
// product: read it as a user would when it changes.
func TestDistilledSamplesReadAsTheyDid(t *testing.T) {
	dir := t.TempDir()
	if _, err := assets.ExtractSamples(dir); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "records.jsonl")
	var printed bytes.Buffer
	if err := distillBench([]string{"--sessions", dir, "--out", out, "--json"}, &printed); err != nil {
		t.Fatal(err)
	}
	var fig distillFigures
	if err := json.Unmarshal(printed.Bytes(), &fig); err != nil {
		t.Fatalf("%v in %s", err, printed.String())
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	n := 0
	for line := range strings.Lines(string(raw)) {
		var p prediction
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		if p.Session == "" || p.Summary == "" || len(p.Summary) >= 160 || len(p.UUIDs) == 0 {
			t.Errorf("record %s", line)
		}
		n++
		fmt.Fprintf(&page, "%.8s %-10s %s\n", p.Session, p.Kind, p.Summary)
	}
	if n != fig.Records || fig.Sessions < 9 || fig.Nodes == 0 {
		t.Errorf("%d records, figures %+v", n, fig)
	}
	golden := filepath.Join("testdata", "distilled-samples.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if page.String() != string(want) {
		t.Errorf("the records changed; run with -update and read the difference\n%s", page.String())
	}
}

func TestDistillBenchSaysWhatItNeeds(t *testing.T) {
	empty := t.TempDir()
	for _, args := range [][]string{{}, {"--sessions", empty}, {"--sessions", empty, "--out", filepath.Join(empty, "x")}, {"--nonsense"}} {
		if err := distillBench(args, &bytes.Buffer{}); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
