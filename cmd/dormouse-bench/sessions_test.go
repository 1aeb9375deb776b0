package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestSessionsBenchMeasuresEveryPart(t *testing.T) {
	var out, errs bytes.Buffer
	args := []string{"sessions", "--corpus", ".", "--dir", t.TempDir(), "--sizes", "20", "--turns", "2", "--scale", "0.001", "--json"}
	if code := run(args, &out, &errs); code != 0 {
		t.Fatalf("%d: %s", code, errs.String())
	}
	var f sessionFigures
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Turn) != 1 || !f.Turn[0].StatusClean || f.Turn[0].Dormouse <= 0 || f.Turn[0].ToGoGit <= 0 {
		t.Errorf("turn: %+v", f.Turn)
	}
	if p := f.Pack; p == nil || p.Sessions != 1 || p.Nodes < 5 || p.RawMB <= 0 || p.PackedFiles == 0 || p.PackedFiles > p.LiveFiles {
		t.Errorf("pack: %+v", p)
	}
	if p := f.Import; p == nil || p.Sessions != 3 || p.Nodes < 900 || p.Nodes > 1100 || p.PerCPU <= 0 || p.PlainPerSecond <= 0 || p.MostFiles > 15 {
		t.Errorf("import: %+v", p)
	}
	if p := f.Open; p == nil || p.Nodes != 20 || p.First.Clock <= 0 || p.Seen != 10 || p.Middle.Clock <= 0 || p.Context.Clock <= 0 || p.Branches.Clock <= 0 {
		t.Errorf("open: %+v", p)
	}
	if p := f.List; p == nil || p.Sessions != 10 || p.First.Clock <= 0 || p.Without.Clock <= 0 {
		t.Errorf("list: %+v", p)
	}
}

func TestMadeUpSessionsAreTheSameForTheSameSeed(t *testing.T) {
	text := func(seed uint64) string {
		c, err := readCorpus(".", seed)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, n := range c.session(50) {
			b.WriteString(n.Output)
		}
		return b.String()
	}
	if one, again := text(1), text(1); one != again || one == text(2) {
		t.Error("the seed does not decide what the texts are")
	}
}

func TestSessionsBenchShowsAnExampleAndRefusesWhatItDoesNotKnow(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"sessions", "--help"}, &out, &errs); code != 0 || !strings.Contains(out.String(), "Example: dormouse-bench sessions --parts") {
		t.Errorf("%d: %s", code, out.String())
	}
	for args, want := range map[string]string{"--parts cook": `no part "cook"`, "--sizes 7 --corpus . --parts turn": `"7" is not a multiple`, "--scale 0": "above 0"} {
		errs.Reset()
		if code := run(append([]string{"sessions"}, strings.Fields(args)...), &out, &errs); code != 1 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: %d %s", args, code, errs.String())
		}
	}
}
