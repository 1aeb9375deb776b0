package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"dormouse/service/redact"
)

func TestAGeneratedSetIsTheSameForItsSeed(t *testing.T) {
	a, b, c := generatedCases(300, 1), generatedCases(300, 1), generatedCases(300, 2)
	if !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Error("the seed does not decide what is generated")
	}
	families := map[string]bool{}
	for _, x := range generatedCases(3000, 3) {
		families[x.Family] = true
		if x.Harmless != (x.Secret == "") || !strings.Contains(x.Text, x.Secret) {
			t.Errorf("%s: secret %q is not in %q", x.Family, x.Secret, x.Text)
		}
		if pieceForm.MatchString(x.Text) {
			t.Errorf("%s: a piece is not filled in %q", x.Family, x.Text)
		}
	}
	for _, m := range makers {
		if !families[m.family] {
			t.Errorf("no secret of %s", m.family)
		}
	}
	for _, kind := range harmlessKinds {
		if !families[kind] || len(harmlessForms[kind]) == 0 {
			t.Errorf("no harmless text of %s", kind)
		}
	}
}

// TestGeneratedSecretsAreCaught holds the product to what it promises, on secrets and texts that are drawn anew with each seed.
func TestGeneratedSecretsAreCaught(t *testing.T) {
	r, err := redact.New(redact.Options{Key: []byte("k")})
	if err != nil {
		t.Fatal(err)
	}
	report, err := redact.Evaluate(r, generatedCases(2000, 7))
	if err != nil {
		t.Fatal(err)
	}
	if report.CaughtPercent() < 99 || report.FalsePositivePercent() > 1 {
		t.Errorf("caught %.1f %%, false positives %.1f %%, missed %v, wrong %v", report.CaughtPercent(), report.FalsePositivePercent(),
			report.Missed, report.Wrong)
	}
}

func TestRedactMeasuresAGeneratedSet(t *testing.T) {
	var object bytes.Buffer
	if err := redactBench([]string{"--generated", "200", "--seed", "5", "--json"}, &object); err != nil {
		t.Fatal(err)
	}
	var got redactFigures
	if err := json.Unmarshal(object.Bytes(), &got); err != nil || got.Secrets != 200 || got.Harmless != 200 {
		t.Errorf("%v: %s", err, object.String())
	}
	if err := redactBench([]string{"--generated", "5", "--data", "x"}, &object); err == nil {
		t.Error("no error where both a set and a number are given")
	}
}
