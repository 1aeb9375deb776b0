package proxytest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"unicode/utf8"

	"github.com/anthropics/anthropic-sdk-go"
)

// Sign is the signature that this provider gives to what it thought.
func Sign(thinking string) string {
	sum := sha256.Sum256([]byte("signed " + thinking))
	return hex.EncodeToString(sum[:8])
}

// Messages says why a request of Anthropic's Messages would be refused; nil where it would be taken.
func Messages(body []byte) error {
	m, err := decode(body)
	if err != nil {
		return err
	}
	delete(m, "stream") // which the library sets beside its parameters
	if err := (checker{shorthand: []string{"content", "system"}}).check(m, reflect.TypeFor[anthropic.MessageNewParams](), "request"); err != nil {
		return err
	}
	if n, _ := m["max_tokens"].(json.Number).Int64(); n < 1 {
		return errors.New("max_tokens: it has to be at least 1")
	}
	if n := marks(m); n > 4 {
		return fmt.Errorf("a maximum of 4 blocks with cache_control may be provided; found %d", n)
	}
	list, _ := m["messages"].([]any)
	if len(list) == 0 {
		return errors.New("messages: at least one message is required")
	}
	r := rules{ids: map[string]bool{}}
	for i, x := range list {
		if err := r.message(x.(map[string]any), i == len(list)-1); err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
	}
	return nil
}

func decode(body []byte) (m map[string]any, err error) {
	if !utf8.Valid(body) {
		return nil, errors.New("the request body is not valid UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("the request body is not valid JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the request body is more than one JSON document")
	}
	return m, nil
}

// marks counts the marks of a cache, wherever they are but in what tools are called with.
func marks(v any) (n int) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			n += marks(x)
		}
	case map[string]any:
		for k, x := range v {
			switch k {
			case "cache_control":
				if x != nil {
					n++
				}
			case "input", "input_schema":
			default:
				n += marks(x)
			}
		}
	}
	return n
}

// rules are what holds between blocks and messages.
type rules struct {
	ids  map[string]bool // of all calls
	open []string        // calls of the message before
}

func (r *rules) message(m map[string]any, last bool) error {
	user := m["role"] == "user"
	if !user && m["role"] != "assistant" {
		return fmt.Errorf("unexpected role %q", m["role"])
	}
	blocks, ok := m["content"].([]any)
	if text, isText := m["content"].(string); isText {
		blocks, ok = []any{map[string]any{"type": "text", "text": text}}, true
	}
	if !ok || len(blocks) == 0 && !(last && !user) {
		return errors.New("all messages must have non-empty content")
	}
	if len(r.open) > 0 && !user {
		return fmt.Errorf("tool_use ids were found without tool_result blocks immediately after: %s", r.open[0])
	}
	answered, text := map[string]bool{}, false
	var calls []string
	for _, x := range blocks {
		b := x.(map[string]any)
		switch b["type"] {
		case "text":
			if text = true; b["text"] == "" {
				return errors.New("text content blocks must be non-empty")
			}
		case "thinking":
			if user || b["signature"] != Sign(b["thinking"].(string)) {
				return errors.New("thinking block with an invalid signature")
			}
		case "tool_use":
			id, _ := b["id"].(string)
			if _, object := b["input"].(map[string]any); user || !object {
				return errors.New("tool_use blocks are the assistant's, and their input is an object")
			}
			if r.ids[id] {
				return fmt.Errorf("tool_use ids must be unique: %s", id)
			}
			r.ids[id] = true
			calls = append(calls, id)
		case "tool_result":
			id, _ := b["tool_use_id"].(string)
			if !user || text {
				return errors.New("tool_result blocks are the user's, and come first")
			}
			if answered[id] {
				return fmt.Errorf("each tool_use must have a single result: %s", id)
			}
			answered[id] = true
			if err := result(b["content"]); err != nil {
				return err
			}
		}
	}
	for _, id := range r.open {
		if !answered[id] {
			return fmt.Errorf("tool_use ids were found without tool_result blocks immediately after: %s", id)
		}
		delete(answered, id)
	}
	for id := range answered {
		return fmt.Errorf("unexpected tool_use_id found in tool_result blocks: %s", id)
	}
	r.open = calls
	return nil
}

// result is what a tool's result holds.
func result(content any) error {
	list, _ := content.([]any)
	for _, x := range list {
		if b, _ := x.(map[string]any); b["type"] == "text" && b["text"] == "" {
			return errors.New("text content blocks must be non-empty")
		}
	}
	return nil
}
