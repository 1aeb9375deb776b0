package main

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestLiveBenchFollowsATranscript(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"live", "--turns", "2", "--corpus", ".", "--json"}, &out, &errs); code != 0 {
		t.Fatalf("%d: %s", code, errs.String())
	}
	var f liveFigures
	if err := json.Unmarshal(out.Bytes(), &f); err != nil || f.Turns != 2 || f.StoredP50 <= 0 || f.CommitP50 <= 0 || f.StoredMost < f.StoredP50 {
		t.Errorf("%v: %s", err, out.String())
	}
}
