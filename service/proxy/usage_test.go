package proxy

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

func sse(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		_, _ = io.WriteString(w, text)
	}
}

func answer(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, text)
	}
}

func TestUsageIsReadOutOfStreams(t *testing.T) {
	for _, s := range streams {
		b := newBed(t, sse(golden(t, s.file)))
		if _, got := b.post(s.path, `{"stream":true}`); got != golden(t, s.file) {
			t.Errorf("%s: the stream was changed: %q", s.name, got)
		}
		c := b.metered(1)[0]
		if !c.Told || c.Usage != s.usage || c.Model != s.model || c.ID != s.id || c.Client != "agent" || c.At != start || c.CacheDefaults != (s.form == messages) {
			t.Errorf("%s: %+v", s.name, c)
		}
		if st := b.proxy.Stats(); st.Calls != 1 || st.Output != s.usage.Output || st.Input != s.usage.Input+s.usage.CacheRead+s.usage.CacheWrite || st.CacheRead != s.usage.CacheRead {
			t.Errorf("%s: %+v", s.name, st)
		}
	}
}

func TestUsageIsReadOutOfBodies(t *testing.T) {
	for _, c := range []struct {
		path, body string
		want       Usage
	}{
		{"anthropic/v1/messages", `{"id":"msg_1","model":"m","content":[],"usage":{"input_tokens":3,"cache_creation_input_tokens":null,"cache_read_input_tokens":5,"output_tokens":7}}`, Usage{3, 5, 0, 7}},
		{"openai/v1/chat/completions", `{"id":"c","model":"m","usage":{"prompt_tokens":10,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":6}}}`, Usage{4, 6, 0, 4}},
		{"openai/v1/responses", `{"id":"r","model":"m","usage":{"input_tokens":10,"output_tokens":4}}`, Usage{10, 0, 0, 4}},
		{"gemini/v1beta/models/m:generateContent", `{"modelVersion":"m","usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2}}`, Usage{9, 0, 0, 2}},
		{"gemini/v1beta/models/m:streamGenerateContent", `[{"modelVersion":"m","usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1}},{"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":6}}]`, Usage{9, 0, 0, 6}},
	} {
		b := newBed(t, answer(c.body))
		if _, got := b.post(c.path, "{}"); got != c.body {
			t.Errorf("%s: changed to %s", c.path, got)
		}
		if got := b.metered(1)[0]; got.Usage != c.want || !got.Told || got.Model != "m" {
			t.Errorf("%s: %+v", c.path, got)
		}
	}
}

// What a provider does not tell is not made up.
func TestUsageThatIsNotToldIsCountedAsThat(t *testing.T) {
	chunk := `data: {"id":"c","model":"m","choices":[{"delta":{"content":"x"}}]}` + "\n\ndata: [DONE]\n\n"
	for _, c := range []struct {
		path   string
		answer http.HandlerFunc
	}{{"openai/v1/chat/completions", sse(chunk)}, {"anthropic/v1/messages", answer(`{"id":"x"}`)}, {"anthropic/v1/messages", answer(`{"usage":`)}, {"anthropic/v1/messages", answer(`[]`)}} {
		b := newBed(t, c.answer)
		b.post(c.path, "{}")
		for range 1000 {
			if b.proxy.Stats().Untold == 1 {
				break
			}
			b.post("openai/v1/models", "") // a moment
		}
		if s := b.proxy.Stats(); s.Untold != 1 || s.Calls != 0 || len(b.calls) != 0 {
			t.Errorf("%+v, %v", s, b.calls)
		}
	}
}

func TestOfAStreamThatBreaksTheMostIsCounted(t *testing.T) {
	text := golden(t, "messages.sse")
	b := newBed(t, cut(text[:strings.Index(text, "event: content_block_stop")]))
	b.post("anthropic/v1/messages", "{}")
	c := b.metered(1)[0]
	if want := (Usage{25, 2000, 100, int64(len("Grüß Gott"))}); c.Told || !c.Begun || c.Usage != want {
		t.Errorf("%+v", c)
	}
}

func TestWhatIsNoCallIsNotMetered(t *testing.T) {
	b := newBed(t, answer(`{"input_tokens":5,"usage":{"input_tokens":5,"output_tokens":5}}`))
	b.post("anthropic/v1/messages/count_tokens", "{}")
	b.off = true
	b.post("anthropic/v1/messages", "{}")
	if s := b.proxy.Stats(); s.Requests != 2 || s.Read != 0 || s.Calls != 0 {
		t.Errorf("%+v", s)
	}
}

func FuzzUsage(f *testing.F) {
	for _, s := range streams {
		f.Add(golden(f, s.file))
	}
	f.Add("data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":-1e300}}}\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range streams {
			c := &call{form: s.form}
			for in := []byte(text); len(in) > 0; {
				end := eventEnd(in)
				if end <= 0 {
					break
				}
				c.event(in[:end])
				in = in[end:]
			}
			c.body([]byte(text))
			if c.Input < 0 || c.CacheRead < 0 || c.CacheWrite < 0 || c.Output < 0 {
				t.Errorf("%+v", c.Usage)
			}
			if _, err := json.Marshal(c.Call); err != nil {
				t.Error(err)
			}
		}
	})
}
