package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/embed"
	"dormouse/service/llm"
	"dormouse/store/memory"
)

func TestCaseC9APartKeepsItsLastSuccessAndItsLastFailure(t *testing.T) {
	now := clock()
	p := &part{name: "x", now: func() time.Time { return now }}
	is := func(health string, okAt, failedAt time.Time, failure string) {
		t.Helper()
		r := judged([]api.Part{p.report()})[0]
		unix := func(at time.Time) int64 {
			if at.IsZero() {
				return 0
			}
			return at.Unix()
		}
		if r.Health != health || r.LastOK != unix(okAt) || r.LastFailed != unix(failedAt) || r.LastFailure != failure {
			t.Errorf("%+v, want %s", r, health)
		}
	}
	is(api.HealthOK, time.Time{}, time.Time{}, "")
	p.ok()
	began := now
	now = now.Add(time.Hour)
	for i, want := range []string{api.HealthDegraded, api.HealthDegraded, api.HealthFailed, api.HealthFailed} {
		p.failure(fmt.Errorf("no %d\nstack", i))
		is(want, began, now, fmt.Sprint("no ", i))
	}
	failed := now
	now = now.Add(time.Hour)
	p.noted(t.Context(), nil)
	is(api.HealthOK, now, failed, "no 3")
	ended, stop := context.WithCancel(t.Context())
	stop()
	p.noted(ended, errors.New("ended"))
	is(api.HealthOK, now, failed, "no 3")
}

func TestTheWorstPartIsTheHealthOfTheWhole(t *testing.T) {
	for want, parts := range map[string][]api.Part{
		"ok":       {{State: "ok"}, {State: "off"}, {State: "busy"}},
		"degraded": {{State: "ok", Failed: 1}, {State: "off"}},
		"amber":    {{State: "busy", Failed: 2}, {State: "amber", Failed: 3}},
	} {
		if got := healthOf(judged(parts)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestAModelIsInTroubleForWhatLastsAlone(t *testing.T) {
	for _, c := range []struct {
		err    error
		health string
	}{
		{nil, "ok"}, {&llm.Failure{Kind: llm.Cap}, "ok"}, {&llm.Failure{Kind: llm.BadAnswer}, "ok"}, {&llm.Failure{Kind: llm.Cut}, "ok"},
		{&llm.Failure{Kind: llm.Auth}, "failed"}, {&llm.Failure{Kind: llm.Quota}, "failed"}, {&llm.Failure{Kind: llm.Timeout}, "failed"}, {errors.New("x"), "failed"},
	} {
		l := &language{health: &part{now: clock}}
		for range amberAfter {
			l.heard(t.Context(), c.err)
		}
		if got := judged([]api.Part{l.health.report()})[0]; got.Health != c.health {
			t.Errorf("%v: %+v", c.err, got)
		}
	}
}

// C9: the model, the remote and the embedding endpoint are broken at once; what agents write is captured as ever, and each part says so.
func TestCaseC9CaptureGoesOnWhileModelRemoteAndEndpointAreBroken(t *testing.T) {
	k := newChatter(t, func(int, string) (int, string) { return http.StatusUnauthorized, "no" })
	p := modelParams(t, k.URL, 1)
	p.Config.Embed.Provider, p.Config.Embed.Model, p.Config.Embed.BaseURL = embed.Ollama, "m", "http://127.0.0.1:1"
	s := start(t, p)
	_, _ = s.SyncSetup(t.Context(), filepath.Join(t.TempDir(), "gone", "memory.git"))
	for range amberAfter {
		_, _ = s.TryModel(t.Context())
	}
	roots := filepath.Dir(filepath.Dir(p.Config.Capture.Roots["claude-code"][0]))
	e := newEditor(t, roots, "/w/shop", 9)
	e.prompt("a new session while all else is broken")
	e.says("It is captured.")
	st := until(t, s, "the new session", func(st api.Status) bool { return st.Counts.Sessions == 2 })
	if st.Health != api.HealthAmber {
		t.Errorf("health %q", st.Health)
	}
	if m := partOf(st, "model"); m.Health != api.HealthFailed || m.State != "amber" || !strings.Contains(m.Failure, "key is not accepted") || m.LastFailed == 0 {
		t.Errorf("%+v", m)
	}
	for _, name := range []string{"capture", "index", "memory", "disk", "clock"} {
		if m := partOf(st, name); m.Health != api.HealthOK {
			t.Errorf("%+v", m)
		}
	}
	k.set(func(int, string) (int, string) { return http.StatusOK, `{"ready":true}` })
	if _, err := s.TryModel(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st, err := s.Status(t.Context()); err != nil || partOf(st, "model").Health != api.HealthOK || partOf(st, "model").LastFailure == "" || partOf(st, "model").LastOK == 0 {
		t.Errorf("%+v %v", partOf(st, "model"), err)
	}
}

// A clock that jumps a day either way is told, and one sleep a night stays one.
func TestCaseY7AClockThatJumpsADayIsToldAndNothingIsSleptTwice(t *testing.T) {
	p := learned(t)
	var jumped atomic.Int64 // a time.Duration
	p.Now = func() time.Time { return clock().Add(time.Duration(jumped.Load())) }
	s := start(t, p)
	if _, err := s.Sleep(t.Context()); err != nil {
		t.Fatal(err)
	}
	before, err := s.Status(t.Context())
	if err != nil || partOf(before, "clock").Health != api.HealthOK {
		t.Fatalf("%+v %v", partOf(before, "clock"), err)
	}
	for _, jump := range []time.Duration{-24 * time.Hour, 24 * time.Hour} {
		jumped.Store(int64(jump))
		got, err := s.Sleep(t.Context())
		if err != nil || got.Run.Counts != (memory.RunCounts{}) {
			t.Errorf("%s: %+v %v", jump, got, err)
		}
		st, err := s.Status(t.Context())
		if err != nil || st.Counts.Events != before.Counts.Events {
			t.Errorf("%s: %+v, want %+v (%v)", jump, st.Counts, before.Counts, err)
		}
		if c := partOf(st, "clock"); (c.Health == api.HealthDegraded) != (jump < 0) {
			t.Errorf("%s: %+v", jump, c)
		}
	}
}
