package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const redactSet = "id\tlabel\trule\ttext\tsecret\n" +
	"p1\t1\tgithub-pat\ta\\n ghp_to3P8l3Ie2Fmxnl7<~>lCFwzD6NIsssTCTCAa5O\tghp_to3P8l3Ie2Fmxnl7lCFwzD6NIsssTCTCAa5O\n" +
	"n1\t0\tgen:hash\tcommit 48692baa94542ad51e869ee45bd41277600166e0\t\n"

func TestRedactPrintsWhatWasCaughtAndWhatWasWronglyTaken(t *testing.T) {
	dir := t.TempDir()
	data, out := filepath.Join(dir, "secrets.tsv"), filepath.Join(dir, "out.tsv")
	if err := os.WriteFile(data, []byte(redactSet), 0o600); err != nil {
		t.Fatal(err)
	}
	var table, object bytes.Buffer
	if err := redactBench([]string{"--data", data, "--out", out}, &table); err != nil {
		t.Fatal(err)
	}
	if s := table.String(); !strings.Contains(s, "github") || !strings.Contains(s, "caught 100.0 %, false positives 0.0 %") {
		t.Errorf("printed\n%s", s)
	}
	if err := redactBench([]string{"--data", data, "--json"}, &object); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(object.Bytes(), &got); err != nil || got["caught"] != 100.0 || got["false_positives"] != 0.0 {
		t.Errorf("%v: %s", err, object.String())
	}
	raw, err := os.ReadFile(out)
	if err != nil || !strings.HasPrefix(string(raw), `p1`+"\t"+`a\n [redacted:github:`) {
		t.Errorf("%v: %s", err, raw)
	}
}

func TestRedactSaysWhatItNeeds(t *testing.T) {
	for _, args := range [][]string{nil, {"--data", filepath.Join(t.TempDir(), "none.tsv")}} {
		if err := redactBench(args, &bytes.Buffer{}); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
