package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/home"
)

// TestALongLogIsReadFromItsEndInBoundedPieces has a log of more than is read at once, where the end begins within a line, and then a line
// that is longer than that.
func TestALongLogIsReadFromItsEndInBoundedPieces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	s := hostedIn(t, dir)
	path := home.At(dir).Log()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	line := strings.Repeat("l", 1<<10-1) + "\n"
	appendTo(t, path, "the first\n"+strings.Repeat(line, tailBytes>>10)+"the last\n")
	out := s.a.Stdout.(*output)
	if err := s.logs(t.Context(), 1<<30, false); err != nil {
		t.Fatal(err)
	}
	shown := out.String()
	if len(shown) > tailBytes || len(shown) < tailBytes-len(line) || !strings.HasPrefix(shown, line) || !strings.HasSuffix(shown, line+"the last\n") {
		t.Errorf("%d bytes, which begin with %.20q", len(shown), shown)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.follow(ctx, path, info.Size()) }()
	appendTo(t, path, strings.Repeat("x", tailBytes+5)+"\nthe next\n")
	await(t, func() bool { return strings.HasSuffix(out.String(), "xxxxx\nthe next\n") })
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := strings.Count(out.String(), "x"); n != tailBytes+5+1 {
		t.Errorf("%d of the %d signs of a long line and a word", n, tailBytes+6)
	}
}
