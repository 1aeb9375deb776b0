package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"slices"
	"sync"

	"github.com/godbus/dbus/v5"

	"dormouse/app/lang"
	"dormouse/app/model"
	"dormouse/assets"
)

// The notification service of the desktop (Desktop Notifications Specification 1.2).
const (
	notifyName  = "org.freedesktop.Notifications"
	notifyPath  = "/org/freedesktop/Notifications"
	actionOpen  = "default" // of a click on the notification itself
	forever     = 0         // milliseconds; until the person has seen it
	asTheServer = -1
)

// busNotifier speaks to the desktop's notification service over the session bus. It connects when the first notification
// is due, and again after it was cut off.
type busNotifier struct {
	open func(page string) // opens the window; must not block

	mu    sync.Mutex
	conn  *dbus.Conn
	caps  []string
	shown map[string]uint32 // the newest notification by its message's key
	pages map[uint32]string // that a click on it opens
}

func newNotifier(open func(page string)) notifier {
	return &busNotifier{open: open, shown: map[string]uint32{}, pages: map[uint32]string{}}
}

// Notify shows a message, in the place of an earlier one with its key.
func (n *busNotifier) Notify(ctx context.Context, m model.TrayMessage) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.connect(ctx); err != nil {
		return err
	}
	body := m.Body
	if slices.Contains(n.caps, "body-markup") {
		body = markupSafe(body)
	}
	actions := []string{}
	if slices.Contains(n.caps, "actions") {
		actions = []string{actionOpen, lang.Say("Open Dormouse")}
	}
	urgency, expire := byte(1), asTheServer
	picture := model.TrayAsleep
	if m.Urgent {
		expire, picture = forever, model.TrayTrouble
	}
	hints := map[string]dbus.Variant{"urgency": dbus.MakeVariant(urgency), "desktop-entry": dbus.MakeVariant("dormouse")}
	if data, err := imageData(picture); err == nil {
		hints["image-data"] = dbus.MakeVariant(data)
	}
	var id uint32
	err := n.conn.Object(notifyName, notifyPath).CallWithContext(ctx, notifyName+".Notify", 0,
		"Dormouse", n.shown[m.Key], "", m.Title, body, actions, hints, int32(expire)).Store(&id)
	if err != nil {
		return fmt.Errorf("the desktop's notification service: %w", err)
	}
	n.shown[m.Key], n.pages[id] = id, m.Page
	return nil
}

// connect makes sure that there is a connection, and asks what the service can do.
func (n *busNotifier) connect(ctx context.Context) error {
	if n.conn != nil && n.conn.Connected() {
		return nil
	}
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		return fmt.Errorf("there is no session bus: %w", err)
	}
	var caps []string
	if err := conn.Object(notifyName, notifyPath).CallWithContext(ctx, notifyName+".GetCapabilities", 0).Store(&caps); err != nil {
		_ = conn.Close()
		return fmt.Errorf("the desktop has no notification service: %w", err)
	}
	if err := conn.AddMatchSignal(dbus.WithMatchInterface(notifyName), dbus.WithMatchObjectPath(notifyPath)); err != nil {
		_ = conn.Close()
		return fmt.Errorf("listen for clicks on notifications: %w", err)
	}
	n.conn, n.caps, n.shown, n.pages = conn, caps, map[string]uint32{}, map[uint32]string{}
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	go n.listen(signals) // ends with the connection, which closes signals
	return nil
}

// listen opens the window when one of our notifications is clicked, and forgets those that are gone.
func (n *busNotifier) listen(signals <-chan *dbus.Signal) {
	for s := range signals {
		if len(s.Body) != 2 {
			continue
		}
		id, ok := s.Body[0].(uint32)
		if !ok || !n.ours(id) {
			continue
		}
		switch s.Name {
		case notifyName + ".ActionInvoked":
			if s.Body[1] == actionOpen {
				n.open(n.page(id))
			}
		case notifyName + ".NotificationClosed":
			n.forget(id)
		}
	}
}

func (n *busNotifier) ours(id uint32) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, shown := range n.shown {
		if shown == id {
			return true
		}
	}
	return false
}

func (n *busNotifier) page(id uint32) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.pages[id]
}

func (n *busNotifier) forget(id uint32) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.pages, id)
	for key, shown := range n.shown {
		if shown == id {
			delete(n.shown, key)
		}
	}
}

func (n *busNotifier) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.conn != nil {
		_ = n.conn.Close()
	}
}

// picture is an image as the notification service takes it.
type picture struct {
	Width, Height, Stride int32
	Alpha                 bool
	Bits, Channels        int32
	Data                  []byte
}

func imageData(icon model.TrayIcon) (picture, error) {
	data, _, _ := assets.TrayIcon(string(icon))
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return picture{}, err
	}
	flat := image.NewNRGBA(img.Bounds())
	draw.Draw(flat, flat.Bounds(), img, img.Bounds().Min, draw.Src)
	size := flat.Bounds().Size()
	return picture{int32(size.X), int32(size.Y), int32(flat.Stride), true, 8, 4, flat.Pix}, nil
}
