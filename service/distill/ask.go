package distill

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"

	"dormouse/assets"
)

// spent is what calls took.
type spent struct {
	model                     string
	input, output, costMicros int64
}

func (s *spent) add(c Completion) {
	if c.Model != "" {
		s.model = c.Model
	}
	s.input += c.InputTokens
	s.output += c.OutputTokens
	s.costMicros += c.CostMicros
}

// ask has the model read entries. Where the answer is cut or the text too long, it is asked for each half, as often as there
// is something to halve.
func (m *ModelOptions) ask(ctx context.Context, about shownProject, entries []*entry, took *spent) ([]proposal, error) {
	var out []proposal
	for len(entries) > 0 {
		part := m.fitting(entries)
		entries = entries[len(part):]
		got, err := m.once(ctx, about, part, took)
		if err != nil && oversized(err) && len(part) > 1 {
			half := len(part) / 2
			if got, err = m.ask(ctx, about, part[:half], took); err == nil {
				var more []proposal
				more, err = m.ask(ctx, about, part[half:], took)
				got = append(got, more...)
			}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, got...)
	}
	return out, nil
}

// fitting are as many of the entries as the model takes at once, one at least.
func (m *ModelOptions) fitting(entries []*entry) []*entry {
	size := 0
	for i, e := range entries {
		if size += len(e.line) + 1; size > m.Input*bytesPerToken && i > 0 {
			return entries[:i]
		}
	}
	return entries
}

// bytesPerToken is fewer bytes than a token has in nearly all texts.
const bytesPerToken = 3

func (m *ModelOptions) once(ctx context.Context, about shownProject, entries []*entry, took *spent) ([]proposal, error) {
	shown := map[string]*entry{}
	for _, e := range entries {
		shown[e.alias] = e
	}
	var ps []proposal
	c, err := m.Model.Complete(ctx, Prompt{Name: "distill", System: assets.DistillPrompt, User: page(about, entries), Schema: assets.DistillSchema,
		MaxTokens: m.Output, Temperature: 0, Check: func(answer string) error {
			got, err := parse(answer)
			ps = got
			return err
		}})
	took.add(c)
	if err != nil {
		return nil, err
	}
	if ps == nil {
		if ps, err = parse(c.Text); err != nil {
			return nil, stopped{fmt.Errorf("the model's answer was taken and cannot be read: %w", err)}
		}
	}
	for i := range ps {
		ps[i].shown = shown
	}
	return ps, nil
}

// shownProject is what a model is told of the project that entries are of.
type shownProject struct {
	project string
	tags    []string // in use, those of most turns first
}

// page is the data for a model. No text in it can end it: each entry is one line of JSON, and nobody knows the number beforehand.
func page(about shownProject, entries []*entry) string {
	mark := "===== " + rand.Text()[:12]
	var b strings.Builder
	b.WriteString("The project is called " + quoted(about.project) + ".\n")
	if len(about.tags) > 0 {
		b.WriteString("Tags in use: " + strings.Join(about.tags, ", ") + ".\n") // letters, digits and hyphens alone
	}
	b.WriteString(mark + "\n")
	for _, e := range entries {
		b.WriteString(e.line + "\n")
	}
	b.WriteString(mark + "\n")
	return b.String()
}

// proposal is one record as the model proposes it.
type proposal struct {
	Kind     string
	Summary  string
	Speaker  string
	Evidence []string
	Entities []struct{ Type, Name string }
	Fact     struct{ Subject, Verb, Object string }
	Tags     []string
	shown    map[string]*entry
}

// maxProposals is how many records one answer may hold.
const maxProposals = 100

// parse reads an answer strictly: an answer of another form is none.
func parse(answer string) ([]proposal, error) {
	var doc struct{ Records *[]proposal }
	d := json.NewDecoder(strings.NewReader(answer))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		return nil, fmt.Errorf("it has not the form that was asked for: %w", err)
	}
	if doc.Records == nil {
		return nil, fmt.Errorf(`"records" is missing`)
	}
	ps := *doc.Records
	if len(ps) > maxProposals {
		return nil, fmt.Errorf("it holds %d records, which is no choice", len(ps))
	}
	for i := range ps {
		p := &ps[i]
		switch {
		case !kinds[p.Kind]:
			return nil, fmt.Errorf("record %d has the kind %q, which there is not", i+1, head(p.Kind, 40))
		case strings.TrimSpace(p.Summary) == "":
			return nil, fmt.Errorf("record %d has no summary", i+1)
		case p.Speaker != speakerPerson && p.Speaker != speakerAgent && p.Speaker != speakerTool:
			return nil, fmt.Errorf("record %d has the speaker %q, which there is not", i+1, head(p.Speaker, 40))
		case p.Kind == kindFact && (strings.TrimSpace(p.Fact.Subject) == "" || strings.TrimSpace(p.Fact.Verb) == "" || strings.TrimSpace(p.Fact.Object) == ""):
			return nil, fmt.Errorf("record %d is a fact without subject, verb and object", i+1)
		}
	}
	if ps == nil {
		ps = []proposal{}
	}
	return ps, nil
}

const (
	kindPreference = "preference"
	kindFact       = "fact"
)

var kinds = map[string]bool{"work": true, "decision": true, "learning": true, "event": true, kindPreference: true, kindFact: true}
