package machine

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// system is what a probe keeps open on Linux.
type system struct {
	x       xConn
	session bus
	login   bus
}

func (s *system) close() {
	s.x.close()
	s.session.close()
	s.login.close()
}

// input asks everybody who may know for how long nobody touched anything. The shortest time counts: a display knows of its own
// input alone. logind's hint that the session is idle is set by some desktops and by others never, so that its absence tells nothing.
func (p *Probe) input(ctx context.Context) (*time.Duration, string, Known) {
	s := p.seat(ctx)
	var best *time.Duration
	from := ""
	take := func(d time.Duration, ok bool, name string) {
		if ok && (best == nil || d < *best) {
			best, from = &d, name
		}
	}
	d, ok := p.mutterIdle(ctx)
	take(d, ok, "mutter")
	if !s.wayland && p.o.Env("WAYLAND_DISPLAY") == "" { // there, X sees what goes to its own windows alone
		display := p.o.Env("DISPLAY")
		if display == "" {
			display = s.display
		}
		d, ok = p.sys.x.idle(display)
		take(d, ok, "x11")
	}
	if best == nil {
		d, ok = p.screenSaverIdle(ctx)
		take(d, ok, "screensaver")
	}
	take(s.idle, s.isIdle, "logind")
	return best, from, s.locked
}

func (p *Probe) file(name string) []byte {
	b, err := os.ReadFile(filepath.Join(p.o.Root, filepath.FromSlash(name)))
	if err != nil {
		return nil
	}
	return b
}

func (p *Probe) cpuTimes() (times, bool) {
	all, busy, ok := parseStat(p.file("proc/stat"))
	var u unix.Rusage
	if !ok || unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return times{}, false
	}
	return times{all: all, busy: busy, own: time.Duration(u.Utime.Nano() + u.Stime.Nano())}, true
}

func (p *Probe) average() *float64 {
	v, ok := parseLoadavg(p.file("proc/loadavg"))
	if !ok {
		return nil
	}
	v = min(1, v/float64(runtime.NumCPU()))
	return &v
}

// battery reads /sys/class/power_supply (sysfs-class-power).
func (p *Probe) battery(context.Context) (Known, *int) {
	dir := filepath.Join(p.o.Root, "sys", "class", "power_supply")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return Unknown, nil
	}
	var list []supply
	for _, e := range entries {
		get := func(name string) string {
			return strings.TrimSpace(string(p.file(filepath.Join("sys", "class", "power_supply", e.Name(), name))))
		}
		list = append(list, supply{Type: get("type"), Scope: get("scope"), Online: get("online"), Status: get("status"), Charge: get("capacity")})
	}
	return parseSupplies(list)
}
