package llm

import (
	"strings"
	"sync"
)

// What an endpoint may not take.
const (
	temperature = "temperature"
	schema      = "schema"
	length      = "length" // the usual name of the answer's length
)

// telltales are the words by which an endpoint says that it does not take something.
var telltales = map[string][]string{
	temperature: {"temperature"},
	schema:      {"response_format", "json_schema", "output_config", "output_format", "structured output", "grammar"},
	length:      {"max_tokens", "max_completion_tokens"},
}

// omissions are what an endpoint was found not to take. It is asked without it from then on: the answer is checked anyway.
type omissions struct {
	mu   sync.Mutex
	what map[string]bool
}

func (o *omissions) has(what string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.what[what]
}

// adapt makes a call, and again without what the endpoint says that it does not take.
func (o *omissions) adapt(call func() (reply, error)) (reply, error) {
	for {
		got, err := call()
		if err == nil || !o.learn(failureOf(err)) {
			return got, err
		}
	}
}

// learn reports whether a refused request names something that was not left out yet.
func (o *omissions) learn(f *Failure) bool {
	if f.Kind != Request || f.Status != 400 && f.Status != 422 {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	low := strings.ToLower(f.Detail)
	for _, what := range []string{temperature, schema, length} {
		for _, w := range telltales[what] {
			if strings.Contains(low, w) && !o.what[what] {
				if o.what == nil {
					o.what = map[string]bool{}
				}
				o.what[what] = true
				return true
			}
		}
	}
	return false
}
