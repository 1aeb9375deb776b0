package proxy

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v2"
	openaioption "github.com/openai/openai-go/v2/option"
	openairesponses "github.com/openai/openai-go/v2/responses"
)

func anthropicClient(b *bed) anthropic.Client {
	return anthropic.NewClient(anthropicoption.WithBaseURL(b.url+"anthropic"), anthropicoption.WithAPIKey(secrets[0]), anthropicoption.WithMaxRetries(0))
}

func openaiClient(b *bed) openai.Client {
	return openai.NewClient(openaioption.WithBaseURL(b.url+"openai/v1"), openaioption.WithAPIKey(secrets[0]), openaioption.WithMaxRetries(0))
}

var hello = anthropic.MessageNewParams{Model: "claude-x-1", MaxTokens: 100, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("hello"))}}

func TestAnthropicsLibraryAsClient(t *testing.T) {
	b := newBed(t, sse(golden(t, "messages.sse")))
	c := anthropicClient(b)
	s := c.Messages.NewStreaming(t.Context(), hello)
	m := anthropic.Message{}
	for s.Next() {
		if err := m.Accumulate(s.Current()); err != nil {
			t.Fatal(err)
		}
	}
	if s.Err() != nil || len(m.Content) != 1 || m.Content[0].Text != "Grüß Gott" || m.Usage.OutputTokens != 15 {
		t.Errorf("%v %+v", s.Err(), m)
	}
	b = newBed(t, answer(`{"id":"msg_2","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":1,"output_tokens":2}}`))
	c = anthropicClient(b)
	if m, err := c.Messages.New(t.Context(), hello); err != nil || m.Content[0].Text != "hi" {
		t.Errorf("%+v %v", m, err)
	}
	b = newBed(t, answer(`{"input_tokens":42}`))
	c = anthropicClient(b)
	if n, err := c.Messages.CountTokens(t.Context(), anthropic.MessageCountTokensParams{Model: "m", Messages: hello.Messages}); err != nil || n.InputTokens != 42 {
		t.Errorf("%+v %v", n, err)
	}
}

func TestAnthropicsLibraryIsToldOfErrors(t *testing.T) {
	text := golden(t, "messages.sse")
	c := anthropicClient(newBed(t, cut(text[:strings.Index(text, "event: content_block_stop")+10])))
	s := c.Messages.NewStreaming(t.Context(), hello)
	n := 0
	for s.Next() {
		n++
	}
	if n < 4 || s.Err() == nil || !strings.Contains(s.Err().Error(), "broke in the middle") {
		t.Errorf("%d events, %v", n, s.Err())
	}
	c = anthropicClient(newBed(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(529)
		_, _ = w.Write([]byte(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`))
	}))
	_, err := c.Messages.New(t.Context(), hello)
	var e *anthropic.Error
	if !errors.As(err, &e) || e.StatusCode != 529 || !strings.Contains(e.RawJSON(), "overloaded_error") {
		t.Errorf("%v", err)
	}
}

func TestOpenAIsLibraryAsClient(t *testing.T) {
	c := openaiClient(newBed(t, sse(golden(t, "chat.sse"))))
	p := openai.ChatCompletionNewParams{Model: "gpt-x-1", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hello")}}
	s := c.Chat.Completions.NewStreaming(t.Context(), p)
	acc := openai.ChatCompletionAccumulator{}
	for s.Next() {
		acc.AddChunk(s.Current())
	}
	if s.Err() != nil || acc.Choices[0].Message.Content != "Hello" || acc.Usage.PromptTokens != 120 {
		t.Errorf("%v %+v", s.Err(), acc)
	}
	text := golden(t, "chat.sse")
	c = openaiClient(newBed(t, cut(text[:eventEnd([]byte(text))+30])))
	s = c.Chat.Completions.NewStreaming(t.Context(), p)
	for s.Next() {
	}
	if s.Err() == nil || !strings.Contains(s.Err().Error(), "broke in the middle") {
		t.Errorf("%v", s.Err())
	}
}

func TestOpenAIsLibraryAsClientOfResponses(t *testing.T) {
	p := openairesponses.ResponseNewParams{Model: "gpt-x-1", Input: openairesponses.ResponseNewParamsInputUnion{OfString: openai.String("hello")}}
	text := golden(t, "responses.sse")
	for name, h := range map[string]http.HandlerFunc{"response.completed": sse(text), "error": cut(text[:eventEnd([]byte(text))+30])} {
		c := openaiClient(newBed(t, h))
		s := c.Responses.NewStreaming(t.Context(), p)
		last := openairesponses.ResponseStreamEventUnion{}
		for s.Next() {
			last = s.Current()
		}
		if s.Err() != nil || last.Type != name {
			t.Errorf("%v, the last event is %q, want %q", s.Err(), last.Type, name)
		}
		if name == "error" && !strings.Contains(last.Message, "broke in the middle") {
			t.Errorf("%+v", last)
		}
	}
}
