package model

import (
	"context"
	"slices"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// ContextPage is what agents are told, and the proxy between them and their providers.
type ContextPage struct {
	Trouble  *Trouble
	Proxy    ProxyState
	Talks    []TalkCard
	NoTalks  string // in place of Talks
	Projects []Choice
	Agents   []Choice
}

// ProxyState is how the proxy is.
type ProxyState struct {
	State  string // its name in the API, see ProxyStates
	Title  string
	Detail string
	Tone   Tone
	Facts  []Fact
}

// TalkCard is a conversation that goes through the proxy, as it stands.
type TalkCard struct {
	Title, When string
	Gauge       Gauge // how full the model's window is
	Facts       []Fact
}

// ProxyStates are how the proxy can be switched, in the order in which it is offered.
func ProxyStates() []Choice {
	return []Choice{{api.ProxyOn, lang.Say("On")}, {api.ProxyOff, lang.Say("Pass through")}, {api.ProxyShut, lang.Say("Shut")}}
}

// Sent is what an agent is told.
type Sent struct {
	Trouble *Trouble
	Text    string // byte for byte; empty for nothing
	Why     string // nothing is told
	Facts   []Fact
	Gauge   Gauge
}

// Context asks how the proxy is, and of whom it can be asked what they are told.
func (p *Presenter) Context(ctx context.Context) ContextPage {
	b := p.o.Backend()
	x, err := b.Proxy(ctx, "")
	if err != nil {
		return ContextPage{Trouble: troubleOf(err)}
	}
	projects, err := b.Projects(ctx)
	if err != nil {
		return ContextPage{Trouble: troubleOf(err)}
	}
	links, err := b.Links(ctx)
	if _, ok := asRefusal(err); err != nil && !ok {
		return ContextPage{Trouble: troubleOf(err)}
	}
	w := p.style()
	page := ContextPage{Proxy: w.proxy(x)}
	for _, t := range x.Talks[:min(len(x.Talks), maxShownTalks)] {
		page.Talks = append(page.Talks, w.talk(t))
	}
	if len(page.Talks) == 0 {
		page.NoTalks = noTalks(x)
	}
	for _, c := range projectChoices(projects) {
		if c.ID != defaultProject {
			page.Projects = append(page.Projects, c)
		}
	}
	slices.SortStableFunc(links, func(a, b api.Link) int { return rank(b) - rank(a) })
	for _, l := range links {
		page.Agents = append(page.Agents, Choice{ID: l.Agent, Label: AgentName(l.Agent)})
	}
	return page
}

// rank puts agents that are connected first, then those that are on this machine.
func rank(l api.Link) int {
	switch {
	case l.Hooks == api.LinkConnected:
		return 2
	case l.Installed:
		return 1
	}
	return 0
}

func (w style) proxy(x api.Proxy) ProxyState {
	out := ProxyState{State: x.State, Title: lang.Say("Shut"), Tone: Off, Detail: lang.Say("Your agents ask their providers directly.")}
	switch x.State {
	case api.ProxyOn:
		out.Title, out.Tone = lang.Say("On"), Good
		out.Detail = lang.Say("What agents that were pointed at it ask and are answered passes through byte for byte; what it took is read and written down.")
		if x.Pages {
			out.Detail = lang.Say("What agents that were pointed at it ask passes with old results of tools shortened where that pays; what it took is read and written down.")
		}
		if x.Tools {
			out.Detail = joined(" ", out.Detail, lang.Say("Models may ask the memory on the way."))
		}
	case api.ProxyOff:
		out.Title = lang.Say("Passing through")
		out.Detail = lang.Say("Agents that were pointed at it go on; nothing is read.")
	}
	if x.Failure != "" {
		out.Title, out.Tone, out.Detail = lang.Say("In trouble"), Bad, sentence(x.Failure)
	}
	if x.State == api.ProxyShut {
		return out
	}
	add := func(label, text string, tone Tone) {
		out.Facts = append(out.Facts, Fact{Label: label, Text: text, Tone: tone})
	}
	if x.URL != "" {
		add(lang.Say("Listens at"), lang.Say("{address}. Point an agent at it with: dormouse proxy env AGENT", Line(x.URL)), Plain)
	}
	add(lang.Say("Passed on"), dots(lang.Count(x.Requests, "{n} requests"), lang.Count(x.Calls, "{n} calls of models read"), lang.Say("since {when}", w.day(x.Since))), Plain)
	if x.InputTokens > 0 {
		cached := 100 * x.CacheReadTokens / x.InputTokens
		add(lang.Say("Tokens"), dots(lang.Say("{tokens} in, {share} of it from the cache", number(x.InputTokens), lang.Percent(cached)), lang.Say("{tokens} out", number(x.OutputTokens))), Plain)
	}
	if x.Paged > 0 {
		add(lang.Say("Shortened"), dots(lang.Count(x.Paged, "{n} requests"), lang.Say("{size} less", size(x.SavedBytes))), Plain)
	}
	if x.Offered > 0 {
		add(lang.Say("Asked by models"), dots(lang.Count(x.Asked.Queries, "{n} questions"), lang.Count(x.Asked.Restores, "{n} restored"), lang.Count(x.Asked.Misses, "{n} missed")), Plain)
	}
	var bad []string
	for _, c := range []struct {
		n    int64
		text string
	}{{x.Errors, lang.Count(x.Errors, "{n} answered with an error")}, {x.Unreached, lang.Count(x.Unreached, "{n} not reached")}, {x.Broken, lang.Count(x.Broken, "{n} broken off")},
		{x.Refused, lang.Count(x.Refused, "{n} refused")}, {x.TooLong, lang.Count(x.TooLong, "{n} too long")}} {
		if c.n > 0 {
			bad = append(bad, c.text)
		}
	}
	if len(bad) > 0 {
		add(lang.Say("Not well"), list(bad), Warn)
	}
	return out
}

// SwitchProxy switches the proxy.
func (p *Presenter) SwitchProxy(ctx context.Context, to string) Notice {
	x, err := p.o.Backend().SwitchProxy(ctx, to)
	if err != nil {
		return refusedOr(lang.Say("Switching the proxy"), err)
	}
	s := p.style().proxy(x)
	return Notice{Tone: s.Tone, Text: lang.Say("The proxy: {state}. {detail}", strings.ToLower(s.Title), s.Detail)}
}

// Sent asks what an agent is told at the begin of a session in a project, or at a prompt.
func (p *Presenter) Sent(ctx context.Context, agent, project, prompt string) Sent {
	b := p.o.Backend()
	list, err := b.Projects(ctx)
	if err != nil {
		return Sent{Trouble: troubleOf(err)}
	}
	cwd := ""
	if i := slices.IndexFunc(list, func(x api.Project) bool { return x.ID == project }); i >= 0 {
		cwd = list[i].Path
	}
	if cwd == "" { // where its newest session took place
		if last, err := b.Sessions(ctx, api.SessionQuery{Project: project, Limit: 1}); err == nil && len(last) > 0 {
			cwd = last[0].Cwd
		}
	}
	if cwd == "" {
		return Sent{Why: lang.Say("The project has no folder on this machine, so no session begins in it.")}
	}
	got, err := b.Inject(ctx, api.InjectQuery{Agent: agent, Cwd: cwd, Prompt: strings.TrimSpace(prompt)})
	if e, ok := asRefusal(err); ok {
		return Sent{Why: sentence(e.Message)}
	}
	if err != nil {
		return Sent{Trouble: troubleOf(err)}
	}
	out := Sent{Text: Clean(got.Text), Why: sentence(got.Why), Gauge: gauge(api.Core{Bytes: got.Bytes, Limit: got.Limit})}
	if out.Text == "" && out.Why == "" {
		out.Why = lang.Say("Nothing that is remembered bears on it.")
	}
	out.Facts = []Fact{{Label: lang.Say("At"), Text: Line(got.Event)}, {Label: lang.Say("In"), Text: p.style().path(cwd)}}
	if n := len(got.Records); n > 0 {
		out.Facts = append(out.Facts, Fact{Label: lang.Say("Tells"), Text: lang.Count(n, "{n} memories")})
	}
	return out
}
