package main

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	system "golang.org/x/sys/unix"

	"dormouse/service/client"
	"dormouse/service/socket"
	"dormouse/store/home"
	"dormouse/store/process"
)

// ghost is what the test program does in place of a service, as a process that is called so; see startGhost.
func ghost(dir, how string) {
	if how == "lock" {
		f, err := os.OpenFile(home.At(dir).LockFile(), os.O_RDWR|os.O_CREATE, 0o600)
		if err == nil {
			err = system.Flock(int(f.Fd()), system.LOCK_EX)
		}
		if err != nil {
			panic(err)
		}
		time.Sleep(time.Hour) // longer than any test
		runtime.KeepAlive(f)
	}
	ln, err := net.Listen("unix", socket.Path(dir))
	if err != nil {
		panic(err)
	}
	for how != "mute" {
		conn, err := ln.Accept()
		if err != nil {
			panic(err)
		}
		answer := map[string]string{"web": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}", "mail": "220 ready\r\n"}[how]
		go func() {
			if how == "web" {
				_, _ = conn.Read(make([]byte, 4096))
			}
			_, _ = io.WriteString(conn, answer)
			_ = conn.Close()
		}()
	}
	time.Sleep(time.Hour)
	runtime.KeepAlive(ln)
}

// startGhost runs another program that has the lock or the socket of a state folder, and returns its process.
func startGhost(t *testing.T, dir, how string) int {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "ghost")
	raw, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(exe, raw, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestWhatIsInTheServicesPlaceIsNamedWithItsRemedy$")
	cmd.Env = append(os.Environ(), "DORMOUSE_TEST_GHOST="+how, "DORMOUSE_TEST_GHOST_HOME="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	h := home.At(dir)
	await(t, func() bool {
		if how == "lock" {
			free, err := h.Free()
			return err == nil && !free
		}
		return socket.Holder(t.Context(), dir) != 0
	})
	return cmd.Process.Pid
}

func TestWhatIsInTheServicesPlaceIsNamedWithItsRemedy(t *testing.T) {
	if how := os.Getenv("DORMOUSE_TEST_GHOST"); how != "" {
		ghost(os.Getenv("DORMOUSE_TEST_GHOST_HOME"), how)
	}
	exe := binary(t)
	for _, how := range []string{"web", "mail", "mute", "lock"} {
		t.Run(how, func(t *testing.T) {
			p := &person{t, exe, t.TempDir()}
			dir := filepath.Join(p.home, ".dormouse")
			if err := home.At(dir).Create(); err != nil {
				t.Fatal(err)
			}
			pid := startGhost(t, dir, how)
			who, remedy := process.Said(pid), process.HowToEnd(pid)
			if !strings.Contains(who, "(ghost)") {
				t.Fatal(who)
			}
			all := [][]string{{"status"}, {"stop"}, {"up", "--service"}, {"sleep", "--last"}, {"service", "install"}, {"service", "stop"}, {"service", "restart"}}
			if how == "mute" {
				all = all[:3] // each waits as long as for a service that hangs
			}
			for _, args := range all {
				r := p.run(args...)
				if r.code == exitOK || !strings.Contains(r.err, "ghost") || !strings.Contains(r.err, remedy) {
					t.Errorf("%v does not name %s, or %s: %+v", args, who, remedy, r)
				}
				if strings.Contains(r.err, "interrupted") {
					t.Errorf("%v: %+v", args, r)
				}
			}
			r := p.run("service", "status")
			if said := strings.Join(strings.Fields(r.out), " "); r.code == exitOK || !strings.Contains(said, who[1:]) || !strings.Contains(said, remedy) { // it begins a sentence
				t.Errorf("service status: %+v", r)
			}
			if r := p.report(); r.Answers || !strings.Contains(r.Held, who) {
				t.Errorf("service status --json: %+v", r)
			}
			doctors := p.run("doctor", "--json")
			for _, check := range []string{"socket", "service"} {
				if f := findings(t, doctors.out, check); f.State != "fail" || !strings.Contains(f.Text, who) || !strings.Contains(f.Remedy, remedy) || f.Fix != "" {
					t.Errorf("doctor: %+v", f)
				}
			}
			if process.Name(pid) == "" {
				t.Error("the ghost was ended, which is the person's to do")
			}
			if how == "lock" {
				return
			}
			if r := p.run("doctor", "--fix"); socket.Holder(t.Context(), dir) != pid {
				t.Errorf("doctor --fix took the ghost's socket away: %+v", r)
			}
		})
	}
}

// TestAForeignProcessWithTheLockIsNotEndedForAServiceThatHangs asks for what follows when a service's door does not answer: its process is
// ended, but not one that has only its lock.
func TestAForeignProcessWithTheLockIsNotEndedForAServiceThatHangs(t *testing.T) {
	h := home.At(filepath.Join(t.TempDir(), "home"))
	if err := h.Create(); err != nil {
		t.Fatal(err)
	}
	pid := startGhost(t, h.Dir(), "lock")
	a := &app{Params: Params{Stdout: io.Discard, Stderr: io.Discard, Env: func(string) string { return "" }}}
	err := a.endHung(t.Context(), h, client.ErrHung)
	if !errors.Is(err, client.ErrHung) || !strings.Contains(err.Error(), process.Said(pid)) || !strings.Contains(err.Error(), process.HowToEnd(pid)) {
		t.Errorf("%v", err)
	}
	if free, err := h.Free(); free || err != nil || process.Name(pid) != "ghost" {
		t.Errorf("the ghost was ended: %v %v", free, err)
	}
}

// TestAServiceThatDoesNotListenYetIsSaidAndEndedByStop has the lock held by a program of Dormouse that never comes to listen.
func TestAServiceThatDoesNotListenYetIsSaidAndEndedByStop(t *testing.T) {
	p := &person{t, binary(t), t.TempDir()}
	dir := filepath.Join(p.home, ".dormouse")
	if err := home.At(dir).Create(); err != nil {
		t.Fatal(err)
	}
	lock, err := home.At(dir).Lock() // by this process
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"status"}, {"timeline"}} {
		if r := p.run(args...); r.code != exitNotRunning || !strings.Contains(r.err, "is beginning or ending: "+process.Said(os.Getpid())) || !strings.Contains(r.err, "dormouse stop") {
			t.Errorf("%v: %+v", args, r)
		}
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(p.exe, "up", "--service")
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	await(t, func() bool { return p.report().Answers })
	if err := cmd.Process.Signal(system.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(socket.Path(dir)); err != nil {
		t.Fatal(err)
	}
	if r := p.run("stop"); r.code != exitOK || !strings.Contains(r.out, "has stopped") {
		t.Errorf("%+v", r)
		_ = cmd.Process.Kill()
	}
	<-ended
}
