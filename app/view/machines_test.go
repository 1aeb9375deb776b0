package view

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/view/kit"
	"dormouse/service/api"
)

func (f *fake) Devices(context.Context) (api.Devices, error) { return f.devices, f.answer("devices") }
func (f *fake) ChangeDevice(_ context.Context, c api.DeviceChange) (api.Device, error) {
	return api.Device{ID: c.Device}, f.answer("%s %s %s", c.Action, c.Device, c.Name)
}
func (f *fake) Invite(context.Context) (api.Invite, error) {
	return api.Invite{Code: "7K3QX-90MTB", Until: now.Unix() + 900}, f.answer("invite")
}
func (f *fake) Revoke(_ context.Context, id string) (api.Revoked, error) {
	return api.Revoked{Device: api.Device{ID: id}}, f.answer("revoke %s", id)
}
func (f *fake) SyncChoose(_ context.Context, c api.SyncChoice) (api.Synced, error) {
	if err := f.answer("choose %s", c.Values().Encode()); err != nil || len(f.refusals) == 0 {
		return api.Synced{}, err
	}
	err := f.refusals[0]
	f.refusals = f.refusals[1:]
	return api.Synced{}, err
}
func (f *fake) SyncLogin(_ context.Context, url, _, token string) error {
	return f.answer("login %s %s", url, token)
}

func machinesFake() *fake {
	f := newFake()
	f.status.Sync = api.Sync{Remote: "git@host:m.git", State: api.SyncInStep, Encrypted: true, Failure: "once it was away", AsideWhy: []string{"sync: one log is not taken"}}
	f.devices = api.Devices{Encrypted: true, Devices: []api.Device{{ID: "1a", Name: "desk", This: true, Reads: true}, {ID: "2b", Name: "laptop", Reads: true}, {ID: "3c", Name: "old", Retired: true, Reads: true}}}
	return f
}

// over is what a dialog shows: its texts, fields and buttons.
func over[T any](t *testing.T, s *stand) []T {
	t.Helper()
	top := s.win.Canvas().Overlays().Top()
	if top == nil {
		t.Fatal("no dialog is open")
	}
	var out []T
	for _, o := range test.LaidOutObjects(top) {
		if v, ok := o.(T); ok {
			out = append(out, v)
		}
	}
	return out
}

// answer presses a button of a dialog.
func answer(t *testing.T, s *stand, label string) {
	t.Helper()
	for _, b := range over[*widget.Button](t, s) {
		if b.Text == label {
			test.Tap(b)
			return
		}
	}
	t.Fatalf("there is no button %q", label)
}

func TestMachinesAreShownAndChangedFromThePageOfSync(t *testing.T) {
	s := newStand(t, machinesFake())
	s.Show(PageSync)
	s.says(t, "In step", "git@host:m.git", "desk", "laptop", "one log is not taken", "Once it was away.")
	test.Tap(s.button(t, model.SyncRetire.Text()))
	test.Tap(s.button(t, model.SyncReturn.Text()))
	test.Tap(s.button(t, model.SyncRevoke.Text()))
	if asked(s, "revoke 2b") {
		t.Error("revoked without asking")
	}
	answer(t, s, "Revoke")
	test.Tap(s.button(t, model.SyncRename.Text()))
	s.soon()
	s.win.Canvas().Focused().(*kit.Draft).SetText("tower")
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	test.Tap(s.button(t, model.SyncOff.Text()))
	answer(t, s, "Turn it off")
	test.Tap(s.button(t, model.SyncNow.Text()))
	for _, want := range []string{"retire 2b ", "return 3c ", "revoke 2b", "rename 1a tower", "choose url=", "sync"} {
		if !asked(s, want) {
			t.Errorf("%q was not asked: %q", want, s.f.asked)
		}
	}
}

func TestACodeWaitsForTheMachineThatUsesIt(t *testing.T) {
	s := newStand(t, machinesFake())
	s.Show(PageSync)
	test.Tap(s.button(t, model.SyncInvite.Text()))
	if shown := over[*kit.Text](t, s); !strings.Contains(shown[0].String(), "7K3QX-90MTB") {
		t.Errorf("shows %q", shown[0].String())
	}
	later := s.later
	s.later = nil
	later[0]() // nobody came
	if len(s.later) == 0 || s.win.Canvas().Overlays().Top() == nil {
		t.Fatal("it does not wait any longer")
	}
	s.f.devices.Devices = append(s.f.devices.Devices, api.Device{ID: "4d", Name: "new", Reads: true})
	s.soon()
	if s.win.Canvas().Overlays().Top() != nil {
		t.Error("the code is still shown")
	}
	test.Tap(s.button(t, model.SyncInvite.Text()))
	answer(t, s, model.Close.Text())
	before := len(s.f.asked)
	s.soon()
	if len(s.f.asked) != before {
		t.Errorf("goes on asking: %q", s.f.asked[before:])
	}
}

func TestARemoteIsSetUpWithWhatThePersonSettles(t *testing.T) {
	f := newFake()
	f.status.Sync = api.Sync{State: api.SyncOff}
	f.refusals = []error{&api.Error{Code: api.CodeUnknownHost, Message: "a new host", Candidates: []string{"SHA256:ab"}}, &api.Error{Code: api.CodeLogin, Message: "a token is missing"}}
	s := newStand(t, f)
	s.Show(PageSync)
	s.says(t, "Your memory stays on this machine")
	test.Tap(s.button(t, model.SyncSetup.Text()))
	fields := over[*kit.Entry](t, s)
	fields[0].SetText("https://host/m.git")
	over[*kit.Check](t, s)[0].SetChecked(true)
	answer(t, s, model.SyncDo.Text())
	answer(t, s, "It is")
	s.win.Canvas().Focused().(*widget.Entry).SetText("tok")
	answer(t, s, "Keep it and go on")
	want := []string{"choose encrypt=true&url=https%3A%2F%2Fhost%2Fm.git", "choose encrypt=true&trust=SHA256%3Aab&url=https%3A%2F%2Fhost%2Fm.git", "login https://host/m.git tok"}
	for _, w := range want {
		if !asked(s, w) {
			t.Errorf("%q was not asked: %q", w, s.f.asked)
		}
	}
	s.says(t, "Set up. The repository was empty")
}
