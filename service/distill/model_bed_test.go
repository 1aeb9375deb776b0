package distill

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// shown is a prompt's data as the model gets it.
type shown struct {
	ID, Speaker, Text string
	Turn              int
}

// readPage takes the entries out of a prompt.
func readPage(t *testing.T, p Prompt) []shown {
	t.Helper()
	var out []shown
	in := false
	for l := range strings.Lines(p.User) {
		switch {
		case strings.HasPrefix(l, "===== "):
			in = !in
		case in:
			var s shown
			if err := json.Unmarshal([]byte(l), &s); err != nil {
				t.Fatalf("a line of the data is no JSON: %v: %q", err, l)
			}
			out = append(out, s)
		}
	}
	return out
}

// find is the id of the first entry of a speaker whose text holds some words.
func find(es []shown, speaker, words string) string {
	for _, e := range es {
		if e.Speaker == speaker && strings.Contains(e.Text, words) {
			return e.ID
		}
	}
	return "none"
}

// actor is a model that answers by a function.
type actor struct {
	t      *testing.T
	answer func(call int, es []shown, p Prompt) (string, error)
	asked  []Prompt
}

func (a *actor) Complete(_ context.Context, p Prompt) (Completion, error) {
	a.asked = append(a.asked, p)
	c := Completion{Model: "actor-1", InputTokens: 100, OutputTokens: 10, CostMicros: 7}
	text, err := a.answer(len(a.asked), readPage(a.t, p), p)
	if err == nil {
		if wrong := p.Check(text); wrong != nil {
			err = miss{wrong.Error(), false, false}
		}
	}
	c.Text = text
	return c, err
}

// miss is an error as service/llm makes it.
type miss struct {
	what           string
	last, oversize bool
}

func (m miss) Error() string   { return m.what }
func (m miss) Lasting() bool   { return m.last }
func (m miss) Oversized() bool { return m.oversize }

// rec is one record of an answer.
func rec(kind, summary, speaker string, evidence ...string) map[string]any {
	if evidence == nil {
		evidence = []string{}
	}
	return map[string]any{"kind": kind, "summary": summary, "speaker": speaker, "evidence": evidence, "entities": []any{}}
}

func records(rs ...map[string]any) string {
	if rs == nil {
		rs = []map[string]any{}
	}
	raw, err := json.Marshal(map[string]any{"records": rs})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// model runs the bed's distiller with a model.
func (b *bed) model(a *actor, scripts ...*script) Result {
	b.t.Helper()
	return b.modelWith(a, ModelOptions{}, scripts...)
}

func (b *bed) modelWith(a *actor, o ModelOptions, scripts ...*script) Result {
	b.t.Helper()
	a.t = b.t
	o.Model, o.Name = a, "actor"
	if o.Input == 0 {
		o.Input, o.Output = 8000, 1000
	}
	res, err := New(Options{Sessions: shelf{scripts: scripts}, Log: b.log, Now: fixed, Model: &o}).Run(context.Background(), nil, "deep")
	if err != nil {
		b.t.Fatal(err)
	}
	return res
}

// told are the events that stand, as kind/trust summary.
func (b *bed) told() []string {
	var out []string
	for _, e := range b.events() {
		if e.SupersededBy == "" {
			out = append(out, fmt.Sprintf("%s/%s %s", e.Kind, e.Trust, e.Summary))
		}
	}
	return out
}

// refusals are the reasons of what was not taken, with what it was.
func (b *bed) refusals() []string {
	var out []string
	for _, d := range b.log.Decisions() {
		if !d.Accepted {
			out = append(out, d.By+": "+d.Reason)
		}
	}
	return out
}

func (b *bed) preferences() []string {
	var out []string
	b.log.Read(func(s *memory.State) {
		for _, f := range s.FactList() {
			if f.Wish() {
				out = append(out, f.Object)
			}
		}
	})
	return out
}
