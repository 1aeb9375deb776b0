package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// screen says why there is no screen to show an icon on; nil when there is one. The tray's library would end the process.
func screen(env func(string) string) error {
	if name := env("WAYLAND_DISPLAY"); name != "" {
		if !filepath.IsAbs(name) {
			name = filepath.Join(env("XDG_RUNTIME_DIR"), name)
		}
		if conn, err := net.Dial("unix", name); err == nil {
			return conn.Close()
		}
	}
	display := env("DISPLAY")
	if display == "" {
		return errors.New("neither DISPLAY nor WAYLAND_DISPLAY leads to a screen")
	}
	conn, err := connect(display)
	if err != nil {
		return fmt.Errorf("the screen %s does not answer", display)
	}
	conn.Close()
	return nil
}

// connect reaches an X server. Its library tells the log of every missing .Xauthority.
func connect(display string) (*xgb.Conn, error) {
	xgb.Logger.SetOutput(io.Discard)
	return xgb.NewConnDisplay(display)
}

// hostTime is how long a desktop may take after log-on until its tray is there, and hostLook how often it is looked for.
const (
	hostTime = 20 * time.Second
	hostLook = time.Second
)

// embedLooks is how often in a row only a tray of the older kind has to be found before it counts: panels that are both come
// up as this one first.
const embedLooks = 3

// awaitHost reports whether something shows trays within a while: a StatusNotifier host, or a tray of the older kind.
func awaitHost(ctx context.Context, limit time.Duration) bool {
	end := time.After(limit)
	look := time.NewTicker(hostLook)
	defer look.Stop()
	embed := 0
	for {
		if hasNotifierHost(ctx) {
			return true
		}
		if embed++; !hasEmbedTray(os.Getenv("DISPLAY")) {
			embed = 0
		}
		if embed == embedLooks {
			return true
		}
		select {
		case <-ctx.Done():
			return true // nothing to be said any more
		case <-end:
			return false
		case <-look.C:
		}
	}
}

// hasNotifierHost asks the session bus for a host of StatusNotifier items.
func hasNotifierHost(ctx context.Context) bool {
	conn, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		return false
	}
	defer conn.Close() //nolint:errcheck // only asked
	const watcher = "org.kde.StatusNotifierWatcher"
	var on dbus.Variant
	ctx, cancel := context.WithTimeout(ctx, hostLook)
	defer cancel()
	err = conn.Object(watcher, "/StatusNotifierWatcher").CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart,
		watcher, "IsStatusNotifierHostRegistered").Store(&on)
	return err == nil && on.Value() == true
}

// hasEmbedTray asks the X server for a tray that embeds windows (System Tray Protocol Specification 0.3).
func hasEmbedTray(display string) bool {
	if display == "" {
		return false
	}
	conn, err := connect(display)
	if err != nil {
		return false
	}
	defer conn.Close()
	name := fmt.Sprintf("_NET_SYSTEM_TRAY_S%d", conn.DefaultScreen)
	atom, err := xproto.InternAtom(conn, true, uint16(len(name)), name).Reply()
	if err != nil || atom.Atom == xproto.AtomNone {
		return false
	}
	owner, err := xproto.GetSelectionOwner(conn, atom.Atom).Reply()
	return err == nil && owner.Owner != xproto.WindowNone
}
