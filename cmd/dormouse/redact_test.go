package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRedactTellsWhereSecretsLieAndShowsNone(t *testing.T) {
	home, secret := filepath.Join(t.TempDir(), "home"), "gh"+"p_"+"to3P8l3iE2fMXNl7lcfwZD6nISSStcTcaa5O"
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("one\nuse "+secret+" here\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := dormouse(t, home, "redact", "--scan", path)
	for _, want := range []string{"1 secret · 1 file looked through", "line 2: github, 40 bytes  [redacted:github:"} {
		if r.code != exitOK || !strings.Contains(r.out, want) || strings.Contains(r.out, secret[4:]) {
			t.Errorf("no %q in %+v", want, r)
		}
	}
	if r := dormouse(t, home, "redact", "--scan", "--json", path); r.code != exitOK || !strings.Contains(r.out, `"line": 2`) || strings.Contains(r.out, secret[4:]) {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "redact", path); r.code != exitUsage || !strings.Contains(r.err, "--scan") {
		t.Errorf("%+v", r)
	}
}
