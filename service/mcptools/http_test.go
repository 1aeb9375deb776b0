package mcptools

//lint:file-ignore SA1019 agents of today tell roots

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const testToken = "0123456789abcdef"

func httpTools(t *testing.T, f *fake) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(newTools(Options{Version: "test"}, f).Handler(testToken))
	t.Cleanup(s.Close)
	return s
}

// TestCaseX4HTTPIsForAgentsOfThisUserAlone tries what pages, other users and bent names send. None of it may reach the tools.
func TestCaseX4HTTPIsForAgentsOfThisUserAlone(t *testing.T) {
	f := town()
	s := httpTools(t, f)
	const body = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	send := func(change func(*http.Request)) (int, string) {
		r, err := http.NewRequest(http.MethodPost, s.URL+Path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer "+testToken)
		change(r)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close() //nolint:errcheck // test
		b, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(b)
	}
	if code, b := send(func(*http.Request) {}); code != http.StatusOK || !strings.Contains(b, `"dormouse"`) {
		t.Fatalf("an agent with the token: %d %s", code, b)
	}
	if code, b := send(func(r *http.Request) { r.Header.Set("Sec-Fetch-Mode", "cors") }); code != http.StatusOK {
		t.Errorf("an agent that runs on Node: %d %s", code, b)
	}
	for name, c := range map[string]struct {
		change func(*http.Request)
		code   int
	}{
		"no token":                 {func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		"a wrong token":            {func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") }, 401},
		"an empty token":           {func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, 401},
		"another scheme":           {func(r *http.Request) { r.Header.Set("Authorization", "Basic "+testToken) }, 401},
		"two tokens":               {func(r *http.Request) { r.Header.Add("Authorization", "Bearer "+testToken) }, 401},
		"the token in the address": {func(r *http.Request) { r.Header.Del("Authorization"); r.URL.RawQuery = "token=" + testToken }, 401},
		"a page's fetch":           {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		"a page of this machine":   {func(r *http.Request) { r.Header.Set("Origin", "http://localhost:3000") }, 403},
		"a sandboxed page":         {func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"a browser":                {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "none") }, 403},
		"a bent name":              {func(r *http.Request) { r.Host = "evil.example" }, 403},
		"a bent name with a port":  {func(r *http.Request) { r.Host = "localhost.evil.example:80" }, 403},
		"another path":             {func(r *http.Request) { r.URL.Path = "/" }, 404},
		"a long body": {func(r *http.Request) {
			r.Body = io.NopCloser(bytes.NewReader(make([]byte, maxBody+10)))
			r.ContentLength = -1
		}, 413},
	} {
		if code, b := send(c.change); code != c.code || strings.Contains(b, `"dormouse"`) {
			t.Errorf("%s: %d %s", name, code, b)
		}
	}
}

// withToken adds the token to each request.
type withToken struct{}

func (withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+testToken)
	return http.DefaultTransport.RoundTrip(r)
}

func TestToolsAnswerOverHTTP(t *testing.T) {
	for name, c := range map[string]struct {
		query, version string
		roots          []string
		want           string
	}{
		"by roots":              {"", "", []string{"file:///w/blog"}, "blog (p2)"},
		"by roots, of old":      {"", "2025-06-18", []string{"file:///w/blog"}, "blog (p2)"},
		"by the address":        {"?project=/w/shop", "", nil, "shop (p1)"},
		"by the address of old": {"?project=/w/shop", "2025-06-18", nil, "shop (p1)"},
	} {
		f := town()
		s := httpTools(t, f)
		cl := mcp.NewClient(&mcp.Implementation{Name: "codex-mcp-client", Version: "1"}, nil)
		for _, r := range c.roots {
			cl.AddRoots(&mcp.Root{URI: r})
		}
		cs, err := cl.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.URL + Path + c.query, HTTPClient: &http.Client{Transport: withToken{}}},
			&mcp.ClientSessionOptions{ProtocolVersion: c.version})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		a := &agent{cs, t}
		if got := a.call("memory_search", map[string]any{"query": "x"}); got.wrong || got.Project != c.want || len(got.Items) != 1 {
			t.Errorf("%s: %s", name, got.text)
		}
		if err := cs.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
