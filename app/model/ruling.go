package model

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// Ruling is what came of a decision of the person.
type Ruling struct {
	Notice
	// Undo are the decisions to take back to undo it; none where it came to nothing.
	Undo []string
}

// Done reports whether something was decided.
func (r Ruling) Done() bool { return len(r.Undo) > 0 }

// Accept takes a thing in, or carries out what is suggested.
func (p *Presenter) Accept(ctx context.Context, row ReviewRow) Ruling {
	return p.rule(ctx, lang.Say("Accepted"), row.decide(api.DoAccept))
}

// Refuse keeps a thing out for good, or declines what is suggested.
func (p *Presenter) Refuse(ctx context.Context, row ReviewRow) Ruling {
	return p.rule(ctx, lang.Say("Refused"), row.decide(api.DoRefuse))
}

// Edit says a thing in other words, and stands behind it.
func (p *Presenter) Edit(ctx context.Context, row ReviewRow, words string) Ruling {
	words = strings.Join(strings.Fields(words), " ")
	switch words {
	case "":
		return Ruling{Notice: Notice{Tone: Warn, Text: lang.Say("Nothing was changed: there were no words.")}}
	case row.Value:
		return Ruling{Notice: Notice{Text: lang.Say("Nothing was changed: the words are the same.")}}
	}
	d := row.onRecord(api.DoEdit)
	set, err := json.Marshal(map[string]string{row.item.Field: words})
	if err != nil {
		return Ruling{Notice: failed(lang.Say("Editing"), err)}
	}
	d.Set = string(set)
	return p.rule(ctx, lang.Say("Edited, and taken in"), d)
}

// Merge says that a name is another one by another name. Without one, it carries out the merge that is suggested.
func (p *Presenter) Merge(ctx context.Context, row ReviewRow, into string) Ruling {
	if row.item.What == "merge" {
		return p.rule(ctx, lang.Say("Merged"), row.decide(api.DoAccept))
	}
	if into = strings.TrimSpace(into); into == "" {
		return Ruling{Notice: Notice{Tone: Warn, Text: lang.Say("Nothing was merged: no other name was given.")}}
	}
	d := row.onRecord(api.DoMerge)
	d.Other = into
	return p.rule(ctx, lang.Say("Merged"), d)
}

// Split says that a name stands for several things. Without parts, it carries out the split that is suggested.
func (p *Presenter) Split(ctx context.Context, row ReviewRow, parts []string) Ruling {
	if row.item.What == "split" {
		return p.rule(ctx, lang.Say("Split (done)"), row.decide(api.DoAccept))
	}
	d := row.onRecord(api.DoSplit)
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			d.Parts = append(d.Parts, part)
		}
	}
	if len(d.Parts) == 0 {
		return Ruling{Notice: Notice{Tone: Warn, Text: lang.Say("Nothing was split: no name was given.")}}
	}
	return p.rule(ctx, lang.Say("Split (done)"), d)
}

// Undo takes decisions back, the last one first.
func (p *Presenter) Undo(ctx context.Context, ids []string) Notice {
	for _, id := range slices.Backward(ids) {
		if r := p.rule(ctx, lang.Say("Taken back"), api.Decide{Action: api.DoUndo, ID: id}); !r.Done() {
			return r.Notice
		}
	}
	if len(ids) == 0 {
		return Notice{Text: lang.Say("There is nothing to take back: nothing was decided in this window yet.")}
	}
	return Notice{Tone: Good, Text: lang.Say("Taken back.")}
}

// decide is a decision on what waits.
func (r ReviewRow) decide(action string) api.Decide {
	return api.Decide{Action: action, ID: r.ID, Project: r.project()}
}

// onRecord is a decision on the record, also where a suggestion about it waits.
func (r ReviewRow) onRecord(action string) api.Decide {
	return api.Decide{Action: action, ID: cmp.Or(r.item.Record, r.ID), Project: r.project()}
}

// project is the one that the record is of: a name may be known in several.
func (r ReviewRow) project() string {
	id, ok := strings.CutPrefix(string(r.item.Scope), "project:")
	if !ok {
		return ""
	}
	return id
}

func (p *Presenter) rule(ctx context.Context, done string, d api.Decide) Ruling {
	got, err := p.o.Backend().Decide(ctx, d)
	if err != nil {
		if e, ok := asRefusal(err); ok && (e.Code == api.CodeNotFound || e.Code == api.CodeAmbiguous) {
			return Ruling{Notice: Notice{Tone: Warn, Text: sentence(e.Message)}}
		}
		return Ruling{Notice: refusedOr(lang.Say("Deciding"), err)}
	}
	out := Ruling{Notice: Notice{Tone: Good, Text: labelled(done, cmp.Or(cut(Line(got.Text), 90), d.ID))}}
	for _, dec := range got.Decisions {
		out.Undo = append(out.Undo, dec.ID)
	}
	return out
}
