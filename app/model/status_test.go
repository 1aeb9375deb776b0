package model

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/store/memory"
)

func fullStatus() api.Status {
	return api.Status{Home: "/home/robin/.dormouse", Machine: "1a2b3c4d", PID: 42, StartedAt: at("2026-05-04 08:12"), Phase: "idle",
		NextSleep: at("2026-05-05 03:00"),
		Parts:     []api.Part{{Name: "capture", State: "ok"}, {Name: "index", State: "busy", Doing: "3 of 12 sessions"}, {Name: "sync", State: "off"}},
		Agents: []api.Agent{{Name: "claude-code", Found: true, Roots: []string{"/home/robin/.claude/projects"}, Sessions: 800, Nodes: 80100, Bytes: 412_345_678, LastSeen: at("2026-05-04 18:27")},
			{Name: "codex", Roots: []string{"/opt/codex"}}},
		Counts:    api.Counts{Sessions: 1204, Turns: 1, Projects: 12, Events: 5120, Entities: 2931, Edges: 1, Redacted: 14, Invalid: 2},
		Backlog:   api.Backlog{Open: 2, Waiting: 3, Index: 9},
		LastSleep: &memory.Run{Ended: at("2026-05-04 03:02"), CostMicros: 41_000, Counts: memory.RunCounts{Sessions: 4, Events: 51, Entities: 30, Edges: 1, Superseded: 3, Refused: 2}},
		Skipped:   []api.SkipReason{{Agent: "codex", Reason: "no valid JSON.", Count: 1204, Places: []string{"/home/robin/a.jsonl:1", "b:2", "c:3", "d:4"}}},
		Problems:  []string{"cc_1 waits\x1b[31m"}}
}

func TestTheStatusPageSaysHowTheServiceIs(t *testing.T) {
	p := presenter(&fake{status: fullStatus()}).Status(t.Context())
	want := StatusPage{
		Title: "Awake", Detail: "No agent is at work. Watching Claude Code.", Tone: Good,
		Figures: []Figure{{"1,204", "sessions"}, {"1", "turn"}, {"12", "projects"}, {"5,120", "memories"}, {"2,931", "entities"}, {"1", "relation"}},
		Sleep: []Fact{{Label: "Last sleep", Text: "today 03:02, 15 hours ago"},
			{Label: "It gave", Text: "51 memories, 30 entities and 1 relation from 4 sessions, 3 replaced by newer ones, 2 refused, for $0.04"},
			{Label: "Next sleep", Text: "tomorrow 03:00, 8 hours from now"},
			{Label: "Waiting", Text: "2 sessions still going on, 3 for sleep, 9 for the search index"}},
		Sync: []Fact{{Label: "State", Text: "Off. To carry the memory to another machine: dormouse sync setup URL", Tone: Off}},
		Parts: []Part{{Name: "Capture", About: "keeps what your agents write", State: "OK", Tone: Good},
			{Name: "Search", About: "makes everything findable", State: "Busy", Tone: Busy, Doing: "3 of 12 sessions."},
			{Name: "Sync", About: "exchanges memories with your other machines", State: "Off", Tone: Off}},
		Agents:   []Agent{{Name: "Claude Code", Numbers: "800 sessions · 80,100 messages and calls · 412 MB read", Seen: "3 minutes ago", Folders: []string{"~/.claude/projects"}}},
		Absent:   "Not on this machine: Codex.",
		Skipped:  []Skip{{Text: "Codex: no valid JSON, 1,204 times", Places: []string{"~/a.jsonl:1", "b:2", "c:3"}}},
		Problems: []string{"cc_1 waits"},
		Foot: []Fact{{Label: "Memory", Text: "~/.dormouse"}, {Label: "Running since", Text: "today 08:12, 10 hours ago"}, {Label: "This machine", Text: "1a2b3c4d · process 42"},
			{Label: "Secrets", Text: "14 replaced before anything was written"},
			{Label: "Unreadable", Tone: Warn, Text: "2 folders among the sessions without a readable meta.json"}},
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got\n%+v\nwant\n%+v", p, want)
	}
}

func TestTheHeadlineNamesWhatMattersMost(t *testing.T) {
	amber := api.Part{Name: "capture", State: "amber", Failed: 3, Failure: "the disk is full: free some space"}
	for name, tt := range map[string]struct {
		s     api.Status
		title string
		say   string
		tone  Tone
	}{
		"nothing":      {api.Status{}, "Awake", "No agent was found on this machine yet.", Good},
		"working":      {api.Status{Phase: "active"}, "Awake", "An agent is at work", Good},
		"asleep":       {api.Status{Phase: "asleep"}, "Asleep", "Learning", Asleep},
		"distilling":   {api.Status{Phase: "idle", Parts: []api.Part{{Name: "sleep", State: "busy", Doing: "distilling"}}}, "Asleep", "Learning", Asleep},
		"paused":       {api.Status{PausedUntil: at("2026-05-04 19:30"), Phase: "asleep"}, "Paused", "until today 19:30", Off},
		"for good":     {api.Status{PausedUntil: api.Indefinitely}, "Paused", "until you go on", Off},
		"pause over":   {api.Status{PausedUntil: at("2026-05-04 18:00")}, "Awake", "", Good},
		"trouble":      {api.Status{Parts: []api.Part{amber}, PausedUntil: api.Indefinitely}, "In trouble", "Capture failed 3 times in a row: The disk is full: free some space.", Warn},
		"three agents": {api.Status{Agents: []api.Agent{{Name: "codex", Found: true}, {Name: "goose", Found: true}, {Name: "own", Found: true}}}, "Awake", "Watching Codex, Goose and own.", Good},
	} {
		p := presenter(&fake{status: tt.s}).Status(t.Context())
		if p.Title != tt.title || !strings.Contains(p.Detail, tt.say) || p.Tone != tt.tone {
			t.Errorf("%s: %s, %s (%d)", name, p.Title, p.Detail, p.Tone)
		}
	}
}

func TestANewMemorySaysWhatToDo(t *testing.T) {
	p := presenter(&fake{status: api.Status{Demo: true, Agents: []api.Agent{{Name: "codex", Found: true}}}}).Status(t.Context())
	if p.Empty == nil || p.Demo == "" || p.Agents[0].Numbers != "No session yet" || p.Sleep[0].Text != "Not yet" || p.Sleep[1].Text != "nothing" {
		t.Errorf("%+v", p)
	}
	full := presenter(&fake{status: api.Status{Counts: api.Counts{Sessions: 1}}}).Status(t.Context())
	if full.Empty != nil || full.Demo != "" || full.Sleep[1].Text != "nothing; all that was captured was learned from" {
		t.Errorf("%+v", full)
	}
}

func TestAPartInTroubleSaysHowOftenAndSinceWhen(t *testing.T) {
	w := style{now: now}
	for _, tt := range []struct {
		part    api.Part
		state   string
		tone    Tone
		history string
	}{
		{api.Part{Name: "x", State: "ok", Failed: 1, Failure: "no room"}, "Trying again", Busy, "Failed 1 time in a row; it has not worked yet."},
		{api.Part{Name: "x", State: "amber", Failed: 3, LastOK: at("2026-05-04 18:00")}, "In trouble", Warn, "Failed 3 times in a row; it worked last today 18:00, 30 minutes ago."},
		{api.Part{Name: "x", State: "strange"}, "strange", Plain, ""},
	} {
		if p := w.part(tt.part); p.State != tt.state || p.Tone != tt.tone || p.History != tt.history || p.Name != "x" {
			t.Errorf("%+v: %+v", tt.part, p)
		}
	}
}

func TestSyncSaysWhereToAndHowItGoes(t *testing.T) {
	w := style{now: now}
	facts := w.sync(api.Sync{Remote: "git@host:m.git", Machines: 2, Failed: 2, Failure: "the remote refused us: check its key"})
	if len(facts) != 4 || facts[1].Text != "not yet" || facts[2].Text != "2 share this memory" || facts[3].Tone != Warn || !strings.Contains(facts[3].Text, "2 times in a row: The remote") {
		t.Errorf("%+v", facts)
	}
	if facts := w.sync(api.Sync{Remote: "x"}); len(facts) != 2 {
		t.Errorf("%+v", facts)
	}
	if facts := w.sync(api.Sync{Remote: "x", LastOK: at("2026-05-04 18:00"), Machines: 1}); len(facts) != 3 || facts[2].Text != "this one alone so far" || !strings.Contains(facts[1].Text, "30 minutes ago") {
		t.Errorf("%+v", facts)
	}
}

func TestAServiceThatDoesNotAnswerIsSaidOnEveryPage(t *testing.T) {
	for name, tt := range map[string]struct {
		err    error
		title  string
		start  bool
		detail bool
	}{
		"off":       {fmt.Errorf("%w (x)", client.ErrNotRunning), "Dormouse is not running", true, false},
		"hung":      {client.ErrHung, "Dormouse does not answer", false, true},
		"other":     {client.ErrVersion, "The window and the service are of different releases", false, true},
		"unknown":   {fmt.Errorf("odd\x1b[31m"), "That did not work", false, true},
		"elsewhere": {&api.Error{Code: api.CodeElsewhere, Message: "session cc_1 is not on this machine"}, "It is on another machine", false, false},
		"busy":      {&api.Error{Code: api.CodeBusy, Message: "indexing"}, "Dormouse is busy", false, false},
		"gone":      {&api.Error{Code: api.CodeNotFound, Message: "there is no session x"}, "It is not there any more", false, false},
	} {
		p := presenter(&fake{err: map[string]error{"": tt.err}})
		for page, got := range map[string]*Trouble{
			"status": p.Status(t.Context()).Trouble, "core": p.Core(t.Context(), "").Trouble, "projects": p.Projects(t.Context()).Trouble,
			"sessions": p.Sessions(t.Context()).Trouble, "session": p.Session(t.Context(), "cc_1").Trouble,
		} {
			if got == nil || got.Title != tt.title || got.Start != tt.start || (got.Detail != "") != tt.detail || got.Text == "" || strings.Contains(got.Detail, "\x1b") {
				t.Errorf("%s, %s: %+v", name, page, got)
			}
		}
	}
	if troubleOf(nil) != nil {
		t.Error("no error is trouble")
	}
	for _, call := range []string{"projects"} { // fails after another call went well
		p := presenter(&fake{err: map[string]error{call: client.ErrHung}})
		if p.Sessions(t.Context()).Trouble == nil {
			t.Errorf("%s fails and nobody says so", call)
		}
	}
	if p := presenter(&fake{err: map[string]error{"core": client.ErrHung}}); p.Core(t.Context(), "").Trouble == nil {
		t.Error("core fails and nobody says so")
	}
}
