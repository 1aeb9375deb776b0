package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/socket"
	"dormouse/store/home"
)

func TestAMemoryThatWasDamagedWhileTheServiceWasOffIsMendedAndSaidSo(t *testing.T) {
	want := published(t, learned(t).Home.Dir())
	write := func(path ...string) func(string) error {
		return func(m string) error {
			return os.WriteFile(filepath.Join(append([]string{m}, path...)...), []byte("xx\n"), 0o600)
		}
	}
	remove := func(path ...string) func(string) error {
		return func(m string) error { return os.RemoveAll(filepath.Join(append([]string{m}, path...)...)) }
	}
	for name, c := range map[string]struct {
		spoil func(memory string) error
		told  string // in the problems
	}{
		"branch garbled": {write(".git", "refs", "heads", "main"), "moved to"},
		"objects gone": {func(m string) error {
			return errors.Join(remove(".git", "objects")(m), os.MkdirAll(filepath.Join(m, ".git", "objects"), 0o700))
		}, "moved to"},
		"HEAD garbled":    {write(".git", "HEAD"), ""},
		"repository gone": {remove(".git"), ""},
		"logs gone":       {remove("log"), "brought back"},
		"published files gone": {func(m string) error {
			return errors.Join(remove("graph")(m), remove("timeline")(m), remove("core.md")(m))
		}, ""},
		"index.lock left behind": {write(".git", "index.lock"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := learned(t)
			dir, m := p.Home.Dir(), p.Home.Memory()
			if err := c.spoil(m); err != nil {
				t.Fatal(err)
			}
			s := start(t, p)
			st, err := s.Status(t.Context())
			if err != nil || st.Counts.Events < 10 {
				t.Errorf("%v, counts %+v", err, st.Counts)
			}
			switch all := strings.Join(st.Problems, "\n"); {
			case c.told == "" && all != "":
				t.Errorf("problems %s", all)
			case c.told != "" && (!strings.Contains(all, c.told) || !strings.Contains(all, m)):
				t.Errorf("problems do not tell %q and %s: %s", c.told, m, all)
			}
			if err := s.stop(); err != nil {
				t.Fatal(err)
			}
			if got := published(t, dir); got != want {
				t.Errorf("published\n%s\nwant\n%s", got, want)
			}
			if err := os.RemoveAll(filepath.Join(m, ".git", "index.lock")); err != nil {
				t.Fatal(err)
			}
			sound(t, dir)
		})
	}
}

func TestAnUnreadableSessionIsNamedAndTheOthersGoOn(t *testing.T) {
	p := learned(t)
	dir := p.Home.Dir()
	repos := repositories(t, dir)
	broken := repos[len(repos)-1]
	branches := filepath.Join(broken, ".git", "refs", "heads")
	if err := errors.Join(os.MkdirAll(branches, 0o700), os.WriteFile(filepath.Join(branches, "main"), []byte("xx\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	s := start(t, p)
	if _, err := s.Session(t.Context(), filepath.Base(broken), nil); err == nil {
		t.Error("the broken session opens")
	}
	st, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(st.Problems, "\n"); !strings.Contains(all, broken) || !strings.Contains(all, "move it away") {
		t.Errorf("problems %s", all)
	}
	if _, err := s.Session(t.Context(), filepath.Base(repos[1]), nil); err != nil {
		t.Error(err)
	}
}

func TestAServiceWhoseSocketWasDeletedCanBeReachedAgain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a named pipe cannot be deleted")
	}
	dir, roots := t.TempDir(), t.TempDir()
	give(t, roots, 1, 2)
	s := start(t, params(dir, roots))
	for _, p := range []string{socket.Path(dir), home.At(dir).LockFile(), filepath.Join(home.At(dir).Run(), "pid")} {
		if err := os.Remove(p); err != nil {
			t.Fatal(err)
		}
	}
	s.until(t, "the socket is there again", func(st api.Status) bool { return st.Counts.Turns == 2 })
	if err := New(params(dir, roots)).Run(t.Context()); !errors.Is(err, home.ErrLocked) {
		t.Errorf("a second service: %v", err)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}

func TestAServiceWhoseStateFolderWasDeletedEndsAndLeavesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files that are in use cannot be deleted")
	}
	dir, roots := filepath.Join(t.TempDir(), "memory"), t.TempDir()
	give(t, roots, 1, 2)
	p := params(dir, roots)
	ready, done := make(chan struct{}), make(chan error, 1)
	p.Report = func(r Report) {
		if r.Stage == StageReady {
			close(ready)
		}
	}
	go func() { done <- New(p).Run(context.Background()) }()
	<-ready
	if err := os.Rename(dir, dir+"-thrown-away"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, errHomeGone) || !strings.Contains(err.Error(), dir) {
		t.Errorf("it ended with %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder is there again")
	}
}

func TestAServiceBeginsAnewOnlySoOftenInShortTime(t *testing.T) {
	var r renewals
	for n := range maxRenewals {
		if !r.again(time.Second) {
			t.Fatalf("refused after %d", n)
		}
	}
	if r.again(time.Second) {
		t.Error("it begins anew without end")
	}
	if !r.again(2*renewalsWithin) || !r.again(time.Second) {
		t.Error("a long life does not count as a good one")
	}
}

func TestARunFromTheFutureDoesNotKeepTheServiceFromSleeping(t *testing.T) {
	dir := t.TempDir()
	p := params(dir, t.TempDir())
	p.Now = func() time.Time { return clock().AddDate(30, 0, 0) } // the clock is wrong
	s := start(t, p)
	if err := s.daemon.noteQuietNight(p.Now()); err != nil {
		t.Fatal(err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	s = start(t, params(dir, t.TempDir()))
	in, err := s.daemon.look(t.Context())
	if err != nil || in.Night.After(clock()) {
		t.Errorf("slept last in the night of %v, %v", in.Night, err)
	}
}

func TestAStateFolderThatCannotBeWrittenToIsSaidWithItsRemedy(t *testing.T) {
	for err, want := range map[error]string{
		&os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}: "make room",
		&os.PathError{Op: "write", Path: "x", Err: syscall.EROFS}:  home.EnvHome,
		&os.PathError{Op: "open", Path: "x", Err: syscall.EACCES}:  home.EnvHome,
	} {
		got := withRemedy(err, "/the/folder")
		if !errors.Is(got, err) || !strings.Contains(got.Error(), want) || !strings.Contains(got.Error(), "/the/folder") {
			t.Errorf("%v", got)
		}
	}
	if err := errors.New("else"); withRemedy(err, "x") != err {
		t.Error("another error was changed")
	}
}

func TestABrokenProjectRegistryIsNamedAndSessionsAreStillCaptured(t *testing.T) {
	dir, roots := t.TempDir(), t.TempDir()
	give(t, roots, 1, 2)
	if err := start(t, params(dir, roots)).stop(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home.At(dir).Projects(), "projects.json")
	if err := os.WriteFile(file, []byte("{{"), 0o600); err != nil {
		t.Fatal(err)
	}
	give(t, roots, 2, 2)
	s := start(t, params(dir, roots))
	st, err := s.Status(t.Context())
	if err != nil || st.Counts.Turns != 4 {
		t.Errorf("%v, counts %+v", err, st.Counts)
	}
	if all := strings.Join(st.Problems, "\n"); !strings.Contains(all, file) || !strings.Contains(all, "delete it") {
		t.Errorf("problems %q", st.Problems)
	}
	if list, err := s.Projects(t.Context()); err != nil || len(list) == 0 {
		t.Errorf("projects %v, %v", list, err)
	}
}

func TestASessionWhoseHistoryIsGarbledIsSaidSo(t *testing.T) {
	p := learned(t)
	packs, err := filepath.Glob(filepath.Join(p.Home.Sessions(), "cc_0e37e357", ".git", "objects", "pack", "*.pack"))
	if err != nil || len(packs) == 0 {
		t.Fatalf("%d packs, %v", len(packs), err)
	}
	for _, p := range packs {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		copy(b[300:], strings.Repeat("x", 64))
		if err := errors.Join(os.Remove(p), os.WriteFile(p, b, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, p)
	one := 1
	for _, turn := range []*int{nil, &one} {
		if _, err := s.Session(t.Context(), "cc_0e37e357", turn); err == nil || !strings.Contains(err.Error(), "cannot be read") {
			t.Errorf("opened: %v", err)
		}
	}
	st, err := s.Status(t.Context())
	if all := strings.Join(st.Problems, "\n"); err != nil || !strings.Contains(all, "cc_0e37e357") || !strings.Contains(all, "from a backup") {
		t.Errorf("%v, problems %q", err, all)
	}
	if st.Counts.Sessions != 9 || partNamed(st, "index").State != "ok" {
		t.Errorf("the others do not go on: %+v", st)
	}
}
