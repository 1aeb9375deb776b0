package edit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// someText is a text of a few lines out of a small choice, so that lines repeat.
func someText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(30) {
		fmt.Fprintf(&b, "%sline %d\n", strings.Repeat("\t", r.IntN(3)), r.IntN(6))
	}
	if r.IntN(3) == 0 {
		return strings.TrimSuffix(b.String(), "\n")
	}
	return b.String()
}

func TestDiffsOfGitLeadFromBeforeToAfterAndBack(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the git command is not installed")
	}
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		before, after := someText(r), someText(r)
		for name, text := range map[string]string{"a": before, "b": after} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("git", "diff", "--no-index", "--no-color", "-U"+fmt.Sprint(i%4), "a", "b")
		cmd.Dir = dir
		out, _ := cmd.Output() // it ends with 1 where there are differences
		_, diff, found := strings.Cut(string(out), "\n@@")
		if !found {
			continue
		}
		hunks, ok := ParseHunks("@@" + diff)
		if !ok {
			t.Fatalf("not read:\n%s", out)
		}
		if got, ok := patch(before, hunks); !ok || got != after {
			t.Fatalf("carried out: %q %v, want %q\n%s", got, ok, after, out)
		}
		if got, ok := patch(after, flip(hunks)); !ok || got != before {
			t.Fatalf("taken back: %q %v, want %q\n%s", got, ok, before, out)
		}
		if !explains(before, after, hunks) {
			t.Fatalf("the diff is not taken for the step\n%s", out)
		}
		if explains(before, after+"more\n", hunks) || explains("more\n"+before, after, hunks) {
			t.Fatalf("the diff is taken for another step\n%s", out)
		}
	}
}
