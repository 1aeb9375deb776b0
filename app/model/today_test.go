package model

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/memory"
)

func todayFake() *fake {
	return &fake{
		status: api.Status{NextSleep: at("2026-05-05 03:00"), Counts: api.Counts{Sessions: 4}, Hooks: api.Hooks{LastAt: 1},
			LastNight: &api.Night{Ended: at("2026-05-04 03:06"), Counts: memory.RunCounts{Events: 12, Superseded: 3, Sessions: 9}, CostMicros: 42_000, InputTokens: 4000, OutputTokens: 330, Model: "haiku",
				Stages: []api.NightStage{{Name: "tags", Failure: "no room"}, {Name: "odd", Failure: "x"}}, Cut: true}},
		sessions: []api.Session{session("a", "Now", "codex", "p1", "2026-05-04 18:00"), session("b", "Then", "codex", "p1", "2026-05-03 23:59")},
		review:   api.Review{Total: 2},
		days:     []api.Day{{Day: "2025-05-05", Memories: 3}, {Day: "2026-05-03", Sessions: 1, Memories: 12}, {Day: "2026-05-04", Sessions: 16}},
	}
}

func TestTodayTellsOfTheNightAndTheDay(t *testing.T) {
	page := presenter(todayFake()).Today(t.Context())
	want := []Fact{{Label: "Slept", Text: "today 03:06, 15 hours ago"}, {Label: "It gave", Text: "12 memories learned, 3 replaced, from 9 sessions"},
		{Label: "It cost", Text: "$0.04 · 4,330 tokens · haiku"}, {Label: "Failed", Text: "Tags: No room.", Tone: Warn}, {Label: "Failed", Text: "odd: X.", Tone: Warn},
		{Label: "Unfinished", Text: "It was woken before all was done. The next sleep does the rest.", Tone: Warn},
		{Label: "Next sleep", Text: "tomorrow 03:00, 8 hours from now"}, {Label: "Waiting", Text: "nothing; all that was captured was learned from"}}
	if !reflect.DeepEqual(page.Night, want) {
		t.Errorf("got %+v", page.Night)
	}
	if page.Review != "2 things to decide" || len(page.Sessions) != 1 || page.Sessions[0].When != "30 minutes ago" || page.NoneYet != "" || page.Steps != nil {
		t.Errorf("%q %+v %q %+v", page.Review, page.Sessions, page.NoneYet, page.Steps)
	}
	f := todayFake()
	f.status.LastNight, f.status.SleepWaits, f.sessions, f.review.Total = nil, "the machine is busy", nil, 0
	page = presenter(f).Today(t.Context())
	if page.Night[0].Text != "Not yet" || page.NoneYet == "" || page.Review != "" {
		t.Errorf("%+v", page)
	}
	f.status.LastNight = &api.Night{Ended: 1}
	if page = presenter(f).Today(t.Context()); page.Night[1].Text != "nothing new, from 0 sessions" || page.Night[2].Text != "waits for a quiet moment: the machine is busy" {
		t.Errorf("%+v", page.Night)
	}
	f.days = nil
	if page = presenter(f).Today(t.Context()); page.Calendar.Days != nil {
		t.Error("an empty year is drawn")
	}
	f.err = map[string]error{"sessions": errors.New("no"), "days": errors.New("no"), "review": errors.New("no")}
	if page = presenter(f).Today(t.Context()); page.Trouble != nil || page.Calendar.Days != nil || page.NoneYet == "" {
		t.Errorf("what cannot be had is left out: %+v", page)
	}
	f.err = map[string]error{"": errors.New("no")}
	if page = presenter(f).Today(t.Context()); page.Trouble == nil {
		t.Errorf("%+v", page)
	}
}

func TestTheCalendarIsAYearOfWeeks(t *testing.T) {
	f := todayFake()
	c := presenter(f).Today(t.Context()).Calendar
	if len(c.Days) != 53*7 || c.Days[0].Date.Weekday().String() != "Monday" || c.Days[0].Date.Format("2006-01-02") != "2025-05-05" {
		t.Fatalf("%d days from %s", len(c.Days), c.Days[0].Date)
	}
	for i, want := range map[int]CalendarDay{0: {Text: "Monday · 5 May 2025: 0 sessions, 3 memories", Memories: 2}, 1: {Text: "Tuesday · 6 May 2025: nothing"},
		52*7 - 1: {Text: "Yesterday · 3 May: 1 session, 12 memories", Sessions: 1, Memories: 4}, 52 * 7: {Text: "Today · 4 May: 16 sessions, 0 memories", Sessions: 4}, 52*7 + 1: {Sessions: -1, Memories: -1}} {
		got := c.Days[i]
		if got.Text != want.Text || got.Sessions != want.Sessions || got.Memories != want.Memories {
			t.Errorf("%d: got %+v, want %+v", i, got, want)
		}
	}
	if c.Summary != "17 sessions and 15 memories in a year" || c.Months[0] != (MonthLabel{0, "May"}) || c.Months[1] != (MonthLabel{4, "Jun"}) || len(c.Months) != 13 {
		t.Errorf("%q %+v", c.Summary, c.Months)
	}
	asked := strings.Join(f.asked, "\n")
	if !strings.Contains(asked, "days 1746396000 1777932000") {
		t.Errorf("asked %s", asked)
	}
}

func TestLevelsShowSmallDaysBesideABusyOne(t *testing.T) {
	for _, c := range [][3]int{{0, 10, 0}, {1, 100, 1}, {7, 100, 2}, {30, 100, 3}, {100, 100, 4}, {5, 0, 0}, {-1, 5, 0}} {
		if got := level(c[0], c[1]); got != c[2] {
			t.Errorf("%d of %d: %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestSpendIsShownBesideItsBounds(t *testing.T) {
	none := spend(api.LLM{Extractor: "rules"})
	if len(none) != 1 || none[0].Share >= 0 || !strings.Contains(none[0].Text, "cost nothing") {
		t.Errorf("%+v", none)
	}
	got := spend(api.LLM{Extractor: "model", CostMicros: 2000, MaxCostMicros: 250_000, Tokens: 900, MaxTokens: 1000, Priced: true, Why: "the night's budget is spent",
		Month: api.Month{CostMicros: 5_000_000, MaxCostMicros: 5_000_000, Tokens: 7}})
	want := []Meter{{Label: "This night", Text: "under $0.01 of $0.25 · 900 of 1,000 tokens", Share: 0.9, Tone: Warn}, {Label: "This month", Text: "$5.00 of $5.00 · 7 tokens", Share: 1, Tone: Bad},
		{Label: "It waits", Text: "The night's budget is spent.", Share: -1, Tone: Warn}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if m := meter("x", 0, 0, 5, 0, false); m.Text != "5 tokens" || m.Share != -1 || m.Tone != Good {
		t.Errorf("%+v", m)
	}
}

func TestTheStepThatConnectsWarnsOfAgentsThatDeleteSoon(t *testing.T) {
	soon := api.AtRisk{KeptDays: 30, Files: 2, Bytes: 7000, Next: at("2026-05-07 03:00")}
	f := &fake{status: api.Status{Agents: []api.Agent{{Name: "claude-code", Found: true, AtRisk: soon}, {Name: "amp", AtRisk: soon},
		{Name: "codex", Found: true}, {Name: "gemini", Found: true, AtRisk: api.AtRisk{KeptDays: 30}}}}}
	want := []Fact{{Label: "Claude Code", Tone: Bad, Text: "At risk: 2 transcripts, 7.0 kB, not captured yet and gone within 7 days; the first goes Thursday 03:00. It deletes by itself what was not changed for 30 days."}}
	for i, step := range presenter(f).Today(t.Context()).Steps {
		if step.Page == "agents" != reflect.DeepEqual(step.Warnings, want) || step.Page != "agents" && step.Warnings != nil {
			t.Errorf("step %d: %+v", i, step.Warnings)
		}
	}
	f.status.Agents = f.status.Agents[1:]
	if steps := presenter(f).Today(t.Context()).Steps; len(steps) != 4 || steps[1].Warnings != nil {
		t.Errorf("a warning of nothing: %+v", steps)
	}
}

func TestFirstStepsDisappear(t *testing.T) {
	firstSteps := style{}.firstSteps
	s := api.Status{Agents: []api.Agent{{Name: "codex", Found: true}, {Name: "amp"}}}
	steps := firstSteps(s)
	for _, step := range steps[1:] {
		if !slices.Contains(PageIDs(), step.Page) || step.Button == "" {
			t.Errorf("%q leads nowhere", step.Title)
		}
	}
	if len(steps) != 4 || steps[0].Done || !strings.Contains(steps[0].Text, "Found: Codex.") {
		t.Fatalf("%+v", steps)
	}
	s.Agents = nil
	if steps = firstSteps(s); !strings.Contains(steps[0].Text, "No agent was found yet") {
		t.Errorf("%+v", steps[0])
	}
	s.Counts.Sessions, s.Counts.Projects = 1, 3
	if steps = firstSteps(s); !steps[0].Done || steps[1].Done || steps[2].Done {
		t.Errorf("projects that nobody bound count: %+v", steps)
	}
	s.Counts.Bound, s.Hooks.LastAt = 1, 5
	if steps = firstSteps(s); !steps[0].Done || !steps[1].Done || !steps[2].Done || steps[3].Done {
		t.Errorf("%+v", steps)
	}
	night := s
	night.LastNight = &api.Night{Ended: 1}
	if firstSteps(night) != nil {
		t.Error("they stay after the first night")
	}
	demo := s
	demo.Demo = true
	if firstSteps(demo) != nil {
		t.Error("the demo has them")
	}
	s.Sync.Remote = "x"
	if firstSteps(s) != nil {
		t.Error("they stay when all is done")
	}
}

func TestTheFirstCaptureSaysHowFarItIs(t *testing.T) {
	f := &fake{status: api.Status{Scan: &api.Scan{Files: 1300, FilesDone: 40, Bytes: 4_000_000, BytesDone: 1_000_000, Sessions: 1}}}
	got := presenter(f).Today(t.Context()).Scan
	if got == nil || got.Text != "40 of 1,300 files · 1 session so far · 3.0 MB left" || got.Share != 0.25 {
		t.Errorf("%+v", got)
	}
	for _, none := range []*api.Scan{nil, {}} {
		f.status.Scan = none
		if got := presenter(f).Today(t.Context()).Scan; got != nil {
			t.Errorf("%+v", got)
		}
	}
}
