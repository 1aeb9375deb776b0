package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

func TestBothFormsAreSpoken(t *testing.T) {
	for _, w := range wires {
		s := newScript(t, w.says(`{"a":1}`))
		b := newBed(t, w.provider, s.URL, func(o *Options) { o.Price = &Price{Input: 1, Output: 5} })
		got, err := b.Complete(t.Context(), ask)
		if err != nil || got.Text != `{"a":1}` || got.Model != "m-2026" || got.Usage != (Usage{Calls: 1, InputTokens: 100, OutputTokens: 20, CostMicros: 200}) {
			t.Fatalf("%s: %+v %v", w.provider, got, err)
		}
		body, _ := json.Marshal(s.bodies[0])
		for _, want := range []string{`"model":"m"`, `"max_tokens":100`, `"temperature":0.2`, "Be brief.", `[own]\nthe text`, "json_schema", `"additionalProperties":false`} {
			if !strings.Contains(string(body), want) {
				t.Errorf("%s: the request does not say %s: %s", w.provider, want, body)
			}
		}
		if s.bodies[0]["stream"] != nil {
			t.Errorf("%s: asked for a stream", w.provider)
		}
		if key := s.heads[0].Get("X-Api-Key") + s.heads[0].Get("Authorization"); !strings.Contains(key, testKey) {
			t.Errorf("%s: no key was sent", w.provider)
		}
		if sp, err := b.Spent(); err != nil || sp.Usage != got.Usage || sp.Reserved != (Usage{}) {
			t.Errorf("%s: spent %+v %v", w.provider, sp, err)
		}
	}
}

func TestAnAnswerIsFoundInFencesAndMendedOnce(t *testing.T) {
	for _, w := range wires {
		for _, c := range []struct {
			answers []string
			calls   int
			kind    Kind
		}{
			{[]string{"```json\n{\"a\":1}\n```"}, 1, ""},
			{[]string{"Here [as asked] it is: {\"a\": 1} Done."}, 1, ""},
			{[]string{"no idea", `{"a":1}`}, 2, ""},
			{[]string{`{"b":1}`, `{"a":1}`}, 2, ""},
			{[]string{"", `{"a":1}`}, 2, ""},
			{[]string{`{"a":1`, "{nothing}"}, 2, BadAnswer},
			{[]string{`{"b":1}`}, 2, BadAnswer},
		} {
			var answers []http.HandlerFunc
			for _, a := range c.answers {
				answers = append(answers, w.says(a))
			}
			s := newScript(t, answers...)
			got, err := newBed(t, w.provider, s.URL).Complete(t.Context(), ask)
			if s.calls() != c.calls || got.Calls != c.calls || got.InputTokens != int64(100*c.calls) {
				t.Errorf("%s %q: %d calls, %+v", w.provider, c.answers, s.calls(), got)
			}
			switch {
			case c.kind != "":
				if kindOf(t, err) != c.kind || failureOf(err).Lasting() {
					t.Errorf("%s %q: %v", w.provider, c.answers, err)
				}
			case err != nil || strings.ReplaceAll(got.Text, " ", "") != `{"a":1}`:
				t.Errorf("%s %q: %q %v", w.provider, c.answers, got.Text, err)
			}
			if c.calls == 2 {
				last, _ := json.Marshal(s.bodies[1]["messages"])
				if !strings.Contains(string(last), "cannot be used") {
					t.Errorf("%s: the model is not told what is wrong: %s", w.provider, last)
				}
			}
		}
	}
}

func TestWhatFailsIsToldAndTriedAgainOnlyWhereThatHelps(t *testing.T) {
	for _, w := range wires {
		good := w.says(`{"a":1}`)
		for name, c := range map[string]struct {
			answers []http.HandlerFunc
			calls   int
			kind    Kind
			lasting bool
		}{
			"busy, then well":      {[]http.HandlerFunc{fails(429, "rate_limit_error", "slow down"), good}, 2, "", false},
			"down, then well":      {[]http.HandlerFunc{fails(500, "api_error", ""), fails(503, "", ""), fails(529, "overloaded_error", ""), good}, 4, "", false},
			"busy all the time":    {[]http.HandlerFunc{fails(429, "rate_limit_error", "slow down")}, 4, Quota, true},
			"down all the time":    {[]http.HandlerFunc{fails(500, "api_error", "oops")}, 4, Server, true},
			"no money":             {[]http.HandlerFunc{fails(429, "insufficient_quota", "no money left")}, 1, Quota, true},
			"no credit":            {[]http.HandlerFunc{fails(400, "invalid_request_error", "Your credit balance is too low")}, 1, Quota, true},
			"a wrong key":          {[]http.HandlerFunc{fails(401, "authentication_error", "bad key "+testKey)}, 1, Auth, true},
			"a model that is none": {[]http.HandlerFunc{fails(404, "not_found_error", "no model m")}, 1, Request, true},
			"a request of no use":  {[]http.HandlerFunc{fails(400, "invalid_request_error", "messages: wrong")}, 1, Request, true},
			"too long":             {[]http.HandlerFunc{fails(400, "context_length_exceeded", "too many")}, 1, TooLong, false},
			"refused":              {[]http.HandlerFunc{w.refuses}, 1, Refused, false},
			"cut":                  {[]http.HandlerFunc{w.cuts}, 1, Cut, false},
			"no JSON at all":       {[]http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }}, 4, Server, true},
		} {
			s := newScript(t, c.answers...)
			b := newBed(t, w.provider, s.URL)
			_, err := b.Complete(t.Context(), ask)
			if s.calls() != c.calls || len(b.pauses) != c.calls-1 {
				t.Errorf("%s, %s: %d calls, pauses %v (%v)", w.provider, name, s.calls(), b.pauses, err)
			}
			if c.kind == "" {
				if err != nil {
					t.Errorf("%s, %s: %v", w.provider, name, err)
				}
				continue
			}
			if f := failureOf(err); f.Kind != c.kind || f.Lasting() != c.lasting || strings.Contains(err.Error(), testKey) {
				t.Errorf("%s, %s: %v (%s)", w.provider, name, err, f.Kind)
			}
			if sp, _ := b.Spent(); sp.Reserved != (Usage{}) {
				t.Errorf("%s, %s: still reserved %+v", w.provider, name, sp.Reserved)
			}
		}
	}
}

func TestAProviderSaysWhenItWantsToBeAskedAgain(t *testing.T) {
	at := time.Date(2026, 6, 1, 4, 0, 20, 0, time.UTC).Format(http.TimeFormat)
	for _, w := range wires {
		for head, want := range map[string]time.Duration{"7": 7 * time.Second, at: 20 * time.Second} {
			s := newScript(t, fails(429, "rate_limit_error", "", "Retry-After", head), w.says(`{"a":1}`))
			b := newBed(t, w.provider, s.URL)
			if _, err := b.Complete(t.Context(), ask); err != nil || len(b.pauses) != 1 || b.pauses[0] != want {
				t.Errorf("%s %q: pauses %v, %v", w.provider, head, b.pauses, err)
			}
		}
		s := newScript(t, fails(429, "rate_limit_error", "", "Retry-After", "3600"))
		b := newBed(t, w.provider, s.URL)
		if _, err := b.Complete(t.Context(), ask); s.calls() != 1 || failureOf(err).After != time.Hour || !strings.Contains(err.Error(), "again in 1h0m0s") {
			t.Errorf("%s: an hour is waited for: %v", w.provider, err)
		}
	}
}

func TestWhatAnEndpointDoesNotTakeIsLeftOut(t *testing.T) {
	for _, w := range wires {
		s := newScript(t, fails(400, "invalid_request_error", "temperature is not supported by this model"),
			fails(422, "invalid_request_error", "json_schema is not supported"), w.says(`{"a":1}`))
		b := newBed(t, w.provider, s.URL)
		for range 2 {
			if _, err := b.Complete(t.Context(), ask); err != nil {
				t.Fatalf("%s: %v", w.provider, err)
			}
		}
		last, _ := json.Marshal(s.bodies[3])
		if s.calls() != 4 || strings.Contains(string(last), "temperature") || strings.Contains(string(last), "json_schema") {
			t.Errorf("%s: %d calls, the last one %s", w.provider, s.calls(), last)
		}
	}
	s := newScript(t, fails(400, "unsupported_parameter", "'max_tokens' is not supported, use 'max_completion_tokens'"), chatAnswer(`{"a":1}`, "", "stop"))
	if _, err := newBed(t, OpenAI, s.URL).Complete(t.Context(), ask); err != nil || s.bodies[1]["max_completion_tokens"] != 100.0 || s.bodies[1]["max_tokens"] != nil {
		t.Errorf("%v %v", s.bodies[1], err)
	}
}

func TestAModelThatHangsIsATimeoutThatCountsAsSpent(t *testing.T) {
	for _, w := range wires {
		over := make(chan struct{})
		s := newScript(t, func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-over:
			}
		})
		t.Cleanup(func() { close(over) })
		b := newBed(t, w.provider, s.URL, func(o *Options) { o.Timeout = 50 * time.Millisecond })
		got, err := b.Complete(t.Context(), ask)
		if kindOf(t, err) != Timeout || s.calls() > 1 || !strings.Contains(err.Error(), "llm.timeout") || got.OutputTokens != 100 || got.InputTokens == 0 {
			t.Errorf("%s: %v, %d calls, %+v", w.provider, err, s.calls(), got)
		}
	}
}

func TestNobodyThereIsTriedAgainAndCostsNothing(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://user:hunter2@" + ln.Addr().String()
	_ = ln.Close()
	for _, w := range wires {
		b := newBed(t, w.provider, url)
		got, err := b.Complete(t.Context(), ask)
		if kindOf(t, err) != Unreachable || len(b.pauses) != 3 || got.InputTokens != 0 || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, pauses %v, %+v", w.provider, err, b.pauses, got)
		}
	}
}

func TestTheKeyIsNotCarriedElsewhere(t *testing.T) {
	other := newScript(t, messagesAnswer(`{"a":1}`, "end_turn"))
	for _, w := range wires {
		s := newScript(t, func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, other.URL, http.StatusTemporaryRedirect)
		})
		if _, err := newBed(t, w.provider, s.URL).Complete(t.Context(), ask); err == nil || other.calls() != 0 {
			t.Errorf("%s: followed a redirect: %v", w.provider, err)
		}
	}
}

func TestTheEnvironmentOfOthersIsNotUsed(t *testing.T) {
	other := newScript(t, messagesAnswer(`{"a":1}`, "end_turn"))
	for _, name := range []string{"ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"} {
		t.Setenv(name, other.URL)
	}
	t.Setenv("OPENAI_API_KEY", "sk-of-the-process")
	t.Setenv("ANTHROPIC_API_KEY", "sk-of-the-process")
	for _, w := range wires {
		s := newScript(t, w.says(`{"a":1}`))
		_, err := newBed(t, w.provider, s.URL, func(o *Options) { o.Env = func(string) string { return "" }; o.Key.Optional = true }).Complete(t.Context(), ask)
		head := fmt.Sprint(s.heads)
		if err != nil || other.calls() != 0 || strings.Contains(head, "sk-of-the-process") {
			t.Errorf("%s: %v, %d calls elsewhere, %s", w.provider, err, other.calls(), head)
		}
	}
}

func TestASleepThatEndsIsNoFailureOfTheModel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newScript(t, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	b := newBed(t, OpenAI, s.URL)
	if _, err := b.Complete(ctx, ask); err != context.Canceled {
		t.Errorf("%v", err)
	}
	if sp, _ := b.Spent(); sp.OutputTokens != 100 {
		t.Errorf("a call that was given up counts nothing: %+v", sp)
	}
}

func TestKeysComeFromAFileOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string, mode os.FileMode) string {
		path := dir + "/" + name
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	s := newScript(t, chatAnswer(`{"a":1}`, "", "stop"))
	with := func(k Key) error {
		_, err := newBed(t, OpenAI, s.URL, func(o *Options) { o.Key = k }).Complete(t.Context(), ask)
		return err
	}
	if err := with(Key{File: put("good", "sk-file\n", 0o600)}); err != nil || s.heads[0].Get("Authorization") != "Bearer sk-file" {
		t.Errorf("%v, sent %v", err, s.heads)
	}
	for want, k := range map[string]Key{
		"chmod 600":       {File: put("open", "sk-x", 0o644)},
		"the key alone":   {File: put("two", "sk-x\nsk-y", 0o600)},
		"no such file":    {File: dir + "/none"},
		"no file with":    {File: dir},
		"OTHER for the s": {Env: "OTHER"},
	} {
		_, err := newBed(t, Anthropic, s.URL, func(o *Options) { o.Key = k }).Complete(t.Context(), ask)
		if kindOf(t, err) != Setup || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", k, err)
		}
	}
	if s.calls() != 1 {
		t.Errorf("asked without a key")
	}
}

func TestAnEndlessAnswerIsNotReadToItsEnd(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"id":"`))
		page := []byte(strings.Repeat("x", 1<<16))
		for r.Context().Err() == nil {
			if _, err := w.Write(page); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	b := newBed(t, OpenAI, s.URL, func(o *Options) { o.Timeout = 5 * time.Minute })
	if _, err := b.once1(t); err == nil {
		t.Error("taken for an answer")
	}
}

// once1 makes one call without another try.
func (b *bed) once1(t *testing.T) (reply, error) {
	got, _, err := b.once(t.Context(), request{Prompt: ask})
	return got, err
}
