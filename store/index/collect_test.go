package index

import (
	"context"
	"errors"
	"testing"
)

func TestCollectEndsWhereNothingIsLeftToDoAndKeepsWhatIsThere(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir()})
	a := ix.Area("x")
	big := make([]byte, 2<<20) // beyond the threshold from which Badger keeps values in files of their own
	for i := range 6 {
		big[0] = byte(i)
		if err := a.Put("k", big); err != nil {
			t.Fatal(err)
		}
	}
	asked := 0
	if _, err := ix.Collect(t.Context(), func(context.Context) error { asked++; return nil }); err != nil || asked == 0 {
		t.Errorf("%v, asked %d times", err, asked)
	}
	if got, ok, err := a.Get("k"); err != nil || !ok || len(got) != len(big) || got[0] != 5 {
		t.Errorf("the value after it: %d bytes, %v, %v", len(got), ok, err)
	}
	stop := errors.New("the person is back")
	if _, err := ix.Collect(t.Context(), func(context.Context) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped: %v", err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Collect(t.Context(), func(context.Context) error { return nil }); err == nil {
		t.Error("a closed index was collected")
	}
}
