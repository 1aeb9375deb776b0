package llm

import (
	"encoding/json"

	"dormouse/service/cost"
)

// Prompt is what a model is asked.
type Prompt struct {
	Name   string // of the kind of question; letters, digits and dashes
	System string // instructions
	User   string // what they are about: data, already redacted
	// Schema is the JSON schema of the answer, in the subset that strict modes take; empty where the answer is plain text.
	Schema      json.RawMessage
	MaxTokens   int     // of the answer
	Temperature float64 // left out for models that take none
	// Check says what is wrong with an answer. The model is asked once to mend it. Nil takes every answer.
	Check func(answer string) error
}

// Completion is an answer, with what all calls for it took.
type Completion struct {
	Text  string // of a prompt with a schema: the JSON document alone
	Model string // that answered, as the provider names it
	Usage
}

// Usage is what calls took.
type Usage = cost.Usage

// request is one call: a prompt and, where an answer has to be mended, that answer and what is wrong with it.
type request struct {
	Prompt
	broken, complaint string
}

// reply is what a provider gave. Tokens and cost are 0 where it does not tell them.
type reply struct {
	text  string
	model string
	usage Usage
	// failure is why the text is none to use, though the call was made and counts: refused or cut.
	failure *Failure
}

// mend is what is said of a broken answer.
func (r *request) mend() string {
	return "That answer cannot be used: " + r.complaint + ". Give the whole answer again, as one JSON document and nothing else."
}

// tokens is more tokens than a text has for all models known: three bytes each, which holds for scripts of three bytes a sign too.
func tokens(bytes int) int64 { return int64(bytes)/3 + 1 }

// input is the most that a request's input can come to, without what a provider adds.
func (r *request) input() int64 {
	return tokens(len(r.System)+len(r.User)+len(r.Schema)+len(r.broken)+len(r.complaint)) + 64
}
