package main

import (
	"fmt"
	"strings"
	"time"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// formatReview lists what waits for the person, with how to decide it.
func formatReview(v view, projects names, r api.Review) []string {
	p := &page{view: v}
	if len(r.Items) == 0 {
		p.say("Nothing waits for you.", "")
		return p.lines
	}
	for _, it := range r.Items {
		p.gap()
		p.prose(text.Line(it.What)+": "+text.Line(it.Text), "", p.Strong)
		if it.Other != "" {
			p.prose(map[string]string{"merge": "may be the same as ", "supersede": "may be replaced by "}[it.What]+text.Line(it.OtherText)+" ("+text.Line(it.Other)+")", "  ", nil)
		}
		if len(it.Parts) > 0 {
			p.prose("may fall into "+text.Line(strings.Join(it.Parts, ", ")), "  ", nil)
		}
		for _, c := range it.Contests {
			p.prose("against "+text.Line(c.ID)+": "+text.Line(c.Text), "  ", nil)
		}
		p.prose(text.Line(it.Reason), "  ", p.Faint)
		when := ""
		if it.Time != nil {
			when = p.when(*it.Time)
		}
		from := memory.Provenance{SessionID: it.SessionID}
		p.receipt("  ", joined(text.Line(it.ID), when, projects.of(it.ProjectID), says(it.Trust)), opener(from, it.Turn, it.Turn > 0))
	}
	if left := r.Total - len(r.Items); left > 0 {
		p.hint(fmt.Sprintf("%s of %s. All of them: --limit %d", number(len(r.Items)), number(r.Total), r.Total), "")
	}
	p.hint("To decide:", "dormouse review accept ID, refuse ID, edit ID, merge ID INTO, split ID NAME")
	return p.lines
}

// formatDecided says what was done, and how to take it back.
func formatDecided(v view, q api.Decide, d api.Decided) []string {
	p := &page{view: v}
	done := map[string]string{api.DoAccept: "Accepted", api.DoRefuse: "Refused", api.DoEdit: "Edited", api.DoMerge: "Merged", api.DoSplit: "Split", api.DoPin: "Pinned", api.DoScope: "Moved",
		api.DoUnpin: "Unpinned", api.DoForget: "Forgotten", api.DoErase: "Erased", api.DoUndo: "Undone"}[q.Action]
	what := d.Text
	if what == "" {
		what = q.ID
	}
	p.prose(done+": "+text.Line(what), "", nil)
	if d.Mentions > 0 {
		p.prose(fmt.Sprintf("Left in its own words: %s that may mention it. Look for them with dormouse search.", count(d.Mentions, "memory")), "  ", p.Warn)
	}
	if q.Action == api.DoErase {
		p.prose("Your other machines and the remote follow with their next sync.", "  ", p.Faint)
		return p.lines
	}
	for _, dec := range d.Decisions {
		p.advise("To take it back:", "dormouse undo "+text.Line(dec.ID), p.Faint)
	}
	return p.lines
}

// formatDecisions lists lines of the log.
func formatDecisions(v view, d api.Decisions) []string {
	p := &page{view: v}
	if len(d.Decisions) == 0 {
		p.say("Nothing was decided yet. What was captured is distilled when Dormouse sleeps; to do that now:", "dormouse sleep")
		return p.lines
	}
	for i := range d.Decisions {
		dec := &d.Decisions[i]
		verdict := verdictOf(dec)
		paint := func(s string) string { return s }
		if dec.Undone {
			paint = p.Faint
		}
		what := dec.Text
		if dec.Action == memory.ActionUndo {
			what = "decision " + string(dec.Undoes)
		}
		if dec.Erased {
			what = "(erased)"
		}
		if kind := text.Line(string(dec.Proposal.Kind)); kind != "" && dec.Action != memory.ActionUndo {
			verdict += " (" + kind + ")"
		}
		p.prose(verdict+": "+text.Line(what), "", paint)
		p.prose(joined(text.Line(dec.ID), p.when(dec.ObservedAt), "by "+text.Line(dec.By), text.Line(dec.Reason)), "  ", p.Faint)
	}
	if left := d.Total - len(d.Decisions); left > 0 {
		p.hint(fmt.Sprintf("%s of %s.", number(len(d.Decisions)), count(d.Total, "decision")), "")
	}
	return p.lines
}

// verdictOf is a decision in a word or two.
func verdictOf(d *api.DecisionShown) string {
	words := map[memory.Action]string{memory.ActionAdd: "accepted", memory.ActionSupersede: "superseded", memory.ActionEdit: "edited", memory.ActionForget: "forgotten",
		memory.ActionUndo: "undone", memory.ActionErase: "erased", memory.ActionMerge: "merged", memory.ActionSplit: "split", memory.ActionPin: "pinned"}
	word := words[d.Action]
	if word == "" {
		word = text.Line(string(d.Action))
	}
	switch {
	case !d.Accepted && d.Action == memory.ActionAdd:
		word = "refused"
	case !d.Accepted:
		word = "not " + word
	case d.Proposal.Candidate && d.Action == memory.ActionAdd:
		word = "candidate"
	case d.Proposal.Candidate:
		word = "suggested: " + word
	}
	if d.Undone {
		word += ", undone"
	}
	return word
}

// formatFacts lists facts by their subject.
func formatFacts(v view, q api.FactQuery, projects names, f api.Facts) []string {
	p := &page{view: v}
	if len(f.Facts) == 0 {
		if q.All {
			p.say("No fact fits.", "")
		} else {
			p.say("Nothing that holds fits. What begins later or has ended:", "dormouse facts --all")
		}
		return p.lines
	}
	subject := "\x00"
	for _, s := range f.Facts {
		if s.Fact.Subject != subject {
			subject = s.Fact.Subject
			p.head(text.Line(subject))
		}
		paint := func(s string) string { return s }
		state := ""
		if s.State != "served" {
			paint, state = p.Faint, s.State
		}
		p.prose(text.Line(s.Fact.Verb)+" "+text.Line(s.Fact.Object), "  ", paint)
		p.receipt("    ", joined(text.Line(s.Fact.ID), state, window(&s.Fact, v.now.Location()), string(s.Fact.Status), projects.of(s.Fact.Provenance.ProjectID), says(s.Fact.Trust)),
			leads(s.Fact.Provenance, s.Turn, s.Turn > 0, f.Missing))
	}
	if left := f.Total - len(f.Facts); left > 0 {
		p.hint(fmt.Sprintf("%s of %s. All of them: --limit %d", number(len(f.Facts)), count(f.Total, "fact"), f.Total), "")
	}
	return p.lines
}

// window tells the time in which a fact holds; empty where nothing is known of it.
func window(f *memory.Fact, zone *time.Location) string {
	day := func(at int64) string { return time.Unix(at, 0).In(zone).Format(time.DateOnly) }
	var out []string
	if f.ValidFrom != nil {
		out = append(out, "from "+day(*f.ValidFrom))
	}
	if f.ValidUntil != nil {
		out = append(out, "until "+day(*f.ValidUntil))
	}
	return strings.Join(out, " ")
}
