package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/localapi"
	"dormouse/service/socket"
	"dormouse/store/memory"
)

// fake answers from the made-up memory and keeps what was asked.
type fake struct {
	asked     []string
	stop      context.CancelFunc
	tried     api.ModelTried
	costAsked api.CostQuery
	proxy     string // how it is switched; empty is on
}

func (f *fake) note(format string, args ...any) {
	f.asked = append(f.asked, fmt.Sprintf(format, args...))
}

func (f *fake) backend() localapi.Backend {
	return localapi.Backend{
		Status: func(context.Context) (api.Status, error) { return testStatus(), nil },
		Sessions: func(_ context.Context, q api.SessionQuery) ([]api.Session, error) {
			f.note("sessions %+v", q)
			return testSessions(), nil
		},
		Session:  f.session,
		Projects: func(context.Context) ([]api.Project, error) { return testProjects(), nil },
		Timeline: func(_ context.Context, q api.TimelineQuery) (api.Timeline, error) {
			f.note("timeline %+v", q)
			return testTimeline(), nil
		},
		Graph: func(_ context.Context, q api.GraphQuery) (api.Graph, error) {
			f.note("graph %+v", q)
			if q.Entity == "open" {
				return api.Graph{}, &api.Error{Code: api.CodeAmbiguous, Message: "\"open\" may be several entities", Candidates: []string{"file.open.go", "tool.\x1b[31mopen"}}
			}
			return testGraph(), nil
		},
		Search: func(_ context.Context, q api.SearchQuery) (api.Search, error) {
			f.note("search %+v", q)
			return testSearch(), nil
		},
		When: func(_ context.Context, q api.WhenQuery) (api.When, error) {
			f.note("when %+v", q)
			return testWhen(q)
		},
		Core: func(_ context.Context, project string) (api.Core, error) {
			f.note("core %s", project)
			if project == "/nowhere" {
				return api.Core{}, &api.Error{Code: api.CodeNotFound, Message: "no such project"}
			}
			return testCore(), nil
		},
		Night: func(_ context.Context, kind string) (api.Night, error) {
			f.note("night %s", kind)
			return testNights()[0], nil
		},
		Nights: func(_ context.Context, limit int) ([]api.Night, error) {
			f.note("nights %d", limit)
			return testNights()[:min(limit, 2)], nil
		},
		SleepPlan: func(context.Context) (api.SleepPlan, error) { return testSleepPlan(), nil },
		Cost:      func(_ context.Context, q api.CostQuery) (api.Cost, error) { f.costAsked = q; return testCost(), nil },
		TryModel:  func(context.Context) (api.ModelTried, error) { return f.tried, nil },
		Stop:      func(context.Context) error { f.stop(); return nil },
		Proxy: func(_ context.Context, client string) (api.Proxy, error) {
			f.note("proxy %s", client)
			return testProxy(f.proxy, client), nil
		},
		Objects: f.objects,
		RecordProxy: func(_ context.Context, file string, limit int64) (api.Proxy, error) {
			f.note("record %s %d", file, limit)
			x := testProxy(f.proxy, "")
			x.Recording = &api.ProxyRecording{File: file, On: file != "", Ended: "you ended it"}
			return x, nil
		},
		SwitchProxy: func(_ context.Context, to string) (api.Proxy, error) {
			f.note("switch proxy %s", to)
			f.proxy = to
			return testProxy(to, ""), nil
		},
		Pause: func(_ context.Context, until int64) (api.Status, error) {
			f.note("pause %d", until)
			return api.Status{PausedUntil: until}, nil
		},
		Rename: func(_ context.Context, id, title string) (api.Session, error) {
			return f.act("rename " + id + " " + title)
		},
		Pin: func(_ context.Context, id string, on bool) (api.Session, error) {
			return f.act(fmt.Sprintf("pin %s %v", id, on))
		},
		Delete: func(_ context.Context, id string) (api.Session, error) {
			f.note("delete %s", id)
			return deletedSession(), nil
		},
		Undelete: func(_ context.Context, id string) (api.Session, error) { return f.act("undelete " + id) },
		Thaw: func(_ context.Context, id string) (api.Thawed, error) {
			s, err := f.act("thaw " + id)
			return api.Thawed{Session: s, Dir: "/home/robin/.dormouse/sessions/" + id}, err
		},
		SessionCommits: func(_ context.Context, id string) (api.SessionCommits, error) {
			f.note("commits %s", id)
			return testCommitsOf(), nil
		},
		SessionBranches: func(_ context.Context, id string) (api.SessionBranches, error) {
			f.note("branches %s", id)
			if id != testSessions()[0].ID {
				return api.SessionBranches{}, &api.Error{Code: api.CodeNotFound, Message: "no session " + id}
			}
			return testBranches(), nil
		},
		SessionContext: func(_ context.Context, id string, turn int) (api.Context, error) {
			f.note("context %s %d", id, turn)
			if id != testSessions()[0].ID {
				return api.Context{}, &api.Error{Code: api.CodeNotFound, Message: "no session " + id}
			}
			return testContext(), nil
		},
		Switch: func(_ context.Context, id, node string) (api.Session, error) {
			return f.act("switch " + id + " " + node)
		},
		Review: func(_ context.Context, project string, limit int) (api.Review, error) {
			f.note("review %s %d", project, limit)
			return testReview(), nil
		},
		Decide: func(_ context.Context, q api.Decide) (api.Decided, error) {
			f.note("decide %+v", q)
			return testDecided(), nil
		},
		Decisions: func(_ context.Context, q api.DecisionQuery) (api.Decisions, error) {
			f.note("decisions %+v", q)
			return testDecisions(), nil
		},
		Facts: func(_ context.Context, q api.FactQuery) (api.Facts, error) {
			f.note("facts %+v", q)
			return testFacts(), nil
		},
		Tags: func(_ context.Context, q api.TagQuery) (api.Tags, error) {
			f.note("tags %+v", q)
			return testTags(), nil
		},
		File:   f.file,
		Bind:   f.binding("bind"),
		Unbind: f.binding("unbind"),
		RenameProject: func(_ context.Context, what, name string) (api.Project, error) {
			f.note("rename %s to %q", what, name)
			return api.Project{ID: "p1", Name: "The shop", Path: "/srv/shop"}, nil
		},
	}
}

// act is what becomes of a session.
func (f *fake) act(what string) (api.Session, error) {
	f.note("%s", what)
	return testSessions()[0], nil
}

func (f *fake) binding(verb string) func(context.Context, string) (api.Project, error) {
	return func(_ context.Context, what string) (api.Project, error) {
		f.note("%s %s", verb, what)
		return testProjects()[0], nil
	}
}

func (f *fake) session(_ context.Context, q api.TranscriptQuery) (api.Transcript, error) {
	t, id, turn := testTranscript(), q.ID, q.Turn
	if id != t.Session.ID {
		return api.Transcript{}, &api.Error{Code: api.CodeNotFound, Message: fmt.Sprintf("no session %q", id)}
	}
	if turn == nil { // a turn at a time
		if *q.From == 0 {
			f.note("session %s", id)
		}
		at := max(*q.From, 1)
		if at < len(t.Turns) {
			next := at + 1
			t.Next = &next
		}
		t.Turns = t.Turns[at-1 : at]
		return t, nil
	}
	if *turn == 9 {
		return longTurn(), nil
	}
	if *turn < 1 || *turn > 2 {
		return api.Transcript{}, &api.Error{Code: api.CodeNotFound, Message: fmt.Sprintf("session %s has no turn %d", id, *turn)}
	}
	f.note("session %s turn %d", id, *turn)
	t.Turns = t.Turns[*turn-1 : *turn]
	return t, nil
}

// serve runs a service over the made-up memory on a state folder's real socket.
func serve(t *testing.T, home string) *fake {
	t.Helper()
	ln, err := socket.Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &fake{stop: cancel}
	done := make(chan error, 1)
	go func() {
		done <- localapi.New(localapi.Options{Backend: f.backend(), Grace: time.Millisecond}).Run(ctx, ln)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return f
}

type result struct {
	code     int
	out, err string
}

// dormouse runs one command line in this process.
func dormouse(t *testing.T, home string, args ...string) result {
	t.Helper()
	return answering(t, home, "", args...)
}

// answering is dormouse with what the person types.
func answering(t *testing.T, home, typed string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	env := map[string]string{"DORMOUSE_HOME": home, "HOME": "/home/robin"}
	code := run(t.Context(), args, Params{Stdin: strings.NewReader(typed), Stdout: &out, Stderr: &errs, Width: 80,
		Env: func(k string) string { return env[k] }, Dir: "/home/robin/code", Now: func() time.Time { return testNow }})
	return result{code, out.String(), errs.String()}
}

func TestCommandsAskTheServiceAndPrintItsAnswer(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serve(t, home)
	tests := []struct {
		args  string
		page  string // golden that is printed
		asked string
	}{
		{"status", "status", ""},
		{"sessions --project p --agent codex --limit 3", "sessions", "sessions {Project:p Agent:codex Limit:3 Deleted:false}"},
		{"show cc_1a2b3c4d", "show", "session cc_1a2b3c4d"},
		{"show cc_1a2b3c4d --full", "show-full", "session cc_1a2b3c4d"},
		{"show cc_1a2b3c4d --turn 2", "show-turn", "session cc_1a2b3c4d turn 2"},
		{"show cc_1a2b3c4d --node n12", "show-turn", "session cc_1a2b3c4d"},
		{"show cc_1a2 --turn 2", "show-turn", "session cc_1a2b3c4d turn 2"},
		{"show CC_1A2", "show", "session cc_1a2b3c4d"},
		{"show 1f0c3", "show", "session cc_1a2b3c4d"},
		{"timeline --since 2026-05 --until 2026-05-04 --entity e --project p", "timeline",
			fmt.Sprintf("timeline {Since:%d Until:%d Entity:e Tag: Project:p Kinds:[] Superseded:false Limit:30 AsOf:{Event:0 Known:0} For:}", unix("2026-05-01 00:00"), unix("2026-05-05 00:00"))},
		{"graph file.store/index/open.go --hops 2", "graph", "graph {Entity:file.store/index/open.go Hops:2 Project: AsOf:{Event:0 Known:0} For:}"},
		{"search \"index\" flaky --kinds event,turn", "search", "search {Words:\"index\" flaky Project: Kinds:[event turn] Limit:10 For: Every:false Explain:false Tag: Sessions:false}"},
		{"search x --tag sync --sessions", "search", "search {Words:x Project: Kinds:[] Limit:10 For: Every:false Explain:false Tag:sync Sessions:true}"},
		{"core --project p1", "core", "core p1"},
		{"projects", "projects", ""},
		{"sleep", "sleep", "night now"},
		{"sleep now", "sleep", "night now"},
		{"sleep light", "sleep", "night light"},
		{"sleep --last", "night", "nights 1"},
		{"sleep --last 2", "nights", "nights 2"},
		{"sleep --last=2", "nights", "nights 2"},
		{"sleep --dry-run", "sleep-plan", ""},
		{"bind /srv/shop/", "bound", "bind /srv/shop"},
		{"bind sub/..", "bound", "bind /home/robin/code"},
		{"unbind dormouse", "unbound", "unbind dormouse"},
		{"unbind ..", "unbound", "unbind /home/robin"},
		{"project rename webshop dormouse", "project-renamed", "rename dormouse to \"webshop\""},
		{"pause tomorrow", "paused", fmt.Sprintf("pause %d", unix("2026-05-05 00:00"))},
		{"pause 330m", "paused", fmt.Sprintf("pause %d", unix("2026-05-05 00:00"))},
		{"pause 2026-05-05", "paused", fmt.Sprintf("pause %d", unix("2026-05-05 00:00"))},
		{"pause indefinitely", "paused-on", "pause -1"},
		{"resume", "resumed", "pause 0"},
		{"rename cc_1a2 The flaky test", "changed", "rename cc_1a2b3c4d The flaky test"},
		{"pin cc_1a2", "changed", "pin cc_1a2b3c4d true"},
		{"pin cc_1a2 --off", "changed", "pin cc_1a2b3c4d false"},
		{"show cc_1a2 --branches", "branches", "branches cc_1a2b3c4d"},
		{"show cc_1a2 --turn 2 --context", "context", "context cc_1a2b3c4d 2"},
		{"switch cc_1a2 retry-a7", "changed", "switch cc_1a2b3c4d a7c"},
		{"switch cc_1a2 n5", "changed", "switch cc_1a2b3c4d n5"},
		{"open 1f0c3", "thawed", "thaw cc_1a2b3c4d"},
		{"delete cc_1a2 --yes", "deleted", "delete cc_1a2b3c4d"},
		{"delete cc_1a2 --undo", "undeleted", "undelete cc_1a2b3c4d"},
	}
	for _, tt := range tests {
		f.asked = nil
		r := dormouse(t, home, strings.Fields(tt.args)...)
		want, err := os.ReadFile(filepath.Join("testdata", tt.page+".80.golden"))
		if err != nil {
			t.Fatal(err)
		}
		if r.code != exitOK || r.out != string(want) {
			t.Errorf("%s: code %d, %s\n%s", tt.args, r.code, r.err, r.out)
		}
		if tt.asked != "" && (len(f.asked) == 0 || f.asked[len(f.asked)-1] != tt.asked) {
			t.Errorf("%s asked %q, want %q", tt.args, f.asked, tt.asked)
		}
	}
}

func TestJSONIsTheServicesAnswerAndOneDocument(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	serve(t, home)
	for args, want := range map[string]any{
		"status": testStatus(), "sessions": testSessions(), "projects": testProjects(), "timeline": testTimeline(), "show cc_1a2b3c4d": testTranscript(),
		"graph x": testGraph(), "search x": testSearch(), "core": testCore(), "sleep": testNights()[0], "sleep --last 2": testNights(), "sleep --dry-run": testSleepPlan(), "sleep now": testNights()[0],
	} {
		r := dormouse(t, home, append(strings.Fields(args), "--json")...)
		b, err := memory.Encode(want)
		if err != nil {
			t.Fatal(err)
		}
		wanted, err := memory.Canonical(b)
		if err != nil {
			t.Fatal(err)
		}
		dec := json.NewDecoder(strings.NewReader(r.out))
		var got json.RawMessage
		if err := dec.Decode(&got); err != nil || dec.More() || r.code != exitOK || r.err != "" {
			t.Fatalf("%s: %d %v %s", args, r.code, err, r.err)
		}
		if got, err := memory.Canonical(got); err != nil || string(got) != string(wanted) {
			t.Errorf("%s:\n%s\nwant\n%s", args, got, wanted)
		}
	}
	if r := dormouse(t, home, "version", "--json"); r.code != exitOK || !json.Valid([]byte(r.out)) {
		t.Errorf("version: %+v", r)
	}
}

func TestWithoutTheServiceEveryCommandSaysHowToStartIt(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	for _, args := range []string{"status", "sessions", "show cc_1", "timeline", "graph x", "search x", "core", "projects", "sleep", "bind /", "unbind x", "pause", "resume", "stop", "status --json"} {
		r := dormouse(t, home, strings.Fields(args)...)
		if r.code != exitNotRunning || r.out != "" || !strings.Contains(r.err, "dormouse up") || !strings.Contains(r.err, home) {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

func TestTheDemoIsUsedWhereOnlyItRunsAndThatIsSaid(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	serve(t, home+"-demo")
	r := dormouse(t, home, "projects")
	if r.code != exitOK || r.err != "demo memory: "+home+"-demo\n" || !strings.Contains(r.out, "webshop-frontend") {
		t.Errorf("%+v", r)
	}
	serve(t, home)
	if r := dormouse(t, home, "projects"); r.code != exitOK || r.err != "" {
		t.Errorf("beside the person's own: %+v", r)
	}
}

func TestAWrongCommandLineIsExplained(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	for args, want := range map[string]string{
		"timelin":                  `there is no command "timelin"; did you mean timeline?`,
		"frobnicate":               `there is no command "frobnicate"`,
		"status now":               "status takes no arguments, not 1",
		"status --verbose":         "unknown flag: --verbose",
		"show":                     "show takes the id of one session, not 0",
		"show a b":                 "show takes the id of one session, not 2",
		"show a --turn x":          "invalid argument \"x\" for \"-t, --turn\"",
		"show a --turn -1":         "--turn has to be 0 or more",
		"show a --turn 1 --node x": "exclude each other",
		"timeline --since soon":    `--since: "soon" is not a time; use a month (2026-05), a day`,
		"timeline --until 2026-13": `--until: "2026-13" is not a time`,
		"timeline --since 2026-05 --until 2026-04": "--since 2026-05 has to be before --until 2026-04",
		"timeline --limit 0":                       "--limit has to be 1 or more",
		"sessions --limit -1":                      "--limit has to be 0 (for all) or more",
		"search":                                   "search takes the words to look for",
		"search x --limit 0":                       "--limit has to be 1 or more",
		"search x --sessions --explain":            "--sessions goes with neither --every-word nor --explain",
		"graph":                                    "graph takes the id or name",
		"bind":                                     "bind takes the path of one folder, not 0",
		"unbind a b":                               "unbind takes the name, id or folder of one project, not 2",
		"pause 1h 2h":                              "pause takes at most one argument: how long",
		"pause soon":                               `"soon" is no time; say how long (30m, 8h, 2d)`,
		"pause 2026-05-01":                         `"2026-05-01" lies in the past`,
		"pause yesterday":                          `"yesterday" lies in the past`,
		"resume now":                               "resume takes no arguments, not 1",
		"graph x --hops 9":                         "--hops has to be a number from 1 to 5",
	} {
		r := dormouse(t, home, strings.Fields(args)...)
		if r.code != exitUsage || r.out != "" || !strings.Contains(r.err, want) || !strings.Contains(r.err, "--help") {
			t.Errorf("%s: %+v", args, r)
		}
	}
	for _, args := range [][]string{{"search", " "}, {"graph", " "}} {
		if r := dormouse(t, home, args...); r.code != exitUsage {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

func TestRefusalsOfTheServiceAreFailuresWithTheirCandidates(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	serve(t, home)
	for args, want := range map[string]string{
		"graph open":            "dormouse: \"open\" may be several entities\n  file.open.go\n  tool.open\n",
		"show cc_1a":            "dormouse: \"cc_1a\" may be any of 2 sessions; give more of its id\n  cc_1a2b3c4d Fix the flaky index test and explain why it failed only on slow machines\n  cc_1a99ffff\n",
		"show zz":               "dormouse: no session \"zz\"; dormouse sessions lists them\n",
		"show 1f0":              "dormouse: no session \"1f0\"; dormouse sessions lists them\n", // too short for an agent's own id
		"show cc_1a2b3c4d -t 8": "dormouse: session cc_1a2b3c4d has no turn 8\n",
		"show cc_1a2 -t 8":      "dormouse: session cc_1a2b3c4d has no turn 8\n",
		"show cc_1a2 --node zz": "dormouse: session cc_1a2b3c4d has no node \"zz\"\n",
		"search x --kinds page": "dormouse: kinds has to be some of event,entity,fact,turn,segment,tag_summary, not \"page\"\n",
	} {
		if r := dormouse(t, home, strings.Fields(args)...); r.code != exitFailure || r.err != want || r.out != "" {
			t.Errorf("%s: %+v\nwant %s", args, r, want)
		}
	}
}

func TestStopWaitsUntilTheServiceIsGone(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	serve(t, home)
	if r := dormouse(t, home, "stop"); r.code != exitOK || r.out != "Dormouse has stopped ("+home+").\n" {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "status"); r.code != exitNotRunning {
		t.Errorf("after stop: %+v", r)
	}
}

func TestAnInterruptedCommandSaysSo(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	ln, err := socket.Listen(home) // takes connections and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close() //nolint:errcheck // test
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if conn, err := ln.Accept(); err == nil { // the look whether it runs
			_ = conn.Close()
		}
		if conn, err := ln.Accept(); err == nil { // the question
			defer conn.Close() //nolint:errcheck // test
			cancel()
			<-t.Context().Done()
		}
	}()
	var errs bytes.Buffer
	code := run(ctx, []string{"status"}, Params{Stdout: &errs, Stderr: &errs, Now: time.Now, Env: func(k string) string {
		return map[string]string{"DORMOUSE_HOME": home}[k]
	}})
	if code != exitFailure || errs.String() != "dormouse: interrupted\n" {
		t.Errorf("%d %q", code, errs.String())
	}
}

func TestEveryCommandHelpsWithAnExample(t *testing.T) {
	root := newRootCommand(Params{Env: os.Getenv, Now: time.Now})
	for _, cmd := range root.Commands() {
		if cmd.Example == "" || cmd.Short == "" {
			t.Errorf("%s has no example or no summary", cmd.Name())
		}
		r := dormouse(t, t.TempDir(), cmd.Name(), "--help")
		if r.code != exitOK || !strings.Contains(r.out, "Examples:") {
			t.Errorf("%s --help: %+v", cmd.Name(), r)
		}
		for line := range strings.Lines(r.out) {
			if len([]rune(line)) > 81 {
				t.Errorf("%s --help is too wide: %s", cmd.Name(), line)
			}
		}
	}
	if r := dormouse(t, t.TempDir()); r.code != exitOK || !strings.Contains(r.out, "Available Commands:") {
		t.Errorf("no command: %+v", r)
	}
}
