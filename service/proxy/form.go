package proxy

import (
	"net/http"
	"strings"
)

// form is what a request and its answer are.
type form uint8

// The forms. What is none of these passes unread.
const (
	other     form = iota
	messages       // Anthropic's Messages
	chat           // OpenAI's Chat Completions
	responses      // OpenAI's Responses
	generate       // Gemini's generateContent and streamGenerateContent
)

// formOf tells a request's form by the end of its path, so that every provider that speaks one is understood.
func formOf(method, path string) form {
	if method != http.MethodPost {
		return other
	}
	switch {
	case strings.HasSuffix(path, "/messages"):
		return messages
	case strings.HasSuffix(path, "/chat/completions"):
		return chat
	case strings.HasSuffix(path, "/responses"):
		return responses
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		return generate
	}
	return other
}

// native is the form of an upstream's errors, for requests that have none.
func native(upstream string) form {
	switch upstream {
	case Anthropic:
		return messages
	case Gemini:
		return generate
	}
	return chat
}
