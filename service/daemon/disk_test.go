package daemon

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/store/disk"
	"dormouse/store/home"
)

// smallDisk is a folder on a disk of its own of so many megabytes.
func smallDisk(t *testing.T, megabytes int) string {
	t.Helper()
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("a small disk can only be mounted by root on Linux")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dm", megabytes), "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("this system does not let us mount a small disk: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	return dir
}

// fillDisk writes a file until the disk is full, and returns its name.
func fillDisk(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(dir, "filler")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // nothing of it is needed
	for block := make([]byte, 64<<10); len(block) > 0; {
		if _, err := f.Write(block); err != nil {
			block = block[:len(block)/2]
		}
	}
	return name
}

// talk is a transcript of a session with some turns, over by the time of clock.
func talk(id string, turns int) string {
	var b strings.Builder
	up := "null"
	for n := range turns {
		at := clock().Add(time.Duration(n-10_000) * time.Minute).Format(time.RFC3339)
		fmt.Fprintf(&b, `{"type":"user","uuid":"%[1]s-u%[2]d","parentUuid":%[3]s,"sessionId":"%[1]s","timestamp":"%[4]s","cwd":"/home/dev/app","message":{"role":"user","content":"Prompt %[2]d of %[1]s"}}`+"\n", id, n, up, at)
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"%[1]s-a%[2]d","parentUuid":"%[1]s-u%[2]d","sessionId":"%[1]s","timestamp":"%[3]s","cwd":"/home/dev/app","message":{"id":"msg_%[1]s%[2]d","model":"m","role":"assistant","content":[{"type":"text","text":"Answer %[2]d."}]}}`+"\n", id, n, at)
		up = fmt.Sprintf(`"%s-a%d"`, id, n)
	}
	return b.String()
}

func sessionUUID(n int) string { return fmt.Sprintf("%08d-2222-4333-8444-555555555555", n) }

// give writes a transcript of a session where the service looks for Claude Code's.
func give(t *testing.T, roots string, n, turns int) {
	t.Helper()
	path := filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), "-home-dev-app", sessionUUID(n)+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(talk(sessionUUID(n), turns)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// until waits for the status to be as it should; the test fails when it does not become so.
func (s *service) until(t *testing.T, what string, ok func(api.Status) bool) api.Status {
	t.Helper()
	var last api.Status
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		st, err := s.Status(t.Context())
		if err == nil && ok(st) {
			return st
		}
		last = st
	}
	t.Fatalf("it did not happen: %s; status %+v", what, last)
	return last
}

func partOf(st api.Status, name string) api.Part {
	for _, p := range st.Parts {
		if p.Name == name {
			return p
		}
	}
	return api.Part{}
}

func TestServiceOnAFullDiskStaysUpSaysSoAndGoesOnWhenThereIsRoom(t *testing.T) {
	small, roots := smallDisk(t, 24), t.TempDir()
	give(t, roots, 1, 3)
	p := params(filepath.Join(small, "memory"), roots)
	p.Now = time.Now
	s := start(t, p)
	filler := fillDisk(t, small)
	for n := range 5 {
		give(t, roots, 10+n, 3)
	}
	st := s.until(t, "the pause is told", func(st api.Status) bool { return partOf(st, "capture").State == "amber" })
	if c := partOf(st, "capture"); !strings.Contains(c.Failure, "capture is paused") || !strings.Contains(c.Failure, "disk is nearly full") || c.LastOK == 0 {
		t.Errorf("capture on a full disk: %+v", c)
	}
	if len(st.Problems) != 1 || st.Counts.Sessions != 1 || st.Counts.Turns != 3 {
		t.Errorf("on a full disk: problems %q, counts %+v", st.Problems, st.Counts)
	}
	if _, err := s.Sleep(t.Context()); err == nil || !strings.Contains(err.Error(), "nearly full") {
		t.Errorf("sleep on a full disk: %v", err)
	}
	if found, err := s.Search(t.Context(), api.SearchQuery{Words: "Prompt"}); err != nil || len(found.Hits) == 0 {
		t.Errorf("search on a full disk: %v, %v", found, err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if err := s.daemon.engine.Scan(t.Context()); err != nil { // the minute's scan would do the same
		t.Fatal(err)
	}
	s.until(t, "all is captured and indexed", func(st api.Status) bool {
		return st.Counts.Turns == 18 && st.Backlog.Index == 0 && len(st.Problems) == 0 && partOf(st, "capture").State == "ok"
	})
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	sound(t, p.Home.Dir())
}

// A disk that was mounted anew for reading alone, as the system does after an error of the disk.
func TestServiceOnAReadOnlyDiskStaysUpSaysSoAndGoesOnWhenItMayWrite(t *testing.T) {
	roots := t.TempDir()
	give(t, roots, 1, 3)
	p := params(t.TempDir(), roots)
	var later atomic.Int64
	p.Now = func() time.Time { return clock().Add(time.Duration(later.Load())) }
	s := start(t, p)
	refused := disk.Watch(func(step disk.Step) error {
		if !strings.HasPrefix(step.Path, p.Home.Dir()) {
			return nil
		}
		return &os.PathError{Op: "open", Path: step.Path, Err: syscall.EROFS}
	})
	defer refused()
	for n := range 5 {
		give(t, roots, 10+n, 3)
	}
	_ = s.daemon.engine.Scan(t.Context()) // what it says is told by the status
	st := s.until(t, "the trouble is told", func(st api.Status) bool {
		return strings.Contains(strings.Join(st.Problems, " ")+partOf(st, "capture").Failure, "read-only")
	})
	if st.Counts.Turns != 3 {
		t.Errorf("on a read-only disk: %+v", st.Counts)
	}
	if d := partOf(st, "disk"); d.State != "amber" || !strings.Contains(d.Failure, p.Home.Dir()) || st.Health != api.HealthAmber {
		t.Errorf("on a read-only disk the disk is %+v and the whole %s", d, st.Health)
	}
	if found, err := s.Search(t.Context(), api.SearchQuery{Words: "Prompt"}); err != nil || len(found.Hits) == 0 {
		t.Errorf("search on a read-only disk: %v, %v", found, err)
	}
	refused()
	later.Store(int64(time.Hour))                             // what failed is tried again after a while
	if err := s.daemon.engine.Scan(t.Context()); err != nil { // the minute's scan would do the same
		t.Fatal(err)
	}
	s.until(t, "all is captured and indexed", func(st api.Status) bool {
		return st.Counts.Turns == 18 && st.Backlog.Index == 0 && len(st.Problems) == 0 && partOf(st, "capture").State == "ok" && partOf(st, "disk").State == api.HealthOK
	})
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	sound(t, p.Home.Dir())
}

func TestServiceStoppedOnAFullDiskHasLostNothing(t *testing.T) {
	small, roots := smallDisk(t, 24), t.TempDir()
	for n := range 5 {
		give(t, roots, n, 4)
	}
	p := params(filepath.Join(small, "memory"), roots)
	s := start(t, p)
	filler := fillDisk(t, small)
	if err := s.stop(); err == nil || !strings.Contains(err.Error(), "nearly full") {
		t.Errorf("stopped on a full disk: %v", err)
	}
	if err := New(p).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("started on a full disk: %v", err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	sound(t, p.Home.Dir())
}

func TestAnIndexThatIsDeletedWhileTheServiceRunsIsMadeAgain(t *testing.T) {
	dir, roots := t.TempDir(), t.TempDir()
	for n := range 3 {
		give(t, roots, n, 3)
	}
	s := start(t, params(dir, roots))
	if err := os.RemoveAll(home.At(dir).Index()); err != nil {
		t.Fatal(err)
	}
	give(t, roots, 9, 3)
	s.until(t, "the index is there again", func(st api.Status) bool {
		found, err := s.Search(t.Context(), api.SearchQuery{Words: sessionUUID(9)})
		return err == nil && len(found.Hits) > 0 && st.Counts.Indexed == 12 && !found.Indexing && st.Counts.Turns == 12 && len(st.Problems) == 0
	})
	if _, err := os.Stat(filepath.Join(home.At(dir).Index(), "FORMAT")); err != nil {
		t.Error(err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	sound(t, dir)
}
