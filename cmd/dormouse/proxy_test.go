package main

import (
	"cmp"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
)

func testProxy(state, client string) api.Proxy {
	x := api.Proxy{State: cmp.Or(state, api.ProxyOn), Since: unix("2026-05-04 09:00"), Requests: 1204, Read: 1180, Refused: 2, TooLong: 1, Unreached: 3, Errors: 12, Broken: 1,
		Calls: 1160, Untold: 4, Unmetered: 1, InputTokens: 88_120_000, CacheReadTokens: 81_002_000, OutputTokens: 912_000}
	if x.State == api.ProxyShut {
		return x
	}
	x.URL = "http://127.0.0.1:38246"
	for _, name := range []string{"anthropic", "gemini", "ollama", "openai"} {
		if client != "" {
			x.Bases = append(x.Bases, api.ProxyBase{Upstream: name, URL: x.URL + "/" + client + "/0123/" + name})
		}
	}
	return x
}

func pagedProxy() api.Proxy {
	x := testProxy(api.ProxyOn, "")
	x.Pages, x.Paged, x.SavedBytes, x.SentAnew = true, 901, 81_002_000, 1
	x.Untouched = map[string]int64{"it is compressed": 3, "its conversation began before Dormouse saw it": 12}
	return x
}

func askedProxy() api.Proxy {
	x := pagedProxy()
	x.Tools, x.Offered = true, 880
	x.Asked = api.ProxyAsked{Queries: 41, Restores: 12, Releases: 3, Misses: 7, Rounds: 44, Forgotten: 1}
	x.Unoffered = map[string]int64{"it offers its model no tools": 203, "its conversation began without them": 1}
	return x
}

func TestTheProxyLooksAsItShould(t *testing.T) {
	for name, x := range map[string]api.Proxy{
		"proxy":       testProxy(api.ProxyOn, ""),
		"proxy-pages": pagedProxy(),
		"proxy-tools": askedProxy(),
		"proxy-off":   testProxy(api.ProxyOff, ""),
		"proxy-shut":  {State: api.ProxyShut},
		"proxy-new":   {State: api.ProxyOn, URL: "http://127.0.0.1:38246"},
		"proxy-none":  {State: api.ProxyOn, Failure: "listen tcp 127.0.0.1:38246: bind: operation not permitted"},
	} {
		golden(t, name+".80", formatProxy(viewOf(80), x))
		golden(t, name+".120", formatProxy(viewOf(120), x))
	}
}

func TestTheProxyIsSwitched(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serve(t, home)
	for _, c := range []struct{ args, asked string }{{"on", "on"}, {"off", "off"}, {"off --shut", "shut"}} {
		r := dormouse(t, home, append([]string{"proxy"}, strings.Fields(c.args)...)...)
		if r.code != exitOK || f.asked[len(f.asked)-1] != "switch proxy "+c.asked {
			t.Errorf("%s: %+v, asked %v", c.args, r, f.asked)
		}
	}
}

func TestTheVariablesOfTheProxy(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serve(t, home)
	const at = "http://127.0.0.1:38246/"
	for args, want := range map[string]string{
		"claude-code --shell sh":        "export ANTHROPIC_BASE_URL='" + at + "claude-code/0123/anthropic'\n",
		"codex --shell fish":            "set -gx OPENAI_BASE_URL '" + at + "codex/0123/openai/v1'\n",
		"gemini-cli --shell powershell": "$env:GOOGLE_GEMINI_BASE_URL = '" + at + "gemini-cli/0123/gemini'\n",
		"--shell cmd": "set ANTHROPIC_BASE_URL=" + at + "any/0123/anthropic\nset OPENAI_BASE_URL=" + at + "any/0123/openai/v1\n" +
			"set GOOGLE_GEMINI_BASE_URL=" + at + "any/0123/gemini\n",
	} {
		if r := dormouse(t, home, append([]string{"proxy", "env"}, strings.Fields(args)...)...); r.code != exitOK || r.out != want {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := dormouse(t, home, "proxy", "env", "codex", "--json"); r.code != exitOK || !strings.Contains(r.out, `"value": "`+at+`codex/0123/openai/v1"`) {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "proxy", "env", "--shell", "tcl"); r.code != exitUsage || !strings.Contains(r.err, "--shell") {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "proxy", "env", "Not A Name"); r.code == exitOK || r.out != "" {
		t.Errorf("%+v", r)
	}
	f.proxy = api.ProxyShut
	if r := dormouse(t, home, "proxy", "env", "codex"); r.code == exitOK || r.out != "" || !strings.Contains(r.err, "dormouse proxy on") {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, filepath.Join(t.TempDir(), "nobody"), "proxy", "env", "codex"); r.code == exitOK || r.out != "" {
		t.Errorf("without a service: %+v", r)
	}
}
