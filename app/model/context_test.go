package model

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/client"
)

func (f *fake) CoreBefore(_ context.Context, project string, at int64) (api.Core, error) {
	out := f.before
	if out.Text == "" { // as it is
		out = f.core[project]
	}
	return out, f.note("before", "%s %d", project, at)
}
func (f *fake) Inject(_ context.Context, q api.InjectQuery) (api.Injection, error) {
	return f.told, f.note("inject", "%s", q.Values().Encode())
}
func (f *fake) Proxy(context.Context, string) (api.Proxy, error) { return f.proxy, f.note("proxy", "") }
func (f *fake) SwitchProxy(_ context.Context, to string) (api.Proxy, error) {
	return api.Proxy{State: to}, f.note("switchproxy", "%s", to)
}

func contextFake() *fake {
	return &fake{projects: []api.Project{{ID: "p1", Name: "shop", Path: "/home/robin/shop"}, {ID: defaultProject}, {ID: "p2", Name: "away"}},
		links: []api.Link{{Agent: "cursor"}, {Agent: "codex", Installed: true}, {Agent: "claude-code", Installed: true, Hooks: api.LinkConnected}},
		proxy: api.Proxy{State: api.ProxyOn, URL: "http://127.0.0.1:38246", Since: at("2026-05-04 08:00"), Requests: 1204, Calls: 800, InputTokens: 1000, CacheReadTokens: 870, OutputTokens: 40, Errors: 2, Broken: 1}}
}

func TestTheContextSaysHowTheProxyIsAndWhoCanBeAskedAbout(t *testing.T) {
	page := presenter(contextFake()).Context(t.Context())
	want := ContextPage{NoTalks: "Conversations pass as they are, and none is held. To have old results of tools shortened, turn on “page” in the settings of the proxy.", Projects: []Choice{{"p2", "away"}, {"p1", "shop"}}, Agents: []Choice{{"claude-code", "Claude Code"}, {"codex", "Codex"}, {"cursor", "Cursor"}},
		Proxy: ProxyState{State: api.ProxyOn, Title: "On", Tone: Good, Detail: "What agents that were pointed at it ask and are answered passes through byte for byte; what it took is read and written down.", Facts: []Fact{
			{Label: "Listens at", Text: "http://127.0.0.1:38246. Point an agent at it with: dormouse proxy env AGENT"},
			{Label: "Passed on", Text: "1,204 requests · 800 calls of models read · since today 08:00"},
			{Label: "Tokens", Text: "1,000 in, 87 % of it from the cache · 40 out"},
			{Label: "Not well", Text: "2 answered with an error, 1 broken off", Tone: Warn}}}}
	if !reflect.DeepEqual(page, want) {
		t.Errorf("got\n%+v\nwant\n%+v", page, want)
	}
	for state, tt := range map[string]struct {
		x    api.Proxy
		tone Tone
	}{"Shut": {api.Proxy{State: api.ProxyShut, Requests: 4}, Off}, "Passing through": {api.Proxy{State: api.ProxyOff}, Off}, "In trouble": {api.Proxy{State: api.ProxyOn, Failure: "no port"}, Bad}} {
		got := presenter(&fake{proxy: tt.x}).Context(t.Context()).Proxy
		if got.Title != state || got.Tone != tt.tone || state == "Shut" && len(got.Facts) != 0 || state == "In trouble" && got.Detail != "No port." {
			t.Errorf("%s: %+v", state, got)
		}
	}
	for _, call := range []string{"proxy", "projects", "links", ""} {
		if page := presenter(&fake{err: map[string]error{call: errors.New("no")}}).Context(t.Context()); page.Trouble == nil {
			t.Errorf("%s: %+v", call, page)
		}
	}
	f := contextFake()
	f.err = map[string]error{"links": &api.Error{Code: api.CodeNotFound}}
	if page := presenter(f).Context(t.Context()); page.Trouble != nil {
		t.Errorf("%+v", page.Trouble)
	}
}

func TestWhatAnAgentIsToldIsAskedForWithItsProjectsFolder(t *testing.T) {
	f := contextFake()
	f.told = api.Injection{Event: "SessionStart", Text: "notes\nof old", Bytes: 12, Limit: 2048, Records: []string{"r1"}}
	p := presenter(f)
	got := p.Sent(t.Context(), "codex", "p1", " ")
	want := Sent{Text: "notes\nof old", Gauge: Gauge{Text: "12 of 2,048 bytes", Share: 12.0 / 2048, Tone: Good}, Facts: []Fact{{Label: "At", Text: "SessionStart"}, {Label: "In", Text: "~/shop"}, {Label: "Tells", Text: "1 memory"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if last := f.asked[len(f.asked)-1]; last != "inject agent=codex&cwd=%2Fhome%2Frobin%2Fshop" {
		t.Errorf("asked %q", last)
	}
	if got := p.Sent(t.Context(), "codex", "p2", ""); !strings.Contains(got.Why, "no folder") {
		t.Errorf("%+v", got)
	}
	f.sessions = []api.Session{session("s1", "x", "codex", "p2", "2026-05-04 18:00")}
	f.sessions[0].Cwd = "/srv/away"
	if p.Sent(t.Context(), "codex", "p2", ""); !slices.Contains(f.asked, "inject agent=codex&cwd=%2Fsrv%2Faway") {
		t.Errorf("asked %q", f.asked)
	}
	f.told = api.Injection{}
	if got := p.Sent(t.Context(), "codex", "p1", "why"); got.Why != "Nothing that is remembered bears on it." {
		t.Errorf("%+v", got)
	}
	f.told.Why = "it is excepted"
	if got := p.Sent(t.Context(), "codex", "p1", ""); got.Why != "It is excepted." {
		t.Errorf("%+v", got)
	}
	f.err = map[string]error{"inject": &api.Error{Code: api.CodeNotFound, Message: "it takes nothing"}}
	if got := p.Sent(t.Context(), "codex", "p1", ""); got.Why != "It takes nothing." {
		t.Errorf("%+v", got)
	}
	for _, call := range []string{"inject", "projects"} {
		f.err = map[string]error{call: client.ErrNotRunning}
		if got := p.Sent(t.Context(), "codex", "p1", ""); got.Trouble == nil {
			t.Errorf("%s: %+v", call, got)
		}
	}
}

func TestTheProxyIsSwitched(t *testing.T) {
	f := contextFake()
	if n := presenter(f).SwitchProxy(t.Context(), api.ProxyOff); !strings.HasPrefix(n.Text, "The proxy: passing through.") || f.asked[0] != "switchproxy off" {
		t.Errorf("%+v, asked %q", n, f.asked)
	}
	f.err = map[string]error{"": errors.New("no")}
	if n := presenter(f).SwitchProxy(t.Context(), api.ProxyOn); n.Tone != Bad {
		t.Errorf("%+v", n)
	}
}

func TestTheCoreSaysWhatIsNewSinceYesterday(t *testing.T) {
	line := func(items ...string) api.Core {
		text := "═══ all ═══\n[Facts]\n"
		for _, it := range items {
			text += "· " + it + "  ↪ session:s1\n"
		}
		return api.Core{Text: text + "For details: x\n", Limit: 2048}
	}
	f := &fake{core: map[string]api.Core{"": line("stays", "came", "came too")}, before: line("stays", "went")}
	page := presenter(f).Core(t.Context(), "")
	var added []string
	for _, l := range page.Lines {
		if l.New {
			added = append(added, l.Text)
		}
	}
	if page.Change != "2 lines new, 1 line gone since yesterday" || !reflect.DeepEqual(page.Gone, []string{"went"}) || !reflect.DeepEqual(added, []string{"· came", "· came too"}) {
		t.Errorf("%q %q %q", page.Change, page.Gone, added)
	}
	if last := f.asked[len(f.asked)-1]; last != "before  1777845600" || at("2026-05-04 00:00") != 1777845600 {
		t.Errorf("asked %q", last)
	}
	f.before = f.core[""]
	if page := presenter(f).Core(t.Context(), ""); page.Change != "" || page.Gone != nil {
		t.Errorf("%+v", page)
	}
	f.err = map[string]error{"before": errors.New("no")}
	if page := presenter(f).Core(t.Context(), ""); page.Change != "" || page.Trouble != nil {
		t.Errorf("%+v", page)
	}
}

func TestTheProxyTellsOfWhatItShortens(t *testing.T) {
	got := presenter(&fake{proxy: api.Proxy{State: api.ProxyOn, Pages: true, Paged: 7, SavedBytes: 3_000_000}}).Context(t.Context()).Proxy
	if !strings.Contains(got.Detail, "shortened") || strings.Contains(got.Detail, "byte for byte") || !strings.Contains(fmt.Sprint(got.Facts), "7 requests") {
		t.Errorf("%+v", got)
	}
}

func TestAConversationThroughTheProxySaysHowFullItIsAndWhatWasSaved(t *testing.T) {
	f := contextFake()
	f.proxy.Pages = true
	f.proxy.Talks = []api.ProxyTalk{
		{Client: "claude-code", Model: "claude-sonnet-4-5", At: at("2026-05-04 18:27"), Bytes: 600_000, Full: 900_000, Budget: 800_000, Zone: "warning", Levels: []int{40, 1, 2, 9, 1}, Refetched: 2, SavedTokens: 120_000, SavedMicros: 360_000},
		{Client: "codex", Model: "gpt-5", Bytes: 10, Full: 10, Levels: []int{1, 0, 0, 0, 0}, SavedTokens: -1},
		{Client: "codex", Model: "gpt-5", Bytes: 900_000, Budget: 800_000, Zone: "emergency", Whole: true},
	}
	got := presenter(f).Context(t.Context())
	want := []TalkCard{
		{Title: "Claude Code · claude-sonnet-4-5", When: "3 minutes ago", Gauge: Gauge{Text: "600 kB of 800 kB · getting tight", Share: 0.75, Tone: Warn}, Facts: []Fact{
			{Label: "Parts", Text: "40 whole, 13 in short form"}, {Label: "Carries", Text: "600 kB instead of 900 kB"}, {Label: "Asked again", Text: "2 of the short ones"},
			{Label: "Saved", Text: "about 120,000 tokens · $0.36", Tone: Good}}},
		{Title: "Codex · gpt-5", Gauge: Gauge{Text: "10 B", Tone: Good}, Facts: []Fact{{Label: "Parts", Text: "1 whole, 0 in short form"}, {Label: "Saved", Text: "nothing yet: it cost about 1 token so far"}}},
		{Title: "Codex · gpt-5", Gauge: Gauge{Text: "900 kB of 800 kB · full", Share: 1, Tone: Bad}, Facts: []Fact{{Label: "Shortened", Text: "not any more: its provider did not take it", Tone: Warn}}},
	}
	if !reflect.DeepEqual(got.Talks, want) || got.NoTalks != "" {
		t.Errorf("got\n%+v\nwant\n%+v", got.Talks, want)
	}
	for words, x := range map[string]api.Proxy{"out of the path": {State: api.ProxyShut}, "Conversations pass as they are": {State: api.ProxyOn}, "No agent has asked": {State: api.ProxyOn, Pages: true}} {
		f.proxy = x
		if got := presenter(f).Context(t.Context()); !strings.Contains(got.NoTalks, words) {
			t.Errorf("%+v: %q", x, got.NoTalks)
		}
	}
}
