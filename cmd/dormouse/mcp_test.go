package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/store/memory"
)

// asProgram has the test's own binary be the program.
const asProgram = "DORMOUSE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(start())
	}
	code := m.Run()
	for _, f := range atEnd {
		f()
	}
	os.Exit(code)
}

// atEnd is done after all tests.
var atEnd []func()

// claudeSession is a transcript of Claude Code that is put together line by line.
type claudeSession struct {
	id, cwd string
	lines   []string
	at      time.Time
}

func newClaude(n int, cwd string) *claudeSession {
	return &claudeSession{id: fmt.Sprintf("%08d-0000-4000-8000-000000000000", n), cwd: cwd, at: time.Date(2026, 5, n, 9, 0, 0, 0, time.UTC)}
}

func (c *claudeSession) add(kind string, message any, more map[string]any) *claudeSession {
	c.at = c.at.Add(time.Minute)
	rec := map[string]any{"type": kind, "uuid": fmt.Sprintf("%s-%d", c.id, len(c.lines)), "sessionId": c.id, "cwd": c.cwd, "timestamp": c.at.Format(time.RFC3339),
		"version": "2.1.200", "message": message}
	if len(c.lines) > 0 {
		rec["parentUuid"] = fmt.Sprintf("%s-%d", c.id, len(c.lines)-1)
	}
	for k, v := range more {
		rec[k] = v
	}
	raw, _ := json.Marshal(rec)
	c.lines = append(c.lines, string(raw))
	return c
}

func (c *claudeSession) asks(text string) *claudeSession {
	return c.add("user", map[string]any{"role": "user", "content": text}, nil)
}

func (c *claudeSession) says(text string) *claudeSession {
	return c.add("assistant", map[string]any{"role": "assistant", "model": "m", "content": []any{map[string]any{"type": "text", "text": text}}}, nil)
}

func (c *claudeSession) calls(name string, input any, result string) *claudeSession {
	id := fmt.Sprint("toolu_", c.id, len(c.lines))
	c.add("assistant", map[string]any{"role": "assistant", "model": "m", "content": []any{map[string]any{"type": "tool_use", "id": id, "name": name, "input": input}}}, nil)
	return c.add("user", map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": result}}}, nil)
}

func (c *claudeSession) write(t *testing.T, user string) {
	t.Helper()
	put(t, filepath.Join(user, ".claude", "projects", "p", c.id+".jsonl"), strings.Join(c.lines, "\n")+"\n")
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// project makes a repository in the home folder.
func project(t *testing.T, user, name string) string {
	t.Helper()
	dir := filepath.Join(user, "work", name)
	put(t, filepath.Join(dir, "README.md"), name)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "Begin " + name}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

// agentIn is the official client, with the program as its server, in a folder.
func agentIn(t *testing.T, user, dir string, args ...string) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"mcp"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asProgram+"=1", "HOME="+user, "USERPROFILE="+user, "DORMOUSE_HOME=")
	cmd.Stderr = os.Stderr
	c := mcp.NewClient(&mcp.Implementation{Name: "claude-code", Version: "2"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	cs, err := c.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cs.Close() })
	return cs
}

type toldItem struct {
	What, ID, Text, Kind, Trust, Note string
	Session                           string `json:"session_id"`
	Turn                              int
}

// told is what a tool told.
type told struct {
	text       string
	wrong      bool
	Items      []toldItem
	Candidates []string `json:"candidate_projects"`
}

func call1(t *testing.T, cs *mcp.ClientSession, name string, args map[string]any) (out told) {
	t.Helper()
	r, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	raw, _ := json.Marshal(r.StructuredContent)
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	out.text, out.wrong = r.Content[0].(*mcp.TextContent).Text, r.IsError
	if !strings.HasPrefix(out.text, memory.Mark) {
		t.Errorf("%s: not marked: %s", name, out.text)
	}
	return out
}

// The answer stands in what a tool gave alone, which no search looks through.
const (
	hidden = "7341-per-minute"
	others = "9999-per-hour"
)

func townOf(t *testing.T, user string) (shop, blog string) {
	shop, blog = project(t, user, "shop"), project(t, user, "blog")
	newClaude(1, shop).asks("How large is the retry budget of the payment gateway? Look it up.").
		calls("Read", map[string]any{"file_path": filepath.Join(shop, "limits.toml")}, "# limits\nretry_budget = "+hidden+"\nburst = 3\n").
		says("I looked up the retry budget of the payment gateway in `limits.toml`; it stays as it is.").write(t, user)
	newClaude(2, blog).asks("From now on never raise the retry budget of the payment gateway above "+others+".").
		says("The retry budget of the payment gateway is capped at "+others+".").write(t, user)
	return shop, blog
}

func TestAnAgentAsksTheMemoryOverMCP(t *testing.T) {
	user := t.TempDir()
	shop, blog := townOf(t, user)
	up(t, user, "Ctrl-C stops.")
	a := agentIn(t, user, shop)

	t.Run("a question that only navigation answers", func(t *testing.T) {
		found := call1(t, a, "memory_search", map[string]any{"query": "retry budget of the payment gateway"})
		if len(found.Items) == 0 || strings.Contains(found.text, hidden) {
			t.Fatalf("the search is to find the pointer and not the answer: %s", found.text)
		}
		i := slices.IndexFunc(found.Items, func(it toldItem) bool { return it.Session != "" && it.Turn > 0 })
		opened := call1(t, a, "memory_open_session", map[string]any{"session_id": found.Items[i].Session, "turn": found.Items[i].Turn, "detail": "full"})
		if !strings.Contains(opened.text, "retry_budget = "+hidden) {
			t.Errorf("the turn does not give the answer: %s", opened.text)
		}
	})
	t.Run("never another project's record", func(t *testing.T) {
		for tool, args := range map[string]map[string]any{
			"memory_search": {"query": "retry budget of the payment gateway " + others, "limit": 50}, "memory_timeline": {}, "memory_core": {},
			"memory_query": {"question": "what is the retry budget of the payment gateway capped at?"}, "memory_git_log": {}, "memory_stats": {},
			"memory_remember_when": {"question": "what about the retry budget in 2026"},
		} {
			if got := call1(t, a, tool, args); strings.Contains(strings.ReplaceAll(got.text, "budget of the payment gateway "+others, ""), others) || strings.Contains(got.text, "blog") {
				t.Errorf("%s: %s", tool, got.text)
			}
		}
		b := agentIn(t, user, blog)
		seen := call1(t, b, "memory_search", map[string]any{"query": "retry budget of the payment gateway"})
		if !strings.Contains(seen.text, others) || len(seen.Items) == 0 {
			t.Fatalf("its own project does not see it: %s", seen.text)
		}
		if got := call1(t, a, "memory_open_session", map[string]any{"session_id": seen.Items[0].Session}); !got.wrong || strings.Contains(got.text, others) {
			t.Errorf("%s", got.text)
		}
		if got := call1(t, a, "memory_search", map[string]any{"query": "x", "project": "blog"}); !got.wrong || !strings.Contains(got.text, "not shown") {
			t.Errorf("%s", got.text)
		}
	})
	t.Run("started in the home folder it asks", func(t *testing.T) {
		h := agentIn(t, user, user)
		got := call1(t, h, "memory_core", nil)
		if !got.wrong || len(got.Candidates) < 2 || !strings.Contains(got.text, "shop") || !strings.Contains(got.text, "blog") {
			t.Errorf("%s", got.text)
		}
		if got := call1(t, h, "memory_search", map[string]any{"query": "retry budget", "project": "shop"}); got.wrong || strings.Contains(got.text, others) {
			t.Errorf("%s", got.text)
		}
	})
	t.Run("a proposal waits for the person", func(t *testing.T) { proposals(t, user, a) })
	t.Run("an answer is cited", func(t *testing.T) {
		if got := askIn(t, user, "ask", "What is the retry budget of the payment gateway capped at?"); got.code != exitOK || !strings.Contains(got.out, others) || !strings.Contains(got.out, "↪ dormouse show") {
			t.Errorf("%+v", got)
		}
		if got := askIn(t, user, "ask", "Who painted the ceiling of the chapel?"); got.code != exitOK || !strings.Contains(got.out, "says nothing") {
			t.Errorf("%+v", got)
		}
		got := call1(t, agentIn(t, user, blog), "memory_query", map[string]any{"question": "What is the retry budget of the payment gateway capped at?"})
		if len(got.Items) == 0 || !strings.Contains(got.Items[0].Text, others) || got.Items[0].Session == "" {
			t.Errorf("%s", got.text)
		}
		if got := call1(t, a, "memory_query", map[string]any{"question": "Who painted the ceiling of the chapel?"}); got.wrong || len(got.Items) != 0 {
			t.Errorf("a question to which the memory has no answer: %s", got.text)
		}
	})
}

func proposals(t *testing.T, user string, a *mcp.ClientSession) {
	const text = "Deploys of the shop go through the blue cluster because the green one lacks the queue."
	got := call1(t, a, "memory_propose", map[string]any{"text": text + " token ghp" + "_x7Kq9ZtR2mVbN4sWcY8uHjP3aLdF6eG1oQ5T", "kind": "decision"})
	if got.wrong || len(got.Items) != 1 || strings.Contains(got.text, "ghp_x7K") || !strings.Contains(got.Items[0].Note, "secret") {
		t.Fatalf("%s", got.text)
	}
	if again := call1(t, a, "memory_propose", map[string]any{"text": strings.ToUpper(text[:1]) + text[1:] + " Token."}); !strings.Contains(again.text, "known") {
		t.Errorf("offered twice: %s", again.text)
	}
	review := askIn(t, user, "review", "--json").out
	for _, want := range []string{got.Items[0].ID, "blue cluster", "claude-code offered it with memory_propose"} {
		if !strings.Contains(review, want) {
			t.Errorf("review does not show %q: %s", want, review)
		}
	}
	if core := call1(t, a, "memory_core", nil); strings.Contains(core.text, "blue cluster") {
		t.Errorf("a candidate is in the core: %s", core.text)
	}
	if found := call1(t, a, "memory_search", map[string]any{"query": "blue cluster"}); len(found.Items) == 0 || !strings.Contains(found.Items[0].Note, "not settled") || found.Items[0].Trust != "agent" {
		t.Errorf("%s", found.text)
	}
	if opened := call1(t, a, "memory_open_session", map[string]any{"session_id": got.Items[0].Session}); opened.wrong {
		t.Errorf("the proposal cannot be opened: %s", opened.text)
	}
	askIn(t, user, "review", "refuse", got.Items[0].ID, "--reason", "no", "--json")
	for _, s := range []string{text, "Because the green cluster lacks the queue, deploys of the shop go through the blue cluster."} {
		if again := call1(t, a, "memory_propose", map[string]any{"text": s}); !strings.Contains(again.text, "refused") {
			t.Errorf("what was refused comes back: %s", again.text)
		}
	}
	if found := call1(t, a, "memory_search", map[string]any{"query": "blue cluster", "kind": "event"}); len(found.Items) != 0 {
		t.Errorf("%s", found.text)
	}
}

// TestTheBridgeOutlivesTheService starts it without a service, and has one come and go.
func TestTheBridgeOutlivesTheService(t *testing.T) {
	user := t.TempDir()
	shop, _ := townOf(t, user)
	a := agentIn(t, user, shop)
	ask := func() told { return call1(t, a, "memory_search", map[string]any{"query": "retry budget"}) }
	if got := ask(); !got.wrong || !strings.Contains(got.text, "dormouse up") {
		t.Errorf("without a service: %s", got.text)
	}
	r := up(t, user, "Ctrl-C stops.")
	if got := ask(); got.wrong || len(got.Items) == 0 {
		t.Errorf("with one: %s", got.text)
	}
	r.stop(t)
	if got := ask(); !got.wrong || !strings.Contains(got.text, "dormouse up") {
		t.Errorf("after it: %s", got.text)
	}
}

// TestNothingButTheProtocolIsPrinted speaks it by hand, with what is no JSON in between.
func TestNothingButTheProtocolIsPrinted(t *testing.T) {
	in, give := io.Pipe()
	var out, errs output
	done := make(chan int, 1)
	user := t.TempDir()
	go func() {
		done <- run(context.Background(), []string{"mcp", "--agent", "codex"}, Params{Stdin: in, Stdout: &out, Stderr: &errs, Env: userEnv(user), Now: time.Now, Dir: user})
	}()
	for i, l := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_stats","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nonesuch","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`,
	} {
		if _, err := io.WriteString(give, l+"\n"); err != nil {
			t.Fatal(err)
		}
		for wait := []int{1, 1, 2, 3, 4}[i]; strings.Count(out.String(), "\n") < wait; time.Sleep(5 * time.Millisecond) {
			if t.Context().Err() != nil {
				t.Fatal("no answer")
			}
		}
	}
	_ = give.Close()
	if code := <-done; code != exitOK {
		t.Errorf("it ended with %d: %s", code, errs.String())
	}
	ids := 0
	for l := range strings.Lines(out.String()) {
		var m struct {
			JSONRPC string `json:"jsonrpc"`
			ID      *int   `json:"id"`
		}
		if err := json.Unmarshal([]byte(l), &m); err != nil || m.JSONRPC != "2.0" {
			t.Errorf("not the protocol: %q", l)
		}
		if m.ID != nil {
			ids++
		}
	}
	if ids != 4 || errs.String() != "" {
		t.Errorf("%d answers; on stderr: %s", ids, errs.String())
	}
}

// TestAgentsAskOverHTTPWhereThePersonWantsIt has the service listen beside a port that is taken.
func TestAgentsAskOverHTTPWhereThePersonWantsIt(t *testing.T) {
	user := t.TempDir()
	shop, _ := townOf(t, user)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close() //nolint:errcheck // test
	r := up(t, user, "Ctrl-C stops.")
	if got := askIn(t, user, "mcp", "url"); got.code != exitFailure || !strings.Contains(got.err, "http = true") {
		t.Errorf("off: %+v", got)
	}
	r.stop(t)
	put(t, filepath.Join(user, ".dormouse", "config.toml"), fmt.Sprintf("[mcp]\nhttp = true\nport = %d\n", taken.Addr().(*net.TCPAddr).Port))
	up(t, user, "Ctrl-C stops.")
	var at mcpAddress
	for got := (result{code: -1}); got.code != exitOK; time.Sleep(20 * time.Millisecond) {
		if got = askIn(t, user, "mcp", "url", "--json"); json.Unmarshal([]byte(got.out), &at) == nil && at.URL != "" {
			break
		}
	}
	info, err := os.Stat(at.TokenFile)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the token's file: %v %v", info, err)
	}
	if resp, err := http.Post(at.URL, "application/json", strings.NewReader("{}")); err != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("without the token: %v %v", resp, err)
	}
	cl := mcp.NewClient(&mcp.Implementation{Name: "codex-mcp-client", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	_, token, _ := strings.Cut(at.Header, ": ")
	cs, err := cl.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: at.URL + "?project=" + url.QueryEscape(shop), HTTPClient: &http.Client{Transport: authorized(token)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close() //nolint:errcheck // test
	if got := call1(t, cs, "memory_search", map[string]any{"query": "retry budget of the payment gateway"}); got.wrong || len(got.Items) == 0 {
		t.Errorf("%s", got.text)
	}
}

type authorized string

func (a authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", string(a))
	return http.DefaultTransport.RoundTrip(r)
}
