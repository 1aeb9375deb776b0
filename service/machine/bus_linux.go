package machine

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"
)

// bus is a connection to a message bus. It is kept, and opened again after it was cut off.
type bus struct {
	conn   *dbus.Conn
	failed time.Time
}

// busWait bounds one question over a bus.
const busWait = 200 * time.Millisecond

// open connects, unless that failed a short while ago.
func (b *bus) open(ctx context.Context, address string) *dbus.Conn {
	if b.conn != nil && b.conn.Connected() {
		return b.conn
	}
	if address == "" || !b.failed.IsZero() && time.Since(b.failed) < again {
		return nil
	}
	b.close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), busWait)
	defer cancel()
	type dialled struct {
		conn *dbus.Conn
		err  error
	}
	got := make(chan dialled, 1)
	go func() {
		conn, err := dbus.Connect(address)
		got <- dialled{conn, err}
	}()
	select {
	case d := <-got:
		if d.err == nil {
			b.conn, b.failed = d.conn, time.Time{}
			return b.conn
		}
	case <-ctx.Done():
		go func() { // what comes too late is put away
			if d := <-got; d.conn != nil {
				_ = d.conn.Close()
			}
		}()
	}
	b.failed = time.Now()
	return nil
}

func (b *bus) close() {
	if b.conn != nil {
		_ = b.conn.Close()
	}
	b.conn = nil
}

// call asks without having anything started for it.
func call(ctx context.Context, conn *dbus.Conn, name, path, method string, args []any, out ...any) bool {
	if conn == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, busWait)
	defer cancel()
	c := conn.Object(name, dbus.ObjectPath(path)).CallWithContext(ctx, method, dbus.FlagNoAutoStart, args...)
	return c.Err == nil && c.Store(out...) == nil
}

// property reads one property; ok is false where there is none of that type.
func property[T any](ctx context.Context, conn *dbus.Conn, name, path, of, prop string) (out T, ok bool) {
	var v dbus.Variant
	if !call(ctx, conn, name, path, "org.freedesktop.DBus.Properties.Get", []any{of, prop}, &v) {
		return out, false
	}
	return out, v.Store(&out) == nil
}

func (p *Probe) sessionBus(ctx context.Context) *dbus.Conn {
	address := p.o.Session
	if address == "" {
		address = p.o.Env("DBUS_SESSION_BUS_ADDRESS")
	}
	if dir := p.o.Env("XDG_RUNTIME_DIR"); address == "" && dir != "" {
		address = socketAt(filepath.Join(dir, "bus"))
	}
	return p.sys.session.open(ctx, address)
}

func (p *Probe) systemBus(ctx context.Context) *dbus.Conn {
	address := p.o.System
	if address == "" {
		address = p.o.Env("DBUS_SYSTEM_BUS_ADDRESS")
	}
	if address == "" {
		address = socketAt(filepath.Join(p.o.Root, "run", "dbus", "system_bus_socket"))
	}
	return p.sys.login.open(ctx, address)
}

// socketAt is the address of a bus at a socket; empty where there is none.
func socketAt(file string) string {
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return "unix:path=" + dbus.EscapeBusAddressValue(file)
}

// mutterIdle asks GNOME's compositor, in milliseconds. It knows of all input, also under Wayland.
func (p *Probe) mutterIdle(ctx context.Context) (time.Duration, bool) {
	var ms uint64
	ok := call(ctx, p.sessionBus(ctx), "org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core", "org.gnome.Mutter.IdleMonitor.GetIdletime", nil, &ms)
	return time.Duration(ms) * time.Millisecond, ok && ms < 1<<40
}

// screenSaverIdle asks the desktop's screen saver, in seconds: KDE answers, others refuse.
func (p *Probe) screenSaverIdle(ctx context.Context) (time.Duration, bool) {
	var s uint32
	ok := call(ctx, p.sessionBus(ctx), "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver.GetSessionIdleTime", nil, &s)
	return time.Duration(s) * time.Second, ok
}

// seat is what logind tells of the person's session at a screen.
type seat struct {
	display string
	wayland bool
	locked  Known
	idle    time.Duration
	isIdle  bool
}

const (
	login    = "org.freedesktop.login1"
	loginTop = "/org/freedesktop/login1"
)

// seat asks logind (org.freedesktop.login1, systemd).
func (p *Probe) seat(ctx context.Context) (s seat) {
	conn := p.systemBus(ctx)
	var user dbus.ObjectPath
	if !call(ctx, conn, login, loginTop, login+".Manager.GetUser", []any{uint32(os.Getuid())}, &user) {
		return s
	}
	shown, ok := property[struct {
		ID   string
		Path dbus.ObjectPath
	}](ctx, conn, login, string(user), login+".User", "Display")
	if !ok || shown.ID == "" {
		return s
	}
	of := func(name string) (string, string, string, string) {
		return login, string(shown.Path), login + ".Session", name
	}
	get := func(name string) (out string) {
		a, b, c, d := of(name)
		out, _ = property[string](ctx, conn, a, b, c, d)
		return out
	}
	s.display, s.wayland = get("Display"), get("Type") == "wayland"
	a, b, c, d := of("LockedHint")
	if locked, ok := property[bool](ctx, conn, a, b, c, d); ok {
		s.locked = known(locked)
	}
	a, b, c, d = of("IdleHint")
	if idle, ok := property[bool](ctx, conn, a, b, c, d); ok && idle {
		a, b, c, d = of("IdleSinceHintMonotonic")
		since, ok := property[uint64](ctx, conn, a, b, c, d)
		now, up := monotonic()
		if us := now.Microseconds(); ok && up && since > 0 && int64(since) <= us {
			s.idle, s.isIdle = time.Duration(us-int64(since))*time.Microsecond, true
		}
	}
	return s
}

// The values of NetworkManager's Metered (NMMetered): unknown, yes, no, and two guesses of its own by the kind of network.
const (
	_ = iota // unknown
	nmYes
	nmNo
	nmGuessYes
	nmGuessNo
)

// metered asks NetworkManager. Its guess that a network is metered (a phone's, by what the phone said) is taken as a yes: sending
// less costs nothing.
func (p *Probe) metered(ctx context.Context) Known {
	v, ok := property[uint32](ctx, p.systemBus(ctx), "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager", "Metered")
	if !ok {
		return p.portalMetered(ctx)
	}
	switch v {
	case nmYes, nmGuessYes:
		return Yes
	case nmNo, nmGuessNo:
		return No
	}
	return Unknown
}

// portalMetered asks the desktop's portal where there is no NetworkManager. Its no is also what it says when it does not know.
func (p *Probe) portalMetered(ctx context.Context) Known {
	var metered bool
	if call(ctx, p.sessionBus(ctx), "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
		"org.freedesktop.portal.NetworkMonitor.GetMetered", nil, &metered) && metered {
		return Yes
	}
	return Unknown
}

// monotonic is the clock that logind counts idle time by.
func monotonic() (time.Duration, bool) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}
