package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dormouse/service/api"
	"dormouse/service/capture"
	"dormouse/store/home"
)

// moved is a copy of the samples of one agent into a root that the service watches.
func moved(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsWrittenDuringAPauseIsCapturedWhenItGoesOn(t *testing.T) {
	all, roots := samples(t), t.TempDir()
	p := params(t.TempDir(), roots)
	s := start(t, p)
	status, err := s.Pause(t.Context(), api.Indefinitely)
	if err != nil || status.PausedUntil != api.Indefinitely {
		t.Fatalf("%+v, %v", status.PausedUntil, err)
	}
	if part := status.Parts[0]; part.Name != "capture" || part.State != "off" || part.Doing == "" {
		t.Errorf("capture is shown as %+v", part)
	}
	moved(t, all, roots)
	if err := s.daemon.engine.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sleep(t.Context()); err != nil { // reads what is unread, but not during a pause
		t.Fatal(err)
	}
	status, err = s.Status(t.Context())
	if err != nil || status.Counts.Sessions != 0 || len(status.Problems) > 0 {
		t.Fatalf("during the pause: %d sessions, problems %q, %v", status.Counts.Sessions, status.Problems, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if status, err = s.Pause(ctx, 0); err != nil || status.PausedUntil != 0 {
		t.Fatalf("%+v, %v", status.PausedUntil, err)
	}
	await(t, s, func(st api.Status) bool { return st.Counts.Sessions == 9 })
}

// await returns when the service's status is as wanted. The test's own time limit bounds it.
func await(t *testing.T, s *service, wanted func(api.Status) bool) {
	t.Helper()
	for {
		st, err := s.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if wanted(st) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestAPauseOutlivesTheService(t *testing.T) {
	p := params(t.TempDir(), samples(t))
	first := start(t, params(p.Home.Dir(), t.TempDir()))
	until := clock().Add(time.Hour).Unix()
	if _, err := first.Pause(t.Context(), until); err != nil {
		t.Fatal(err)
	}
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	s := start(t, p)
	if st, err := s.Status(t.Context()); err != nil || st.PausedUntil != until || st.Counts.Sessions != 0 {
		t.Errorf("until %d, %d sessions, %v", st.PausedUntil, st.Counts.Sessions, err)
	}
}

func TestAPauseThatLiesInThePastIsRefused(t *testing.T) {
	s := start(t, params(t.TempDir(), t.TempDir()))
	var e *api.Error
	if _, err := s.Pause(t.Context(), clock().Unix()); !errors.As(err, &e) || e.Code != api.CodeBadRequest {
		t.Errorf("%v", err)
	}
}

func TestAPauseEndsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPause(home.At(t.TempDir()), time.Now)
		if p.until() != 0 || p.room() != nil {
			t.Error("paused from the start")
		}
		end := time.Now().Add(time.Hour).Unix()
		if err := p.set(end); err != nil || p.until() != end || !errors.Is(p.room(), capture.ErrOff) {
			t.Errorf("%v, until %d", err, p.until())
		}
		began := time.Now()
		if err := p.ended(t.Context()); err != nil || time.Since(began) != time.Hour || p.until() != 0 {
			t.Errorf("%v after %v, until %d", err, time.Since(began), p.until())
		}
	})
}

func TestAPauseIsLengthenedAndEndedByThePerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPause(home.At(t.TempDir()), time.Now)
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan error, 1)
		go func() { over <- p.ended(ctx) }()
		for _, end := range []int64{time.Now().Add(time.Hour).Unix(), api.Indefinitely} {
			if err := p.set(end); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		time.Sleep(100 * time.Hour)
		synctest.Wait()
		select {
		case err := <-over:
			t.Fatalf("a pause without end ended: %v", err)
		default:
		}
		if err := p.set(0); err != nil {
			t.Fatal(err)
		}
		if err := <-over; err != nil {
			t.Error(err)
		}
		cancel()
		if err := p.ended(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestAPauseThatCannotBeReadOrWrittenIsNoPause(t *testing.T) {
	h := home.At(t.TempDir())
	file := filepath.Join(h.Dir(), "paused")
	for _, content := range []string{"soon", "", "-7", "99999999999999999999"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if p := newPause(h, clock); p.until() != 0 {
			t.Errorf("%q pauses until %d", content, p.until())
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(file, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := newPause(h, clock)
	if err := p.set(api.Indefinitely); err == nil || p.until() != 0 {
		t.Errorf("set: %v, until %d", err, p.until())
	}
	if err := p.set(0); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("end: %v", err)
	}
}
