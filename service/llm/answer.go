package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// document is the JSON document in an answer: the whole of it, or what stands between code fences or other words.
func document(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", errors.New("it is empty")
	}
	if json.Valid([]byte(text)) {
		return text, nil
	}
	rest := text
	for range maxBrackets {
		i := strings.IndexAny(rest, "{[")
		if i < 0 {
			break
		}
		rest = rest[i:]
		var raw json.RawMessage
		// A bracket in the words before the document begins none.
		if err := json.NewDecoder(strings.NewReader(rest)).Decode(&raw); err == nil && strings.HasPrefix(strings.TrimSpace(string(raw)), rest[:1]) {
			return string(raw), nil
		}
		rest = rest[1:]
	}
	return "", fmt.Errorf("it is no JSON: %w", json.Unmarshal([]byte(text), new(any)))
}

// maxBrackets bounds where a document is looked for among other words.
const maxBrackets = 50

// checked is the answer to a prompt as it is handed on, or what is wrong with it.
func (p *Prompt) checked(text string) (string, error) {
	if len(p.Schema) > 0 {
		doc, err := document(text)
		if err != nil {
			return "", err
		}
		text = doc
	}
	if p.Check != nil {
		if err := p.Check(text); err != nil {
			return "", err
		}
	}
	return text, nil
}
