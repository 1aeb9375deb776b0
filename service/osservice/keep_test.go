package osservice

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestTheWaitGrowsFromSecondsToMinutes(t *testing.T) {
	last := time.Duration(0)
	for failed := 1; failed <= waitSteps+1; failed++ {
		wait := RetryAfter(failed)
		if wait <= last {
			t.Errorf("after %d failures %v, before that %v", failed, wait, last)
		}
		last = wait
	}
	if RetryAfter(1) != firstWait*time.Second || last != lastWait*time.Second || RetryAfter(1000) != last || RetryAfter(0) != RetryAfter(1) {
		t.Errorf("from %v to %v, at last %v", RetryAfter(1), last, RetryAfter(1000))
	}
}

// lives are a program whose lives end one after the other with these codes; -1 is a life that lasts an hour, and fails.
type lives struct {
	codes []int
	begun []time.Duration // since the first
	first time.Time
}

func (l *lives) life(context.Context) (int, error) {
	if l.first.IsZero() {
		l.first = time.Now()
	}
	code := l.codes[len(l.begun)]
	l.begun = append(l.begun, time.Since(l.first))
	if code == -1 {
		time.Sleep(time.Hour)
		return 1, nil
	}
	if code == 9 {
		return 0, errors.New("no such program")
	}
	return code, nil
}

func TestAKeeperStartsAgainWhatFailsAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		codes []int
		begun []time.Duration
		code  int
	}{
		{[]int{0}, []time.Duration{0}, 0},
		{[]int{2}, []time.Duration{0}, 2},
		{[]int{1, 137, 0}, []time.Duration{0, RetryAfter(1), RetryAfter(1) + RetryAfter(2)}, 0},
		{[]int{9, 0}, []time.Duration{0, RetryAfter(1)}, 0},
		{[]int{1, -1, 0}, []time.Duration{0, RetryAfter(1), RetryAfter(1) + time.Hour + RetryAfter(1)}, 0}, // a long life starts anew
	} {
		synctest.Test(t, func(t *testing.T) {
			l, told := &lives{codes: c.codes}, 0
			k := Keeper{File: filepath.Join(t.TempDir(), "keeper"), Life: l.life, Told: func(why string, again time.Time) {
				told++
				if why == "" || !again.After(time.Now()) {
					t.Errorf("told %q, %v", why, again)
				}
			}}
			code, err := k.Run(t.Context())
			if err != nil || code != c.code || told != len(c.codes)-1 {
				t.Errorf("%v: %d, %v, told %d times", c.codes, code, err, told)
			}
			for i, at := range c.begun {
				if late := l.begun[i] - at; late < 0 || late > time.Duration(i)*keepLook {
					t.Errorf("%v: life %d begins after %v, want %v", c.codes, i, l.begun[i], at)
				}
			}
			if fileExists(k.File) {
				t.Error("its file is left behind")
			}
		})
	}
}

func TestAKeeperThatWaitsIsEndedByItsFileAndByAnotherOne(t *testing.T) {
	for name, act := range map[string]func(t *testing.T, file string, cancel func()){
		"its file is removed": func(t *testing.T, file string, _ func()) {
			if err := letGo(file); err != nil {
				t.Error(err)
			}
		},
		"another one has come": func(t *testing.T, file string, _ func()) {
			if err := os.WriteFile(file, []byte(`{"pid":1}`), 0o600); err != nil {
				t.Error(err)
			}
		},
		"it is told to end": func(_ *testing.T, _ string, cancel func()) { cancel() },
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			l := &lives{codes: []int{1, 0}}
			k := Keeper{File: filepath.Join(t.TempDir(), "keeper"), Life: l.life}
			done := make(chan time.Time, 1)
			go func() {
				_, _ = k.Run(ctx)
				done <- time.Now()
			}()
			time.Sleep(firstWait * time.Second / 2)
			if state, detail := keeping(k.File, time.Now()); state != Starting || !strings.Contains(detail, "exit code 1") {
				t.Errorf("%s: while it waits: %s %q", name, state, detail)
			}
			acted := time.Now()
			act(t, k.File, cancel)
			if took := (<-done).Sub(acted); took > keepLook || len(l.begun) != 1 {
				t.Errorf("%s: it ended after %v, %d lives", name, took, len(l.begun))
			}
			if other := strings.Contains(name, "another"); fileExists(k.File) != other {
				t.Errorf("%s: the file is there: %v", name, !other)
			}
			if state, _ := keeping(k.File, time.Now()); state != Stopped {
				t.Errorf("%s: afterwards: %s", name, state)
			}
		})
	}
}

func TestAKeeperThatIsTakenAwayWhileItsProgramRunsDoesNotStartItAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keeper")
	n := 0
	code, err := Keeper{File: file, Life: func(context.Context) (int, error) {
		n++
		return 1, os.Remove(file)
	}}.Run(t.Context())
	if err != nil || code != 1 || n != 1 {
		t.Errorf("%d, %v, %d lives", code, err, n)
	}
	if _, err := (Keeper{File: filepath.Join(file, "x")}).Run(t.Context()); err == nil {
		t.Error("a keeper that cannot be ended begins")
	}
	if state, _ := keeping("", time.Now()); state != Stopped {
		t.Error(state)
	}
}
