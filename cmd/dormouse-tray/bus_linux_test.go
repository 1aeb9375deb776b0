package main

import (
	"bufio"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
)

// privateBus starts a message bus of the test's own, makes it the session bus of this process and returns its address.
func privateBus(t *testing.T) string {
	t.Helper()
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("dbus-daemon is not installed on this machine")
	}
	cmd := exec.Command(daemon, "--session", "--nofork", "--print-address=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	return address
}

// onBus connects to the test's bus.
func onBus(t *testing.T, address string) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// own takes a name on the bus.
func own(t *testing.T, conn *dbus.Conn, name string) {
	t.Helper()
	reply, err := conn.RequestName(name, dbus.NameFlagDoNotQueue)
	if err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("take the name %s: %v %v", name, reply, err)
	}
}

// notice is one call of Notify as it came over the bus.
type notice struct {
	App, Icon, Title, Body string
	Replaces, ID           uint32
	Actions                []string
	Hints                  map[string]dbus.Variant
	Expire                 int32
}

// notifications is the notification service of the test's desktop.
type notifications struct {
	conn *dbus.Conn
	caps []string

	mu   sync.Mutex
	got  []notice
	next uint32
}

func newNotifications(t *testing.T, address string, caps ...string) *notifications {
	t.Helper()
	n := &notifications{conn: onBus(t, address), caps: caps, next: 40}
	if err := n.conn.Export(n, notifyPath, notifyName); err != nil {
		t.Fatal(err)
	}
	own(t, n.conn, notifyName)
	return n
}

func (n *notifications) GetCapabilities() ([]string, *dbus.Error) { return n.caps, nil }

func (n *notifications) Notify(app string, replaces uint32, icon, title, body string, actions []string, hints map[string]dbus.Variant, expire int32) (uint32, *dbus.Error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	id := replaces
	if id == 0 {
		n.next++
		id = n.next
	}
	n.got = append(n.got, notice{app, icon, title, body, replaces, id, actions, hints, expire})
	return id, nil
}

// all are the notifications so far.
func (n *notifications) all() []notice {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]notice{}, n.got...)
}

// emit sends a signal of the notification service.
func (n *notifications) emit(t *testing.T, name string, args ...any) {
	t.Helper()
	if err := n.conn.Emit(notifyPath, notifyName+"."+name, args...); err != nil {
		t.Fatal(err)
	}
}
