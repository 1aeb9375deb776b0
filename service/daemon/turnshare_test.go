package daemon

import (
	"path/filepath"
	"testing"
	"time"

	"dormouse/service/api"
)

func TestATurnIsNotCommittedWithWhatAnotherAgentDidJustBeforeItsEndOrDuringAPause(t *testing.T) {
	dir, roots := workOf(t), t.TempDir()
	p := params(t.TempDir(), roots)
	p.Now = func() time.Time { return time.Date(2026, 10, 1, 10, 0, 0, 0, time.UTC) } // when the editor begins to write
	s := start(t, p)
	ctx := t.Context()
	if _, err := s.Bind(ctx, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AutoCommit(ctx, dir, true); err != nil {
		t.Fatal(err)
	}
	turn := func(meanwhile func()) api.TurnOutcome {
		t.Helper()
		report := api.TurnReport{SessionID: "cc_1", Project: dir, Turn: 1, Words: "Add a file"}
		if err := s.BeginTurn(ctx, report); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "b.txt"), "1\n")
		meanwhile()
		out, err := s.EndTurn(ctx, report)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if out := turn(func() {
		other := newEditor(t, roots, dir, 1)
		other.prompt("Change a")
		other.edit("a.txt", "1", "2")
		other.says("Done.")
	}); out.Reason != "shared" {
		t.Errorf("another agent edited: %+v", out)
	}
	mine(t, dir, "add", ".")
	mine(t, dir, "commit", "-qm", "Mine")
	if out := turn(func() {
		write(t, filepath.Join(dir, "b.txt"), "2\n")
		if _, err := s.Pause(ctx, api.Indefinitely); err != nil {
			t.Fatal(err)
		}
	}); out.Reason != "cannot_tell" {
		t.Errorf("nobody is captured: %+v", out)
	}
}
