package recall

import (
	"regexp"
	"strings"

	"dormouse/store/memory"
)

// openDays is how long an error that nobody fixed, or a failing test, is worth a line; an issue stays open until it is fixed.
const openDays = 14

// endedRE finds words that say of an issue that it is done with.
var endedRE = regexp.MustCompile(`(?i)\b(?:merged|closed|fixed|resolved|completed|done|approved|released|shipped|published|implemented|landed|reverted|abandoned|ready to merge|looks good|lgtm)\b`)

// open are the threads that were left: tests that failed when a session stopped, and the issues and errors that no commit is
// known to have fixed and no record says are done with, each with the newest event that names it.
func (c *core) open() []line {
	entities := c.entities()
	fixed := map[string]bool{}
	for _, e := range c.edges() {
		if e.Relation == "fixed-by" {
			fixed[e.From] = true
		}
	}
	latest := map[string]*memory.Event{}
	worked := map[string]*int64{}  // the newest work of a session
	for _, e := range c.events() { // newest first
		for _, id := range e.Entities {
			if latest[id] == nil {
				latest[id] = e
			}
		}
		if s := e.Provenance.SessionID; e.Kind == memory.KindWork && worked[s] == nil {
			worked[s] = e.Provenance.EventTime
		}
	}
	var out []line
	for id, event := range latest {
		e := entities[id]
		if e == nil || fixed[id] || !c.left(e, event, worked) {
			continue
		}
		text := plain(event.Summary, summaryBytes)
		if name := plain(e.Name, 60); !strings.Contains(strings.ToLower(text), strings.ToLower(name)) {
			text = name + ": " + text
		}
		at := event.Provenance.EventTime
		l := line{text: text, from: event.Provenance, at: at, id: id}
		out = append(out, c.because(l, memory.RecordEvent, event.ID, event.Scope, openWeight(e, event)...))
	}
	return rank(out)
}

// left reports whether an entity's newest event leaves something to do.
func (c *core) left(e *memory.Entity, event *memory.Event, worked map[string]*int64) bool {
	at := event.Provenance.EventTime
	young := at != nil && c.info.At-*at <= openDays*86400
	switch e.Type {
	case memory.TypeCommand: // an event names a command only where its run failed at the end
		later := worked[event.Provenance.SessionID]
		return event.Kind == memory.KindEvent && young && (later == nil || *later <= *at)
	case memory.TypeError:
		return young && event.Kind != memory.KindWork && !endedRE.MatchString(event.Summary)
	case memory.TypeIssue:
		return !endedRE.MatchString(event.Summary) && (event.Kind != memory.KindWork || event.Provenance.Commit == nil)
	}
	return false
}

func openWeight(e *memory.Entity, event *memory.Event) []CorePart {
	w := []CorePart{{"open: " + e.Type, 1}, {"from " + string(event.Trust), float64(trustWeight[event.Trust])}}
	if e.Type == memory.TypeCommand {
		w[0] = CorePart{"tests left failing", 3}
	}
	return w
}
