package main

import (
	"encoding/json"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/store/memory"
)

func TestTimesAreReadInEveryFormThatIsSaid(t *testing.T) {
	at := func(s string) int64 { return unix(s) }
	tests := []struct {
		in    string
		since int64
		until int64
	}{
		{"2026", at("2026-01-01 00:00"), at("2027-01-01 00:00")},
		{"2026-05", at("2026-05-01 00:00"), at("2026-06-01 00:00")},
		{"2026-12", at("2026-12-01 00:00"), at("2027-01-01 00:00")},
		{"2026-05-01", at("2026-05-01 00:00"), at("2026-05-02 00:00")},
		{" Today ", at("2026-05-04 00:00"), at("2026-05-05 00:00")},
		{"yesterday", at("2026-05-03 00:00"), at("2026-05-04 00:00")},
		{"2026-05-01T14:00:00Z", at("2026-05-01 16:00"), at("2026-05-01 16:00")},
		{"2026-05-01T14:00", at("2026-05-01 14:00"), at("2026-05-01 14:00")},
		{"2026-05-01 14:00", at("2026-05-01 14:00"), at("2026-05-01 14:00")},
		{"30m", at("2026-05-04 18:00"), at("2026-05-04 18:00")},
		{"12h", at("2026-05-04 06:30"), at("2026-05-04 06:30")},
		{"7d", at("2026-04-27 18:30"), at("2026-04-27 18:30")},
		{"2w", at("2026-04-20 18:30"), at("2026-04-20 18:30")},
		{"3mo", at("2026-02-04 18:30"), at("2026-02-04 18:30")},
		{"1Y", at("2025-05-04 18:30"), at("2025-05-04 18:30")},
		{"9999y", 1, 1},
	}
	for _, tt := range tests {
		since, err1 := parseTime(tt.in, testNow, false)
		until, err2 := parseTime(tt.in, testNow, true)
		if err1 != nil || err2 != nil || since != tt.since || until != tt.until {
			t.Errorf("%q: %d, %d (%v, %v), want %d, %d", tt.in, since, until, err1, err2, tt.since, tt.until)
		}
	}
	for _, bad := range []string{"", "soon", "2026-13", "2026-02-30", "7", "d7", "-7d", "7d ago", "05-01", "1900-01-01", "999999d"} {
		if n, err := parseTime(bad, testNow, false); err == nil {
			t.Errorf("%q is read as %d", bad, n)
		}
	}
}

func FuzzTimesArePositiveOrRefused(f *testing.F) {
	for _, s := range []string{"2026-05", "7d", "2026-05-01T14:00:00Z", "99999y", "0001-01-01", "today"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		since, err := parseTime(s, testNow, false)
		until, err2 := parseTime(s, testNow, true)
		if err == nil && (since <= 0 || err2 != nil || until < since) {
			t.Errorf("%q: %d, %d, %v", s, since, until, err2)
		}
	})
}

func TestTimesAreShownBothWays(t *testing.T) {
	v := viewOf(80)
	for in, want := range map[string][2]string{
		"2026-05-04 18:30": {"2026-05-04 18:30 (now)", "now"},
		"2026-05-04 18:25": {"2026-05-04 18:25 (5 minutes ago)", "5m"},
		"2026-05-04 21:30": {"2026-05-04 21:30 (3 hours from now)", "+3h"},
		"2026-05-03 18:00": {"2026-05-03 18:00 (1 day ago)", "1d"},
		"2026-01-04 18:30": {"2026-01-04 18:30 (4 months ago)", "4mo"},
		"2020-01-04 18:30": {"2020-01-04 18:30 (6 years ago)", "6y"},
	} {
		if got := [2]string{v.when(unix(in)), v.age(unix(in))}; got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	if v.when(0) != "at an unknown time" || v.age(0) != "" || v.stamp(0) != "" {
		t.Error("unknown time")
	}
}

func TestEveryRecordLeadsBackToItsTurn(t *testing.T) {
	p := memory.Provenance{SessionID: "cc_1", NodeIDs: []string{"0123"}}
	for want, got := range map[string]string{
		"dormouse show cc_1 --turn 0":    opener(p, 0, true),
		"dormouse show cc_1 --node 0123": opener(p, 0, false),
		"dormouse show cc_1":             opener(memory.Provenance{SessionID: "cc_1"}, 0, false),
		"":                               opener(memory.Provenance{}, 0, true),
		"dormouse graph 'error.it'\\''s; rm -rf'": openHit(api.Hit{What: "entity", ID: "error.it's; rm -rf"}),
		"dormouse show cc_1 --turn 3":             openHit(api.Hit{What: "turn", SessionID: "cc_1", Turn: 3, Nodes: []string{"0123"}}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAToolCallIsToldByItsMostTellingArgument(t *testing.T) {
	for in, want := range map[string]string{
		`{"command":"go test","description":"d"}`: "go test",
		`{"command":["bash","-lc","a && b"]}`:     "a && b",
		`{"cmd":["git","log"]}`:                   "git log",
		`{"file_path":"/w/a/b.go","limit":3}`:     "a/b.go",
		`{"path":"/w"}`:                           "/w",
		`{"path":"/code/x"}`:                      "/code/x",
		`{"pattern":"x","path":"/w/a"}`:           "a",
		`{"limit":3}`:                             `{"limit":3}`,
		`"*** Begin Patch"`:                       "*** Begin Patch",
		`{}`:                                      "",
		`null`:                                    "",
		``:                                        "",
		`[1]`:                                     "[1]",
	} {
		if got := subject(&memory.Node{Input: json.RawMessage(in)}, "/w"); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{`{"b":"x\ny\n","a":1}`: "a: 1\nb:\nx\ny", `"p\n"`: "p", `[1]`: "[1]", `null`: "", `{}`: ""} {
		if got := pretty(json.RawMessage(in)); got != want {
			t.Errorf("pretty %s: %q, want %q", in, got, want)
		}
	}
}

func TestTheOutcomeOfACallIsSaidShortly(t *testing.T) {
	for want, m := range map[string]memory.Metadata{
		"ok · 2 B":                {},
		"no result":               {Status: memory.StatusPending},
		"interrupted · 2 B":       {Status: memory.StatusInterrupted},
		"failed · 2 B":            {Status: memory.StatusError},
		"exit 0 · 1m0s · 2 B":     {ExitCode: exit(0), DurationMS: 60_000},
		"exit 2 · 2 B":            {ExitCode: exit(2), Status: memory.StatusError},
		"ok · +1,200 −3 · 5.0 MB": {Edits: []memory.Edit{{Added: 1000}, {Added: 200, Removed: 3}}, Clipped: &memory.Clipped{Bytes: 5_000_000}},
	} {
		if got := outcome(&memory.Node{Output: "ok", Metadata: m}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWhatIsUnusualInASessionIsShown(t *testing.T) {
	session := api.Session{Session: memory.Session{ID: "cc_1", Agent: "claude-code", ForkOf: "0199", CreatedAt: unix("2026-05-01 23:00"), UpdatedAt: unix("2026-05-02 01:00")}}
	nodes := []memory.Node{
		{Role: memory.RoleUser, Output: "remembered", Metadata: memory.Metadata{Kind: memory.KindInjected}},
		{Role: memory.RoleUser, Output: "noted", Metadata: memory.Metadata{Kind: memory.KindPage}},
		{Role: memory.RoleUser, Output: "p", Metadata: memory.Metadata{Kind: memory.KindPrompt, Undone: 2, Clipped: &memory.Clipped{Bytes: 9_000_000}}},
		{Role: memory.RoleAssistant, Metadata: memory.Metadata{Status: memory.StatusError}},
	}
	got := strings.Join(formatTranscript(viewOf(80), api.Transcript{Session: session, Turns: []api.Turn{{Nodes: nodes}}}), "\n")
	for _, want := range []string{"Fork of     0199", "2026-05-01 23:00 to 2026-05-02 01:00 (2 days ago)", "Before the first prompt", "from Dormouse: remembered", "on a page of its memory: noted",
		"The 2 turns before this one were taken back.", "it was 9.0 MB long", "ended with an error"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestTheBuildIsNamed(t *testing.T) {
	info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}}}
	if got := formatBuild(buildOf(info))[0]; !strings.HasPrefix(got, "dormouse v1.2.3 · commit 0123456789ab · go") {
		t.Error(got)
	}
	if got := buildOf(nil).Version; got != "development build" {
		t.Error(got)
	}
}

func TestTheSystemsParametersAreUsable(t *testing.T) {
	t.Setenv("COLUMNS", "97")
	p := systemParams()
	if p.Stdout == nil || p.Now().IsZero() || !p.Terminal && p.Width != 97 {
		t.Errorf("%+v", p)
	}
	for path, want := range map[string]string{"/home/robin": "~", "/home/robin/x": "~/x", "/home/robina/x": "/home/robina/x", "x\ny": "x y"} {
		if got := viewOf(80).path(path); got != want {
			t.Errorf("%q: %q", path, got)
		}
	}
	env := map[string]string{"NO_COLOR": "1", "USERPROFILE": "/u"}
	if v := (Params{Terminal: true, Env: func(k string) string { return env[k] }, Now: time.Now}).view(); v.On || v.user != "/u" {
		t.Errorf("%+v", v)
	}
}

func TestJSONOnATerminalIsHarmless(t *testing.T) {
	var out strings.Builder
	a := &app{Params: Params{Stdout: &out}}
	if err := a.printJSON(map[string]string{"a": "\u009b2J\x1b[2J <b>"}); err != nil {
		t.Fatal(err)
	}
	if want := "{\n  \"a\": \"\\u009b2J\\u001b[2J <b>\"\n}\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
