package redact

import (
	"strings"
	"testing"
)

const labelled = "id\tlabel\trule\tsource\tseen_in_dev\ttext\tsecret\n" +
	"p1\t1\tgithub-pat\tgl\t1\tGITHUB=ghp<~>_to3P8l3Ie2Fmxnl7lCFwzD6NIsssTCTCAa5O\\nA=1\tghp_to3P8l3Ie2Fmxnl7lCFwzD6NIsssTCTCAa5O\n" +
	"p2\t1\tnp.github.4\tnp\t0\tnothing <~>to see\tto see\n" +
	"n1\t0\tgen:hash\tgenerated\t\tcommit 48692baa94542ad51e869ee45bd41277600166e0\t\n" +
	"n2\t0\tgl:github\tgitleaks-fps\t\tDB_PASSWORD=hunter22\t\n"

func TestTheReportCountsByFamily(t *testing.T) {
	cases, err := ReadCases(strings.NewReader(labelled))
	if err != nil || len(cases) != 4 || !strings.HasSuffix(cases[0].Text, "5O\nA=1") {
		t.Fatalf("%v: %+v", err, cases)
	}
	rep, err := Evaluate(newTestRedactor(t), cases)
	if err != nil {
		t.Fatal(err)
	}
	if rep.CaughtPercent() != 50 || rep.FalsePositivePercent() != 50 || len(rep.Missed) != 1 || rep.Missed[0] != "p2" || rep.Wrong[0] != "n2" {
		t.Errorf("%+v", rep)
	}
	want := []FamilyReport{{Family: "github", Secrets: 2, Caught: 1, Harmless: 1, FalsePositives: 1}, {Family: "hash", Harmless: 1}}
	if len(rep.Families) != 2 || rep.Families[0] != want[0] || rep.Families[1] != want[1] {
		t.Errorf("%+v", rep.Families)
	}
}

func TestAWrongLabelIsRefused(t *testing.T) {
	if _, err := ReadCases(strings.NewReader("id\tlabel\n1\tmaybe\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v", err)
	}
}

func TestAnEmptySetIsZeroPercent(t *testing.T) {
	rep, err := Evaluate(newTestRedactor(t), nil)
	if err != nil || rep.CaughtPercent() != 0 || rep.FalsePositivePercent() != 0 {
		t.Errorf("%v: %+v", err, rep)
	}
}
