//go:build linux

package machine

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// alone is a machine that has only what is given.
func alone(t *testing.T, files map[string]string, env map[string]string) *Probe {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := New(Options{Root: root, Env: func(k string) string { return env[k] }})
	t.Cleanup(p.Close)
	return p
}

func TestAMachineThatTellsNothingIsUnknown(t *testing.T) {
	if got := alone(t, nil, nil).Read(t.Context()); got != (Reading{}) {
		t.Errorf("%+v", got)
	}
}

func TestLaptopOnBattery(t *testing.T) {
	p := alone(t, map[string]string{
		"proc/loadavg": "1000 2 3 1/2 3\n", "sys/class/power_supply/BAT0/type": "Battery\n", "sys/class/power_supply/BAT0/status": "Discharging\n",
		"sys/class/power_supply/BAT0/capacity": "37\n", "sys/class/power_supply/AC/type": "Mains\n", "sys/class/power_supply/AC/online": "0\n",
	}, nil)
	got := p.Read(t.Context())
	if got.OnBattery != Yes || got.Charge == nil || *got.Charge != 37 || got.Load == nil || *got.Load != 1 || got.Idle != nil {
		t.Errorf("%+v", got)
	}
}

// server starts a program and returns the first line that it prints on the given stream.
func server(t *testing.T, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: packaging/desktop-deps test installs it", name)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, args...)
	c.ExtraFiles = []*os.File{w}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait(); _ = r.Close() })
	_ = r.SetReadDeadline(time.Now().Add(time.Minute))
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Skipf("%s does not start here: %v", name, err)
	}
	return strings.TrimSpace(line)
}

func TestX11TellsOfInput(t *testing.T) {
	display := ":" + server(t, "Xvfb", "-displayfd", "3", "-screen", "0", "320x200x24", "-nolisten", "tcp")
	p := alone(t, nil, map[string]string{"DISPLAY": display})
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := xtest.Init(conn); err != nil {
		t.Fatal(err)
	}
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	move := func(x int16) {
		if err := xtest.FakeInputChecked(conn, xproto.MotionNotify, 0, 0, root, x, 10, 0).Check(); err != nil {
			t.Fatal(err)
		}
	}
	idle := func() time.Duration {
		r := p.Read(t.Context())
		if r.Idle == nil || r.IdleFrom != "x11" {
			t.Fatalf("%+v", r)
		}
		return *r.Idle
	}
	move(10)
	time.Sleep(50 * time.Millisecond)
	before := idle()
	if before < 40*time.Millisecond {
		t.Errorf("idle for %v after 50 ms without input", before)
	}
	began := time.Now()
	move(20)
	if got := idle(); got > time.Since(began)+5*time.Millisecond {
		t.Errorf("idle for %v although the pointer moved %v ago", got, time.Since(began))
	}
	wayland := alone(t, nil, map[string]string{"DISPLAY": display, "WAYLAND_DISPLAY": "wayland-0"})
	if r := wayland.Read(t.Context()); r.Idle != nil {
		t.Errorf("under Wayland, X was asked: %+v", r)
	}
}

func TestXServerThatIsNotThereIsUnknown(t *testing.T) {
	p := alone(t, nil, map[string]string{"DISPLAY": ":4711"})
	if r := p.Read(t.Context()); r.Idle != nil {
		t.Errorf("%+v", r)
	}
}

// desk is a fake desktop on a message bus of its own.
type desk struct {
	t     *testing.T
	conn  *dbus.Conn
	probe *Probe
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	address := server(t, "dbus-daemon", "--session", "--nofork", "--print-address=3")
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	p := New(Options{Root: t.TempDir(), Session: address, System: address, Env: func(string) string { return "" }})
	t.Cleanup(p.Close)
	return &desk{t, conn, p}
}

func (d *desk) own(name string) {
	d.t.Helper()
	if r, err := d.conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || r != dbus.RequestNameReplyPrimaryOwner {
		d.t.Fatal(name, r, err)
	}
}

func (d *desk) serve(path, iface string, methods map[string]any) {
	d.t.Helper()
	if err := d.conn.ExportMethodTable(methods, dbus.ObjectPath(path), iface); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) tells(path, iface string, values map[string]any) *prop.Properties {
	d.t.Helper()
	m := map[string]*prop.Prop{}
	for k, v := range values {
		m[k] = &prop.Prop{Value: v, Writable: true}
	}
	p, err := prop.Export(d.conn, dbus.ObjectPath(path), prop.Map{iface: m})
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

type shown struct {
	ID   string
	Path dbus.ObjectPath
}

// logind serves a user with one session.
func (d *desk) logind(values map[string]any) *prop.Properties {
	d.t.Helper()
	user := dbus.ObjectPath("/org/freedesktop/login1/user/_1")
	session := "/org/freedesktop/login1/session/_3"
	d.serve(loginTop, login+".Manager", map[string]any{"GetUser": func(uid uint32) (dbus.ObjectPath, *dbus.Error) {
		if uid != uint32(os.Getuid()) {
			return "/", dbus.MakeFailedError(fmt.Errorf("no user %d", uid))
		}
		return user, nil
	}})
	d.tells(string(user), login+".User", map[string]any{"Display": shown{"3", dbus.ObjectPath(session)}})
	props := d.tells(session, login+".Session", values)
	d.own(login)
	return props
}

func TestLogindTellsOfTheSession(t *testing.T) {
	d := newDesk(t)
	now, _ := monotonic()
	props := d.logind(map[string]any{"Display": "", "Type": "wayland", "LockedHint": false, "IdleHint": false,
		"IdleSinceHintMonotonic": uint64(now.Microseconds() - 90_000_000)})
	if r := d.probe.Read(t.Context()); r.Locked != No || r.Idle != nil {
		t.Errorf("no hint that it is idle tells nothing: %+v", r)
	}
	props.SetMust(login+".Session", "IdleHint", true)
	props.SetMust(login+".Session", "LockedHint", true)
	r := d.probe.Read(t.Context())
	if r.Locked != Yes || r.Idle == nil || r.IdleFrom != "logind" || *r.Idle < 90*time.Second || *r.Idle > 100*time.Second {
		t.Errorf("%+v, idle %v", r, r.Idle)
	}
}

func TestMutterGoesBeforeTheScreenSaver(t *testing.T) {
	d := newDesk(t)
	d.serve("/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver", map[string]any{"GetSessionIdleTime": func() (uint32, *dbus.Error) { return 0, nil }})
	d.own("org.freedesktop.ScreenSaver")
	if r := d.probe.Read(t.Context()); r.Idle == nil || *r.Idle != 0 || r.IdleFrom != "screensaver" {
		t.Errorf("%+v", r)
	}
	d.serve("/org/gnome/Mutter/IdleMonitor/Core", "org.gnome.Mutter.IdleMonitor", map[string]any{"GetIdletime": func() (uint64, *dbus.Error) { return 4200, nil }})
	d.own("org.gnome.Mutter.IdleMonitor")
	if r := d.probe.Read(t.Context()); r.Idle == nil || *r.Idle != 4200*time.Millisecond || r.IdleFrom != "mutter" {
		t.Errorf("%+v", r)
	}
}

func TestMeteredNetwork(t *testing.T) {
	d := newDesk(t)
	ask := func() Known { return d.probe.metered(t.Context()) }
	if got := ask(); got != Unknown {
		t.Errorf("nobody there: %v", got)
	}
	var metered atomic.Bool
	d.serve("/org/freedesktop/portal/desktop", "org.freedesktop.portal.NetworkMonitor", map[string]any{"GetMetered": func() (bool, *dbus.Error) { return metered.Load(), nil }})
	d.own("org.freedesktop.portal.Desktop")
	if got := ask(); got != Unknown {
		t.Errorf("the portal's no: %v", got)
	}
	if metered.Store(true); ask() != Yes {
		t.Error("the portal's yes does not count")
	}
	const nm = "org.freedesktop.NetworkManager"
	props := d.tells("/org/freedesktop/NetworkManager", nm, map[string]any{"Metered": uint32(0)})
	d.own(nm)
	for value, want := range []Known{Unknown, Yes, No, Yes, No} {
		props.SetMust(nm, "Metered", uint32(value))
		if got := ask(); got != want {
			t.Errorf("NetworkManager's %d: %v", value, got)
		}
	}
}

func TestABusThatDoesNotAnswerCostsLittle(t *testing.T) {
	d := newDesk(t)
	held := make(chan struct{})
	defer close(held)
	d.serve("/org/gnome/Mutter/IdleMonitor/Core", "org.gnome.Mutter.IdleMonitor", map[string]any{"GetIdletime": func() (uint64, *dbus.Error) { <-held; return 1, nil }})
	d.own("org.gnome.Mutter.IdleMonitor")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if r := d.probe.Read(ctx); r.Idle != nil || ctx.Err() != nil {
		t.Errorf("%+v %v", r, ctx.Err())
	}
}
