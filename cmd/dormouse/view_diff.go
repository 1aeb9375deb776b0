package main

import (
	"fmt"
	"slices"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
)

// formatDiff shows what a session changed in files.
func formatDiff(v view, d api.Diff, stat bool) []string {
	p := &page{view: v}
	p.add(p.Strong(diffTitle(d)))
	if d.Turn != nil {
		p.field("When", v.when(d.When))
		p.field("Prompt", text.Line(d.Subject))
	} else {
		p.field("Turns", fmt.Sprintf("%s edited files: %s", count(len(d.Turns), "turn"), numbers(d.Turns)))
	}
	for i := range d.Files {
		p.edited(&d.Files[i])
	}
	if !stat {
		for i := range d.Files {
			p.change(&d.Files[i])
		}
	}
	if d.Turn != nil {
		p.hint("To get these files back:", fmt.Sprintf("dormouse restore %s --turn %d --to FOLDER", quote(d.SessionID), *d.Turn))
	}
	return p.lines
}

func diffTitle(d api.Diff) string {
	if d.Turn == nil {
		return "Session " + text.Line(d.SessionID)
	}
	return fmt.Sprintf("Session %s, turn %d", text.Line(d.SessionID), *d.Turn)
}

// numbers lists turns, as ranges where they follow each other.
func numbers(list []int) string {
	var out []string
	list = slices.Clone(list)
	slices.Sort(list)
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if one := fmt.Sprint(list[i]); i == j {
			out = append(out, one)
		} else {
			out = append(out, one+"-"+fmt.Sprint(list[j]))
		}
		i = j + 1
	}
	return strings.Join(out, ", ")
}

// edited tells of one file on a line: what became of it, and how that is known.
func (p *page) edited(f *api.EditedFile) {
	p.gapBefore()
	what := f.Op
	if what == "" {
		what = "edit"
	}
	lines := ""
	if f.Diff != "" {
		lines = fmt.Sprintf("+%d -%d", f.Added, f.Removed)
	}
	p.prose(joined(text.Line(what+" "+f.Path), lines, p.known(f)), "  ", nil)
}

// gapBefore leaves a line free before the first file.
func (p *page) gapBefore() {
	if n := len(p.lines); n > 0 && !strings.HasPrefix(p.lines[n-1], "  ") {
		p.gap()
	}
}

// known says how a file is known, and what is to be said of it.
func (p *page) known(f *api.EditedFile) string {
	if f.Why != "" {
		return "not kept: " + text.Line(f.Why)
	}
	var notes []string
	switch before, after := sideNote(f.Before), sideNote(f.After); {
	case before == after:
		notes = append(notes, before)
	default:
		notes = append(notes, "before "+before, "after "+after)
	}
	if f.Binary {
		notes = append(notes, "no text")
	}
	if f.Outside {
		notes = append(notes, "others changed it before this")
	}
	if f.Mixed {
		notes = append(notes, "others changed it meanwhile")
	}
	return joined(notes...)
}

func sideNote(s api.Side) string {
	switch {
	case s.From == "unknown":
		return "not known"
	case s.Why != "":
		return "not kept (" + text.Line(s.Why) + ")"
	case !s.Exists:
		return "absent"
	}
	return text.Line(s.From)
}

// change shows what changed in one file.
func (p *page) change(f *api.EditedFile) {
	switch {
	case f.Diff != "":
		p.gap()
		p.diff(f.Diff)
	case f.Shown != "":
		p.gap()
		p.prose(text.Line("As the calls show it: "+f.Path), "", p.Faint)
		p.diff(f.Shown)
	}
}

// formatRestored tells what was written where.
func formatRestored(v view, r api.Restored) []string {
	p := &page{view: v}
	p.prose(fmt.Sprintf("Wrote %s to %s.", count(r.Written, "file"), v.path(r.Dir)), "", nil)
	for _, f := range r.Files {
		if f.Why == "" {
			p.prose(joined(text.Line(f.Path), text.Line(f.From)), "  ", nil)
		}
	}
	if r.Written < len(r.Files) {
		p.head("Not written")
		for _, f := range r.Files {
			if f.Why != "" {
				p.prose(joined(text.Line(f.Path), text.Line(f.Why)), "  ", v.Warn)
			}
		}
	}
	return p.lines
}
