package distill

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"dormouse/assets"
	"dormouse/store/memory"
)

const (
	modelSummedFrom = 6   // turns that a tag needs for a model to sum them up
	modelSummed     = 5   // tags in one sleep: each is paid for
	summedGrowth    = 4   // a summary is drawn up anew when what it covers has grown by one in so many
	maxTagLines     = 60  // the newest, that a model is shown
	maxTagText      = 600 // characters of its answer
)

// dueTag is a tag whose turns a model is to sum up.
type dueTag struct {
	tag   *memory.Tag
	cover *memory.TagSummary // what it will cover, without its text
	lines []string           // what is remembered of the turns, newest first
	grown int                // turns that the summary that there is does not cover
}

// sumUpTags has the model sum up the tags whose turns have grown most. What fails waits for another sleep, and the summaries that
// the rules draw up serve meanwhile.
func (b *batch) sumUpTags(ctx context.Context, res *Result) error {
	m := b.d.o.Model
	if m == nil || b.d.stop != nil {
		return nil
	}
	var out []memory.Decision
	var took spent
	var counts memory.RunCounts
	for _, due := range b.dueTags() {
		if b.d.pass(ctx) != nil {
			break
		}
		text, err := m.sumUp(ctx, &due, &took)
		if ctx.Err() != nil {
			break
		}
		if err != nil && lasting(err) {
			break
		}
		if err != nil {
			continue
		}
		d, err := b.judgeSummary(&due, text, cmp.Or(took.model, m.Name))
		if err != nil {
			return err
		}
		if !d.Accepted {
			counts.Refused++
		}
		out = append(out, d)
	}
	if took == (spent{}) {
		return nil
	}
	run := memory.Run{Started: b.started, Ended: b.d.o.Now().Unix(), Kind: b.kind, Extractor: ExtractorModel, PolicyVersion: memory.PolicyVersion,
		Counts: counts, Model: cmp.Or(took.model, m.Name), InputTokens: took.input, OutputTokens: took.output, CostMicros: took.costMicros}
	if err := b.d.o.Log.Append(out, run); err != nil {
		return fmt.Errorf("append %d summaries of tags to the log: %w", len(out), err)
	}
	res.Counts = res.Counts.Plus(counts)
	res.Model = cmp.Or(res.Model, took.model)
	res.InputTokens, res.OutputTokens, res.CostMicros = res.InputTokens+took.input, res.OutputTokens+took.output, res.CostMicros+took.costMicros
	return nil
}

// dueTags are the tags that a model is to sum up now, those that grew most first.
func (b *batch) dueTags() []dueTag {
	var out []dueTag
	b.d.o.Log.Read(func(s *memory.State) {
		for _, t := range s.TagList() {
			segs := s.SegmentsOf([]memory.Key{{Scope: t.Scope, ID: t.ID}})
			d := dueTag{tag: t, cover: memory.CoverTag(t, segs)}
			_, barred := s.Barred(memory.TagSummaryClaim(d.cover))
			if len(d.cover.Covers) < modelSummedFrom || t.SupersededBy != "" || barred {
				continue
			}
			covered := 0
			if old := s.TagSummaries[d.cover.ID]; old != nil && old.MadeBy != memory.MadeByRules {
				covered = len(old.Covers)
			}
			if d.grown = len(d.cover.Covers) - covered; d.grown < max(1, covered/summedGrowth) {
				continue
			}
			d.lines, d.cover.From = s.Remembered(segs, maxTagLines)
			if len(d.lines) > 0 {
				out = append(out, d)
			}
		}
	})
	slices.SortStableFunc(out, func(a, b dueTag) int { return cmp.Compare(b.grown, a.grown) })
	return out[:min(len(out), modelSummed)]
}

// sumUp asks the model for the text of one summary.
func (m *ModelOptions) sumUp(ctx context.Context, due *dueTag, took *spent) (string, error) {
	mark := "===== " + rand.Text()[:12]
	var page strings.Builder
	page.WriteString("The subject is called " + quoted(due.tag.Name) + ".\n" + mark + "\n")
	for i, l := range due.lines {
		if m.Redact != nil {
			clean, err := m.Redact(l)
			if err != nil {
				return "", fmt.Errorf("take secrets out of a line: %w", err)
			}
			l = clean
		}
		line, err := memory.Encode(map[string]string{"id": fmt.Sprint("n", i+1), "text": l})
		if err != nil {
			return "", err
		}
		page.Write(append(line, '\n'))
	}
	page.WriteString(mark + "\n")
	text := ""
	check := func(answer string) (err error) {
		text, err = parseSummary(answer)
		return err
	}
	c, err := m.Model.Complete(ctx, Prompt{Name: "tag", System: assets.TagPrompt, User: page.String(), Schema: assets.TagSchema, MaxTokens: min(m.Output, 400), Check: check})
	took.add(c)
	if err == nil && text == "" {
		err = check(c.Text)
	}
	return text, err
}

func parseSummary(answer string) (string, error) {
	var doc struct{ Summary *string }
	d := json.NewDecoder(strings.NewReader(answer))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		return "", fmt.Errorf("it has not the form that was asked for: %w", err)
	}
	if doc.Summary == nil || oneLine(*doc.Summary) == "" {
		return "", errors.New(`"summary" is missing or empty`)
	}
	text := oneLine(*doc.Summary)
	if n := utf8.RuneCountInString(text); n > maxTagText {
		return "", fmt.Errorf("the summary has %d characters", n)
	}
	return text, nil
}

// judgeSummary accepts a summary whose words the lines bear out, and refuses every other one.
func (b *batch) judgeSummary(due *dueTag, text, model string) (memory.Decision, error) {
	s := due.cover
	s.Summary, s.MadeBy = text, model
	p, err := memory.Propose(s)
	if err != nil {
		return memory.Decision{}, err
	}
	d := memory.Decision{Action: memory.ActionAdd, Accepted: true, Reason: "model " + model + ": the turns of the tag grew", EventDate: s.CoversThrough, Proposal: p,
		By: memory.ByModel, PolicyVersion: memory.PolicyVersion, ObservedAt: b.d.o.Now().Unix()}
	if newText(strings.Join(due.lines, "\n")).share(terms(text)) < tellsIt {
		d.Accepted, d.By, d.Proposal.ClaimKey = false, memory.ByRule, "" // the claim stays free: what is wrong is its evidence
		d.Reason = "rule, on a proposal of model " + model + ": what is remembered does not say it"
	}
	return d, nil
}
