package blocks

import (
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"github.com/tidwall/gjson"
)

// Content is what a message holds.
type Content struct {
	Texts    []string
	Thoughts []string
	Images   []memory.Image
	Calls    []chain.Call
	Results  []Result
}

// Result is the result of a call, in the message that answers it.
type Result struct {
	CallID string
	Name   string // of the tool, where the result says it
	chain.Result
}

// Text is the texts, a blank line between them.
func (c *Content) Text() string { return strings.Join(c.Texts, "\n\n") }

// Thinking is the thoughts, a blank line between them.
func (c *Content) Thinking() string { return strings.Join(c.Thoughts, "\n\n") }

func (c *Content) say(text string) {
	if strings.TrimSpace(text) != "" {
		c.Texts = append(c.Texts, strings.Clone(text))
	}
}

func (c *Content) think(text string) {
	if text = strings.TrimSpace(text); text != "" {
		c.Thoughts = append(c.Thoughts, strings.Clone(text))
	}
}

func first(values ...gjson.Result) string {
	for _, v := range values {
		if v.Type == gjson.String && v.Str != "" {
			return v.Str
		}
	}
	return ""
}

// Input is the arguments of a call as a node holds them. Arguments that came as a string of JSON are JSON again.
func Input(args gjson.Result) []byte {
	if s := strings.TrimSpace(args.Str); args.Type == gjson.String && (strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[")) && gjson.Valid(s) {
		return transcript.JSON(strings.Clone(s))
	}
	if !args.Exists() || args.Type == gjson.Null {
		return nil
	}
	return transcript.JSON(strings.Clone(args.Raw))
}
