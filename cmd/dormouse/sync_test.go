package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/localapi"
	"dormouse/service/socket"
)

func testSync() api.Sync {
	return api.Sync{Remote: "git@git.example.org:robin/memory.git", LastOK: unix("2026-05-04 18:20"), Machines: 3, State: api.SyncInStep}
}

// syncPages are what the sync commands print, by the name of their golden.
func syncPages() map[string]func(view) []string {
	failing, fresh := testSync(), testSync()
	failing.Failed, failing.Aside, failing.State, failing.ToSend = 4, 2, api.SyncStuck, 3
	away := testSync()
	away.State, away.OfflineSince, away.ToSend, away.ToReceive = api.SyncOffline, unix("2026-05-04 18:10"), 12, 1
	away.Failure = "ask the remote /media/stick/memory.git: the folder is not there; plug in the stick or mount the share that it lies on"
	away.Readers = "you, and whoever has the disk, stick or share that the folder lies on"
	failing.Failure = "send to the remote git@git.example.org:robin/memory.git: Permission denied (publickey).; add your ssh key to the agent (ssh-add) and to the account that holds the repository"
	fresh.Remote, fresh.LastOK, fresh.Machines = "/home/robin/memory.git", 0, 1
	fresh.State = api.SyncWaiting
	return map[string]func(view) []string{
		"sync": func(v view) []string {
			return formatSynced(v, api.Synced{Sync: testSync(), Received: 1204, Sent: true})
		},
		"sync-nothing": func(v view) []string { return formatSynced(v, api.Synced{Sync: testSync()}) },
		"sync-status":  func(v view) []string { return formatSync(v, testSync()) },
		"sync-failing": func(v view) []string { return formatSync(v, failing) },
		"sync-fresh":   func(v view) []string { return formatSync(v, fresh) },
		"sync-offline": func(v view) []string { return formatSync(v, away) },
		"sync-set-up": func(v view) []string {
			s := away
			s.State = api.SyncInStep
			return formatSynced(v, api.Synced{Sync: s, Sent: true, Found: api.FoundNothing})
		},
		"sync-encrypted": func(v view) []string {
			s := testSync()
			s.Encrypted = true
			return formatSync(v, s)
		},
		"devices": func(v view) []string {
			return formatDevices(v, api.Devices{Encrypted: true, Devices: []api.Device{
				{ID: "0a1b2c3d", Name: "desk", This: true, Reads: true, Seen: unix("2026-05-04 18:20"), Entries: 1204},
				{ID: "1a1b2c3d", Name: "laptop", Reads: true, Seen: unix("2026-05-05 18:30"), Entries: 12, Ahead: 86400, Lacks: 3, Told: 1},
				{ID: "4a1b2c3d", Name: "tower", Reads: true, Seen: unix("2026-05-03 18:30"), Entries: 12, Behind: 3700, Lacks: 3},
				{ID: "5a1b2c3d", Name: "old", Reads: true, Retired: true, Seen: unix("2025-05-03 18:30"), Entries: 9},
				{ID: "2a1b2c3d", Name: "lost", Revoked: true, Seen: unix("2026-04-04 18:20"), Entries: 1}, {ID: "3a1b2c3d"}}})
		},
		"devices-plain": func(v view) []string {
			return formatDevices(v, api.Devices{Devices: []api.Device{{ID: "0a1b2c3d", This: true, Seen: unix("2026-05-04 18:20"), Entries: 1}}})
		},
		"device-invite": func(v view) []string {
			return formatInvite(v, "/media/stick/memory.git", api.Invite{Code: "7K3QX-90MTB", Until: unix("2026-05-04 18:45")})
		},
		"device-revoked": func(v view) []string { return formatRevoked(v, api.Revoked{Device: api.Device{Name: "lost"}}) },
		"device-revoked-kept": func(v view) []string {
			return formatRevoked(v, api.Revoked{Device: api.Device{Name: "lost"}, Kept: true})
		},
		"sync-off": func(v view) []string { return formatSync(v, api.Sync{}) },
		"sync-damaged": func(v view) []string {
			return formatSync(v, api.Sync{Failed: 1, Failure: "read the settings of /home/robin/.dormouse/memory: line 3: bad"})
		},
	}
}

func TestSyncAnswersLookAsTheyShould(t *testing.T) {
	for name, format := range syncPages() {
		for _, width := range []int{80, 120} {
			lines := format(viewOf(width))
			golden(t, name+"."+map[int]string{80: "80", 120: "120"}[width], lines)
			for _, l := range lines {
				if len([]rune(l)) > width {
					t.Errorf("%s at %d is too wide: %s", name, width, l)
				}
			}
		}
	}
}

// syncService answers the sync commands on a state folder's real socket and keeps what was asked.
func syncService(t *testing.T, home string) *[]string {
	t.Helper()
	ln, err := socket.Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	asked := &[]string{}
	note := func(s string) (api.Synced, error) {
		*asked = append(*asked, s)
		if strings.Contains(s, "rewound") {
			return api.Synced{}, &api.Error{Code: api.CodeBadRequest, Message: "the remote was rewound; dormouse sync setup URL --restore"}
		}
		if s == "setup " {
			return api.Synced{}, nil
		}
		return api.Synced{Sync: testSync(), Received: 1204, Sent: true}, nil
	}
	b := localapi.Backend{
		Status: func(context.Context) (api.Status, error) { return api.Status{Sync: testSync()}, nil },
		Sync:   func(context.Context) (api.Synced, error) { return note("now") },
		SyncSetup: func(_ context.Context, c api.SyncChoice) (api.Synced, error) {
			said := "setup"
			if c.Restore {
				said = "restore"
			}
			if c.Know {
				said += " know"
			}
			if c.URL == "git@new:m.git" && c.Trust == "" {
				return api.Synced{}, &api.Error{Code: api.CodeUnknownHost, Candidates: []string{"SHA256:abc"}, Message: "the host new is met for the first time. It shows the key SHA256:abc"}
			}
			if c.Encrypt {
				said += " encrypt"
			}
			if c.Code != "" {
				said += " code " + c.Code
			}
			if c.Trust != "" {
				said += " trust " + c.Trust
			}
			return note(said + " " + c.URL)
		},
		ChangeDevice: func(_ context.Context, c api.DeviceChange) (api.Device, error) {
			_, err := note(c.Action + " " + c.Device + " " + c.Name)
			return api.Device{ID: "0a1b2c3d", Name: "desk"}, err
		},
		SyncLogin: func(_ context.Context, url, user, token string) error {
			_, err := note("login " + url + " " + user + " " + token)
			return err
		},
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- localapi.New(localapi.Options{Backend: b}).Run(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return asked
}

func TestSyncCommandsAskTheServiceAndPrintItsAnswer(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	asked := syncService(t, home)
	for _, tt := range []struct{ args, asks, page string }{
		{"sync now", "now", "sync"},
		{"sync setup git@host:me/memory.git", "setup git@host:me/memory.git", "sync"},
		{"sync setup https://host/me/memory.git --restore", "restore https://host/me/memory.git", "sync"},
		{"sync setup git@host:m --i-know", "setup know git@host:m", "sync"},
		{"sync setup git@new:m.git --trust SHA256:abc", "setup trust SHA256:abc git@new:m.git", "sync"},
		{"sync setup /srv/m.git --encrypt", "setup encrypt /srv/m.git", "sync"},
		{"sync setup /srv/m.git --code 7K3QX-90MTB", "setup code 7K3QX-90MTB /srv/m.git", "sync"},
		{"sync restore-remote --yes", "restore " + testSync().Remote, "sync"},
		{"sync off", "setup ", "sync-off"},
		{"sync status", "", "sync-status"},
	} {
		*asked = nil
		r := dormouse(t, home, strings.Fields(tt.args)...)
		want, err := os.ReadFile(filepath.Join("testdata", tt.page+".80.golden"))
		if err != nil {
			t.Fatal(err)
		}
		if r.code != exitOK || r.out != string(want) || strings.Join(*asked, "|") != tt.asks {
			t.Errorf("%s: %+v, asked %q", tt.args, r, *asked)
		}
	}
	if r := dormouse(t, home, "sync", "setup", "git@new:m.git"); r.code != exitFailure || !strings.Contains(r.err, "SHA256:abc") {
		t.Errorf("a new host: %+v", r)
	}
	if r := dormouse(t, home, "sync", "login", "https://host/m.git"); r.code != exitFailure || !strings.Contains(r.err, "no token") {
		t.Errorf("a login without a token: %+v", r)
	}
	if r := dormouse(t, home, "sync", "setup", "rewound:m"); r.code != exitFailure || !strings.Contains(r.err, "--restore") {
		t.Errorf("%+v", r)
	}
	*asked = nil
	if r := dormouse(t, home, "sync", "restore-remote"); r.code != exitFailure || !strings.Contains(r.err, testSync().Remote) || !strings.Contains(r.err, "--yes") || len(*asked) > 0 {
		t.Errorf("nobody agreed: %+v, asked %q", r, *asked)
	}
	if r := answering(t, home, "yes\n", "sync", "restore-remote"); r.code != exitOK || strings.Join(*asked, "|") != "restore "+testSync().Remote {
		t.Errorf("%+v, asked %q", r, *asked)
	}
	for args, want := range map[string]string{"rename laptop desk": "rename laptop desk", "retire laptop": "retire laptop ", "retire laptop --back": "return laptop "} {
		*asked = nil
		if r := dormouse(t, home, append([]string{"devices"}, strings.Fields(args)...)...); r.code != exitOK || strings.Join(*asked, "|") != want || !strings.Contains(r.out, "0a1b2c3d") {
			t.Errorf("devices %s: %+v, asked %q", args, r, *asked)
		}
	}
	if r := dormouse(t, home, "sync", "status", "--json"); r.code != exitOK || !strings.Contains(r.out, `"machines": 3`) {
		t.Errorf("%+v", r)
	}
}

func TestSyncCommandsAreExplainedAndSayWhenTheServiceIsOff(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	for args, want := range map[string]string{
		"sync setup": "setup takes the address", "sync setup a b": "setup takes the address", "sync now x": "no arguments", "sync of": "did you mean off",
		"sync status --x": "unknown flag",
	} {
		if r := dormouse(t, home, strings.Fields(args)...); r.code != exitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := dormouse(t, home, "sync", "setup", " "); r.code != exitUsage || !strings.Contains(r.err, "sync off") {
		t.Errorf("%+v", r)
	}
	for _, args := range []string{"sync now", "sync setup git@h:m", "sync status", "sync restore-remote", "sync off"} {
		if r := dormouse(t, home, strings.Fields(args)...); r.code != exitNotRunning || !strings.Contains(r.err, "dormouse up") {
			t.Errorf("%s: %+v", args, r)
		}
		name := strings.Fields(args)[1]
		r := dormouse(t, home, "sync", name, "--help")
		if r.code != exitOK || !strings.Contains(r.out, "Examples:") {
			t.Errorf("sync %s --help: %+v", name, r)
		}
		for line := range strings.Lines(r.out) {
			if len([]rune(line)) > 81 {
				t.Errorf("sync %s --help is too wide: %s", name, line)
			}
		}
	}
}

func TestFolderGivenAsRemoteBecomesAWholePath(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a:b"), 0o700); err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[string]string{
		"memory.git": filepath.Join(dir, "memory.git"), "./m": filepath.Join(dir, "m"), "../m": filepath.Join(filepath.Dir(dir), "m"), "a:b": filepath.Join(dir, "a:b"),
		"git@host:m.git": "git@host:m.git", "ssh://host/m": "ssh://host/m", "/srv/m.git": "/srv/m.git", " ": "",
	} {
		if got := address(arg, dir); got != want {
			t.Errorf("%q: %q, want %q", arg, got, want)
		}
	}
}
