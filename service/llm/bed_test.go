package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"dormouse/service/cost"
)

const testKey = "sk-test-0123456789abcdef"

// script is a provider on the loopback that answers call by call; the last answer is given again and again.
type script struct {
	*httptest.Server
	mu      sync.Mutex
	answers []http.HandlerFunc
	bodies  []map[string]any
	heads   []http.Header
}

func newScript(t *testing.T, answers ...http.HandlerFunc) *script {
	s := &script{answers: answers}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		var body map[string]any
		_ = json.Unmarshal(raw, &body)
		s.mu.Lock()
		s.bodies, s.heads = append(s.bodies, body), append(s.heads, r.Header)
		answer := s.answers[min(len(s.bodies), len(s.answers))-1]
		s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *script) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

// wire is one of the two forms that providers speak.
type wire struct {
	provider string
	says     func(text string) http.HandlerFunc
	refuses  http.HandlerFunc
	cuts     http.HandlerFunc
}

func messagesAnswer(text, stop string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": "m-2026", "stop_reason": stop,
			"content": []any{map[string]any{"type": "text", "text": text}}, "usage": map[string]any{"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 20}})
	}
}

func chatAnswer(text, refusal, stop string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"id": "c_1", "object": "chat.completion", "model": "m-2026",
			"choices": []any{map[string]any{"index": 0, "finish_reason": stop, "message": map[string]any{"role": "assistant", "content": text, "refusal": refusal}}},
			"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}})
	}
}

var wires = []wire{
	{Anthropic, func(t string) http.HandlerFunc { return messagesAnswer(t, "end_turn") }, messagesAnswer("", "refusal"), messagesAnswer(`{"a":`, "max_tokens")},
	{OpenAI, func(t string) http.HandlerFunc { return chatAnswer(t, "", "stop") }, chatAnswer("", "I will not.", "stop"), chatAnswer(`{"a":`, "", "length")},
}

// fails answers with a status and a provider's error.
func fails(status int, code, message string, head ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(head); i += 2 {
			w.Header().Set(head[i], head[i+1])
		}
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"type":"error","error":{"type":%q,"code":%q,"message":%q}}`, code, code, message)
	}
}

// books keep what was spent in a file.
func books(dir string) Store {
	path := filepath.Join(dir, "spent.json")
	return Store{Name: path, Load: func() ([]byte, error) { return os.ReadFile(path) }, Save: func(b []byte) error { return os.WriteFile(path, b, 0o600) }}
}

// bed is a client with a clock that stands still and pauses that are noted instead of waited for.
type bed struct {
	*Client
	pauses []time.Duration
	now    time.Time
}

func newBed(t *testing.T, provider, url string, change ...func(*Options)) *bed {
	t.Helper()
	b := &bed{now: time.Date(2026, 6, 1, 4, 0, 0, 0, time.UTC)}
	o := Options{Provider: provider, Model: "m", BaseURL: url, Mark: "[own]", Dir: filepath.Join(t.TempDir(), "calls"), Timeout: time.Minute,
		Store: books(t.TempDir()), Meter: cost.At(filepath.Join(t.TempDir(), "cost")), Now: func() time.Time { return b.now }, Night: nightOf, Env: func(k string) string {
			return map[string]string{"ANTHROPIC_API_KEY": testKey, "OPENAI_API_KEY": testKey}[k]
		},
		Wait: func(_ context.Context, d time.Duration) error { b.pauses = append(b.pauses, d); return nil }}
	for _, c := range change {
		c(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	b.Client = c
	return b
}

// nightOf begins nights at three.
func nightOf(t time.Time) time.Time {
	n := time.Date(t.Year(), t.Month(), t.Day(), 3, 0, 0, 0, t.Location())
	if n.After(t) {
		n = n.AddDate(0, 0, -1)
	}
	return n
}

var ask = Prompt{Name: "facts", System: "Be brief.", User: "the text", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}`),
	MaxTokens: 100, Temperature: 0.2, Check: func(s string) error {
		var v struct{ A *int }
		if err := json.Unmarshal([]byte(s), &v); err != nil || v.A == nil {
			return fmt.Errorf("a is missing")
		}
		return nil
	}}

func kindOf(t *testing.T, err error) Kind {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	return failureOf(err).Kind
}

func noBooks() ([]byte, error) { return nil, fs.ErrNotExist }
