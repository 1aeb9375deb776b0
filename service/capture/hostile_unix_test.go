//go:build unix

package capture

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestNamedPipesAndSocketsWithTheNameOfATranscriptBlockNothing(t *testing.T) {
	w := newWorld(t)
	w.now = time.Now()
	w.engine = New(w.options())
	dir := filepath.Dir(w.claude("x"))
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "1"))
	t.Chdir(dir)
	special := func(name string) {
		t.Helper()
		if err := syscall.Mkfifo(filepath.Join(dir, name+bUUID[8:]+".jsonl"), 0o600); err != nil {
			t.Skip("this system makes no named pipes: ", err)
		}
		ln, err := net.Listen("unix", name+".jsonl") // by its short name: whole paths may be too long for a socket
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = ln.Close() })
	}
	special("88888888")
	w.running()
	w.until("the first turn", func() bool { return w.count() == 2 })
	special("77777777") // while it runs
	w.append(w.claude(aUUID+".jsonl"), turn(1, w.now, "two", "2"))
	w.until("the second turn", func() bool { return w.count() == 4 })
	w.problems(0)
}

func TestAPipeThatTakesTheNameOfAReadFileIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("this system makes no named pipes: ", err)
	}
	if _, err := readHead(path, 10); err == nil {
		t.Error("a named pipe was read")
	}
	if sidecar(path) != nil {
		t.Error("a named pipe was read as a sidecar")
	}
}

func TestAnUnreadableFileIsAProblemUntilItCanBeRead(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	w := newWorld(t)
	path := w.claude(aUUID + ".jsonl")
	w.write(path, turn(0, w.now, "one", "1"))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	w.write(w.claude(bUUID+".jsonl"), turn(0, w.now, "other", "2"))
	w.scan()
	w.only()
	w.problems(1)
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(time.Minute)
	w.scan()
	w.problems(0)
}

// TestWhatIsNoFileIsNamedWithItsReason has pipes, sockets, devices, links and folders among the transcripts.
func TestWhatIsNoFileIsNamedWithItsReason(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Dir(w.claude("x"))
	w.write(w.claude(aUUID+".jsonl"), turn(0, w.now, "one", "1"))
	t.Chdir(dir)
	elsewhere := t.TempDir()
	name := func(digit string) string { return digit + bUUID[len(digit):] + ".jsonl" }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Skip("this system has no such file: ", err)
		}
	}
	must(syscall.Mkfifo(name("1"), 0o600))
	ln, err := net.Listen("unix", "s.jsonl")
	must(err)
	t.Cleanup(func() { _ = ln.Close() })
	must(os.Symlink("/dev/zero", name("2")))
	must(os.Symlink(name("3"), name("3")))
	must(os.Symlink("nowhere", name("4")))
	must(os.Mkdir(name("5"), 0o700))
	must(os.Symlink(elsewhere, "folder"))
	must(os.Symlink(".", "here"))
	must(os.Symlink(filepath.Join(elsewhere, "real.jsonl"), name("6")))
	w.write(filepath.Join(elsewhere, "real.jsonl"), turn(0, w.now, "linked", "2"))
	w.scan()
	w.scan()
	w.problems(0)
	if n := len(w.sessions()); n != 2 {
		t.Errorf("%d sessions: a link to a file is read", n)
	}
	skipped := w.status("claude-code").Skipped
	for reason, path := range map[string]string{specialReason: name("1"), deviceReason: name("2"), nowhereReason: name("3"), folderReason: name("5"), linkedReason: "folder"} {
		want := 1
		if reason == specialReason || reason == nowhereReason {
			want = 2
		}
		c := skipped[reason]
		if c.Times != want || len(c.Places) != want || filepath.Base(c.Places[0].File) != path {
			t.Errorf("%s: %+v, want %s and %d in all", reason, c, path, want)
		}
	}
	must(os.Remove(name("1")))
	must(os.Remove("folder"))
	w.scan()
	if skipped := w.status("claude-code").Skipped; skipped[specialReason].Times != 1 || skipped[linkedReason].Times != 0 {
		t.Errorf("what is gone is still told: %+v", skipped)
	}
}
