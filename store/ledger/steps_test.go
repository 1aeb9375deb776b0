package ledger

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"dormouse/store/disk"
	"dormouse/store/memory"
)

var errDead = errors.New("this process is dead")

// endAt has step k fail, or be the one within which the process dies: half of what it writes is written, and nothing after it.
func endAt(k int, dies bool, taken *int) func(disk.Step) error {
	return func(s disk.Step) error {
		*taken++
		switch {
		case *taken == k && !dies:
			return &fs.PathError{Op: s.Op, Path: s.Path, Err: syscall.ENOSPC}
		case *taken < k || !dies:
			return nil
		case *taken == k && s.File != nil:
			_, _ = s.File.Write(s.Data[:len(s.Data)/2])
		}
		return errDead
	}
}

func TestAnAppendThatEndsAtAnyStepLosesNothingAndIsDoneAgainWithTheSameMemory(t *testing.T) {
	begin := func() (string, *Ledger) {
		dir := t.TempDir()
		l := openWith(t, Options{Dir: dir, Machine: "aa", Now: func() time.Time { return day1 }, MaxFile: 8 << 10})
		mustAppend(t, l, 1, "One")
		return dir, l
	}
	night := func(l *Ledger) error { // which goes on in a second file, and draws what is published
		more := []memory.Decision{add(t, event(2, strings.Repeat("a", 5<<10))), add(t, event(3, strings.Repeat("b", 5<<10)))}
		if err := l.Append(more, run("n2")); err != nil {
			return err
		}
		_, err := l.Render()
		return err
	}
	calm, l := begin()
	if err := night(l); err != nil {
		t.Fatal(err)
	}
	want, steps := tree(t, calm), 0
	for k, more := 1, true; more; k++ {
		for _, dies := range []bool{false, true} {
			dir, l := begin()
			taken := 0
			stop := disk.Watch(endAt(k, dies, &taken))
			err := night(l)
			stop()
			if more = taken >= k; !more {
				break
			}
			steps = k
			if dies {
				l = openWith(t, Options{Dir: dir, Machine: "aa", Now: func() time.Time { return day1 }, MaxFile: 8 << 10})
			} else if err != nil && !strings.Contains(err.Error(), dir) {
				t.Errorf("step %d: %v does not say where", k, err)
			}
			if got := timeline(l); len(got) == 0 || len(got) != 1 && len(got) != 3 && !dies {
				t.Errorf("step %d, dies %v: %d events", k, dies, len(got))
			}
			if err := night(l); err != nil {
				t.Errorf("step %d, dies %v, done again: %v", k, dies, err)
			}
			again := open(t, dir, "aa", day1)
			if _, faults, err := again.Verify(); err != nil || len(faults) > 0 {
				t.Errorf("step %d, dies %v, done again: %v %v", k, dies, faults, err)
			}
			if got := tree(t, dir); got != want {
				t.Errorf("step %d, dies %v, done again, published is\n%s, want\n%s", k, dies, got, want)
			}
			if _, err := os.Stat(logPath(dir, "aa", "2026-06-18.jsonl")); err != nil {
				t.Error(err)
			}
		}
	}
	if steps < 15 {
		t.Errorf("only %d steps were tried", steps)
	}
}
