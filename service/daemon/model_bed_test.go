package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/service/config"
	"dormouse/store/home"
)

// chatter is a provider on the loopback that speaks chat completions, not streamed, and answers by a function.
type chatter struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []string // the users' parts of the prompts
	heads  []http.Header
	answer func(call int, user string) (status int, content string)
}

func newChatter(t *testing.T, answer func(call int, user string) (int, string)) *chatter {
	k := &chatter{answer: answer}
	k.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		var body struct {
			Messages []struct{ Role, Content string }
		}
		_ = json.Unmarshal(raw, &body)
		user := ""
		for _, m := range body.Messages {
			if m.Role == "user" {
				user = m.Content
			}
		}
		k.mu.Lock()
		k.asked, k.heads = append(k.asked, user), append(k.heads, r.Header)
		n, answer := len(k.asked), k.answer
		k.mu.Unlock()
		status, content := answer(n, user)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		if status != http.StatusOK {
			_, _ = fmt.Fprintf(w, `{"error":{"message":%q}}`, content)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"id": "c", "object": "chat.completion", "model": "loop-1",
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": content}}},
			"usage":   map[string]any{"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}})
	}))
	t.Cleanup(k.Close)
	return k
}

func (k *chatter) calls() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.asked)
}

func (k *chatter) set(answer func(int, string) (int, string)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.answer = answer
}

// heard is one entry of a prompt.
type heard struct{ ID, Speaker, Text string }

func entriesOf(user string) []heard {
	var out []heard
	for l := range strings.Lines(user) {
		var h heard
		if strings.HasPrefix(l, "{") && json.Unmarshal([]byte(l), &h) == nil {
			out = append(out, h)
		}
	}
	return out
}

// accounts answers with a work of each message of the agent, in its own words.
func accounts(_ int, user string) (int, string) {
	var rs []string
	for _, h := range entriesOf(user) {
		if h.Speaker == "agent" {
			rs = append(rs, fmt.Sprintf(`{"kind":"work","summary":%q,"speaker":"agent","evidence":[%q],"entities":[]}`, h.Text, h.ID))
		}
	}
	return http.StatusOK, `{"records":[` + strings.Join(rs, ",") + `]}`
}

// modelParams is a service that has sessions read by a provider on the loopback, of which n are there.
func modelParams(t *testing.T, url string, n int) Params {
	t.Helper()
	roots := t.TempDir()
	for i := range n {
		e := newEditor(t, roots, "/w/shop", i+1)
		e.prompt(fmt.Sprintf("please mend till number %d", i+1))
		e.says(fmt.Sprintf("Mended the drawer of till number %d in till%d.go so that it opens.", i+1, i+1))
	}
	p := params(t.TempDir(), roots)
	p.Config.Distill.Extractor = config.Model
	l := &p.Config.LLM
	l.Provider, l.Model, l.BaseURL, l.Titles = "openai", "loop", url, false
	l.Prices = map[string]config.Price{"loop": {Input: 1, Output: 10}}
	p.wait = func(context.Context, time.Duration) error { return nil }
	return p
}

// until asks for the status until it is as wanted.
func until(t *testing.T, s *service, what string, ok func(api.Status) bool) api.Status {
	t.Helper()
	var st api.Status
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var err error
		if st, err = s.Status(t.Context()); err != nil {
			t.Fatal(err)
		}
		if ok(st) {
			return st
		}
	}
	t.Fatalf("%s does not come: %+v, backlog %+v", what, st.LLM, st.Backlog)
	return st
}

func learnedLines(t *testing.T, s *service) string {
	t.Helper()
	tl, err := s.Timeline(t.Context(), api.TimelineQuery{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range tl.Events {
		out = append(out, string(e.Kind)+" "+e.Summary)
	}
	return strings.Join(out, "\n")
}

// cores is the text of every core.md.
func cores(t *testing.T, p Params) string {
	t.Helper()
	var out strings.Builder
	dir := home.At(p.Home.Dir()).Memory()
	names, _ := filepath.Glob(filepath.Join(dir, "core", "*.md"))
	for _, name := range append(names, filepath.Join(dir, "core.md")) {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(raw)
	}
	return out.String()
}
