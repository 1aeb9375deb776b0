package view

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// reviewDetail is one thing to decide: what it says, what stands against it, where it comes from, and what can be done.
type reviewDetail struct {
	p        *reviewPage
	all      *fyne.Container
	row      model.ReviewRow
	evidence model.Evidence
	scroll   *container.Scroll
}

func newReviewDetail(p *reviewPage) *reviewDetail {
	return &reviewDetail{p: p, all: container.NewStack()}
}

// show shows a thing, and its evidence as soon as that is there.
func (d *reviewDetail) show(row model.ReviewRow) {
	if len(d.all.Objects) > 0 && d.row.ID == row.ID && d.row.Claim == row.Claim {
		d.row = row
		return
	}
	d.row, d.evidence = row, model.Evidence{}
	d.draw()
	ask(d.p.w, func(ctx context.Context) model.Evidence { return d.p.w.p.Presenter.Evidence(ctx, row) }, func(e model.Evidence) {
		if d.row.ID == row.ID {
			d.evidence = e
			d.draw()
		}
	})
}

func (d *reviewDetail) draw() {
	row := d.row
	said := kit.Column(16, kit.Column(6, kit.NewText(row.Ask).Small().Bold().In(theme.ColorAsleep), kit.Heading(row.Claim)))
	if len(row.Other) > 0 {
		other := kit.Column(6, kit.NewText(row.OtherTitle).Small().Bold().In(theme.ColorAsleep))
		for _, text := range row.Other {
			other.Add(kit.Prose(text, base.ColorNameForeground))
		}
		said.Add(kit.Box(theme.ColorCaution, other))
	}
	said.Add(facts(row.Facts, 92))
	said.Add(d.quotes())
	d.scroll = container.NewVScroll(kit.Inset(kit.Narrow(said, 760), 22, 24, 24, 24))
	bar := kit.Column(0, kit.Rule(), kit.Inset(d.acts(), 12, 24, 14, 24))
	d.all.Objects = []fyne.CanvasObject{kit.Above(d.scroll, bar)}
	d.all.Refresh()
	spread(d.scroll)
}

// quotes is what was said where the claim comes from.
func (d *reviewDetail) quotes() fyne.CanvasObject {
	all := kit.Column(8, kit.NewText(model.EvidenceTitle.Text()).Bold())
	if d.evidence.Title != "" {
		all.Add(kit.NewText(d.evidence.Title).Small().Muted().Cut())
	}
	for _, q := range d.evidence.Quotes {
		ground, name := theme.ColorCode, theme.ColorAsleep
		if q.Person {
			ground, name = theme.ColorSaid, base.ColorNamePrimary
		}
		all.Add(kit.Box(ground, kit.Column(4, kit.NewText(q.Speaker).Small().Bold().In(name).Cut(), kit.Prose(q.Text, base.ColorNameForeground))))
	}
	if d.evidence.Note != "" {
		all.Add(kit.Prose(d.evidence.Note, theme.ColorMuted))
	}
	if d.row.From.Session != "" {
		all.Add(kit.Line(0, kit.NoGrow, d.p.w.kit.Key(model.OpenTurn.Text(), "O", false, func() { d.p.open(d.row) })))
	}
	return all
}

// acts are the buttons, each with its key.
func (d *reviewDetail) acts() fyne.CanvasObject {
	p, row := d.p, d.row
	k := p.w.kit
	acts := kit.Flow(8, k.Key(row.Words.Accept, "A", true, func() { p.accept(d.row) }), k.Key(row.Words.Refuse, "R", false, func() { p.refuse(d.row) }))
	if row.CanEdit {
		acts.Add(k.Key(model.ReviewEdit.Text(), "E", false, func() { p.edit(d.row) }))
	}
	if row.CanMerge && row.Words.Accept != model.ReviewMerge.Text() {
		acts.Add(k.Key(model.ReviewMerge.Text(), "M", false, func() { p.merge(d.row) }))
	}
	if row.CanSplit {
		acts.Add(k.Key(model.ReviewSplit.Text(), "S", false, func() { p.splitUp(d.row) }))
	}
	acts.Add(k.Key(model.ReviewUndo.Text(), "U", false, p.undoLast))
	return acts
}

// edit asks for other words.
func (p *reviewPage) edit(row model.ReviewRow) {
	if !row.CanEdit {
		p.w.toast.show(model.NotFor(model.ReviewEdit.Text()))
		return
	}
	draft := kit.NewDraft(row.Value, 4)
	p.w.prompt(model.EditTitle.Text(), model.EditHint.Text(), draft, draft, func() {
		words := draft.Text
		p.decide(row, func(ctx context.Context) model.Ruling { return p.w.p.Presenter.Edit(ctx, row, words) })
	})
}

// merge carries out the merge that is suggested, or asks for the other name.
func (p *reviewPage) merge(row model.ReviewRow) {
	switch {
	case !row.CanMerge:
		p.w.toast.show(model.NotFor(model.ReviewMerge.Text()))
	case len(row.Other) > 0:
		p.decide(row, func(ctx context.Context) model.Ruling { return p.w.p.Presenter.Merge(ctx, row, "") })
	default:
		draft := kit.NewDraft("", 1)
		p.w.prompt(model.MergeTitle.Text(), model.MergeHint.Text(), draft, draft, func() {
			into := draft.Text
			p.decide(row, func(ctx context.Context) model.Ruling { return p.w.p.Presenter.Merge(ctx, row, into) })
		})
	}
}

// splitUp carries out the split that is suggested, or asks for the names.
func (p *reviewPage) splitUp(row model.ReviewRow) {
	decide := func(parts []string) {
		p.decide(row, func(ctx context.Context) model.Ruling { return p.w.p.Presenter.Split(ctx, row, parts) })
	}
	switch {
	case !row.CanSplit:
		p.w.toast.show(model.NotFor(model.ReviewSplit.Text()))
	case row.SplitIsSuggested():
		decide(nil)
	case len(row.Names) > 0:
		names := widget.NewCheckGroup(row.Names, nil)
		p.w.prompt(model.SplitTitle.Text(), model.SplitHint.Text(), names, nil, func() { decide(names.Selected) })
	default:
		draft := kit.NewDraft("", 2)
		p.w.prompt(model.SplitTitle.Text(), model.SplitByHandHint.Text(), draft, draft, func() { decide(strings.Split(draft.Text, ",")) })
	}
}
