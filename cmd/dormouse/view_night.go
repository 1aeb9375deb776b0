package main

import (
	"fmt"
	"strings"
	"time"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
)

// nightReasons say why a whole sleep began when it did.
var nightReasons = map[string]string{
	"time": "when it was time", "quiet": "at the first quiet moment after its time", "patience": "a little at a time, because no quiet moment came", "asked": "because you asked",
}

// formatNights shows reports of whole sleeps, the newest first.
func formatNights(v view, list []api.Night) []string {
	p := &page{view: v}
	if len(list) == 0 {
		p.say("There was no night yet. All that a night does can be done now:", "dormouse sleep")
		return p.lines
	}
	for _, n := range list {
		p.gap()
		p.night(n)
	}
	return p.lines
}

func (p *page) night(n api.Night) {
	if n.Ended == 0 {
		state := "goes on"
		if i := len(n.Pauses) - 1; i >= 0 && n.Pauses[i].Until == 0 {
			state = "has paused: " + text.Line(n.Pauses[i].Why)
		}
		p.prose("Asleep since "+p.when(n.Began)+"; the sleep "+state+".", "", p.Strong)
	} else {
		p.prose("Slept "+p.when(n.Began)+", "+text.Line(nightReasons[n.Why])+".", "", p.Strong)
	}
	p.field("Took", joined(took(n), pausesOf(n)))
	if n.Due != 0 {
		p.field("Was due", p.when(n.Due))
	}
	p.field("Learned", learned(n))
	if n.Review > 0 {
		p.field("For you", count(n.Review, "entry")+" wait for your review; dormouse review lists them")
	}
	if n.Model != "" {
		p.field("Model", joined(text.Line(n.Model), fmt.Sprintf("%s tokens in, %s out", number(n.InputTokens), number(n.OutputTokens)),
			fmt.Sprintf("$%.4f", float64(n.CostMicros)/1e6)))
	}
	t := text.Table{Head: p.Faint, Columns: []text.Column{{Title: "stage"}, {Title: "time", Right: true}, {Title: "what it did", Min: 20}}}
	for _, s := range n.Stages {
		did := text.Line(s.Note)
		switch {
		case s.Failure != "":
			did = p.Warn("failed: " + text.Line(s.Failure))
		case !s.Done:
			did = "not finished"
		}
		t.Rows = append(t.Rows, []string{text.Line(s.Name), milliseconds(s.Milliseconds), did})
	}
	if len(t.Rows) > 0 {
		p.table(t, "  ")
	}
	for _, w := range n.Waits {
		p.prose("Waits: "+text.Line(w), "  ", p.Warn)
	}
	if n.Cut {
		p.prose("It was left unfinished; the next one does the rest.", "  ", p.Faint)
	}
}

// took is how long a night worked, without its pauses.
func took(n api.Night) string {
	ms := int64(0)
	for _, s := range n.Stages {
		ms += s.Milliseconds
	}
	return milliseconds(ms)
}

func milliseconds(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	if d < 10*time.Second {
		return d.Round(10 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// pausesOf says how often and why a night has paused.
func pausesOf(n api.Night) string {
	if len(n.Pauses) == 0 {
		return ""
	}
	seen, whys := map[string]bool{}, []string{}
	for _, x := range n.Pauses {
		if !seen[x.Why] {
			seen[x.Why] = true
			whys = append(whys, text.Line(x.Why))
		}
	}
	return count(len(n.Pauses), "pause") + ": " + strings.Join(whys, ", ")
}

// learned is what a night gave. One that gave nothing has either found nothing or could not do it, which is told below.
func learned(n api.Night) string {
	c := n.Counts
	if c.Nodes == 0 && (len(n.Waits) > 0 || len(n.Failures()) > 0 || n.Ended == 0 || n.Cut) {
		return "nothing"
	}
	if c.Nodes == 0 {
		return "nothing was waiting"
	}
	more := ""
	if c.Superseded > 0 {
		more = number(c.Superseded) + " replaced by newer ones"
	}
	refused := ""
	if c.Refused > 0 {
		refused = number(c.Refused) + " refused"
	}
	return joined(gains(c), count(c.Nodes, "node"), more, refused)
}

// formatSleepPlan shows what a night would do now.
func formatSleepPlan(v view, s api.SleepPlan) []string {
	p := &page{view: v}
	p.add("A sleep now would " + v.Strong("do this") + "; nothing was changed.")
	if s.Nodes == 0 {
		p.field("Learn from", "nothing: all that was captured was learned from")
	} else {
		open := ""
		if s.Open > 0 {
			open = number(s.Open) + " of them still open"
		}
		p.field("Learn from", joined(count(s.Sessions, "session"), count(s.Turns, "turn"), count(s.Nodes, "node"), open))
	}
	if s.Model == "" && s.Calls == 0 {
		p.field("Cost", "nothing: rules read the sessions")
	} else {
		cost := "its price is not known"
		if s.Priced {
			cost = fmt.Sprintf("at most $%.4f", float64(s.CostMicros)/1e6)
		}
		p.field("Model", joined(text.Line(s.Model), count(s.Calls, "call"), fmt.Sprintf("about %s tokens in, at most %s out", number(s.InputTokens), number(s.OutputTokens)), cost))
	}
	p.field("Stages", text.Line(strings.Join(s.Stages, ", ")))
	if s.Due != 0 {
		due := p.when(s.Due)
		if s.Waits != "" {
			due = "waits for a quiet moment: " + text.Line(s.Waits)
		}
		p.field("Next night", due)
	}
	for _, h := range s.Held {
		p.prose("Would wait: "+text.Line(h), "", p.Warn)
	}
	return p.lines
}
