package model

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dormouse/service/api"
)

// follow runs Live on a fake until the test ends, and gives what it has told so far.
func follow(t *testing.T, f *fake, pick func()) (*Live, func() []Update) {
	t.Helper()
	var mu sync.Mutex
	var list []Update
	if pick == nil {
		pick = func() {}
	}
	l := NewLive(LiveOptions{Pick: func(context.Context) { pick() }, Backend: func() Backend { return f }, Tell: func(u Update) {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, u)
	}})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan bool)
	go func() { l.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	return l, func() []Update {
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}
}

func TestChangesThatComeTogetherAreToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{changes: make(chan api.Change)}
		_, told := follow(t, f, nil)
		synctest.Wait()
		if want := []Update{{Up: true, Topics: TopicAll}}; !reflect.DeepEqual(told(), want) {
			t.Fatalf("at first %+v", told())
		}
		f.changes <- api.Change{Type: "session_updated", ID: "cc_1"}
		f.changes <- api.Change{Type: "session_updated", ID: "cc_2"}
		f.changes <- api.Change{Type: "status"}
		time.Sleep(gatherFor)
		synctest.Wait()
		want := Update{Up: true, Topics: TopicSessions | TopicStatus | TopicProjects, Sessions: map[string]bool{"cc_1": true, "cc_2": true}}
		if len(told()) != 2 || !reflect.DeepEqual(told()[1], want) {
			t.Errorf("then %+v", told()[1:])
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if last := told()[len(told())-1]; last.Topics != TopicClock|TopicStatus || len(told()) != 3 {
			t.Errorf("after a minute %+v", told()[2:])
		}
	})
}

func TestEachKindOfChangeTouchesItsPages(t *testing.T) {
	for kind, want := range map[string]Topic{"project": TopicProjects | TopicSessions | TopicCore | TopicStatus, "sleep_started": TopicAll, "sleep_ended": TopicAll,
		"synced": TopicAll, "status": TopicStatus, "of a later release": TopicStatus} {
		var u Update
		u.add(api.Change{Type: kind})
		if u.Topics != want || !u.Up {
			t.Errorf("%s: %+v", kind, u)
		}
	}
}

func TestAServiceThatGoesAwayIsToldOnceAndFoundAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{changes: make(chan api.Change)}
		var tries atomic.Int32
		l, told := follow(t, f, func() { tries.Add(1) })
		synctest.Wait()
		f.set(func() {
			f.err = map[string]error{"": errors.New("gone")}
			close(f.changes)
		})
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(told()) != 2 || told()[1].Up || told()[1].Topics != TopicAll {
			t.Fatalf("told %+v", told())
		}
		if n := tries.Load(); n < 8 || n > 15 { // 250 ms, doubling to 10 s
			t.Errorf("%d tries in a minute", n)
		}
		f.set(func() { f.err, f.changes = nil, make(chan api.Change) })
		l.Hurry()
		l.Hurry()
		synctest.Wait()
		if len(told()) != 3 || !told()[2].Up {
			t.Errorf("after it came back: %+v", told()[2:])
		}
		l.Hurry() // while it is there
		synctest.Wait()
	})
}

func TestAStreamThatBreaksIsFollowedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{} // its stream ends at once
		_, told := follow(t, f, nil)
		time.Sleep(2 * firstRetry)
		synctest.Wait()
		ups := 0
		for _, u := range told() {
			if u.Up {
				ups++
			}
		}
		if ups < 2 {
			t.Errorf("told %+v", told())
		}
	})
}

// door is a service that may run.
type door struct {
	*fake
	home string
	on   bool
	odd  error
}

func (d *door) Running(context.Context) (bool, error) { return d.on, d.odd }
func (d *door) Home() string                          { return d.home }

func TestThePersonsOwnServiceComesBeforeTheDemos(t *testing.T) {
	for name, tt := range map[string]struct {
		own, demo door
		want      string
	}{
		"both":        {door{on: true}, door{on: true}, "own"},
		"demo alone":  {door{}, door{on: true}, "demo"},
		"none":        {door{}, door{}, "own"},
		"own hangs":   {door{odd: errors.New("hung")}, door{on: true}, "own"},
		"demo is odd": {door{}, door{on: true, odd: errors.New("hung")}, "own"},
	} {
		tt.own.home, tt.demo.home = "own", "demo"
		s := NewServices(&tt.own, &tt.demo)
		s.Pick(t.Context())
		if got := s.Current().(*door).home; got != tt.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	alone := NewServices(&door{home: "own"}, nil)
	alone.Pick(t.Context())
	if alone.Current().(*door).home != "own" {
		t.Error("without a demo")
	}
}

// late is a service that answers from a time on.
type late struct {
	door
	from time.Time
}

func (l *late) Status(context.Context) (api.Status, error) {
	if time.Now().Before(l.from) {
		return api.Status{}, errors.New("not yet")
	}
	return api.Status{}, nil
}

func TestAStartedServiceIsWaitedForAndNotForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s := NewServices(&late{from: began.Add(3 * time.Second)}, nil)
		if err := AwaitStart(t.Context(), s, time.Minute); err != nil || time.Since(began) < 3*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		s = NewServices(&late{from: began.Add(time.Hour)}, nil)
		if err := AwaitStart(t.Context(), s, time.Second); !errors.Is(err, errNotStarted) {
			t.Errorf("%v", err)
		}
	})
}
