package proxy

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/openai/openai-go/v2"
	openaioption "github.com/openai/openai-go/v2/option"
	openairesponses "github.com/openai/openai-go/v2/responses"
)

// got is an answer as a client has it.
type got struct {
	parts []string // "text ...", "think ..." and "call NAME ID ARGUMENTS"
	calls []says
	in    int64 // tokens, with those of the cache
	out   int64
	stop  string
}

// library is a client made of its provider's own library.
type library interface {
	user(text string)
	results(calls []says, text string)
	ask(ctx context.Context) (got, error)
}

func newLibrary(b *bed, f form, stream bool) library {
	switch f {
	case chat:
		l := &chatLibrary{c: openaiClient(b), stream: stream}
		l.p = openai.ChatCompletionNewParams{Model: "gpt-x-1", Tools: []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: "Read"})}}
		if stream {
			l.p.StreamOptions.IncludeUsage = openai.Bool(true)
		}
		return l
	case responses:
		return &responsesLibrary{c: openaiClient(b), stream: stream}
	case generate:
		return &geminiLibrary{b: b, url: b.url, stream: stream}
	}
	return &messagesLibrary{c: anthropicClient(b), stream: stream, p: anthropic.MessageNewParams{Model: "claude-x-1", MaxTokens: 1000,
		Tools: []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{Name: "Read", InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{}}, CacheControl: anthropic.NewCacheControlEphemeralParam()}}}}}
}

type messagesLibrary struct {
	c      anthropic.Client
	p      anthropic.MessageNewParams
	stream bool
}

func (l *messagesLibrary) user(s string) {
	l.p.Messages = append(l.p.Messages, anthropic.NewUserMessage(anthropic.NewTextBlock(s)))
}

func (l *messagesLibrary) results(calls []says, s string) {
	var blocks []anthropic.ContentBlockParamUnion
	for _, c := range calls {
		blocks = append(blocks, anthropic.NewToolResultBlock(c.id, s, false))
	}
	l.p.Messages = append(l.p.Messages, anthropic.NewUserMessage(blocks...))
}

func (l *messagesLibrary) ask(ctx context.Context) (g got, err error) {
	var m *anthropic.Message
	if l.stream {
		m = &anthropic.Message{}
		s := l.c.Messages.NewStreaming(ctx, l.p)
		for s.Next() {
			if err := m.Accumulate(s.Current()); err != nil {
				return g, err
			}
		}
		err = s.Err()
	} else {
		m, err = l.c.Messages.New(ctx, l.p)
	}
	if err != nil {
		return g, err
	}
	for _, b := range m.Content {
		switch b.Type {
		case "text":
			g.parts = append(g.parts, "text "+b.Text)
		case "thinking":
			g.parts = append(g.parts, "think "+b.Thinking)
		case "tool_use":
			g.parts = append(g.parts, "call "+b.Name+" "+b.ID+" "+string(b.Input))
			g.calls = append(g.calls, says{id: b.ID, name: b.Name})
		}
	}
	u := m.Usage
	g.in, g.out, g.stop = u.InputTokens+u.CacheReadInputTokens+u.CacheCreationInputTokens, u.OutputTokens, string(m.StopReason)
	if len(m.Content) > 0 {
		p := m.ToParam()
		p.Content = slices.DeleteFunc(p.Content, func(b anthropic.ContentBlockParamUnion) bool { return b.OfText != nil && b.OfText.Text == "" }) // as clients do
		l.p.Messages = append(l.p.Messages, p)
	}
	return g, nil
}

type chatLibrary struct {
	c      openai.Client
	p      openai.ChatCompletionNewParams
	stream bool
}

func (l *chatLibrary) user(s string) { l.p.Messages = append(l.p.Messages, openai.UserMessage(s)) }

func (l *chatLibrary) results(calls []says, s string) {
	for _, c := range calls {
		l.p.Messages = append(l.p.Messages, openai.ToolMessage(s, c.id))
	}
}

func (l *chatLibrary) ask(ctx context.Context) (g got, err error) {
	var c *openai.ChatCompletion
	if l.stream {
		acc := openai.ChatCompletionAccumulator{}
		s := l.c.Chat.Completions.NewStreaming(ctx, l.p)
		for s.Next() {
			if !acc.AddChunk(s.Current()) {
				return g, fmt.Errorf("a chunk does not fit: %s", s.Current().RawJSON())
			}
		}
		c, err = &acc.ChatCompletion, s.Err()
	} else {
		c, err = l.c.Chat.Completions.New(ctx, l.p)
	}
	if err != nil {
		return g, err
	}
	m := c.Choices[0].Message
	if m.Content != "" {
		g.parts = append(g.parts, "text "+m.Content)
	}
	for _, t := range m.ToolCalls {
		g.parts = append(g.parts, "call "+t.Function.Name+" "+t.ID+" "+t.Function.Arguments)
		g.calls = append(g.calls, says{id: t.ID, name: t.Function.Name})
	}
	g.in, g.out, g.stop = c.Usage.PromptTokens, c.Usage.CompletionTokens, c.Choices[0].FinishReason
	if len(g.parts) > 0 {
		p := m.ToParam()
		for i := range p.OfAssistant.ToolCalls {
			p.OfAssistant.ToolCalls[i].OfFunction.Type = "function"
		}
		l.p.Messages = append(l.p.Messages, p)
	}
	return g, nil
}

type responsesLibrary struct {
	c      openai.Client
	items  []json.RawMessage
	stream bool
}

func (l *responsesLibrary) user(s string) {
	l.items = append(l.items, encoded(map[string]any{"type": "message", "role": "user", "content": s}))
}

func (l *responsesLibrary) results(calls []says, s string) {
	for _, c := range calls {
		l.items = append(l.items, encoded(map[string]any{"type": "function_call_output", "call_id": c.id, "output": s}))
	}
}

func (l *responsesLibrary) ask(ctx context.Context) (g got, err error) {
	p := openairesponses.ResponseNewParams{Model: "gpt-x-1", Store: openai.Bool(false), Tools: []openairesponses.ToolUnionParam{{OfFunction: &openairesponses.FunctionToolParam{Name: "Read", Parameters: map[string]any{"type": "object"}, Strict: openai.Bool(false)}}}}
	input := openaioption.WithJSONSet("input", l.items)
	var r *openairesponses.Response
	if l.stream {
		s := l.c.Responses.NewStreaming(ctx, p, input)
		var seen []string
		for n := int64(0); s.Next(); n++ {
			e := s.Current()
			if e.SequenceNumber != n {
				return g, fmt.Errorf("event %d has the number %d", n, e.SequenceNumber)
			}
			switch e.Type {
			case "response.output_item.added":
				if int(e.OutputIndex) != len(seen) {
					return g, fmt.Errorf("item %d has the index %d", len(seen), e.OutputIndex)
				}
				seen = append(seen, e.Item.ID)
			case "response.output_item.done":
				if seen[e.OutputIndex] != e.Item.ID {
					return g, fmt.Errorf("the end of %s has the index of %s", e.Item.ID, seen[e.OutputIndex])
				}
			case "error":
				return g, fmt.Errorf("told: %s", e.Message)
			case "response.completed":
				c := e.AsResponseCompleted().Response
				r = &c
			}
		}
		if err = s.Err(); err == nil && r == nil {
			err = fmt.Errorf("no end")
		}
		if err == nil && len(r.Output) != len(seen) {
			err = fmt.Errorf("%d items came, and %d at the end", len(seen), len(r.Output))
		}
	} else {
		r, err = l.c.Responses.New(ctx, p, input)
	}
	if err != nil {
		return g, err
	}
	for _, i := range r.Output {
		l.items = append(l.items, json.RawMessage(i.RawJSON()))
		switch i.Type {
		case "message":
			g.parts = append(g.parts, "text "+i.Content[0].Text)
		case "reasoning":
			g.parts = append(g.parts, "think "+i.EncryptedContent)
		case "function_call":
			g.parts = append(g.parts, "call "+i.Name+" "+i.CallID+" "+i.Arguments)
			g.calls = append(g.calls, says{id: i.CallID, name: i.Name})
		}
	}
	g.in, g.out, g.stop = r.Usage.InputTokens, r.Usage.OutputTokens, string(r.Status)
	return g, nil
}
