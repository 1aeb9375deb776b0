package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/store/memory"
)

var update = flag.Bool("update", false, "write the golden files")

func viewOf(width int) view { return view{now: testNow, width: width, user: "/home/robin"} }

// pages are all answers, formatted.
var pages = map[string]func(view) []string{
	"status": func(v view) []string { return formatStatus(v, testStatus()) },
	"status-new": func(v view) []string {
		return formatStatus(v, api.Status{Home: "/home/robin/.dormouse-demo", Demo: true, StartedAt: testNow.Unix()})
	},
	"sessions":        func(v view) []string { return formatSessions(v, api.SessionQuery{Limit: 3}, testSessions()) },
	"sessions-none":   func(v view) []string { return formatSessions(v, api.SessionQuery{}, nil) },
	"sessions-no-fit": func(v view) []string { return formatSessions(v, api.SessionQuery{Agent: "x"}, nil) },
	"sessions-special": func(v view) []string {
		list := testSessions()
		list[0].Pinned, list[1].Missing = true, api.MissingAway
		return formatSessions(v, api.SessionQuery{}, list)
	},
	"sessions-deleted": func(v view) []string {
		return formatSessions(v, api.SessionQuery{Deleted: true}, []api.Session{deletedSession()})
	},
	"sessions-none-deleted": func(v view) []string { return formatSessions(v, api.SessionQuery{Deleted: true}, nil) },
	"show-deleted":          func(v view) []string { return formatTranscript(v, api.Transcript{Session: deletedSession()}) },
	"timeline-deleted": func(v view) []string {
		t := testTimeline()
		t.Missing = map[string]string{t.Events[0].Provenance.SessionID: api.MissingDeleted}
		return formatTimeline(v, api.TimelineQuery{}, namesOf(testProjects()), t)
	},
	"graph-deleted": func(v view) []string {
		g := testGraph()
		g.Missing = map[string]string{g.Center.Provenance.SessionID: api.MissingDeleted}
		return formatGraph(v, namesOf(testProjects()), g)
	},
	"search-deleted": func(v view) []string {
		s := testSearch()
		for i := range s.Hits {
			s.Hits[i].Missing = api.MissingElsewhere
		}
		return formatSearch(v, api.SearchQuery{Words: "index"}, namesOf(testProjects()), s)
	},
	"core-deleted": func(v view) []string {
		c := testCore()
		for line := range strings.Lines(c.Text) {
			if _, id, ok := strings.Cut(line, pointerSign); ok {
				c.Pointers = append(c.Pointers, api.Pointer{SessionID: strings.TrimSpace(id), Missing: api.MissingDeleted})
			}
		}
		return formatCore(v, c)
	},
	"changed":  func(v view) []string { return formatChanged(v, testSessions()[0]) },
	"branches": func(v view) []string { return formatBranches(v, testBranches()) },
	"context":  func(v view) []string { return formatContext(v, testContext()) },
	"thawed": func(v view) []string {
		return formatThawed(v, api.Thawed{Session: testSessions()[0], Dir: "/home/robin/.dormouse/sessions/cc_1a2b3c4d"})
	},
	"deleted":   func(v view) []string { return formatDeleted(v, deletedSession()) },
	"undeleted": func(v view) []string { return formatDeleted(v, testSessions()[0]) },
	"undeleted-later": func(v view) []string {
		s := testSessions()[0]
		s.Missing, s.Reason = api.MissingElsewhere, "it is captured again as soon as its agent's transcript is there"
		return formatDeleted(v, s)
	},
	"status-packed": func(v view) []string {
		s := testStatus()
		s.Counts.Away, s.Counts.Deleted = 2, 1
		s.Packing = api.Packing{Waiting: 12, Packed: 40, Freed: 81_000_000, Files: 13_400, Bytes: 612_000_000, Cold: 1100}
		return formatStatus(v, s)
	},
	"projects":      func(v view) []string { return formatProjects(v, testProjects()) },
	"projects-none": func(v view) []string { return formatProjects(v, nil) },
	"show":          func(v view) []string { return formatTranscript(v, testTranscript()) },
	"show-full":     func(v view) []string { v.full = true; return formatTranscript(v, testTranscript()) },
	"show-turn": func(v view) []string {
		t := testTranscript()
		t.Turns = t.Turns[1:]
		return formatTranscript(v, t)
	},
	"show-empty": func(v view) []string { return formatTranscript(v, api.Transcript{Session: testSessions()[2]}) },
	"timeline": func(v view) []string {
		return formatTimeline(v, api.TimelineQuery{}, namesOf(testProjects()), testTimeline())
	},
	"timeline-none": func(v view) []string { return formatTimeline(v, api.TimelineQuery{Limit: 9}, nil, api.Timeline{}) },
	"timeline-no-fit": func(v view) []string {
		return formatTimeline(v, api.TimelineQuery{Limit: 9, Since: 5}, nil, api.Timeline{})
	},
	"graph": func(v view) []string { return formatGraph(v, namesOf(testProjects()), testGraph()) },
	"graph-alone": func(v view) []string {
		return formatGraph(v, nil, api.Graph{Center: memory.Entity{ID: "tool.make", Name: "make", Scope: memory.Global}})
	},
	"search": func(v view) []string {
		return formatSearch(v, api.SearchQuery{Words: `"index" flaky`}, namesOf(testProjects()), testSearch())
	},
	"search-explained": func(v view) []string {
		s := api.Search{Hits: testSearch().Hits[:1]}
		s.Hits[0].Score = 4.25
		for i, name := range []string{"text", "vector", "covered", "named", "tags", "identifier", "project", "recency", "graph"} {
			s.Hits[0].Parts = append(s.Hits[0].Parts, api.ScorePart{Name: name, Value: float64(i+1) / 8})
		}
		return formatSearch(v, api.SearchQuery{Words: "index", Explain: true}, namesOf(testProjects()), s)
	},
	"search-sessions": func(v view) []string {
		hits := testSearch().Hits
		return formatSearch(v, api.SearchQuery{Words: "index flaky", Sessions: true}, namesOf(testProjects()), api.Search{Sessions: []api.FoundSession{
			{SessionID: "cc_1a2b3c4d", ProjectID: "p1", Title: "Fix the flaky index test", Turns: []int{1, 4}, Best: hits[1]},
			{SessionID: "cc_9f8e7d6c", ProjectID: "p1", Turns: []int{2}, Best: hits[0]}}})
	},
	"search-none": func(v view) []string { return formatSearch(v, api.SearchQuery{Words: "x"}, nil, api.Search{}) },
	"search-no-fit": func(v view) []string {
		return formatSearch(v, api.SearchQuery{Words: "x", Project: "p"}, nil, api.Search{})
	},
	"search-indexing": func(v view) []string {
		return formatSearch(v, api.SearchQuery{Words: "x"}, nil, api.Search{Indexing: true})
	},
	"core":         func(v view) []string { return formatCore(v, testCore()) },
	"core-why":     func(v view) []string { return formatCore(v, testExplainedCore()) },
	"core-none":    func(v view) []string { return formatCore(v, api.Core{}) },
	"core-none-of": func(v view) []string { return formatCore(v, api.Core{Project: "dormouse"}) },
	"sleep":        func(v view) []string { return formatSlept(v, testNights()[0]) },
	"nights":       func(v view) []string { return formatNights(v, testNights()) },
	"nights-none":  func(v view) []string { return formatNights(v, nil) },
	"night":        func(v view) []string { return formatNights(v, testNights()[:1]) },
	"sleep-plan":   func(v view) []string { return formatSleepPlan(v, testSleepPlan()) },
	"sleep-plan-none": func(v view) []string {
		return formatSleepPlan(v, api.SleepPlan{Stages: []string{"backlog"}, Due: unix("2026-05-05 03:00")})
	},
	"status-scanning": func(v view) []string {
		s := testStatus()
		s.Scan = &api.Scan{Files: 3000, FilesDone: 1204, Bytes: 412_345_678, BytesDone: 300_000_000, Sessions: 811}
		return formatStatus(v, s)
	},
	"status-waits": func(v view) []string {
		s := testStatus()
		s.SleepWaits, s.LastNight = "the machine is in use", &testNights()[0]
		return formatStatus(v, s)
	},
	"bound":     func(v view) []string { return formatBound(v, testProjects()[0]) },
	"bound-new": func(v view) []string { return formatBound(v, api.Project{ID: "p9", Path: "/srv/notes"}) },
	"unbound":   func(v view) []string { return formatUnbound(v, testProjects()[0]) },
	"project-renamed": func(v view) []string {
		return formatRenamed(v, api.Project{ID: "p1", Name: "The shop", Path: "/srv/shop"})
	},
	"unbound-new": func(v view) []string { return formatUnbound(v, api.Project{ID: "p9", Remote: "github.com/a/b"}) },
	"status-paused": func(v view) []string {
		s := testStatus()
		s.PausedUntil = unix("2026-05-05 00:00")
		return formatStatus(v, s)
	},
	"index": func(v view) []string {
		return formatIndex(v, api.Index{Docs: 130012, Bytes: 154_000_000, Sessions: 1204, Vectors: api.Vectors{Model: "dormouse-static-1b2c3d4e", Docs: 130012}})
	},
	"index-rebuild": func(v view) []string {
		return formatIndex(v, api.Index{Docs: 130012, Bytes: 154_000_000, Sessions: 1204, SessionsWaiting: 17, Rebuilding: true, Vectors: api.Vectors{
			Model: "dormouse-static-1b2c3d4e", Docs: 130000, Waiting: 12, NextModel: "ollama/nomic-embed-text", NextDocs: 4711, NextWaiting: 125301,
			Failure: "ask http://127.0.0.1:11434: connection refused"}})
	},
	"index-words":   func(v view) []string { return formatIndex(v, api.Index{Docs: 3, Sessions: 1}) },
	"paused":        func(v view) []string { return formatPaused(v, api.Status{PausedUntil: unix("2026-05-05 00:00")}) },
	"paused-on":     func(v view) []string { return formatPaused(v, api.Status{PausedUntil: api.Indefinitely}) },
	"resumed":       func(v view) []string { return formatPaused(v, api.Status{}) },
	"sleep-nothing": func(v view) []string { return formatSlept(v, api.Night{Ended: 1, Why: "asked", Began: 1}) },
}

func TestAnswersLookAsTheyShould(t *testing.T) {
	for name, format := range pages {
		for _, width := range []int{80, 120} {
			golden(t, fmt.Sprintf("%s.%d", name, width), format(viewOf(width)))
		}
	}
	colour := viewOf(80)
	colour.On = true
	golden(t, "search.colour", pages["search"](colour))
	golden(t, "timeline.pipe", pages["timeline"](viewOf(0)))
}

func golden(t *testing.T, name string, lines []string) {
	t.Helper()
	got := strings.Join(lines, "\n") + "\n"
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test ./cmd/dormouse -update writes it anew):\n%s", path, got)
	}
}

func TestLinesFitTheTerminal(t *testing.T) {
	for name, format := range pages {
		for _, width := range []int{60, 80, 100, 120, 200} {
			for _, line := range format(viewOf(width)) {
				if strings.Contains(line, "↪") || strings.HasPrefix(name, "core") {
					continue // a command to copy and a core memory are never broken
				}
				if w := text.Width(line); w > width {
					t.Errorf("%s at %d columns: %d in %q", name, width, w, line)
				}
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%s: line ends with a space: %q", name, line)
				}
			}
		}
	}
}

func TestColourChangesNoText(t *testing.T) {
	for name, format := range pages {
		plain, colour := viewOf(80), viewOf(80)
		colour.On = true
		a, b := strings.Join(format(plain), "\n"), text.Clean(strings.Join(format(colour), "\n"))
		if a != b {
			t.Errorf("%s differs with colour:\n%s\nwithout:\n%s", name, b, a)
		}
	}
}

// poison puts text that a terminal would obey into every string of an answer.
func poison(v reflect.Value) {
	const bad = "\x1b]0;owned\x07\x1b[2J\u009b31m\r\x08evil\u202e"
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + bad)
	case reflect.Struct:
		for i := range v.NumField() {
			poison(v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			poison(v.Elem())
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]byte]() || v.Type().Elem().Kind() == reflect.Uint8 {
			return // raw JSON, whose strings are poisoned by the fixture below
		}
		for i := range v.Len() {
			poison(v.Index(i))
		}
	case reflect.Map:
		if v.Type().Elem().Kind() == reflect.String && !v.IsNil() {
			v.SetMapIndex(reflect.ValueOf("key"+bad), reflect.ValueOf("value"+bad))
		}
	}
}

func poisoned[T any](v T) T {
	poison(reflect.ValueOf(&v).Elem())
	return v
}

func TestNothingForeignReachesTheTerminalRaw(t *testing.T) {
	transcript := poisoned(testTranscript())
	transcript.Turns[0].Nodes[3].Input = []byte(`{"command":"ls \u001b[2J\u009b1m\u202e","x\u001b[1m":["\u001b]0;t\u0007"]}`)
	transcript.Turns[0].Nodes[4].Input = []byte(`"patch \u001b[2J"`)
	projects := namesOf(poisoned(testProjects()))
	for _, full := range []bool{false, true} {
		v := viewOf(80)
		v.full = full
		all := map[string][]string{
			"status":   formatStatus(v, poisoned(testStatus())),
			"sessions": formatSessions(v, api.SessionQuery{}, poisoned(testSessions())),
			"projects": formatProjects(v, poisoned(testProjects())),
			"show":     formatTranscript(v, transcript),
			"timeline": formatTimeline(v, api.TimelineQuery{}, projects, poisoned(testTimeline())),
			"graph":    formatGraph(v, projects, poisoned(testGraph())),
			"search":   formatSearch(v, poisoned(api.SearchQuery{Words: "x"}), projects, poisoned(testSearch())),
			"none":     formatSearch(v, poisoned(api.SearchQuery{Words: "x"}), projects, api.Search{}),
			"core":     formatCore(v, poisoned(testCore())),
			"why core": formatCore(v, poisoned(testExplainedCore())),
			"no core":  formatCore(v, api.Core{Project: "x\x1b[2J"}),
			"sleep":    formatSlept(v, poisoned(testNights()[0])),
			"nights":   formatNights(v, poisoned(testNights())),
			"plan":     formatSleepPlan(v, poisoned(testSleepPlan())),
			"bound":    formatBound(v, poisoned(testProjects()[0])),
			"unbound":  formatUnbound(v, poisoned(testProjects()[0])),
			"renamed":  formatRenamed(v, poisoned(testProjects()[0])),
		}
		for name, lines := range all {
			for _, l := range lines {
				if i := strings.IndexFunc(l, func(r rune) bool { return unicode.IsControl(r) || r == '\u202e' }); i >= 0 {
					t.Errorf("%s: %q", name, l)
				}
			}
		}
	}
}

func TestPartsOfAScoreAreWrittenForPeople(t *testing.T) {
	for v, want := range map[float64]string{2000: "2000", 0.17234: "0.172", 99.96: "100", 5: "5", -1500.4: "-1500"} {
		if got := weightOf(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
