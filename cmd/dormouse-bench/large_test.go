package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestLargeBenchCapturesEveryForm(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"large", "--megabytes", "1", "--dir", t.TempDir(), "--json"}, &out, &errs); code != 0 {
		t.Fatalf("%d: %s", code, errs.String())
	}
	seen := 0
	for line := range strings.Lines(out.String()) {
		var f largeFigures
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		seen++
		if f.Sessions < 1 || f.Nodes < 1 || f.Megabytes <= 0 || f.PeakMB <= 0 || len(f.Problems) > 0 {
			t.Errorf("%+v", f)
		}
		for reason := range f.Skipped {
			if !strings.HasPrefix(f.Form, "cursor-") { // the last conversation names bubbles that were not written
				t.Errorf("%s: %s", f.Form, reason)
			}
		}
	}
	if seen != len(formNames()) {
		t.Errorf("%d of %d forms", seen, len(formNames()))
	}
	if code := run([]string{"large", "--forms", "none"}, &out, &errs); code == 0 || !strings.Contains(errs.String(), "amp-text") {
		t.Errorf("%d: %s", code, errs.String())
	}
}
