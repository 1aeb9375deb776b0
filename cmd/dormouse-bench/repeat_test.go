package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestRepeatedSessionsAreWholeAndDistilledOnce(t *testing.T) {
	dir := t.TempDir()
	text := traceOf("s0", "10", "checkout/cart.go", "Added the rounding of totals to `checkout/cart.go`.")
	if err := os.WriteFile(filepath.Join(dir, "s0.jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := distillBench([]string{"--sessions", dir, "--nodes", "1500", "--json"}, &out); err != nil {
		t.Fatal(err)
	}
	var f distillFigures
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	if f.Sessions != 2 || f.Nodes < 2000 || f.Records == 0 || f.PrivateMB <= 0 {
		t.Errorf("figures %+v", f)
	}
	if err := distillBench([]string{"--sessions", dir}, &out); err == nil {
		t.Error("neither a file nor a number of nodes was asked for")
	}
}
