package model

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/client"
)

func (f *fake) Devices(context.Context) (api.Devices, error) { return f.devices, f.note("devices", "") }

func (f *fake) ChangeDevice(_ context.Context, c api.DeviceChange) (api.Device, error) {
	return f.device, f.note("change", "%s %s %s", c.Action, c.Device, c.Name)
}

func (f *fake) Invite(context.Context) (api.Invite, error) {
	return api.Invite{Code: "7K3QX-90MTB", Until: at("2026-05-04 18:45")}, f.note("invite", "")
}

func (f *fake) Revoke(_ context.Context, id string) (api.Revoked, error) {
	return f.revoked, f.note("revoke", "%s", id)
}

func (f *fake) SyncChoose(_ context.Context, c api.SyncChoice) (api.Synced, error) {
	err := f.note("choose", "%s", c.Values().Encode())
	if len(f.chosen) > 0 {
		err, f.chosen = f.chosen[0], f.chosen[1:]
	}
	return f.synced, err
}

func (f *fake) SyncLogin(_ context.Context, url, _, token string) error {
	return f.note("login", "%s %s", url, token)
}

func machinesFake() *fake {
	return &fake{status: api.Status{Sync: api.Sync{Remote: "/home/robin/memory.git", State: api.SyncBehind, LastOK: at("2026-05-04 18:20"), ToSend: 2, ToReceive: 1, Encrypted: true,
		Aside: 1, AsideWhy: []string{"sync: log/9f/2026.jsonl of the remote is not taken: its chain is broken"}}},
		devices: api.Devices{Encrypted: true, Devices: []api.Device{
			{ID: "1a", Name: "desk", This: true, Reads: true, Seen: at("2026-05-04 18:30"), Entries: 1204},
			{ID: "2b", Name: "laptop", Reads: true, Seen: at("2026-05-03 18:30"), Entries: 1, Lacks: 3, Told: 5, Behind: 90},
			{ID: "3c", Reads: true, Lacks: 3, Ahead: 3600},
			{ID: "4d", Name: "old", Retired: true},
			{ID: "5e", Name: "lost", Revoked: true}}}}
}

func TestThePageOfSyncShowsTheExchangeAndTheMachines(t *testing.T) {
	page := presenter(machinesFake()).SyncPage(t.Context())
	want := SyncPage{Title: "Catching up", Detail: "2 decisions to send, 1 decision to receive.", Tone: Busy, On: true, CanInvite: true,
		Facts: []Fact{{Label: "Remote", Text: "~/memory.git"}, {Label: "Last exchange", Text: "today 18:20, 10 minutes ago"},
			{Label: "Encrypted", Tone: Good, Text: "Yes: who can read the repository sees sizes and times alone."}},
		Aside: []string{"log/9f/2026.jsonl of the remote is not taken: its chain is broken"},
		Machines: []MachineRow{
			{ID: "1a", Name: "desk", Badge: "This machine", Tone: Good, Seen: "seen just now · 1,204 entries of its log"},
			{ID: "2b", Name: "laptop", Seen: "seen 1 day ago · 1 entry of its log", CanRetire: true, CanRevoke: true,
				Notes: []Fact{{Text: "It has not confirmed 3 decisions yet.", Tone: Warn}, {Text: "Its clock is at least 1m30s behind.", Tone: Warn}}},
			{ID: "3c", Name: "3c", Seen: "nothing of it is here yet", CanRetire: true, CanRevoke: true,
				Notes: []Fact{{Text: "It has not said yet what it has.", Tone: Warn}, {Text: "Its clock is at least 1h0m0s ahead.", Tone: Warn}}},
			{ID: "4d", Name: "old", Badge: "Retired", Tone: Off, Seen: "nothing of it is here yet", CanReturn: true, Notes: []Fact{{Text: "It has no key of its own: never let in, or a copy of another machine.", Tone: Warn}}},
			{ID: "5e", Name: "lost", Badge: "Revoked", Tone: Bad, Seen: "nothing of it is here yet"}}}
	if !reflect.DeepEqual(page, want) {
		t.Errorf("got\n%+v\nwant\n%+v", page, want)
	}
}

func TestEachStateOfTheExchangeIsSaid(t *testing.T) {
	for name, tt := range map[string]struct {
		s     api.Sync
		title string
		fact  string
		tone  Tone
	}{
		"in step": {api.Sync{State: api.SyncInStep, Readers: "everybody"}, "In step", "No. Readable by everybody.", Good},
		"offline": {api.Sync{State: api.SyncOffline, OfflineSince: at("2026-05-04 09:00")}, "Offline", "No: who can read", Off},
		"stuck":   {api.Sync{State: api.SyncStuck, Failed: 3, Failure: "no room"}, "Stuck", "3 times in a row", Bad},
		"waiting": {api.Sync{State: api.SyncWaiting}, "Waiting", "not since Dormouse started", Plain},
	} {
		tt.s.Remote = "r"
		page := presenter(&fake{status: api.Status{Sync: tt.s}}).SyncPage(t.Context())
		said := ""
		for _, f := range page.Facts {
			said += f.Text + "\n"
		}
		if page.Title != tt.title || page.Tone != tt.tone || !strings.Contains(said, tt.fact) || page.Detail == "" {
			t.Errorf("%s: %+v", name, page)
		}
	}
}

func TestWithoutARemoteSyncIsOfferedAndWithoutAServiceItsTroubleSaid(t *testing.T) {
	if page := presenter(&fake{status: api.Status{Sync: api.Sync{State: api.SyncOff}}}).SyncPage(t.Context()); page.Empty == nil || page.On || page.Title != "Off" {
		t.Errorf("%+v", page)
	}
	for _, f := range []*fake{{err: map[string]error{"": client.ErrNotRunning}}, {status: api.Status{Sync: api.Sync{Remote: "r"}}, err: map[string]error{"devices": errors.New("no")}}} {
		if page := presenter(f).SyncPage(t.Context()); page.Trouble == nil {
			t.Errorf("%+v", page)
		}
	}
}

func TestSettingUpAsksWhatThePersonHasToSettle(t *testing.T) {
	refuse := func(code string, candidates ...string) error {
		return &api.Error{Code: code, Message: "the host shows a key", Candidates: candidates}
	}
	f := &fake{chosen: []error{refuse(api.CodeUnknownHost, "SHA256:ab")}}
	told, asked := presenter(f).ChooseRemote(t.Context(), RemoteChoice{URL: " git@h:m.git ", Encrypt: true})
	if told.Text != "" || asked == nil || asked.Token || asked.Next.Trust != "SHA256:ab" || asked.Next.URL != "git@h:m.git" || !asked.Next.Encrypt || !strings.Contains(asked.Text, "The host shows a key.") {
		t.Fatalf("%+v %+v", told, asked)
	}
	if told, asked = presenter(f).ChooseRemote(t.Context(), asked.Next); asked != nil || told.Tone != Good || !strings.Contains(told.Text, "was empty") {
		t.Errorf("%+v %+v", told, asked)
	}
	f = &fake{chosen: []error{refuse(api.CodeLogin)}}
	if _, asked = presenter(f).ChooseRemote(t.Context(), RemoteChoice{URL: "https://h/m.git"}); asked == nil || !asked.Token {
		t.Errorf("%+v", asked)
	}
	for name, tt := range map[string]struct {
		c    RemoteChoice
		err  error
		want string
		tone Tone
	}{
		"no address":    {RemoteChoice{URL: "  "}, nil, "Nothing was set up", Warn},
		"refused":       {RemoteChoice{URL: "x"}, refuse(api.CodeBadRequest), "The host shows a key.", Warn},
		"trusted twice": {RemoteChoice{URL: "x", Trust: "t"}, refuse(api.CodeUnknownHost, "u"), "Setting up failed", Bad},
		"ssh login":     {RemoteChoice{URL: "git@h:x"}, refuse(api.CodeLogin), "Setting up failed", Bad},
	} {
		told, asked := presenter(&fake{chosen: []error{tt.err}}).ChooseRemote(t.Context(), tt.c)
		if asked != nil || !strings.Contains(told.Text, tt.want) || told.Tone != tt.tone {
			t.Errorf("%s: %+v %+v", name, told, asked)
		}
	}
	if told, _ := presenter(&fake{synced: api.Synced{Found: api.FoundMemory, Received: 4}}).ChooseRemote(t.Context(), RemoteChoice{URL: "x"}); !strings.Contains(told.Text, "4 decisions came in") {
		t.Errorf("%+v", told)
	}
}

func TestATokenIsHandedOnAndAnEmptyOneIsNot(t *testing.T) {
	f := &fake{}
	if n := presenter(f).Login(t.Context(), "https://h/m", " "); n.Tone != Warn || len(f.asked) != 0 {
		t.Errorf("%+v %q", n, f.asked)
	}
	if n := presenter(f).Login(t.Context(), "https://h/m", "tok\n"); n.Text != "" || f.asked[0] != "login https://h/m tok" {
		t.Errorf("%+v %q", n, f.asked)
	}
	if n := presenter(&fake{err: map[string]error{"login": errors.New("no")}}).Login(t.Context(), "u", "t"); n.Tone != Bad {
		t.Errorf("%+v", n)
	}
}

func TestMachinesAreChangedAndTheRemoteIsForgotten(t *testing.T) {
	f := &fake{device: api.Device{ID: "2b", Name: "laptop"}, revoked: api.Revoked{Device: api.Device{ID: "2b"}}}
	p := presenter(f)
	for _, n := range []Notice{p.RenameMachine(t.Context(), "2b", "laptop"), p.RetireMachine(t.Context(), "2b"), p.ReturnMachine(t.Context(), "2b"), p.RevokeMachine(t.Context(), "2b")} {
		if n.Tone != Good {
			t.Errorf("%+v", n)
		}
	}
	if n := p.ForgetRemote(t.Context()); !strings.Contains(n.Text, "off") {
		t.Errorf("%+v", n)
	}
	want := []string{"change rename 2b laptop", "change retire 2b ", "change return 2b ", "revoke 2b", "choose url="}
	if !reflect.DeepEqual(f.asked, want) {
		t.Errorf("asked %q", f.asked)
	}
	f.revoked.Kept = true
	if n := p.RevokeMachine(t.Context(), "2b"); n.Tone != Warn || !strings.Contains(n.Text, "can go on to read") {
		t.Errorf("%+v", n)
	}
	f.err = map[string]error{"": errors.New("no")}
	for _, n := range []Notice{p.RenameMachine(t.Context(), "2b", "x"), p.RevokeMachine(t.Context(), "2b"), p.ForgetRemote(t.Context())} {
		if n.Tone != Bad {
			t.Errorf("%+v", n)
		}
	}
	if AskForget().Yes == "" || !strings.Contains(AskRevoke(MachineRow{Name: "laptop"}).Title, "laptop") {
		t.Error("the questions do not say what they ask")
	}
}

func TestACodeIsShownAndTheMachineThatUsesItNamed(t *testing.T) {
	f := machinesFake()
	p := presenter(f)
	code := p.Invite(t.Context())
	if code.Code != "7K3QX-90MTB" || !strings.Contains(code.Text, "until today 18:45") {
		t.Fatalf("%+v", code)
	}
	if n := p.LetIn(t.Context(), code); n.Text != "" {
		t.Errorf("nobody came, but %+v", n)
	}
	f.devices.Devices = append(f.devices.Devices, api.Device{ID: "6f", Name: "new", Reads: true})
	if n := p.LetIn(t.Context(), code); n.Text != "new was let in." {
		t.Errorf("%+v", n)
	}
	for _, call := range []string{"sync", "devices"} {
		f.err = map[string]error{call: errors.New("no")}
		if n := p.LetIn(t.Context(), code); n.Text != "" {
			t.Errorf("%s: %+v", call, n)
		}
	}
	for _, call := range []string{"invite", "devices"} {
		f.err = map[string]error{call: errors.New("no")}
		if c := p.Invite(t.Context()); c.Code != "" || c.Tone != Bad {
			t.Errorf("%s: %+v", call, c)
		}
	}
}
