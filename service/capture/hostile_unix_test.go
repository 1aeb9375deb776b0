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
