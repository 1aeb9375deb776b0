package mcptools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// param is one argument of a tool.
type param struct {
	name, about string
	// whole says that it is a whole number from min to max; else it is a text of at most max bytes.
	whole    bool
	min, max int
	preset   int // of a whole number
	needed   bool
	oneOf    []string // values of a text; empty for any
}

// Bounds of what every tool takes.
const (
	minBytes    = 2048
	maxBytes    = 64 << 10
	presetBytes = 8 << 10

	maxName  = 1024
	maxWords = 1 << 20 // of a question: more is refused
)

var (
	projectParam = param{name: "project", max: maxName, about: "Name, id or path; only where an answer asks for it."}
	bytesParam   = param{name: "max_bytes", whole: true, min: minBytes, max: maxBytes, preset: presetBytes, about: "Budget of the whole answer."}
	cursorParam  = param{name: "cursor", max: maxName, about: "next_cursor of the answer before, other arguments unchanged."}
	sinceParam   = param{name: "since", max: maxName, about: "Date (2026-05-01) or RFC 3339 time."}
	untilParam   = param{name: "until", max: maxName, about: "The same; that day included."}
)

func limitParam(preset, max int) param {
	return param{name: "limit", whole: true, min: 1, max: max, preset: preset}
}

// schemaOf is the JSON schema of a tool's arguments. Agents send it to their model with each request, so it says no more than a model needs
// to call the tool; what is wrong with a call is told in the answer.
func schemaOf(params []param) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, p := range params {
		v := &jsonschema.Schema{Type: "string", Description: p.about}
		switch {
		case p.whole:
			low, high := float64(p.min), float64(p.max)
			v.Type, v.Minimum, v.Maximum = "integer", &low, &high
			v.Default = json.RawMessage(fmt.Sprint(p.preset))
		case len(p.oneOf) > 0:
			for _, o := range p.oneOf {
				v.Enum = append(v.Enum, o)
			}
		case p.max < maxName: // a longer one is refused all the same, and no agent comes near
			v.MaxLength = &p.max
		}
		s.Properties[p.name] = v
		s.PropertyOrder = append(s.PropertyOrder, p.name)
		if p.needed {
			s.Required = append(s.Required, p.name)
		}
	}
	return s
}

// outputSchema is what every answer's structured part is like. No more of it is described than what an agent needs to go on: the rest speaks
// for itself, fifteen times would cost more than all arguments together, and a client checks what it is told against what is there.
var outputSchema = &jsonschema.Schema{Type: "object", Required: []string{"notice", "items"}, Properties: map[string]*jsonschema.Schema{
	"notice": {Type: "string"}, "next_cursor": {Type: "string"}, "items": {Type: "array"},
}}

// arguments are what a call was given, checked.
type arguments struct {
	texts   map[string]string
	numbers map[string]int
}

func (a *arguments) text(name string) string { return a.texts[name] }
func (a *arguments) number(name string) int  { return a.numbers[name] }

// read checks a call's arguments against what the tool takes. The error says what is wrong with all of them.
func read(raw json.RawMessage, params []param) (*arguments, error) {
	a := &arguments{texts: map[string]string{}, numbers: map[string]int{}}
	given := map[string]json.RawMessage{}
	if len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &given); err != nil {
			return a, fmt.Errorf("the arguments are no JSON object")
		}
	}
	var wrong []string
	for _, p := range params {
		v, ok := given[p.name]
		delete(given, p.name)
		if told := a.take(p, v, ok && string(v) != "null"); told != "" {
			wrong = append(wrong, told)
		}
	}
	for name := range given {
		known := make([]string, len(params))
		for i, p := range params {
			known[i] = p.name
		}
		wrong = append(wrong, fmt.Sprintf("there is no argument %q (known: %s)", clip(name, 60), strings.Join(known, ", ")))
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return a, fmt.Errorf("%s", strings.Join(wrong[:min(len(wrong), 5)], "; "))
	}
	return a, nil
}

// take reads one argument and says what is wrong with it.
func (a *arguments) take(p param, raw json.RawMessage, given bool) string {
	if p.whole {
		a.numbers[p.name] = p.preset
		if !given {
			return ""
		}
		var n float64
		if err := json.Unmarshal(raw, &n); err != nil || n != float64(int(n)) || n < float64(p.min) || n > float64(p.max) {
			return fmt.Sprintf("%s has to be a whole number from %d to %d, not %s", p.name, p.min, p.max, clip(string(raw), 40))
		}
		a.numbers[p.name] = int(n)
		return ""
	}
	var s string
	if given && json.Unmarshal(raw, &s) != nil {
		return p.name + " has to be a text"
	}
	s = strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", " "), "\uFFFD"))
	switch {
	case p.needed && s == "":
		return p.name + " is needed"
	case len(s) > p.max && len(p.oneOf) == 0:
		return fmt.Sprintf("%s is longer than %d bytes", p.name, p.max)
	case s != "" && len(p.oneOf) > 0 && !slices.Contains(p.oneOf, s):
		return fmt.Sprintf("%s has to be one of %s, not %q", p.name, strings.Join(p.oneOf, ", "), clip(s, 40))
	}
	a.texts[p.name] = s
	return ""
}
