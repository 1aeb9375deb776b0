package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"dormouse/service/api"
)

func TestWhenEachPartWorkedAndFailedLastIsKnownAfterARestart(t *testing.T) {
	p := params(t.TempDir(), t.TempDir())
	var later atomic.Int64
	p.Now = func() time.Time { return clock().Add(time.Duration(later.Load())) }
	s := start(t, p)
	s.daemon.committing.ok()
	later.Store(int64(time.Minute))
	s.daemon.committing.failure(errors.New("no route\nand a stack"))
	want := s.daemon.committing.report()
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	later.Store(int64(time.Hour))
	s = start(t, p)
	got := s.daemon.committing.report()
	if got.LastOK != want.LastOK || got.LastFailed != want.LastFailed || got.LastFailure != "no route" || got.Failed != 0 || got.Failure != "" {
		t.Errorf("%+v, before the restart %+v", got, want)
	}
	st, err := s.Status(t.Context())
	if part := partOf(st, "git"); err != nil || part.LastFailure != "no route" || part.LastOK != want.LastOK {
		t.Errorf("status: %+v, %v", part, err)
	}
	s.daemon.committing.ok()
	file := filepath.Join(p.Home.Dir(), healthFile)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if s.daemon.keepHealth(false); s.daemon.healthKept.Load() != p.Now().Unix() {
		t.Error("it is written at every look")
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it is written at every look")
	}
	later.Store(int64(2 * time.Hour)) // and then the service is killed
	s.daemon.keepHealth(false)
	next := New(p)
	next.recallHealth()
	if got := next.committing.report(); got.LastOK != clock().Add(time.Hour).Unix() || got.LastFailed != want.LastFailed {
		t.Errorf("after a kill: %+v", got)
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if next = New(p); next.committing.report().State != "ok" {
		t.Error("a broken file")
	}
	next.recallHealth()
	if got := next.committing.report(); got != (api.Part{Name: "git", State: "ok"}) {
		t.Errorf("a broken file: %+v", got)
	}
}
