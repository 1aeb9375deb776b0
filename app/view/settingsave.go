package view

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/view/kit"
)

// tryAfter is how long a person has to stop typing until the service is asked whether a setting may have that value.
const tryAfter = 350 * time.Millisecond

// settingSave saves what was typed for one setting, or takes it back. It is hidden while nothing was typed, and saves nothing that cannot be:
// the service is asked before.
type settingSave struct {
	p          *settingsPage
	row        model.SettingRow
	all        *fyne.Container
	open       *fyne.Container // what all holds while there is something to save
	save, undo *kit.Button
	problem    *fyne.Container
	wrong      string // that is said
	value      string // that was typed
	tried      int    // counts what was typed, so that an old answer is not shown for a new value
}

func newSettingSave(p *settingsPage, row model.SettingRow, back func()) *settingSave {
	s := &settingSave{p: p, row: row, value: row.Value, problem: container.NewStack()}
	s.save = p.w.kit.Button(model.Save.Text(), nil, s.do)
	s.save.Importance = widget.HighImportance
	s.undo = p.w.kit.Button(model.SettingUndo.Text(), nil, back)
	s.problem.Hide()
	s.open = kit.Inset(kit.Column(6, s.problem, kit.Flow(6, s.save, s.undo)), 6, 0, 0, 0)
	s.all = container.NewStack()
	s.all.Hide()
	return s
}

// now is told what the fields make, and what is wrong with that as far as the page knows.
func (s *settingSave) now(value, problem string) {
	s.value = value
	s.tried++
	id := s.tried
	dirty := problem != "" || value != s.row.Value
	s.say(problem)
	if s.all.Visible() != dirty {
		if s.all.Objects = nil; dirty {
			s.all.Objects = []fyne.CanvasObject{s.open}
		}
		toggle(s.all, dirty)
		s.p.relay()
	}
	if !dirty || problem != "" {
		return
	}
	s.p.w.p.Later(tryAfter, func() {
		if id == s.tried {
			s.try(id)
		}
	})
}

func (s *settingSave) try(id int) {
	row, value := s.row, s.value
	ask(s.p.w, func(ctx context.Context) string { return s.p.w.p.Presenter.TrySetting(ctx, row, value) }, func(problem string) {
		if id == s.tried {
			s.say(problem)
		}
	})
}

// say shows what is wrong; nothing is saved then.
func (s *settingSave) say(problem string) {
	if s.wrong == problem {
		return
	}
	s.wrong = problem
	s.problem.Objects = nil
	if problem == "" {
		s.save.Enable()
	} else {
		s.problem.Objects = []fyne.CanvasObject{kit.Small(problem, toneColor(model.Warn))}
		s.save.Disable()
	}
	toggle(s.problem, problem != "")
	s.p.relay()
}

// do saves.
func (s *settingSave) do() {
	if !s.save.Disabled() {
		s.p.set(s.row, s.value)
	}
}

// undone takes back what was typed, and reports whether there was anything.
func (s *settingSave) undone() bool {
	if !s.all.Visible() {
		return false
	}
	s.undo.OnTapped()
	return true
}
