package main

import (
	"strings"

	"dormouse/cmd/internal/text"
)

// page collects the lines of an answer.
type page struct {
	view
	lines []string
}

func (p *page) add(lines ...string) { p.lines = append(p.lines, lines...) }

// gap leaves one line free, but not at the top.
func (p *page) gap() {
	if n := len(p.lines); n > 0 && p.lines[n-1] != "" {
		p.add("")
	}
}

// head starts a part with its title.
func (p *page) head(title string) {
	p.gap()
	p.add(p.Strong(title))
}

// prose adds clean text, wrapped and indented; paint may be nil.
func (p *page) prose(s, indent string, paint func(string) string) {
	room := 0
	if p.width > 0 {
		room = max(p.width-text.Width(indent), 10)
	}
	for _, l := range text.Wrap(s, room) {
		if paint != nil {
			l = paint(l)
		}
		p.add(strings.TrimRight(indent+l, " "))
	}
}

// labelWidth is where the texts of fields begin.
const labelWidth = 12

// field adds clean text with a label before its first line. An empty text adds nothing.
func (p *page) field(label, s string) {
	if s == "" {
		return
	}
	first := len(p.lines)
	p.prose(s, strings.Repeat(" ", labelWidth), nil)
	p.lines[first] = p.Faint(text.Pad(label, labelWidth)) + strings.TrimPrefix(p.lines[first], strings.Repeat(" ", labelWidth))
}

// table adds a table, indented.
func (p *page) table(t text.Table, indent string) {
	width := 0
	if p.width > 0 {
		width = max(p.width-text.Width(indent), 20)
	}
	p.add(text.Indent(t.Lines(width), indent)...)
}

// advise says what to do next and with which command, if any, which is never broken.
func (p *page) advise(s, command string, paint func(string) string) {
	switch {
	case command == "":
		p.prose(s, "", paint)
	case p.width <= 0 || text.Width(s)+1+text.Width(command) <= p.width:
		p.add(paint(s) + " " + p.Link(command))
	default:
		p.prose(s, "", paint)
		p.add("  " + p.Link(command))
	}
}

// hint is advice after a free line.
func (p *page) hint(s, command string) {
	p.gap()
	p.advise(s, command, p.Faint)
}

// say is advice in place of an answer.
func (p *page) say(s, command string) { p.advise(s, command, func(s string) string { return s }) }
