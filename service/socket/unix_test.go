//go:build unix

package socket

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSocketIsForItsOwnerAlone(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	greet(t, home, "hello")
	info, err := os.Stat(Path(home))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("socket has mode %v", info.Mode())
	}
	if dir, _ := os.Stat(filepath.Dir(Path(home))); dir.Mode().Perm() != 0o700 {
		t.Errorf("its folder has mode %v", dir.Mode())
	}
}

func TestSocketOfADeadServiceIsReplaced(t *testing.T) {
	home := t.TempDir()
	leaveBehind(t, home)
	if _, err := Dial(t.Context(), home); !errors.Is(err, ErrNoService) {
		t.Fatalf("dead service: %v", err)
	}
	greet(t, home, "alive")
	if got, err := say(t, home); err != nil || got != "alive" {
		t.Errorf("%q, %v", got, err)
	}
}

// leaveBehind puts a socket where a killed service would have left it.
func leaveBehind(t *testing.T, home string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(Path(home)), 0o700); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("unix", Path(home))
	if err != nil {
		t.Fatal(err)
	}
	ln.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsNoSocketIsLeftAlone(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Dir(Path(home)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(Path(home), []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if ln, err := Listen(home); err == nil {
		_ = ln.Close()
		t.Error("listens over a file")
	}
	if b, err := os.ReadFile(Path(home)); err != nil || string(b) != "precious" {
		t.Errorf("the file was touched: %q, %v", b, err)
	}
}

func TestPeerOfAnotherUserIsTurnedAway(t *testing.T) {
	home := t.TempDir()
	inner, err := Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	if p := probe(t, home, inner); !p.known || p.uid != os.Geteuid() {
		t.Skipf("this system does not tell who is at the other end (%+v)", p)
	}
	strict := &listener{Listener: inner.(*listener).Listener, uid: os.Geteuid() + 1}
	accepted := make(chan error, 1)
	go func() {
		conn, err := strict.Accept()
		if err == nil {
			_ = conn.Close()
		}
		accepted <- err
	}()
	if got, err := say(t, home); got != "" || err != nil && !strings.Contains(err.Error(), "reset") {
		t.Errorf("another user's connection was served: %q, %v", got, err)
	}
	_ = inner.Close()
	if err := <-accepted; err == nil {
		t.Error("another user's connection was handed out")
	}
}

// probe connects once and reports whom the system names at the other end.
func probe(t *testing.T, home string, ln net.Listener) peerProcess {
	t.Helper()
	conn, err := Dial(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // test
	far, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close() //nolint:errcheck // test
	return peer(far)
}

func TestPathStaysWithinTheSystemsLimit(t *testing.T) {
	base := t.TempDir()
	short := []string{filepath.Join(base, "session"), filepath.Join(base, "common")}
	long := filepath.Join(base, strings.Repeat("long", 30))

	if got := pathIn("/home/u/.dormouse", short); got != "/home/u/.dormouse/run/dormouse.sock" {
		t.Errorf("a short path is moved to %s", got)
	}
	common := pathIn(long, short)
	if filepath.Dir(common) != short[1] || len(filepath.Base(common)) > 24 {
		t.Errorf("without a session's folder: %s", common)
	}
	if err := os.Mkdir(short[0], 0o700); err != nil {
		t.Fatal(err)
	}
	if got := pathIn(long, short); filepath.Dir(got) != filepath.Join(short[0], "dormouse") {
		t.Errorf("with a session's folder: %s", got)
	}
	if pathIn(long, short) == pathIn(long+"-demo", short) {
		t.Error("two state folders share a socket")
	}
	for _, dir := range shortDirs(4_000_000_000) {
		if n := len(filepath.Join(dir, "dormouse", "0123456789abcdef.sock")); n > 103 {
			t.Errorf("below %s a socket's path has %d bytes", dir, n)
		}
	}
}

func TestAStateFolderWithAVeryLongPathIsServed(t *testing.T) {
	base, err := os.MkdirTemp("/tmp", "dormouse-test-") // a test's own folder can have too long a path itself
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(base) //nolint:errcheck // test
	home := filepath.Join(base, strings.Repeat("long", 30))
	path := pathIn(home, []string{filepath.Join(base, "none"), filepath.Join(base, "common")})
	ln, err := listenAt(path)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close() //nolint:errcheck // test
	conn, err := dialAt(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
}

func TestAFolderThatIsNotOnesOwnIsNotTrusted(t *testing.T) {
	base := t.TempDir()
	open, link := filepath.Join(base, "open"), filepath.Join(base, "link")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(open, link); err != nil {
		t.Fatal(err)
	}
	if err := checkFolder(link, true); err == nil {
		t.Error("a symbolic link is taken for a folder")
	}
	if err := checkFolder(open, false); err == nil {
		t.Error("a folder that others can change is trusted")
	}
	if err := checkFolder(open, true); err != nil {
		t.Error(err)
	}
	if err := checkFolder(open, false); err != nil {
		t.Errorf("after repair: %v", err)
	}
	if os.Geteuid() != 0 {
		if err := checkFolder("/", false); !errors.Is(err, ErrForeign) {
			t.Errorf("a folder of another user: %v", err)
		}
		return
	}
	if err := os.Chown(open, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if err := checkFolder(open, true); !errors.Is(err, ErrForeign) {
		t.Errorf("a folder of another user: %v", err)
	}
}

func TestAStateFolderThatIsNoFolderIsAnErrorThatSaysWhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if ln, err := Listen(file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%v, %v", ln, err)
	}
	if _, err := Dial(t.Context(), file); !errors.Is(err, ErrNoService) {
		t.Errorf("%v", err)
	}
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "run"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if ln, err := Listen(home); err == nil {
		t.Errorf("listens at %v", ln.Addr())
	}
}
