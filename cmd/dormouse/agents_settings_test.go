package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestABrokenPatternIsNamedOnceAndNoAgentIsUnreadableForIt(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	if err := os.MkdirAll(filepath.Join(user, ".dormouse"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(user, ".dormouse", "config.toml"), []byte("[redact]\npatterns = [\"ok\", \"(x\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := agentsIn(t, user, "").out
	for _, want := range []string{"redact.patterns", `"(x"`, "missing closing )", "config.toml", "take it out"} {
		if strings.Count(strings.Join(strings.Fields(out), " "), want) != 1 {
			t.Errorf("%q is told not once in\n%s", want, out)
		}
	}
	if strings.Contains(out, "unreadable") {
		t.Errorf("agents are called unreadable\n%s", out)
	}
}
