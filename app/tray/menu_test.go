package tray

import (
	"fmt"
	"strings"
	"testing"

	"dormouse/app/model"
)

// fakeBar is a tray in memory. It counts what reaches it.
type fakeBar struct {
	entry
	icon    model.TrayIcon
	tooltip string
}

// entry is an item of the fake tray, or the bar itself.
type entry struct {
	label        string
	grey, hidden bool
	separator    bool
	click        func()
	below        []*entry
	calls        *int
}

func newFakeBar() *fakeBar { return &fakeBar{entry: entry{calls: new(int)}} }

func (b *fakeBar) SetIcon(i model.TrayIcon) { *b.calls++; b.icon = i }
func (b *fakeBar) SetTooltip(s string)      { *b.calls++; b.tooltip = s }
func (b *fakeBar) AddSeparator()            { b.below = append(b.below, &entry{separator: true}) }

func (e *entry) Add(label string, click func()) Item {
	child := &entry{label: label, click: click, calls: e.calls}
	e.below = append(e.below, child)
	return child
}

func (e *entry) SetLabel(s string) { *e.calls++; e.label = s }
func (e *entry) Enable(on bool)    { *e.calls++; e.grey = !on }
func (e *entry) Show(on bool)      { *e.calls++; e.hidden = !on }

// text draws the menu as a person sees it: greyed items in parentheses.
func (e *entry) text(indent string) string {
	var b strings.Builder
	for _, c := range e.below {
		switch {
		case c.hidden:
			continue
		case c.separator:
			b.WriteString(indent + "---\n")
		case c.grey:
			fmt.Fprintf(&b, "%s(%s)\n", indent, c.label)
		default:
			fmt.Fprintf(&b, "%s%s\n", indent, c.label)
		}
		b.WriteString(c.text(indent + "  "))
	}
	return b.String()
}

func (e *entry) find(label string) *entry {
	for _, c := range e.below {
		if c.label == label {
			return c
		}
		if found := c.find(label); found != nil {
			return found
		}
	}
	return nil
}

func awake() model.TrayState {
	return model.TrayState{Icon: model.TrayAwake, Tooltip: "Dormouse: awake", Status: "Awake", LastSleep: "Slept today",
		CoreTitle: "What agents are told in shop", Core: []string{"· one", "· two"}, Sleep: model.TrayAct{Label: "Sleep now", On: true},
		Sync: model.TrayAct{Label: "Sync now (not set up)"}, CanPause: true, Review: "Review (3)", Recent: "Recent sessions",
		Sessions: []model.TraySession{{ID: "s1", Label: "Fix the till"}, {ID: "s2", Label: "Write a post"}}}
}

const awakeMenu = `(Awake)
(Slept today)
What agents are told in shop
  (· one)
  (· two)
Recent sessions
  Fix the till
  Write a post
---
Sleep now
(Sync now (not set up))
Pause capture
  For 1 hour
  Until tomorrow
  Until I say
---
Review (3)
Open Dormouse
Settings
Quit tray
`

func TestTheMenuIsWhatTheStateSays(t *testing.T) {
	bar := newFakeBar()
	m := New(bar, Acts{})
	if got := bar.text(""); got != "(Looking for Dormouse …)\n---\n---\nOpen Dormouse\nSettings\nQuit tray\n" {
		t.Errorf("before the service was seen:\n%s", got)
	}
	m.Show(awake())
	if got := bar.text(""); got != awakeMenu || bar.icon != model.TrayAwake || bar.tooltip != "Dormouse: awake" {
		t.Errorf("awake, %s, %q:\n%s", bar.icon, bar.tooltip, got)
	}
	paused := awake()
	paused.Icon, paused.Status, paused.CanPause, paused.GoOn = model.TrayPaused, "Paused", false, "Go on capturing"
	m.Show(paused)
	if got := bar.text(""); strings.Contains(got, "Pause capture") || !strings.Contains(got, "\nGo on capturing\n") || bar.icon != model.TrayPaused {
		t.Errorf("paused:\n%s", got)
	}
	proxied := awake()
	proxied.Proxy = "Take the proxy out of the path"
	m.Show(proxied)
	if got := bar.text(""); !strings.Contains(got, "\nTake the proxy out of the path\n---\n") {
		t.Errorf("with the proxy:\n%s", got)
	}
	m.Show(model.TrayState{Icon: model.TrayOff, Status: "Dormouse is not running", CoreTitle: "What agents are told", Core: []string{"Not known"},
		Sleep: model.TrayAct{Label: "Sleep now"}, Sync: model.TrayAct{Label: "Sync now"}, Start: "Start Dormouse"})
	if got := bar.text(""); got != "(Dormouse is not running)\nWhat agents are told\n  (Not known)\n---\nStart Dormouse\n---\nOpen Dormouse\nSettings\nQuit tray\n" {
		t.Errorf("not running:\n%s", got)
	}
	m.Show(awake())
	if got := bar.text(""); got != awakeMenu {
		t.Errorf("awake again:\n%s", got)
	}
}

func TestWhatHasNotChangedIsLeftAlone(t *testing.T) {
	bar := newFakeBar()
	m := New(bar, Acts{})
	m.Show(awake())
	*bar.calls = 0
	m.Show(awake())
	if *bar.calls != 0 {
		t.Errorf("%d calls for nothing", *bar.calls)
	}
	s := awake()
	s.Status = "Awake · 2 memories"
	m.Show(s)
	if *bar.calls != 1 {
		t.Errorf("%d calls for one change", *bar.calls)
	}
}

func TestMoreCoreThanThereIsRoomForDoesNoHarm(t *testing.T) {
	bar := newFakeBar()
	m := New(bar, Acts{})
	s := awake()
	s.Core = strings.Split(strings.Repeat("line,", 40), ",")
	m.Show(s)
	if n := strings.Count(bar.text(""), "(line)"); n != maxCore {
		t.Errorf("%d lines", n)
	}
}

func TestEveryClickReachesItsAct(t *testing.T) {
	bar, got := newFakeBar(), ""
	does := func(name string) func() { return func() { got += name + " " } }
	with := func(name string) func(string) { return func(what string) { got += name + "-" + what + " " } }
	m := New(bar, Acts{Sleep: does("sleep"), Sync: does("sync"), GoOn: does("go-on"), Proxy: does("proxy"), Start: does("start"), Open: with("open"), Session: with("session"), Quit: does("quit"),
		Pause: func(how model.PauseFor) { got += fmt.Sprintf("pause-%d ", how) }})
	s := awake()
	s.Proxy = "Switch the proxy"
	m.Show(s)
	for _, label := range []string{"Sleep now", "Sync now (not set up)", "Go on capturing", "Switch the proxy", "Start Dormouse", "Open Dormouse", "Review (3)", "Settings", "Write a post", "Quit tray", "For 1 hour", "Until tomorrow",
		"Until I say", "Awake", "What agents are told in shop", "Pause capture"} {
		bar.find(label).click()
	}
	if want := "sleep sync go-on proxy start open- open-review open-settings session-s2 quit pause-0 pause-1 pause-2 "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
