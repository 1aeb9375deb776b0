package proxytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/openai/openai-go/v2"
	"github.com/openai/openai-go/v2/responses"
)

// Chat says why a request of OpenAI's Chat Completions would be refused; nil where it would be taken.
func Chat(body []byte) error {
	m, err := decode(body)
	if err != nil {
		return err
	}
	delete(m, "stream") // which the library sets beside its parameters
	if err := (checker{}).check(m, reflect.TypeFor[openai.ChatCompletionNewParams](), "request"); err != nil {
		return err
	}
	list, _ := m["messages"].([]any)
	if len(list) == 0 {
		return errors.New("messages: at least one message is required")
	}
	c := calls{known: map[string]bool{}}
	for i, x := range list {
		if err := c.message(x.(map[string]any)); err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
	}
	return c.end()
}

// calls are what holds between calls and their results.
type calls struct {
	known map[string]bool // all of them
	open  []string        // that wait for their results
}

func (c *calls) made(id string) error {
	if id == "" || c.known[id] {
		return fmt.Errorf("ids of calls have to be there and unique: %q", id)
	}
	c.known[id] = true
	c.open = append(c.open, id)
	return nil
}

func (c *calls) answered(id string) error {
	for i, x := range c.open {
		if x == id {
			c.open = append(c.open[:i:i], c.open[i+1:]...)
			return nil
		}
	}
	return fmt.Errorf("a result has to answer a call before it: %q", id)
}

func (c *calls) end() error {
	if len(c.open) > 0 {
		return fmt.Errorf("calls have to be followed by their results: %q", c.open[0])
	}
	return nil
}

func (c *calls) message(m map[string]any) error {
	if m["role"] == "tool" {
		return c.answered(m["tool_call_id"].(string))
	}
	if err := c.end(); err != nil {
		return err
	}
	list, _ := m["tool_calls"].([]any)
	if m["role"] == "assistant" && m["content"] == nil && len(list) == 0 {
		return errors.New("an assistant's message needs content or calls")
	}
	for _, x := range list {
		call := x.(map[string]any)
		if f, ok := call["function"].(map[string]any); ok && !json.Valid([]byte(f["arguments"].(string))) {
			return errors.New("arguments have to be JSON")
		}
		if err := c.made(call["id"].(string)); err != nil {
			return err
		}
	}
	return nil
}

// Responses says why a request of OpenAI's Responses would be refused; nil where it would be taken.
func Responses(body []byte) error {
	m, err := decode(body)
	if err != nil {
		return err
	}
	delete(m, "stream") // which the library sets beside its parameters
	if err := (checker{}).check(m, reflect.TypeFor[responses.ResponseNewParams](), "request"); err != nil {
		return err
	}
	list, _ := m["input"].([]any)
	c := calls{known: map[string]bool{}}
	for i, x := range list {
		item := x.(map[string]any)
		id, _ := item["call_id"].(string)
		var err error
		switch item["type"] {
		case "function_call":
			err = c.made(id)
		case "function_call_output":
			err = c.answered(id)
		}
		if err != nil {
			return fmt.Errorf("input.%d: %w", i, err)
		}
	}
	return c.end()
}
