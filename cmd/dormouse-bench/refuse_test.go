package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"dormouse/assets"
)

func TestRefuseCountsRewordingsAndOtherMemories(t *testing.T) {
	dir := t.TempDir()
	if _, err := assets.ExtractSamples(dir); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := refuseBench([]string{"--sessions", dir, "--json"}, &out); err != nil {
		t.Fatal(err)
	}
	var rows []refuseRow
	if err := json.Unmarshal(out.Bytes(), &rows); err != nil {
		t.Fatal(err)
	}
	by := map[string]refuseRow{}
	for _, r := range rows {
		by[r.What] = r
		if r.Refused > r.Tried || r.Low > r.Percent || r.High < r.Percent {
			t.Errorf("%+v", r)
		}
	}
	if r := by["same turn: case and marks"]; r.Tried < 10 || r.Percent < 95 {
		t.Errorf("%+v", r)
	}
	if r := by["another memory of the project"]; r.Tried < 50 || r.Percent > 5 {
		t.Errorf("%+v", r)
	}
	if err := refuseBench(nil, &out); err == nil {
		t.Error("no data was taken")
	}
}

func TestRewordingsSayItOtherwise(t *testing.T) {
	const said = "Fixed the flaky tests in store/index by closing it once"
	for _, w := range rewordings {
		if got := w.say(said); got == said || got == "" {
			t.Errorf("%s: %q", w.name, got)
		}
	}
}
