package socket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// say connects to a state folder's service and returns what it says.
func say(t *testing.T, home string) (string, error) {
	t.Helper()
	conn, err := Dial(t.Context(), home)
	if err != nil {
		return "", err
	}
	defer conn.Close() //nolint:errcheck // test
	b, err := io.ReadAll(conn)
	return string(b), err
}

// greet listens for a state folder and says word to everyone who comes.
func greet(t *testing.T, home, word string) {
	t.Helper()
	ln, err := Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, word)
			_ = conn.Close()
		}
	}()
}

func TestClientReachesTheServiceOfItsStateFolder(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	greet(t, one, "one")
	greet(t, two, "two")
	if pid := Holder(t.Context(), t.TempDir()); pid != 0 {
		t.Errorf("nobody listens, and it is process %d", pid)
	}
	for home, want := range map[string]string{one: "one", two: "two"} {
		if got, err := say(t, home); err != nil || got != want {
			t.Errorf("at %s: %q, %v; want %q", home, got, err, want)
		}
	}
}

func TestNobodyListensBeforeAndAfterTheService(t *testing.T) {
	home := t.TempDir()
	if _, err := Dial(t.Context(), home); !errors.Is(err, ErrNoService) {
		t.Errorf("before: %v", err)
	}
	if _, err := Dial(t.Context(), filepath.Join(home, "missing")); !errors.Is(err, ErrNoService) {
		t.Errorf("no state folder: %v", err)
	}
	ln, err := Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(t.Context(), home); !errors.Is(err, ErrNoService) {
		t.Errorf("after: %v", err)
	}
}

func TestSecondServiceOnOneStateFolderIsRefused(t *testing.T) {
	home := t.TempDir()
	greet(t, home, "first")
	_, err := Listen(home)
	if !errors.Is(err, ErrInUse) {
		t.Fatalf("second Listen: %v", err)
	}
	if !strings.Contains(err.Error(), Path(home)) {
		t.Errorf("the error does not say where: %v", err)
	}
	if pid := Holder(t.Context(), home); pid != 0 && (pid != os.Getpid() || !strings.Contains(err.Error(), fmt.Sprintf("process %d ", pid))) {
		t.Errorf("this process %d is told as %d: %v", os.Getpid(), pid, err)
	}
	if got, err := say(t, home); err != nil || got != "first" {
		t.Errorf("the first service was disturbed: %q, %v", got, err)
	}
}

func TestDialEndsWithItsContext(t *testing.T) {
	home := t.TempDir()
	greet(t, home, "hello")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if conn, err := Dial(ctx, home); err == nil {
		_ = conn.Close()
		t.Error("connected although the context had ended")
	}
}
