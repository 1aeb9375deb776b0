package main

import (
	"cmp"
	"fmt"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/osservice"
)

// formatService says whether the service answers, what the system says, and what to do.
func formatService(v view, r serviceReport) []string {
	p := &page{view: v}
	switch {
	case r.Answers:
		p.prose(joined("Dormouse runs and answers", fmt.Sprintf("process %d", r.PID), text.Line(cmp.Or(r.Phase, "running"))), "", v.Good)
	case r.held != nil:
		p.prose("Dormouse cannot be asked.", "", v.Warn)
		p.prose(text.Clean(capital(r.held.text)+"."), "  ", nil)
		p.prose(text.Clean("What helps: "+r.held.remedy), "  ", v.Faint)
	case r.Hung != "":
		p.prose("Dormouse is there but does not answer.", "", v.Warn)
		p.prose(text.Clean(r.Hung), "  ", nil)
	default:
		p.prose("Dormouse does not run.", "", v.Warn)
	}
	p.gap()
	p.field("Log-on", atLogOn(r.System))
	if r.System.Installed {
		p.file(r.System.Place)
		p.field("System", joined(string(r.System.State), text.Line(r.System.Detail)))
	}
	p.field("Log-out", lingers(r.System))
	if r.Tray.Installed {
		p.field("Tray", atLogOn(r.Tray))
		p.file(r.Tray.Place)
	}
	p.field("Memory", p.path(r.Home))
	if say, command := r.advice(); say != "" {
		p.hint(say, command)
	}
	return p.lines
}

// atLogOn tells whether the system starts a program at log-on, and by what.
func atLogOn(s osservice.Status) string {
	switch {
	case !s.Installed:
		return "not installed"
	case s.Outdated:
		return "installed, but not as this Dormouse would be, by " + text.Line(s.System)
	case !s.Enabled:
		return "switched off: " + text.Line(s.System)
	}
	return "started by " + text.Line(s.System)
}

// file adds the place of an entry, cut from the left rather than broken.
func (p *page) file(place string) {
	at := p.path(place)
	if p.width > 0 {
		at = text.CutLeft(at, max(p.width-labelWidth, 10))
	}
	p.add(strings.Repeat(" ", labelWidth) + p.Faint(at))
}

func lingers(s osservice.Status) string {
	switch s.Linger {
	case "yes":
		return "goes on running"
	case "no":
		return "ends until you log on again; to go on: loginctl enable-linger"
	}
	return ""
}

// formatSaid tells what a command did and how the service is now.
func formatSaid(v view, s said) []string {
	p := &page{view: v}
	p.prose(s.Done, "", v.Strong)
	for _, n := range s.Notes {
		p.prose(text.Clean(n), "", nil)
	}
	if !s.brief {
		p.gap()
		p.add(formatService(v, s.Service)...)
	}
	return p.lines
}
