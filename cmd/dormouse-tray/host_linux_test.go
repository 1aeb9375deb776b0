package main

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"

	"dormouse/service/api"
)

// The names of the StatusNotifier specification and of its menus.
const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"
	itemName    = "org.kde.StatusNotifierItem"
	menuName    = "com.canonical.dbusmenu"
)

// watcher is the desktop's list of tray icons, with a host that shows them.
type watcher struct {
	mu    sync.Mutex
	items []dbus.ObjectPath
	from  []dbus.Sender
}

// RegisterStatusNotifierItem takes an icon: its bus name, or its path on the sender's connection.
func (w *watcher) RegisterStatusNotifierItem(service string, from dbus.Sender) *dbus.Error {
	w.mu.Lock()
	defer w.mu.Unlock()
	path := dbus.ObjectPath("/StatusNotifierItem")
	if strings.HasPrefix(service, "/") {
		path = dbus.ObjectPath(service)
	}
	w.items, w.from = append(w.items, path), append(w.from, from)
	return nil
}

func (w *watcher) item() (dbus.ObjectPath, string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.items) == 0 {
		return "", "", false
	}
	return w.items[0], string(w.from[0]), true
}

func newWatcher(t *testing.T, conn *dbus.Conn) *watcher {
	t.Helper()
	w := &watcher{}
	if err := conn.Export(w, watcherPath, watcherName); err != nil {
		t.Fatal(err)
	}
	if _, err := prop.Export(conn, watcherPath, prop.Map{watcherName: {
		"IsStatusNotifierHostRegistered": {Value: true}, "ProtocolVersion": {Value: int32(0)}, "RegisteredStatusNotifierItems": {Value: []string{}},
	}}); err != nil {
		t.Fatal(err)
	}
	own(t, conn, watcherName)
	return w
}

// display starts an X server without a screen that anybody sees.
func display(t *testing.T) string {
	t.Helper()
	server, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip("Xvfb is not installed on this machine")
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(server, "-displayfd", "3", "-screen", "0", "800x600x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{write}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	_ = write.Close()
	var number int
	if _, err := fmt.Fscan(read, &number); err != nil {
		t.Fatal(err)
	}
	return ":" + strconv.Itoa(number)
}

// program is the real tray as a process.
type program struct {
	cmd  *exec.Cmd
	errs safeBuffer
	done chan error
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}
func (b *safeBuffer) String() string { b.mu.Lock(); defer b.mu.Unlock(); return b.b.String() }

// builtIn is the folder of the real tray, once it was built.
var builtIn string

var buildOnce = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tray")
	if err != nil {
		return "", err
	}
	builtIn = dir
	exe := filepath.Join(dir, "dormouse-tray")
	args := []string{"build", "-o", exe, "."}
	if os.Getenv("GOCOVERDIR") != "" {
		args = []string{"build", "-cover", "-o", exe, "."}
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return exe, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if builtIn != "" {
		_ = os.RemoveAll(builtIn)
	}
	os.Exit(code)
}

// startTray starts the real tray for a service's memory, on a display or on none.
func startTray(t *testing.T, s *service, display string) *program {
	t.Helper()
	if exec.Command("pkg-config", "--exists", "ayatana-appindicator3-0.1").Run() != nil {
		t.Skip("the tray's library is not installed on this machine; packaging/desktop-deps installs it")
	}
	exe, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{cmd: exec.Command(exe), done: make(chan error, 1)}
	dir := t.TempDir()
	p.cmd.Env = []string{"HOME=" + dir, "TMPDIR=" + dir, "XDG_RUNTIME_DIR=" + dir, "PATH=" + os.Getenv("PATH"), "DORMOUSE_HOME=" + s.home.Dir(),
		"DBUS_SESSION_BUS_ADDRESS=" + os.Getenv("DBUS_SESSION_BUS_ADDRESS"), "NO_AT_BRIDGE=1",
		"GOCOVERDIR=" + os.Getenv("GOCOVERDIR")}
	if display != "" {
		p.cmd.Env = append(p.cmd.Env, "DISPLAY="+display)
	}
	p.cmd.Stderr = &p.errs
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.cmd.Wait() }()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		if t.Failed() {
			t.Log("the tray said: " + p.errs.String())
		}
	})
	return p
}

// layout is a menu as it comes over the bus: (ia{sv}av).
type layout struct {
	ID       int32
	Props    map[string]dbus.Variant
	Children []dbus.Variant
}

// menu is the icon's menu, by label.
func menu(t *testing.T, conn *dbus.Conn, owner string, path dbus.ObjectPath) map[string]layout {
	t.Helper()
	out := map[string]layout{}
	var revision uint32
	var root layout
	if err := conn.Object(owner, path).Call(menuName+".GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &root); err != nil {
		t.Fatal(err)
	}
	var walk func(layout)
	walk = func(l layout) {
		label, _ := l.Props["label"].Value().(string)
		if visible, ok := l.Props["visible"].Value().(bool); !ok || visible {
			out[label] = l
		}
		for _, c := range l.Children {
			var child layout
			if err := dbus.Store([]any{c.Value()}, &child); err != nil {
				t.Fatal(err)
			}
			walk(child)
		}
	}
	walk(root)
	return out
}

func has(m map[string]layout, text string) bool {
	for label := range m {
		if strings.Contains(label, text) {
			return true
		}
	}
	return false
}

func TestADesktopGetsTheIconAndTheMenuAndAClickReachesTheService(t *testing.T) {
	address := privateBus(t)
	desktop := newNotifications(t, address, "body")
	conn := onBus(t, address)
	w := newWatcher(t, conn)
	s := newService(t)
	s.start(t)
	p := startTray(t, s, display(t))

	var path dbus.ObjectPath
	var owner string
	await(t, "the icon", func() bool { var ok bool; path, owner, ok = w.item(); return ok })
	item := conn.Object(owner, path)
	property := func(name string) any {
		v, err := item.GetProperty(itemName + "." + name)
		if err != nil {
			t.Fatal(err)
		}
		return v.Value()
	}
	if property("Status") != "Active" {
		t.Errorf("the icon is %v", property("Status"))
	}
	await(t, "its picture", func() bool { name, _ := property("IconName").(string); return name != "" })
	await(t, "the menu's content", func() bool {
		return has(menu(t, conn, owner, property("Menu").(dbus.ObjectPath)), "Awake · 18 memories")
	})
	file, err := os.Open(property("IconName").(string))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // test
	if img, err := png.Decode(file); err != nil || img.Bounds().Dx() != 48 {
		t.Errorf("its picture: %v", err)
	}
	at := property("Menu").(dbus.ObjectPath)
	got := menu(t, conn, owner, at)
	// An underscore is doubled on this way, since a single one marks a key.
	for _, want := range []string{"What agents are told in shop", "· snake__case & <b>bold</b> in p1", "Sleep now", "Pause capture", "Until tomorrow", "Open Dormouse", "Quit tray"} {
		if !has(got, want) {
			t.Errorf("the menu has no %q: %v", want, got)
		}
	}
	if has(got, "Start Dormouse") {
		t.Error("a service that runs can be started")
	}
	click := func(label string) {
		t.Helper()
		call := conn.Object(owner, at).Call(menuName+".Event", 0, menu(t, conn, owner, at)[label].ID, "clicked", dbus.MakeVariant(""), uint32(0))
		if call.Err != nil {
			t.Fatal(call.Err)
		}
	}
	click("Sleep now")
	await(t, "the sleep", func() bool { return s.was("sleep") })
	await(t, "its notification", func() bool {
		all := desktop.all()
		return len(all) > 0 && all[0].Body == "12 learned, 3 superseded, from 4 sessions."
	})
	before := property("IconName")
	click("Until I say")
	await(t, "the pause", func() bool { return has(menu(t, conn, owner, at), "Paused until you go on") })
	await(t, "another picture", func() bool { return property("IconName") != before })
	s.stop()
	await(t, "the service's end", func() bool { return has(menu(t, conn, owner, at), "Start Dormouse") })
	if second := launchBeside(t, p); !strings.Contains(second, "it is in the tray already") {
		t.Errorf("a second tray: %q", second)
	}
	quit := menu(t, conn, owner, at)["Quit tray"].ID
	conn.Object(owner, at).Go(menuName+".Event", dbus.FlagNoReplyExpected, nil, quit, "clicked", dbus.MakeVariant(""), uint32(0)) // it may be gone before it answers
	if err := <-p.done; err != nil {
		t.Errorf("it ended with %v\n%s", err, p.errs.String())
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(property0(t, p, "TMPDIR")), "*", "systray_*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if strings.Contains(p.errs.String(), "no tray") || strings.Contains(p.errs.String(), "No tray") {
		t.Errorf("it misses the tray: %s", p.errs.String())
	}
}

// property0 is a variable of a program.
func property0(t *testing.T, p *program, name string) string {
	t.Helper()
	for _, v := range p.cmd.Env {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	t.Fatalf("no %s", name)
	return ""
}

// launchBeside starts a second tray with the variables of the first one and returns what it says.
func launchBeside(t *testing.T, p *program) string {
	t.Helper()
	cmd := exec.Command(p.cmd.Path)
	cmd.Env = p.cmd.Env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("a second tray: %v", err)
	}
	return string(out)
}

func TestWithoutAScreenTheTrayGoesOnForTheNotifications(t *testing.T) {
	desktop := newNotifications(t, privateBus(t), "body")
	s := newService(t)
	s.start(t)
	for _, display := range []string{"", ":4711"} { // none, and one that is dead
		p := startTray(t, s, display)
		await(t, "a look", func() bool { return s.was("core") })
		await(t, "the word", func() bool { return strings.Contains(p.errs.String(), "There is no tray here (") })
		await(t, "the word on the desktop", func() bool {
			all := desktop.all()
			return len(all) > 0 && all[len(all)-1].Title == "Dormouse has no tray here"
		})
		n := len(desktop.all())
		s.change("sleep_ended", func(st *api.Status) {
			r := *st.LastSleep
			r.ID += "x"
			st.LastSleep = &r
		})
		await(t, "the news", func() bool { return len(desktop.all()) == n+1 })
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := <-p.done; err != nil {
			t.Errorf("it ended with %v: %s", err, p.errs.String())
		}
		if n := strings.Count(p.errs.String(), "no tray"); n != 1 {
			t.Errorf("it was said %d times: %s", n, p.errs.String())
		}
		s.mu.Lock()
		s.asked = nil
		s.mu.Unlock()
	}
}

func TestADesktopWithoutATrayIsFoundOutAndOneWithATrayIs(t *testing.T) {
	address, x := privateBus(t), display(t)
	t.Setenv("DISPLAY", x)
	if hasNotifierHost(t.Context()) || hasEmbedTray(x) || hasEmbedTray("") || hasEmbedTray(":4711") {
		t.Error("a tray is found where none is")
	}
	if awaitHost(t.Context(), 1) {
		t.Error("a tray is awaited that does not come")
	}
	newWatcher(t, onBus(t, address))
	if !hasNotifierHost(t.Context()) || !awaitHost(t.Context(), 1) {
		t.Error("a host is not found")
	}
	env := map[string]string{"DISPLAY": x}
	if err := screen(func(k string) string { return env[k] }); err != nil {
		t.Error(err)
	}
	env = map[string]string{"DISPLAY": ":4711", "WAYLAND_DISPLAY": "wayland-9"}
	if screen(func(k string) string { return env[k] }) == nil {
		t.Error("a dead screen counts as one")
	}
}
