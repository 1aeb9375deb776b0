package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/store/memory"
)

// made is the demo with what its few sessions do not give by themselves.
type made struct{ steady }

// Review has one of each kind of thing to decide: some of the demo's own memories, and made-up ones in several scripts.
func (m made) Review(ctx context.Context, _ string, limit int) (api.Review, error) {
	t, err := m.steady.Timeline(ctx, api.TimelineQuery{Limit: 6})
	if err != nil {
		return api.Review{}, err
	}
	var out api.Review
	for _, e := range t.Events {
		out.Items = append(out.Items, api.ReviewItem{ID: e.ID, Record: e.ID, What: "candidate", Kind: memory.RecordEvent, Scope: e.Scope, Text: e.Summary,
			Field: "summary", Value: e.Summary, Reason: "only a tool or a page says it", Trust: memory.TrustQuoted, ProjectID: e.Provenance.ProjectID,
			SessionID: e.Provenance.SessionID, Turn: t.Turns[e.ID], Nodes: e.Provenance.NodeIDs, Time: e.Provenance.EventTime})
	}
	first := out.Items[0]
	more := []api.ReviewItem{
		{What: "contradiction", Kind: memory.RecordFact, Scope: memory.Global, Text: "person prefers four spaces to indent", Field: "object", Value: "four spaces to indent", Trust: memory.TrustPerson,
			Reason: "it is not what was said before", Contests: []api.Contested{{Text: "person prefers tabs to indent"}}},
		{What: "merge", Kind: memory.RecordEntity, Scope: first.Scope, Text: "shorthands test", OtherText: "cargo test shorthands", Reason: "rule: the names share their telling words", Field: "name", Value: "shorthands test"},
		{What: "candidate", Kind: memory.RecordEvent, Scope: memory.Global, Text: "リリースの前に必ず統合テストを実行する 🚀 (run the integration tests before each release, 每次发布之前)", Field: "summary",
			Value: "リリースの前に必ず統合テストを実行する 🚀", Reason: "only a tool or a page says it", Trust: memory.TrustQuoted},
		{What: "split", Kind: memory.RecordTag, Scope: memory.Global, Text: "deployment", Parts: []string{"docker", "systemd", "release"}, Reason: "it covers 41 turns of three matters"},
	}
	for i := range more {
		it := more[i]
		it.ID, it.ProjectID, it.SessionID, it.Turn, it.Nodes, it.Time = "made_"+it.What+it.Text, first.ProjectID, first.SessionID, first.Turn, first.Nodes, first.Time
		out.Items = append(out.Items[:i+1], append([]api.ReviewItem{it}, out.Items[i+1:]...)...)
	}
	out.Total = len(out.Items)
	out.Items = out.Items[:min(limit, len(out.Items))]
	return out, nil
}

// Timeline is the demo's, with some memories that were replaced, and some in other scripts.
func (m made) Timeline(ctx context.Context, q api.TimelineQuery) (api.Timeline, error) {
	t, err := m.steady.Timeline(ctx, q)
	if err != nil || !q.Superseded {
		return t, err
	}
	t.Replaced = map[string]string{}
	for i, text := range []string{0: "Cache the toolchain in the workflow's own cache", 3: "テストは毎回すべて実行する 🚀"} {
		if text == "" || i >= len(t.Events) {
			continue
		}
		e := t.Events[i]
		e.ID, e.Summary, e.SupersededBy = "made_"+e.ID, text, memory.Ref(e.ID)
		t.Replaced[e.ID] = t.Events[i].Summary
		t.Events = append(t.Events[:i+1], append([]memory.Event{e}, t.Events[i+1:]...)...)
	}
	t.Total = len(t.Events)
	return t, nil
}

// Days is a year in which agents were at work: more on weekdays, less in summer, nothing in the holidays.
func (m made) Days(_ context.Context, since, until int64) ([]api.Day, error) {
	var out []api.Day
	for at := time.Unix(since, 0).UTC(); at.Unix() < until; at = at.AddDate(0, 0, 1) {
		n := (at.YearDay()*7919 + at.Day()*104729) % 11
		switch at.Weekday() {
		case time.Saturday, time.Sunday:
			n = max(0, n-8)
		}
		if at.Month() == time.August || at.Month() == time.December && at.Day() > 20 {
			n = 0
		}
		if n > 0 {
			out = append(out, api.Day{Day: at.Format(time.DateOnly), Sessions: n, Memories: n * (at.Day() % 5)})
		}
	}
	return out, nil
}

// Status tells of a night with a language model.
func (m made) Status(ctx context.Context) (api.Status, error) {
	s, err := m.steady.Status(ctx)
	s.Demo = false
	for i := range s.Agents {
		if s.Agents[i].Name == "claude-code" {
			s.Agents[i].AtRisk = api.AtRisk{KeptDays: 30, Files: 2, Bytes: 48_000, Next: now().Unix() + 190_000}
		}
	}
	s.LastNight = &api.Night{ID: "night_1", Kind: "deep", Began: now().Unix() - 24000, Ended: now().Unix() - 23700, Counts: memory.RunCounts{Events: 12, Superseded: 3, Sessions: 9},
		Model: "claude-haiku-4-5", InputTokens: 48_210, OutputTokens: 6_120, CostMicros: 42_000}
	s.LLM = api.LLM{Extractor: "model", Tokens: 54_330, MaxTokens: 400_000, CostMicros: 42_000, MaxCostMicros: 250_000, Priced: true,
		Month: api.Month{Tokens: 1_204_000, CostMicros: 4_310_000, MaxCostMicros: 5_000_000}}
	s.Sync = api.Sync{Remote: "git@git.example.org:me/memory.git", State: api.SyncBehind, LastOK: now().Unix() - 540, ToSend: 14, Machines: 4, Encrypted: true, Aside: 1,
		AsideWhy: []string{"sync: log/9f8e7d6c/2026-07-02.jsonl of the remote is not taken: its second line does not go on where the first one ends. What was known before stays in force."}}
	return s, err
}

// Devices are four machines that share the memory, one of them lost.
func (m made) Devices(context.Context) (api.Devices, error) {
	at := now().Unix()
	return api.Devices{Encrypted: true, Devices: []api.Device{
		{ID: "1a2b3c4d", Name: "desk", This: true, Seen: at - 40, Entries: 1204, Reads: true},
		{ID: "2b3c4d5e", Name: "laptop", Seen: at - 7300, Entries: 388, Reads: true, Lacks: 14, Told: at - 7300},
		{ID: "9f8e7d6c", Name: "书房的电脑", Seen: at - 500_000, Entries: 71, Reads: true, Behind: 95},
		{ID: "3c4d5e6f", Name: "left in a train", Seen: at - 9_000_000, Entries: 906, Revoked: true}}}, nil
}

// Invite is a code that lets nobody in.
func (m made) Invite(context.Context) (api.Invite, error) {
	return api.Invite{Code: "7K3QX-90MTB", Until: now().Unix() + 900}, nil
}

// Links are as on a machine where one agent of several is connected.
func (m made) Links(context.Context) ([]api.Link, error) {
	on, off := api.LinkConnected, api.LinkMissing
	return []api.Link{{Agent: "claude-code", Installed: true, Hooks: on, MCP: on, Injects: true}, {Agent: "codex", Installed: true, Hooks: off, MCP: off}}, nil
}

// LinkPlan is what connecting Codex writes.
func (m made) LinkPlan(context.Context, api.LinkQuery) (api.LinkPlan, error) {
	hooks := "--- /dev/null\n+++ hooks.json\n@@ -0,0 +1,13 @@\n+{\n+  \"hooks\": {\n+    \"SessionStart\": [\n+      {\n+        \"hooks\": [\n+          {\n+            \"type\": \"command\",\n" +
		"+            \"command\": \"/usr/local/bin/dormouse-hook SessionStart --inject --agent codex\",\n+            \"timeout\": 3\n+          }\n+        ]\n+      }\n+    ]\n"
	tools := "--- config.toml\n+++ config.toml\n@@ -4,2 +4,6 @@\n model = \"gpt-5\"\n # my own server\n+\n+[mcp_servers.dormouse]\n+command = \"/usr/local/bin/dormouse\"\n+args = [\"mcp\", \"--agent\", \"codex\"]\n"
	return api.LinkPlan{Mark: "1", Files: []api.LinkFile{{Path: user() + "/.codex/hooks.json", Diff: hooks}, {Path: user() + "/.codex/config.toml", Diff: tools}}}, nil
}

// Settings are the defaults but for some.
func (m made) Settings(ctx context.Context) (api.Settings, error) {
	s, err := m.steady.Settings(ctx)
	s.Restart = true
	for i, x := range s.Settings {
		switch x.Name {
		case "capture.agents":
			s.Settings[i].Value = ""
		case "capture.exclude":
			s.Settings[i].Value = "~/private\n~/clients/迷宮"
		case "sleep.deep_at":
			s.Settings[i].Value = "04:30"
		case "capture.roots":
			s.Settings[i].Value = `{"claude-code":["/mnt/work/.claude/projects","~/.claude/projects"]}`
		case "llm.prices":
			s.Settings[i].Value = `{"claude-haiku-4-5":{"input":1,"output":5,"cache_read":0.1,"cache_write":1.25},"qwen3-coder":{"input":0.22,"output":0.95}}`
		case "sleep.on_metered":
			s.Settings[i].Value = "true"
		}
	}
	return s, err
}

// SessionCommits has two retries in it.
func (m made) SessionCommits(ctx context.Context, id string) (api.SessionCommits, error) {
	got, err := m.steady.SessionCommits(ctx, id)
	for i, from := range []int{1, 2} {
		if n := len(got.Commits); n > from+1 {
			c := got.Commits[from]
			c.SHA, c.Branch, c.Message = fmt.Sprintf("made%d", i), fmt.Sprintf("retry-%d", i+1), "もう一度: try it without the cache 🚀 ("+c.Message+")"
			got.Commits = slices.Insert(got.Commits, from, c)
			got.Branches = append(got.Branches, api.Branch{Name: c.Branch, Commit: c.SHA, Node: "n"})
		}
	}
	return got, err
}

// Proxy is on, and has passed some on.
func (m made) Proxy(context.Context, string) (api.Proxy, error) {
	return api.Proxy{State: api.ProxyOn, URL: "http://127.0.0.1:38246", Since: now().Unix() - 90_000, Requests: 1204, Read: 802, Calls: 800, InputTokens: 48_210_000, CacheReadTokens: 43_900_000, OutputTokens: 612_000, Errors: 3, Broken: 1,
		Pages: true, Paged: 310, SavedBytes: 48_300_000, Talks: []api.ProxyTalk{
			{Client: "claude-code", Model: "claude-sonnet-4-5", At: now().Unix() - 180, Bytes: 412_000, Full: 731_000, Budget: 800_000, Zone: "caution", Levels: []int{148, 0, 9, 61, 2}, Refetched: 3, SavedTokens: 1_240_000, SavedMicros: 3_720_000},
			{Client: "codex", Model: "gpt-5.5", At: now().Unix() - 5400, Bytes: 61_000, Full: 61_000, Budget: 800_000, Zone: "normal", Levels: []int{22, 0, 0, 0, 0}}}}, nil
}

// Inject is what the demo's own core is framed to.
func (m made) Inject(ctx context.Context, q api.InjectQuery) (api.Injection, error) {
	c, err := m.steady.Core(ctx, projectNamed(m.Client, "mise"))
	text := recall.FrameCore(c.Text)
	return api.Injection{Agent: q.Agent, Event: "SessionStart", Text: text, Bytes: len(text), Limit: 2048}, err
}

// CoreBefore lacks a line, and has one that is gone.
func (m made) CoreBefore(ctx context.Context, project string, _ int64) (api.Core, error) {
	c, err := m.steady.Core(ctx, project)
	var out []string
	for i, line := range strings.Split(c.Text, "\n") {
		if strings.HasPrefix(line, "· ") && len(out) == i { // the first one
			line = "· 2026-07-07 decided: keep the registry's own plugin for now  ↪ session:cx_0"
			out = append(out, "")
		}
		out = append(out, line)
	}
	c.Text = strings.Join(out, "\n")
	return c, err
}

// Sessions has some sessions of today.
func (m made) Sessions(ctx context.Context, q api.SessionQuery) ([]api.Session, error) {
	list, err := m.steady.Sessions(ctx, q)
	for i := range list[:min(3, len(list))] {
		list[i].UpdatedAt = now().Unix() - int64(i*i)*2900 - 40
	}
	return list, err
}

// Cost is what models took on most days of the time that is asked about; by model and by purpose it is the same sum.
func (m made) Cost(_ context.Context, q api.CostQuery) (api.Cost, error) {
	since, err := time.Parse(time.DateOnly, q.Since)
	if err != nil {
		return api.Cost{}, err
	}
	var out api.Cost
	add := func(key, provider string, calls int) {
		u := api.Usage{Calls: calls, InputTokens: int64(calls) * 6100, OutputTokens: int64(calls) * 680, CostMicros: int64(calls) * 12_200}
		out.Rows = append(out.Rows, api.CostRow{Key: key, Provider: provider, Told: u})
		t := &out.Total.Told
		*t = api.Usage{Calls: t.Calls + u.Calls, InputTokens: t.InputTokens + u.InputTokens, OutputTokens: t.OutputTokens + u.OutputTokens, CostMicros: t.CostMicros + u.CostMicros}
	}
	all := 0
	for at := since; at.Format(time.DateOnly) <= q.Until; at = at.AddDate(0, 0, 1) {
		n := (at.YearDay()*7919 + at.Day()*31) % 13
		if n <= 3 {
			continue
		}
		if all += n; q.By == "day" {
			add(at.Format(time.DateOnly), "", n)
		}
	}
	switch q.By {
	case "model":
		add("claude-haiku-4-5", "anthropic", all-all/5)
		add("claude-sonnet-4-5", "anthropic", all/5)
	case "purpose":
		add("extract", "", all-all/5-all/9)
		add("title", "", all/5)
		add("tags", "", all/9)
	}
	return out, nil
}
