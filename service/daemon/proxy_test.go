package daemon

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/config"
	"dormouse/service/cost"
	"dormouse/service/proxy"
)

const agentAnswer = `{"id":"msg_1","model":"claude-x-1-20260101","content":[{"type":"text","text":"a word of the answer"}],"usage":{"input_tokens":100,"cache_creation_input_tokens":40,"cache_read_input_tokens":1000,"output_tokens":10}}`

// proxyBed is a service in front of a provider that answers each request alike.
func proxyBed(t *testing.T) (Params, *int) {
	t.Helper()
	asked := 0
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, agentAnswer)
	}))
	t.Cleanup(provider.Close)
	p := params(t.TempDir(), t.TempDir())
	p.Config.Proxy.Port = 0
	p.Config.Proxy.Upstreams = map[string]string{"anthropic": provider.URL}
	p.Config.LLM.Prices = map[string]config.Price{"claude-x-1": {Input: 2, Output: 10}}
	return p, &asked
}

// askAgent asks as an agent does that was told the address; the status is 0 where nobody answers.
func askAgent(t *testing.T, base string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/v1/messages", strings.NewReader(`{"messages":[{"role":"user","content":"a word of the prompt"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", "sk-caller-key")
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close() //nolint:errcheck // test
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func baseOf(x api.Proxy, upstream string) string {
	for _, b := range x.Bases {
		if b.Upstream == upstream {
			return b.URL
		}
	}
	return ""
}

func TestAnAgentGoesThroughTheProxyAsItIsSwitched(t *testing.T) {
	p, asked := proxyBed(t)
	s := start(t, p)
	ctx := t.Context()
	if x, err := s.Proxy(ctx, "claude-code"); err != nil || x.State != api.ProxyShut || x.URL != "" || len(x.Bases) != 0 {
		t.Fatalf("at first: %+v %v", x, err)
	}
	if x, err := s.SwitchProxy(ctx, api.ProxyOn); err != nil || x.State != api.ProxyOn || !strings.HasPrefix(x.URL, "http://127.0.0.1:") {
		t.Fatalf("%+v %v", x, err)
	}
	x, err := s.Proxy(ctx, "claude-code")
	base := baseOf(x, "anthropic")
	if err != nil || base == "" || baseOf(x, "openai") == "" || baseOf(x, "gemini") == "" {
		t.Fatalf("%+v %v", x, err)
	}
	if status, got := askAgent(t, base); status != 200 || got != agentAnswer {
		t.Fatalf("%d %s", status, got)
	}
	until(t, s, "the call to be metered", func(st api.Status) bool { return st.Proxy.Calls == 1 })
	if x, err := s.SwitchProxy(ctx, api.ProxyOff); err != nil || x.State != api.ProxyOff || x.URL == "" {
		t.Fatalf("%+v %v", x, err)
	}
	if status, got := askAgent(t, base); status != 200 || got != agentAnswer {
		t.Errorf("switched off, the agent got %d %s", status, got)
	}
	st, err := s.Status(ctx)
	if err != nil || st.Proxy.Requests != 2 || st.Proxy.Read != 1 || len(st.Proxy.Bases) != 0 {
		t.Errorf("%+v %v", st.Proxy, err)
	}
	if x, err := s.SwitchProxy(ctx, api.ProxyShut); err != nil || x.State != api.ProxyShut || x.URL != "" {
		t.Errorf("%+v %v", x, err)
	}
	if status, got := askAgent(t, base); status != 0 || *asked != 2 {
		t.Errorf("shut, it answers %d %s; the provider was asked %d times", status, got, *asked)
	}
	if _, err := s.SwitchProxy(ctx, api.ProxyOn); err != nil {
		t.Fatal(err)
	}
	rows := costOf(t, s, cost.ByPurpose).Rows
	want := api.Usage{Calls: 1, InputTokens: 1140, OutputTokens: 10, CostMicros: 100*2 + 1000*2/10 + 40*2.5 + 10*10}
	if len(rows) != 1 || rows[0].Key != purposeAgents || rows[0].Told != want {
		t.Errorf("%+v, want %+v", rows, want)
	}
	if st, _ := s.Status(ctx); st.LLM.Tokens != 0 || st.LLM.Month.Tokens != 0 || st.LLM.CostMicros != 0 {
		t.Errorf("an agent's call counts for a night: %+v", st.LLM)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	holdsNoneOf(t, p.Home.Dir(), "sk-caller-key", "a word of the prompt", "a word of the answer")

	again := start(t, p)
	x2, err := again.Proxy(ctx, "claude-code")
	if err != nil || x2.State != api.ProxyOn {
		t.Fatalf("after a restart: %+v %v", x2, err)
	}
	path := func(u string) string { return u[strings.Index(u, "/claude-code/"):] }
	if path(baseOf(x2, "anthropic")) != path(base) {
		t.Errorf("the address of the client changed from %s to %s", base, baseOf(x2, "anthropic"))
	}
}

// holdsNoneOf looks through all files below a folder.
func holdsNoneOf(t *testing.T, dir string, words ...string) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		seen++
		for _, w := range words {
			if strings.Contains(string(b), w) {
				t.Errorf("%s holds %q", path, w)
			}
		}
		return err
	})
	if err != nil || seen == 0 {
		t.Error(seen, err)
	}
}

func TestTheDemoIsNoProxy(t *testing.T) {
	p, _ := proxyBed(t)
	p.Demo = true
	s := start(t, p)
	if x, err := s.SwitchProxy(t.Context(), api.ProxyOn); err == nil || !strings.Contains(err.Error(), "demo") || x.URL != "" {
		t.Errorf("%+v %v", x, err)
	}
}

func TestASwitchThatCannotBeReadPassesBytesAlone(t *testing.T) {
	p, _ := proxyBed(t)
	d := New(p)
	for content, want := range map[string]string{"on\n": api.ProxyOn, "off": api.ProxyOff, "shut\n": api.ProxyShut, "": api.ProxyOff, "\x00\x00": api.ProxyOff} {
		if err := os.WriteFile(filepath.Join(p.Home.Dir(), proxySwitch), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := d.proxyState(); got != want {
			t.Errorf("%q: %s, want %s", content, got, want)
		}
	}
}

func TestWhatAnAgentsCallCosts(t *testing.T) {
	prices := map[string]config.Price{"m": {Input: 3, Output: 15}, "m-mini": {Input: 1, Output: 2, CacheRead: 0.5, CacheWrite: 4}}
	u := proxy.Usage{Input: 10, CacheRead: 100, CacheWrite: 8, Output: 4}
	for _, c := range []struct {
		model    string
		defaults bool
		want     int64
	}{{"m", true, 30 + 30 + 30 + 60}, {"m", false, 30 + 300 + 24 + 60}, {"m-20260101", true, 150}, {"m-mini-2", true, 10 + 50 + 32 + 8}, {"mm", true, 0}, {"", true, 0}, {"other", false, 0}} {
		if got := agentCost(prices, proxy.Call{Model: c.model, Usage: u, CacheDefaults: c.defaults}); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

func TestAPortThatIsTakenIsGoneAround(t *testing.T) {
	p, _ := proxyBed(t)
	first, err := loopback(0, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()                                    //nolint:errcheck // test
	p.Config.Proxy.Port = first.Addr().(*net.TCPAddr).Port //nolint:forcetypeassert // a port of TCP
	s := start(t, p)
	x, err := s.SwitchProxy(t.Context(), api.ProxyOn)
	if err != nil || x.URL == "" || strings.HasSuffix(x.URL, first.Addr().String()) {
		t.Errorf("%+v %v", x, err)
	}
}

// turns is a request of an agent that searched so many times.
func turns(n int) string {
	var b strings.Builder
	b.WriteString(`{"model":"claude-x-1","max_tokens":10,"messages":[{"role":"user","content":"go"}`)
	for i := range n {
		fmt.Fprintf(&b, `,{"role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"Grep","input":{"pattern":"n%d"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d","content":"%s"}]}`,
			i, i, i, strings.Repeat(fmt.Sprintf("found a word of the prompt in %d\\n", i), 60))
	}
	b.WriteString("]}")
	return b.String()
}

func TestShortenedConversationsOutliveTheService(t *testing.T) {
	var mu sync.Mutex
	got := ""
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		got = string(body)
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, agentAnswer)
	}))
	defer provider.Close()
	p, _ := proxyBed(t)
	p.Config.Proxy.Upstreams["anthropic"], p.Config.Proxy.Page = provider.URL, true
	send := func(s *service, body string) string {
		x, err := s.Proxy(t.Context(), "codex")
		if err != nil {
			t.Fatal(err)
		}
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, baseOf(x, "anthropic")+"/v1/messages", strings.NewReader(body))
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		mu.Lock()
		defer mu.Unlock()
		return got
	}
	talk := func(p Params) (s *service, before string) {
		s = start(t, p)
		if _, err := s.SwitchProxy(t.Context(), api.ProxyOn); err != nil {
			t.Fatal(err)
		}
		for i := range 12 {
			send(s, turns(i))
		}
		return s, send(s, turns(12))
	}
	q, _ := proxyBed(t)
	q.Config.Proxy = p.Config.Proxy
	steady, _ := talk(q) // never started anew
	want := send(steady, turns(13))
	s, before := talk(p)
	short := regexp.MustCompile(`\[Paged out: Grep n\d+ `)
	if len(short.FindAllString(before, -1)) < 3 {
		t.Fatalf("hardly anything was shortened in %d bytes", len(before))
	}
	until(t, s, "all calls to be metered", func(st api.Status) bool { return st.Proxy.Calls == 13 && st.Proxy.Pages })
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	holdsNoneOf(t, p.Home.Dir(), "a word of the prompt", "Paged out")
	again := start(t, p)
	if after := send(again, turns(12)); after != before {
		t.Errorf("after a restart %d bytes go out, not %d", len(after), len(before))
	}
	next := send(again, turns(13))
	if next != want {
		t.Errorf("then %d bytes go out, and %d without a restart", len(next), len(want))
	}
	for _, form := range short.FindAllString(before, -1) {
		if !strings.Contains(next, form) {
			t.Errorf("%q is whole again", form)
		}
	}
}

func TestTalksThatWereSilentForLongAreForgotten(t *testing.T) {
	p, _ := proxyBed(t)
	d := New(p)
	d.keepTalk("aa", &proxy.KeptTalk{Tail: "00", Said: 3})
	d.keepTalk("bb", &proxy.KeptTalk{Tail: "01", Said: 4})
	d.keepTalk("gone", &proxy.KeptTalk{Tail: "02"})
	d.keepTalk("gone", nil)
	d.keepTalk("gone", nil)
	dir := filepath.Join(p.Home.Dir(), proxiedDir)
	if err := os.WriteFile(filepath.Join(dir, "torn.json"), []byte(`{"tail":"0`), 0o600); err != nil {
		t.Fatal(err)
	}
	now := clock()
	for name, at := range map[string]time.Time{"aa": now, "bb": now.Add(-talksTime - time.Hour)} {
		if err := os.Chtimes(filepath.Join(dir, name+".json"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	got := d.keptTalks()
	left, err := os.ReadDir(dir)
	if err != nil || len(got) != 1 || got[0].Said != 3 || len(left) != 1 {
		t.Errorf("%+v, %d files, %v", got, len(left), err)
	}
}
