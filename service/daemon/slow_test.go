package daemon

import (
	"sync/atomic"
	"testing"
	"time"

	"dormouse/store/disk"
)

// A disk that takes a millisecond for each step: all is captured and learned as ever, and status answers meanwhile.
func TestOnASlowDiskAllIsCapturedAndTheServiceAnswers(t *testing.T) {
	calm := start(t, learned(t))
	want, err := calm.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := calm.stop(); err != nil {
		t.Fatal(err)
	}
	var steps atomic.Int64
	defer disk.Watch(func(disk.Step) error {
		steps.Add(1)
		time.Sleep(time.Millisecond)
		return nil
	})()
	s := start(t, params(t.TempDir(), samples(t)))
	got, err := s.Status(t.Context())
	if err != nil || got.Counts.Nodes != want.Counts.Nodes || got.Counts.Events != want.Counts.Events || steps.Load() < 50 {
		t.Errorf("%+v, want %+v (%d steps, %v)", got.Counts, want.Counts, steps.Load(), err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	sound(t, s.daemon.p.Home.Dir())
}
