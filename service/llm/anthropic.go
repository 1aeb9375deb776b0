package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"
)

const anthropicURL = "https://api.anthropic.com"

// messages speaks Anthropic's Messages.
type messages struct {
	o    Options
	base string
	http *http.Client
	omit omissions
}

func newAnthropic(o Options) *messages {
	o.Key.Env = cmp.Or(o.Key.Env, "ANTHROPIC_API_KEY")
	return &messages{o: o, base: cmp.Or(o.BaseURL, anthropicURL), http: newHTTP()}
}

func (m *messages) overhead() int64 { return 500 } // what the provider says around a schema

func (m *messages) call(ctx context.Context, r request) (reply, error) {
	key, err := m.o.Key.Read(m.o.Env)
	if err != nil {
		return reply{}, err
	}
	return m.omit.adapt(func() (reply, error) { return m.send(ctx, r, key) })
}

func (m *messages) send(ctx context.Context, r request, key string) (reply, error) {
	opts := []option.RequestOption{option.WithBaseURL(m.base), option.WithHTTPClient(m.http),
		option.WithMaxRetries(0), option.WithRequestTimeout(2 * m.o.Timeout)}
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
	}
	service := anthropic.NewMessageService(opts...)
	got, err := service.New(ctx, m.params(&r))
	if err != nil {
		return reply{}, m.failed(err, key)
	}
	var text strings.Builder
	for _, b := range got.Content {
		if b.Type == "text" {
			text.WriteString(b.Text)
		}
	}
	u := got.Usage
	out := reply{text: text.String(), model: got.Model, usage: Usage{
		InputTokens: u.InputTokens + u.CacheCreationInputTokens + u.CacheReadInputTokens, OutputTokens: u.OutputTokens}}
	switch got.StopReason {
	case anthropic.StopReasonRefusal:
		out.failure = &Failure{Kind: Refused}
	case anthropic.StopReasonMaxTokens:
		out.failure = &Failure{Kind: Cut}
	case anthropic.StopReasonModelContextWindowExceeded:
		out.failure = &Failure{Kind: TooLong}
	}
	return out, nil
}

func (m *messages) params(r *request) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{
		Model: m.o.Model, MaxTokens: int64(r.MaxTokens),
		System:   []anthropic.TextBlockParam{{Text: r.System}},
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(r.User))},
	}
	if r.broken != "" {
		p.Messages = append(p.Messages, anthropic.NewAssistantMessage(anthropic.NewTextBlock(r.broken)),
			anthropic.NewUserMessage(anthropic.NewTextBlock(r.mend())))
	}
	if !m.omit.has(temperature) {
		p.Temperature = param.NewOpt(r.Temperature)
	}
	if m.o.Effort != "" {
		p.OutputConfig.Effort = anthropic.OutputConfigEffort(m.o.Effort)
	}
	if len(r.Schema) > 0 && !m.omit.has(schema) {
		var s map[string]any
		if json.Unmarshal(r.Schema, &s) == nil {
			p.OutputConfig.Format.Schema = s
		}
	}
	return p
}

// failed tells what became of a call by the provider's answer.
func (m *messages) failed(err error, key string) error {
	var e *anthropic.Error
	if !errors.As(err, &e) {
		return broke(err, m.base)
	}
	var body struct {
		Error struct{ Message, Type string }
	}
	_ = json.Unmarshal([]byte(e.RawJSON()), &body) // without it, the status says what there is to say
	f := refusal(e.StatusCode, body.Error.Type, body.Error.Message, key)
	if e.Response != nil {
		f.After = after(e.Response.Header, m.o.Now())
	}
	return f
}
