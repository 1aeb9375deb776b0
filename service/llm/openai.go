package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/openai/openai-go/v2"
	"github.com/openai/openai-go/v2/option"
	"github.com/openai/openai-go/v2/packages/param"
	"github.com/openai/openai-go/v2/shared"
)

const openAIURL = "https://api.openai.com/v1"

// chat speaks OpenAI's chat completions, which others speak too.
type chat struct {
	o    Options
	base string
	http *http.Client
	omit omissions
}

func newOpenAI(o Options) *chat {
	o.Key.Env = cmp.Or(o.Key.Env, "OPENAI_API_KEY")
	o.Key.Optional = o.BaseURL != "" && o.Key.File == ""
	return &chat{o: o, base: cmp.Or(o.BaseURL, openAIURL), http: newHTTP()}
}

func (c *chat) overhead() int64 { return 500 }

func (c *chat) call(ctx context.Context, r request) (reply, error) {
	key, err := c.o.Key.Read(c.o.Env)
	if err != nil {
		return reply{}, err
	}
	return c.omit.adapt(func() (reply, error) { return c.send(ctx, r, key) })
}

func (c *chat) send(ctx context.Context, r request, key string) (reply, error) {
	opts := []option.RequestOption{option.WithBaseURL(c.base), option.WithHTTPClient(c.http), option.WithMaxRetries(0),
		option.WithRequestTimeout(2 * c.o.Timeout)}
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
	}
	service := openai.NewChatCompletionService(opts...)
	got, err := service.New(ctx, c.params(&r))
	if err != nil {
		return reply{}, c.failed(err, key)
	}
	out := reply{model: got.Model, usage: Usage{InputTokens: got.Usage.PromptTokens, OutputTokens: got.Usage.CompletionTokens}}
	if len(got.Choices) == 0 {
		return out, &Failure{Kind: Server, Detail: "the answer holds no choice"}
	}
	first := got.Choices[0]
	out.text = first.Message.Content
	switch {
	case first.Message.Refusal != "", first.FinishReason == "content_filter":
		out.failure = &Failure{Kind: Refused, Detail: line(first.Message.Refusal, key)}
	case first.FinishReason == "length":
		out.failure = &Failure{Kind: Cut}
	}
	return out, nil
}

func (c *chat) params(r *request) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{Model: c.o.Model, Messages: []openai.ChatCompletionMessageParamUnion{
		openai.SystemMessage(r.System), openai.UserMessage(r.User)}}
	if r.broken != "" {
		p.Messages = append(p.Messages, openai.AssistantMessage(r.broken), openai.UserMessage(r.mend()))
	}
	// OpenAI's newer models take the one name alone, most other endpoints know the other alone.
	if (c.base == openAIURL) != c.omit.has(length) {
		p.MaxCompletionTokens = param.NewOpt(int64(r.MaxTokens))
	} else {
		p.MaxTokens = param.NewOpt(int64(r.MaxTokens))
	}
	if !c.omit.has(temperature) {
		p.Temperature = param.NewOpt(r.Temperature)
	}
	if c.o.Effort != "" {
		p.ReasoningEffort = shared.ReasoningEffort(c.o.Effort)
	}
	if len(r.Schema) > 0 && !c.omit.has(schema) {
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: r.Name, Strict: param.NewOpt(true), Schema: json.RawMessage(r.Schema)}}
	}
	return p
}

func (c *chat) failed(err error, key string) error {
	var e *openai.Error
	if !errors.As(err, &e) {
		return broke(err, c.base)
	}
	message := e.Message
	if message == "" {
		var body struct{ Error, Message string } // as some other endpoints say it
		_ = json.Unmarshal([]byte(e.RawJSON()), &body)
		message = cmp.Or(body.Error, body.Message)
	}
	f := refusal(e.StatusCode, cmp.Or(e.Code, e.Type), message, key)
	if e.Response != nil {
		f.After = after(e.Response.Header, c.o.Now())
	}
	return f
}
