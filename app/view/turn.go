package view

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// turnView is one turn: a head, and what was said and done.
type turnView struct {
	w       *Window
	all     *fyne.Container
	turn    model.Turn
	entries *fyne.Container
	drawn   int // entries
	changed func()
}

// batch is how many entries of a turn are drawn at once.
const batch = 40

// newTurnView draws a turn; changed is called after its height changed.
func newTurnView(w *Window, t model.Turn, changed func()) *turnView {
	v := &turnView{w: w, turn: t, entries: kit.Column(12), changed: changed}
	commit := w.kit.Row(kit.Inset(kit.NewText(t.Commit).Small().Mono().Muted(), 2, 4, 2, 4), func() {
		if t.SHA != "" {
			w.copy(t.SHA)
		}
	})
	copyTurn := w.kit.Row(kit.Inset(kit.NewText(model.CopyTurn.Text()).Small().Muted(), 2, 4, 2, 4), func() { w.copy(t.Plain()) })
	head := kit.Line(8, 1, kit.NewText(t.Name).Bold(), kit.NewText(t.When).Small().Muted().Cut(), commit, copyTurn)
	v.all = kit.Column(10, kit.Column(6, head, kit.Rule()), v.entries)
	v.more()
	return v
}

// more draws the next entries.
func (v *turnView) more() {
	if v.drawn > 0 {
		v.entries.Objects = v.entries.Objects[:len(v.entries.Objects)-1] // the offer of more
	}
	end := min(v.drawn+batch, len(v.turn.Entries))
	speaker := ""
	if v.drawn > 0 {
		speaker = v.turn.Entries[v.drawn-1].Speaker
	}
	for _, e := range v.turn.Entries[v.drawn:end] {
		v.entries.Add(v.entry(e, &speaker))
	}
	v.drawn = end
	if end < len(v.turn.Entries) {
		v.entries.Add(v.w.kit.Link(model.ShowMore.Text(), func() { v.more(); v.changed() }))
	}
}

// entry draws one entry below the name of its speaker, where that is another one than before.
func (v *turnView) entry(e model.Entry, speaker *string) fyne.CanvasObject {
	switch e.Kind {
	case model.Aside:
		return v.fold(kit.NewText(e.Title).Small().Muted().Cut(), func() fyne.CanvasObject {
			return kit.Box(theme.ColorCode, v.blocks(e.Blocks, theme.ColorMuted))
		})
	case model.SubTask:
		return v.fold(kit.NewText(e.Title).In(theme.ColorAsleep).Cut(), func() fyne.CanvasObject { return v.subTask(e) })
	case model.Calls:
		return v.calls(e)
	}
	said := kit.Column(6)
	if e.Speaker != *speaker {
		*speaker = e.Speaker
		said.Add(kit.NewText(e.Speaker).Small().Bold().In(speakerColor(e)))
	}
	said.Add(v.blocks(e.Blocks, base.ColorNameForeground))
	for _, note := range e.Notes {
		said.Add(kit.Line(6, 1, sign(model.Warn, 11), kit.NewText(note).Small().In(base.ColorNameWarning).Cut()))
	}
	if e.Kind == model.Said {
		return kit.Box(theme.ColorSaid, said)
	}
	return kit.Inset(said, 0, 12, 0, 12)
}

func speakerColor(e model.Entry) fyne.ThemeColorName {
	if e.Kind == model.Said {
		return base.ColorNamePrimary
	}
	return theme.ColorAsleep
}

// subTask is a sub-agent's own conversation, with a bar at its left.
func (v *turnView) subTask(e model.Entry) fyne.CanvasObject {
	inner := kit.Column(10)
	speaker := ""
	for _, entry := range e.Entries {
		inner.Add(v.entry(entry, &speaker))
	}
	bar := container.NewStack(kit.Bar(theme.ColorAsleep))
	return &fyne.Container{Layout: barred{}, Objects: []fyne.CanvasObject{bar, inner}}
}

func (v *turnView) fold(head fyne.CanvasObject, body func() fyne.CanvasObject) fyne.CanvasObject {
	f := v.w.kit.Fold(head, body)
	f.Changed = v.changed
	return f
}

// few is how many calls in a row are shown without being folded into one line.
const few = 3

func (v *turnView) calls(e model.Entry) fyne.CanvasObject {
	rows := func() fyne.CanvasObject {
		list := kit.Column(2)
		for _, t := range e.Tools {
			list.Add(v.tool(t))
		}
		return list
	}
	if len(e.Tools) <= few {
		return rows()
	}
	return v.fold(kit.NewText(e.Title).Muted().Cut(), rows)
}

// tool is one call, folded.
func (v *turnView) tool(t model.Tool) fyne.CanvasObject {
	line := kit.Line(8, 1, kit.NewText(t.Name).Small().Bold(), kit.NewText(t.About).Small().Mono().Cut())
	if t.Failed {
		line.Add(sign(model.Bad, 9))
		line.Add(kit.NewText(t.Outcome).Small().In(base.ColorNameError))
	} else {
		line.Add(kit.NewText(t.Outcome).Small().Muted())
	}
	return v.fold(line, func() fyne.CanvasObject {
		all := kit.Column(6)
		for _, d := range t.Details {
			all.Add(kit.NewText(d.Label).Small().Muted().Cut())
			switch {
			case d.Text == "":
			case d.Diff:
				all.Add(diff(d.Text))
			default:
				all.Add(kit.Code(d.Text))
			}
			if d.Cut != "" {
				all.Add(kit.NewText(d.Cut).Small().Muted())
			}
		}
		return all
	})
}

// barred lays a bar at the left of what belongs together.
type barred struct{}

func (barred) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(fyne.NewSize(3, size.Height))
	objects[1].Move(fyne.NewPos(14, 0))
	objects[1].Resize(fyne.NewSize(size.Width-14, size.Height))
}

func (barred) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return objects[1].MinSize().AddWidthHeight(14, 0)
}
