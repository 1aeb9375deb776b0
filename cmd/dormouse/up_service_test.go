package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatServicesSaidIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.log")
	if err := boundSaid(path); err != nil {
		t.Errorf("nothing was said: %v", err)
	}
	line := strings.Repeat("x", 99) + "\n"
	if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := boundSaid(path); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != line {
		t.Errorf("a small one was touched: %d bytes, %v", len(b), err)
	}
	caught, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0) // as the system holds it, all the time
	if err != nil {
		t.Fatal(err)
	}
	defer caught.Close() //nolint:errcheck // test
	if _, err := caught.WriteString(strings.Repeat(line, mostSaid/len(line)+1) + "the newest\n"); err != nil {
		t.Fatal(err)
	}
	if err := boundSaid(path); err != nil {
		t.Fatal(err)
	}
	if _, err := caught.WriteString("and after\n"); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil || len(b) > keptSaid+20 || !strings.HasPrefix(string(b), line) || !strings.HasSuffix(string(b), line+"the newest\nand after\n") {
		t.Errorf("%d bytes, from %q to %q, %v", len(b), b[:min(len(b), 110)], b[max(0, len(b)-30):], err)
	}
}
