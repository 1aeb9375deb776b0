package view

import (
	"context"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"dormouse/app/model"
	"dormouse/app/view/kit"
	"dormouse/service/api"
)

func (f *fake) Settings(context.Context) (api.Settings, error) {
	return f.settings, f.answer("settings")
}
func (f *fake) SetSetting(_ context.Context, c api.SettingChange) (api.Settings, error) {
	if err := f.answer("set %s", c.Values().Encode()); err != nil || f.refuses || c.Value == "bad" {
		return api.Settings{}, &api.Error{Code: api.CodeBadRequest, Message: c.Name + " cannot be that"}
	}
	if c.Try {
		return f.settings, nil
	}
	list := append([]api.Setting{}, f.settings.Settings...)
	for i, x := range list {
		if x.Name == c.Name {
			list[i].Value = c.Value
			if c.Reset {
				list[i].Value = x.Default
			}
		}
	}
	f.settings.Settings, f.settings.Restart = list, true
	return f.settings, nil
}
func (f *fake) Stop(context.Context) error                 { err := f.answer("stop"); f.down = true; return err }
func (f *fake) field(s *stand, name string) fyne.Focusable { return s.settings.fields[name] }

func TestSettingsAreChangedByTheKeyboard(t *testing.T) {
	f := newFake()
	s := newStand(t, f)
	press(s, fyne.KeyComma)
	s.says(t, "Settings", "/m/config.toml", "Whose sessions are read", "capture.exclude", "what is kept out", "Default: none", "Folders, one a line")
	s.saysNot(t, "the port")
	if s.settings.stale.Visible() {
		t.Error("offers a restart that changes nothing")
	}

	box := f.field(s, "capture.keep_images").(*kit.Check)
	s.win.Canvas().Focus(box)
	typeKey(s, fyne.KeyReturn)
	if !asked(s, "set name=capture.keep_images&value=true") {
		t.Errorf("asked %q", f.asked)
	}
	s.says(t, "Keep images is changed. It holds from the next start of Dormouse.", model.SettingsStale.Text())
	if got := s.win.Canvas().Focused(); got != f.field(s, "capture.keep_images") || got == fyne.Focusable(box) {
		t.Errorf("the keyboard is with %v", got)
	}

	typeKey(s, fyne.KeyEscape) // the notice
	s.win.Canvas().Unfocus()
	typeKey(s, fyne.KeyDown)
	typeKey(s, fyne.KeyDown)
	typeKey(s, fyne.KeyDown)
	s.says(t, "the port")
	entry := f.field(s, "mcp.port").(*kit.Entry)
	entry.SetText("80")
	entry.OnSubmitted(entry.Text)
	if !asked(s, "set name=mcp.port&value=80") {
		t.Errorf("asked %q", f.asked)
	}
	test.Tap(objects[*kit.Row](s)[len(objects[*kit.Row](s))-2]) // the link to the default, before the notice's own
	if !asked(s, "set name=mcp.port&reset=true") {
		t.Errorf("asked %q", f.asked)
	}
}

func TestAListIsSavedByItsRowsAndTheKeyboardLeavesThemByTab(t *testing.T) {
	f := newFake()
	s := newStand(t, f)
	s.Show(PageSettings)
	test.Tap(s.button(t, model.SettingAdd.Text())) // of the first setting
	if visible(s, model.Save.Text()) {
		t.Error("an empty row is to be saved")
	}
	field := s.win.Canvas().Focused().(*kit.Entry)
	for _, r := range "~/b" {
		field.TypedRune(r)
	}
	typeKey(s, fyne.KeyReturn)
	if !asked(s, "set name=capture.exclude&value=~%2Fa%0A~%2Fb") {
		t.Errorf("asked %q", f.asked)
	}
	lines := objects[*kit.Lines](s)[0]
	if s.win.Canvas().Focus(lines); lines.AcceptsTab() {
		t.Error("the keyboard does not get out")
	}
}

// visible reports whether a button can be seen.
func visible(s *stand, label string) bool {
	return slices.ContainsFunc(objects[*kit.Button](s), func(b *kit.Button) bool { return b.Text == label && b.Visible() && b.Size().Width > 0 })
}

func TestATableIsChangedByRows(t *testing.T) {
	f := newFake()
	s := newStand(t, f)
	s.FindSetting("capture.roots")
	lines := objects[*kit.Lines](s)[0]
	s.win.Canvas().Focus(lines)
	lines.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	lines.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	for _, r := range "/d" {
		lines.TypedRune(r)
	}
	test.Tap(s.button(t, model.Save.Text()))
	if !asked(s, "set name=capture.roots&value=%7B%22codex%22%3A%5B%22%2Fc%22%2C%22%2Fd%22%5D%7D") {
		t.Errorf("asked %q", f.asked)
	}

	test.Tap(s.button(t, model.SettingAdd.Text()))
	name := s.win.Canvas().Focused().(*kit.Entry)
	name.SetText("codex")
	s.says(t, "“codex” stands there twice.")
	if !s.button(t, model.Save.Text()).Disabled() {
		t.Error("it can be saved")
	}
	typeKey(s, fyne.KeyEscape)
	s.saysNot(t, "stands there twice")
	if visible(s, model.Save.Text()) || len(objects[*kit.Lines](s)) != 1 {
		t.Error("what was typed is still there")
	}

	test.Tap(s.button(t, "")) // takes the row out
	test.Tap(s.button(t, model.Save.Text()))
	if !asked(s, "set name=capture.roots&value=") {
		t.Errorf("asked %q", f.asked)
	}
}

func TestAValueThatCannotBeIsSaidBeforeItIsSavedAndTakenBack(t *testing.T) {
	f := newFake()
	s := newStand(t, f)
	s.Show(PageSettings)
	s.settings.pick("mcp")
	entry := f.field(s, "mcp.port").(*kit.Entry)
	entry.SetText("bad")
	s.soon()
	s.says(t, "mcp.port cannot be that.")
	entry.OnSubmitted("bad")
	if asked(s, "set name=mcp.port&value=bad") || !asked(s, "set name=mcp.port&try=true&value=bad") {
		t.Errorf("asked %q", f.asked)
	}
	entry.SetText("8")
	s.saysNot(t, "mcp.port cannot be that.")
	test.Tap(s.button(t, model.SettingUndo.Text()))
	if entry.Text != "7" || visible(s, model.Save.Text()) {
		t.Errorf("%q", entry.Text)
	}
	s.soon() // what was tried before does not come back
	s.saysNot(t, "cannot be that")
}

func TestWhatIsRefusedGoesBackAndWhatWasTypedStays(t *testing.T) {
	f := newFake()
	f.refuses = true
	s := newStand(t, f)
	s.Show(PageSettings)
	s.settings.pick("log")
	f.field(s, "log.level").(*kit.Select).SetSelected("warn")
	s.says(t, "log.level cannot be that.")
	if got := f.field(s, "log.level").(*kit.Select).Selected; got != "info" {
		t.Errorf("shows %q, which was refused", got)
	}
	s.settings.pick("mcp")
	entry := f.field(s, "mcp.port").(*kit.Entry)
	entry.SetText("many")
	entry.OnSubmitted("many")
	if now := f.field(s, "mcp.port").(*kit.Entry); now != entry || now.Text != "many" {
		t.Errorf("what was typed is gone: %q", now.Text)
	}
}

func TestSettingsAreSearchedAndTheServiceIsRestarted(t *testing.T) {
	f := newFake()
	f.settings.Restart = true
	s := newStand(t, f)
	s.FindSetting("the port")
	s.says(t, model.SettingsFound.Text(), "mcp.port")
	s.saysNot(t, "what is kept out")
	if s.settings.groups.Selected() {
		t.Error("what is found seems to be of one group")
	}
	s.FindSetting("no such words")
	s.says(t, model.SettingsNone.Text())
	s.win.Canvas().Unfocus()
	typeKey(s, fyne.KeyEscape)
	s.says(t, "what is kept out")
	if !s.settings.groups.Selected() {
		t.Error("no group is marked")
	}
	test.Tap(s.button(t, model.RestartNow.Text()))
	if s.started != 1 || !asked(s, "stop") {
		t.Errorf("started %d times, asked %q", s.started, f.asked)
	}
	s.says(t, "Dormouse is running.")
}
