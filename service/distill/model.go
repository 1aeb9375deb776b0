package distill

import (
	"context"
	"encoding/json"
	"errors"
)

// ExtractorModel names a language model in the log.
const ExtractorModel = "model"

// Model is a language model. It is asked by one goroutine, and tries again by itself where that helps. Its errors may say more
// of themselves, see failure.
type Model interface {
	// Complete gives the answer to one prompt. What was spent is in the completion also where there is an error.
	Complete(ctx context.Context, p Prompt) (Completion, error)
}

// Prompt is what a model is asked.
type Prompt struct {
	Name        string // of the kind of question
	System      string // instructions
	User        string // what they are about, as data
	Schema      json.RawMessage
	MaxTokens   int // of the answer
	Temperature float64
	// Check says what is wrong with an answer, so that the model can be asked to mend it.
	Check func(answer string) error
}

// Completion is an answer and what it took.
type Completion struct {
	Text         string
	Model        string // that answered; empty where it does not say
	InputTokens  int64
	OutputTokens int64
	CostMicros   int64 // in millionths of a US dollar
}

// ModelOptions have a Distiller ask a model for what is worth remembering, instead of reading events by rules. What the
// structure of a turn shows (files, commits, commands, relations) is read by rules all the same.
type ModelOptions struct {
	Model Model
	Name  string // of the model, where its answers do not say it
	// Input is how many tokens of a session are given to the model at once, counted as three bytes each.
	Input  int
	Output int // how many tokens an answer may have
	// Redact takes secrets out of what is given, by the rules of today. Nil leaves it as it was captured.
	Redact func(string) (string, error)
}

// failure is what a model's error may say of itself.
type failure interface {
	error
	Lasting() bool   // the next call would fail likewise
	Oversized() bool // less text at once would help
}

// lasting reports whether no further call should be made now. An error that says nothing of itself counts as lasting.
func lasting(err error) bool {
	var f failure
	return !errors.As(err, &f) || f.Lasting()
}

func oversized(err error) bool {
	var f failure
	return errors.As(err, &f) && f.Oversized()
}

// maxFailures is after how many answers in a row that could not be used no further one is paid for.
const maxFailures = 5

// stopped is an error after which no further session is given to the model.
type stopped struct{ error }

func (s stopped) Unwrap() error { return s.error }
