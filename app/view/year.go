package view

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// year is the calendar of the year, below what it counts.
func (p *todayPage) year(c model.Calendar) fyne.CanvasObject {
	p.point(-1)
	p.drawCalendar()
	head := kit.Line(10, 1, kit.NewText(model.CardYear.Text()).Heading(), p.pointed, kit.Fixed(kit.Outlined(p.counts), 130))
	return kit.Card(kit.Column(10, head, p.calendar))
}

// drawCalendar shows sessions or memories.
func (p *todayPage) drawCalendar() {
	memories := p.counts.Selected == model.CalendarKinds()[1]
	ink := base.ColorNamePrimary
	if memories {
		ink = theme.ColorAsleep
	}
	var levels []int
	for _, d := range p.shown.Calendar.Days {
		if memories {
			levels = append(levels, d.Memories)
		} else {
			levels = append(levels, d.Sessions)
		}
	}
	var labels []kit.Label
	for _, m := range p.shown.Calendar.Months {
		labels = append(labels, kit.Label{Column: m.Week, Text: m.Name})
	}
	p.calendar.Set(levels, labels, ink)
}

// point tells what there is of a day, or of the year.
func (p *todayPage) point(i int) {
	if i >= 0 && i < len(p.shown.Calendar.Days) {
		p.pointed.SetIn(p.shown.Calendar.Days[i].Text, base.ColorNameForeground)
	} else {
		p.pointed.SetIn(p.shown.Calendar.Summary, theme.ColorMuted)
	}
}
