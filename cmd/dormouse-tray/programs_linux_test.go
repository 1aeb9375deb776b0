package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fakeDormouse puts a program onto PATH that writes its arguments into a file, which is returned.
func fakeDormouse(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	mark := filepath.Join(dir, "called")
	for _, name := range names {
		script := "#!/bin/sh\necho \"$0 $* $DORMOUSE_HOME\" >" + mark + ".tmp; mv " + mark + ".tmp " + mark + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	return mark
}

// noSystemd makes this process's person one without a systemd user manager.
func noSystemd(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for k, v := range map[string]string{"HOME": dir, "XDG_RUNTIME_DIR": dir, "XDG_CONFIG_HOME": "", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"} {
		t.Setenv(k, v)
	}
}

func TestTheServiceIsStartedWhereItIsInstalledAndWhereItIsNot(t *testing.T) {
	noSystemd(t)
	t.Setenv("DORMOUSE_HOME", "/data/m")
	mark := fakeDormouse(t, "dormouse", "dormouse-desktop")
	p := systemPrograms()
	called := func(want string) {
		t.Helper()
		text := ""
		await(t, want, func() bool { b, err := os.ReadFile(mark); text = string(b); return err == nil })
		if !strings.Contains(text, want) {
			t.Errorf("%q, want %q", text, want)
		}
		_ = os.Remove(mark)
	}
	if err := p.startService(t.Context()); err != nil {
		t.Fatal(err)
	}
	called("/dormouse up --service /data/m")
	if err := p.openWindow("--page", "review"); err != nil {
		t.Fatal(err)
	}
	called("/dormouse-desktop --page review /data/m")
	t.Setenv("DORMOUSE_HOME", "")
	entry := filepath.Join(os.Getenv("HOME"), ".config", "autostart", "dormouse.desktop")
	if err := os.MkdirAll(filepath.Dir(entry), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(entry, []byte("[Desktop Entry]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.startService(t.Context()); err != nil {
		t.Fatal(err)
	}
	called("/dormouse up --service ")
	t.Setenv("PATH", t.TempDir())
	if err := p.startService(t.Context()); err == nil || !strings.Contains(err.Error(), "dormouse is neither in") {
		t.Errorf("%v", err)
	}
	if p.openWindow() == nil {
		t.Error("a window that is not installed is opened")
	}
}

func TestTheProgramRunsUntilItIsToldToEnd(t *testing.T) {
	noSystemd(t)
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	s := newService(t)
	s.start(t)
	code := make(chan int, 1)
	go func() { code <- start([]string{"--env", "DORMOUSE_HOME=" + s.home.Dir()}) }()
	await(t, "a look", func() bool { return s.was("core") })
	if got := start(nil); got != 0 {
		t.Errorf("a second one ends with %d", got)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := <-code; got != 0 {
		t.Errorf("it ends with %d", got)
	}
	for want, args := range map[int][]string{0: {"--help"}, 2: {"now"}} {
		if got := start(args); got != want {
			t.Errorf("%v ends with %d, want %d", args, got, want)
		}
	}
	t.Setenv("XDG_RUNTIME_DIR", "/nowhere")
	if got := start(nil); got != 1 {
		t.Errorf("without a place for the lock it ends with %d", got)
	}
}
