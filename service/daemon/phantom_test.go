package daemon

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dormouse/service/api"
	"dormouse/service/proxy"
	"dormouse/store/memory"
)

func TestModelsBehindTheProxyAskWithinTheirScope(t *testing.T) {
	orchard, vineyard := ofRemote(t, "https://example.org/x/orchard.git"), ofRemote(t, "https://example.org/x/vineyard.git")
	roots := t.TempDir()
	said(t, roots, "one-0000", orchard, "From now on label the openturn barrels by hand.")
	said(t, roots, "two-0000", vineyard, "From now on keep the otherproj recipe below twenty degrees.")
	s := start(t, params(t.TempDir(), roots))
	p, err := s.Locate(t.Context(), []string{orchard, vineyard})
	if err != nil || len(p.Projects) != 2 {
		t.Fatalf("%+v %v", p, err)
	}
	here, there := p.Projects[0].ID, p.Projects[1].ID
	for _, d := range [][]memory.Decision{seed(t, "ofglobal", memory.Global, ""), seed(t, "ofproject", memory.ProjectScope(here), here),
		seed(t, "ofagent", memory.AgentScope("claude-code"), here), seed(t, "otherproj", memory.ProjectScope(there), there),
		seed(t, "otheragent", memory.AgentScope("codex"), here), seed(t, "privscope", memory.PrivateScope(here), here), seed(t, "noscope", "", there)} {
		if err := s.daemon.ledger.Append(d, memory.Run{Kind: "light"}); err != nil {
			t.Fatal(err)
		}
	}
	s.daemon.drawUpSoon(t.Context())
	settled(t, s)
	m := modelMemory{s.daemon}
	for _, c := range []struct {
		client, session string
		sees            []string
	}{
		{"claude-code", "one-0000", []string{"ofglobal", "ofproject", "ofagent"}},
		{"claude-code", "", []string{"ofglobal", "ofagent"}},
		{"claude-code", "unknown-0000", []string{"ofglobal", "ofagent"}},
		{"codex", "one-0000", []string{"ofglobal", "otheragent"}}, // the session is another agent's
		{"any", "two-0000", []string{"ofglobal"}},
	} {
		all := ""
		for _, sign := range []string{"ofglobal", "ofproject", "ofagent", "otherproj", "otheragent", "privscope", "noscope"} {
			a, err := m.Query(t.Context(), proxy.Question{Text: "Which quincepress was chosen for the quincewine " + sign + "?", Client: c.client, Session: c.session})
			if err != nil {
				t.Fatal(err)
			}
			all += strings.Join(a.Lines, "\n") + strings.Join(a.Sources, "\n")
			if len(a.Lines) > 0 && (len(a.Sources) == 0 || !strings.Contains(a.Lines[0], "said by ")) {
				t.Errorf("%+v has no receipt", a)
			}
		}
		for _, sign := range []string{"ofglobal", "ofproject", "ofagent", "otherproj", "otheragent", "privscope", "noscope"} {
			want := strings.Contains(strings.Join(c.sees, " "), sign)
			if got := strings.Contains(all, sign); got != want {
				t.Errorf("%s in %q: %s is shown: %v", c.client, c.session, sign, got)
			}
		}
	}
	if a, err := m.Query(t.Context(), proxy.Question{Text: "the zoo's zebra payroll", Client: "claude-code"}); err != nil || len(a.Lines) != 0 {
		t.Errorf("%+v %v", a, err)
	}
}

// askingProvider answers the first request with a question to the memory, and each other one with a text.
func askingProvider(t *testing.T, question, note string) (string, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var got []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		got = append(got, string(body))
		first := len(got) == 1
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if first {
			_, _ = fmt.Fprintf(w, `{"id":"msg_1","model":"claude-x-1","content":[{"type":"text","text":"Wait."},{"type":"tool_use","id":"q1","name":"memory_query","input":{"question":%q,"note":%q}}],"stop_reason":"tool_use","usage":{"input_tokens":10,"output_tokens":2}}`, question, note)
			return
		}
		_, _ = io.WriteString(w, `{"id":"msg_2","model":"claude-x-1","content":[{"type":"text","text":"So it is."}],"stop_reason":"end_turn","usage":{"input_tokens":12,"output_tokens":3}}`)
	}))
	t.Cleanup(srv.Close)
	return srv.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), got...)
	}
}

func TestAModelAsksTheMemoryThroughTheServiceAndGoesOnAfterARestart(t *testing.T) {
	const secret = "ghp_" + "Zx9vQ2mT7rLk4WnB8cYd1HsJ5uPf3AeG6iKo"
	p := learned(t)
	url, got := askingProvider(t, "was the marketplace plugin removed?", "my token is "+secret)
	p.Config.Proxy.Port, p.Config.Proxy.Tools = 0, true
	p.Config.Proxy.Upstreams = map[string]string{"anthropic": url}
	agent, session := "", ""
	send := func(s *service, said string) string {
		t.Helper()
		x, err := s.Proxy(t.Context(), agent)
		if err != nil {
			t.Fatal(err)
		}
		body := `{"model":"claude-x-1","max_tokens":10,"metadata":{"user_id":"user_1_account_2_session_` + session + `"},"tools":[{"name":"Read","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"go"}` + said + `]}`
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, baseOf(x, "anthropic")+"/v1/messages", strings.NewReader(body))
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close() //nolint:errcheck // test
		b, _ := io.ReadAll(resp.Body)
		return string(b)
	}
	s := start(t, p)
	if _, err := s.SwitchProxy(t.Context(), api.ProxyOn); err != nil {
		t.Fatal(err)
	}
	asked, err := s.Ask(t.Context(), api.AskQuery{Question: "was the marketplace plugin removed?", Limit: 1})
	if err != nil || len(asked.Hits) == 0 {
		t.Fatalf("%+v %v", asked, err)
	}
	x, err := s.daemon.sessions.Open(asked.Hits[asked.Sentences[0].Hit].SessionID)
	if err != nil {
		t.Fatal(err)
	}
	agent, session = x.Meta().Agent, x.Meta().AgentSessionID
	answer := send(s, "")
	if strings.Contains(answer, "memory_") || !strings.Contains(answer, `"Wait."`) || !strings.Contains(answer, "So it is.") || !strings.Contains(answer, `"output_tokens":5`) {
		t.Fatalf("the agent got %s", answer)
	}
	if all := got(); len(all) != 2 || !strings.Contains(all[1], "[Memory Query Result]") || !strings.Contains(all[1], "[Source: ") || strings.Contains(all[1], "nothing is known") {
		t.Fatalf("the provider got %s", all)
	}
	until(t, s, "both rounds to be metered", func(st api.Status) bool {
		return st.Proxy.Calls == 2 && st.Proxy.Tools && st.Proxy.Asked == api.ProxyAsked{Queries: 1, Rounds: 1} && st.Proxy.Offered == 1
	})
	const next = `,{"role":"assistant","content":[{"type":"text","text":"Wait."},{"type":"text","text":"So it is."}]},{"role":"user","content":"and?"}`
	send(s, next)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(filepath.Join(p.Home.Dir(), proxiedDir))
	if err != nil || len(files) != 1 {
		t.Fatal(len(files), err)
	}
	holdsNoneOf(t, p.Home.Dir(), secret, "Wait.", "So it is.")
	again := start(t, p)
	send(again, next)
	all := got()
	before, after := all[2], all[3]
	if !strings.Contains(before, `"name":"memory_query"`) || !strings.Contains(before, `"tool_use_id":"q1"`) {
		t.Fatalf("what was asked is not put back: %s", before)
	}
	// a secret is not written down, so that it is not there any more; all else is
	if i := strings.Index(after, "my token is "); i < 0 || strings.Contains(after, secret) {
		t.Errorf("after a restart: %s", after)
	}
	if strings.Index(before, "my token is ") != strings.Index(after, "my token is ") || !strings.HasSuffix(before, after[len(after)-400:]) {
		t.Errorf("after a restart\n%s\nnot\n%s", after, before)
	}
}
