package llm

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind says why a model gave no answer to use.
type Kind string

// The kinds of failure.
const (
	Timeout     Kind = "timeout"     // no answer in time
	Unreachable Kind = "unreachable" // no connection
	Quota       Kind = "quota"       // the provider allows no more for now, or the account is empty
	Server      Kind = "server"      // the provider failed
	Auth        Kind = "key"         // no key, or one that is not accepted
	Request     Kind = "request"     // the provider does not take the request, for example because it has no such model
	Setup       Kind = "setup"       // the settings or the program are not in order
	Cap         Kind = "cap"         // the cap of the night or the month is reached
	Refused     Kind = "refused"     // the model will not answer
	BadAnswer   Kind = "bad answer"  // the answer is none that was asked for, also when asked again
	Cut         Kind = "cut"         // the answer has reached its length and is not whole
	TooLong     Kind = "too long"    // the prompt does not fit into the model
)

// Failure is an error of this package.
type Failure struct {
	Kind   Kind
	Detail string        // one line, without prompt and key
	Status int           // of HTTP; 0 where there was none
	After  time.Duration // after which the provider wants to be asked again; 0 where it does not say
	final  bool          // asking again does not help
	// unknown says that the provider had the request and its answer broke off, so nobody knows what it took.
	unknown bool
	month   bool // the month's cap is meant, and not the night's
}

// Error says what failed, in a line for people.
func (f *Failure) Error() string {
	head := map[Kind]string{
		Timeout: "the model did not answer in time", Unreachable: "the model cannot be reached", Quota: "the provider allows no more for now",
		Server: "the provider failed", Auth: "the key is not accepted", Request: "the provider does not take the request", Setup: "the model is not set up",
		Cap: "the night's cap is reached", Refused: "the model refused to answer", BadAnswer: "the model's answer cannot be used",
		Cut: "the model's answer was cut at its length", TooLong: "the text is too long for the model",
	}[f.Kind]
	if f.month {
		head = "the month's cap is reached"
	}
	if f.Status != 0 {
		head += fmt.Sprintf(" (HTTP %d)", f.Status)
	}
	if f.Detail != "" {
		head += ": " + f.Detail
	}
	if f.After >= time.Second {
		head += fmt.Sprintf("; again in %s", f.After.Round(time.Second))
	}
	return head
}

// Lasting reports whether the next call would most likely fail for the same reason, so that no more should be made now.
func (f *Failure) Lasting() bool {
	switch f.Kind {
	case Refused, BadAnswer, Cut, TooLong:
		return false
	}
	return true
}

// Oversized reports whether less text at once would help.
func (f *Failure) Oversized() bool { return f.Kind == Cut || f.Kind == TooLong }

// Capped reports whether a cap of the person's own is the reason.
func (f *Failure) Capped() bool { return f.Kind == Cap }

// Reason is the kind as a word.
func (f *Failure) Reason() string { return string(f.Kind) }

// transient reports whether the same call may go well a moment later.
func (f *Failure) transient() bool {
	return !f.final && (f.Kind == Unreachable || f.Kind == Quota || f.Kind == Server)
}

// billed reports whether the provider may count a call that gave no answer.
func (f *Failure) billed() bool { return f.Kind == Timeout || f.unknown }

// failureOf is the failure in an error; others are the provider's.
func failureOf(err error) *Failure {
	if f := (*Failure)(nil); errors.As(err, &f) {
		return f
	}
	return &Failure{Kind: Server, Detail: line(err.Error(), "")}
}

// line is a text of others on one line, bounded and without the key. What is told of it is cleaned and shorter; see Client.told.
func line(s, key string) string {
	if len(key) >= 6 {
		s = strings.ReplaceAll(s, key, "[key]")
	}
	return cut(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " "), maxWords)
}

// refusal makes a failure of an HTTP status and what the provider says of it.
func refusal(status int, code, message, key string) *Failure {
	f := &Failure{Status: status, Detail: line(cmp.Or(message, code), key)}
	low := strings.ToLower(code + " " + message)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(low, w) {
				return true
			}
		}
		return false
	}
	switch {
	case status == 402, has("insufficient_quota", "credit balance", "billing"):
		f.Kind, f.final = Quota, true
	case status == 413, has("context_length", "prompt is too long", "maximum context", "context window", "exceed_context"):
		f.Kind = TooLong
	case status == 401, status == 403:
		f.Kind = Auth
	case status == 429:
		f.Kind = Quota
	case status == 408:
		f.Kind = Timeout
	case status >= 500:
		f.Kind = Server
	default:
		f.Kind = Request
	}
	return f
}
