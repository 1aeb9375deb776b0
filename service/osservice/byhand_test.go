package osservice

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestAProgramThatWasStartedByHandIsNotTheSystems(t *testing.T) {
	on := true
	o := Options{Program: Program{KeepFile: filepath.Join(t.TempDir(), "keeper")}, Running: func(context.Context) (bool, error) { return on, nil }}
	if state, detail := stateOf(t.Context(), o); state != Stopped || detail == "" {
		t.Errorf("without a keeper: %s, %s", state, detail)
	}
	if err := os.WriteFile(o.Program.KeepFile, []byte(`{"pid":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if state, _ := stateOf(t.Context(), o); state != Running {
		t.Errorf("with one: %s", state)
	}
	if on = false; (Status{State: Starting}).HasFailed() || !(Status{State: Failed}).HasFailed() || !(Status{State: Starting, Detail: "failed once"}).HasFailed() {
		t.Error("what has failed is not told from what begins")
	}
	if state, _ := stateOf(t.Context(), o); state != Stopped {
		t.Errorf("nothing runs: %s", state)
	}
}
