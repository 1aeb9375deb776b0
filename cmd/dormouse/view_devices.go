package main

import (
	"fmt"
	"time"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
)

// formatDevices lists the machines.
func formatDevices(v view, d api.Devices) []string {
	p := &page{view: v}
	for _, m := range d.Devices {
		formatDevice(p, m)
		if d.Encrypted && !m.Reads && !m.Revoked {
			p.prose("It has no key of its own: never let in, or a copy of another machine.", "  ", v.Warn)
		}
	}
	return p.lines
}

// formatDevice adds a machine: what it is called, when it was seen, what it lacks and how its clock goes.
func formatDevice(p *page, m api.Device) *page {
	name := text.Line(m.Name)
	if name == "" {
		name = m.ID
	}
	if m.This {
		name += " (this machine)"
	}
	seen, state := "nothing of it is here", ""
	if m.Seen != 0 {
		seen = "last seen " + p.when(m.Seen)
	}
	switch {
	case m.Revoked:
		state = "revoked"
	case m.Retired:
		state = "retired"
	}
	p.add(p.Strong(name))
	p.receipt("  ", joined(state, seen, count(m.Entries, "entry"), lacks(m), clock(m)), m.ID)
	return p
}

// lacks tells what a machine has not confirmed to have.
func lacks(m api.Device) string {
	switch {
	case m.Lacks == 0:
		return ""
	case m.Told == 0:
		return "has not said what it has"
	}
	return "has not confirmed " + count(m.Lacks, "entry")
}

// clock tells how a machine's clock goes against this one's, as far as that shows.
func clock(m api.Device) string {
	long := func(seconds int64) string { return (time.Duration(seconds) * time.Second).String() }
	switch {
	case m.Ahead > 0:
		return fmt.Sprintf("its clock is at least %s ahead", long(m.Ahead))
	case m.Behind > 0:
		return fmt.Sprintf("its clock is at least %s behind", long(m.Behind))
	}
	return ""
}
