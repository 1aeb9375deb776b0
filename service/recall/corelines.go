package recall

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"dormouse/store/memory"
)

// summaryBytes is how long a text in a line of core.md is at most.
const summaryBytes = 200

// Weights of importance.
var (
	kindWeight = map[memory.Kind]int64{
		memory.KindDecision: 10, memory.KindLearning: 10, memory.KindWork: 5, memory.KindEvent: 3,
	}
	trustWeight = map[memory.Trust]int64{memory.TrustPerson: 10, memory.TrustObserved: 9, memory.TrustAgent: 6}
)

const preferenceWeight = 100

// timeline are the events of the view that stand and that nobody but a tool or a page says.
func (c *core) timeline() []line {
	var out []line
	for _, e := range c.events() {
		date := "undated"
		if e.Provenance.EventTime != nil {
			date = day(*e.Provenance.EventTime)
		}
		text := plain(e.Summary, summaryBytes)
		if text == "" {
			continue
		}
		out = append(out, line{
			text: date + " " + text, from: e.Provenance,
			score: c.score(kindWeight[e.Kind]*trustWeight[e.Trust], e.Provenance.EventTime),
			at:    e.Provenance.EventTime, id: e.ID,
		})
	}
	return rank(out)
}

// events are those that may enter core.md. Trust that this version does not know counts as quoted.
func (c *core) events() []*memory.Event {
	list, _ := Timeline(c.state, TimelineQuery{View: c.view})
	return slices.DeleteFunc(list, func(e *memory.Event) bool { return trustWeight[e.Trust] == 0 })
}

// entities are those of the view that stand.
func (c *core) entities() map[string]*memory.Entity {
	all := visibleEntities(c.state, c.view)
	maps.DeleteFunc(all, func(_ string, e *memory.Entity) bool { return e.SupersededBy != "" })
	return all
}

// edges are those of the view that stand.
func (c *core) edges() []*memory.Edge {
	return slices.DeleteFunc(c.state.EdgeList(), func(e *memory.Edge) bool { return !c.view.Sees(e.Scope) || e.SupersededBy != "" })
}

// preferences are the standing wishes of the person.
func (c *core) preferences() []line {
	var out []line
	for _, e := range c.entities() {
		if e.Type == memory.TypePreference {
			out = append(out, line{
				text: plain(e.Name, summaryBytes), from: e.Provenance,
				score: c.score(preferenceWeight, e.Provenance.EventTime), at: e.Provenance.EventTime, id: e.ID,
			})
		}
	}
	return rank(out)
}

// silent relations are no lines: the files and commits show them themselves, and wishes have a section of their own.
var silent = map[string]bool{"part-of": true, "touches": true, "prefers": true}

const (
	projectWeight = 1000
	edgeWeight    = 400
	fileWeight    = 30 // for each commit
	sameRelation  = 4  // lines of one relation from one entity
	busyFiles     = 4
)

// graph are the project itself, its strongest relations, and the files that change most.
func (c *core) graph() []line {
	entities, edges := c.entities(), c.edges()
	out := c.busiest(entities, edges)
	for _, e := range entities {
		if e.Type == memory.TypeProject && e.Attrs["path"] != "" {
			out = append(out, line{
				text: plain(e.Name, 80) + " at " + plain(e.Attrs["path"], 120) + attributes(e), from: e.Provenance,
				score: c.score(projectWeight, e.Provenance.EventTime), at: e.Provenance.EventTime, id: e.ID,
			})
		}
	}
	for _, e := range edges {
		if silent[e.Relation] {
			continue
		}
		out = append(out, line{
			text: nameOf(entities, e.From) + " ──" + plain(e.Relation, 40) + "──► " + nameOf(entities, e.To),
			from: e.Provenance, score: c.score(int64(edgeWeight*e.Confidence), e.EventTime), at: e.EventTime,
			id: e.From + "\x00" + e.Relation + "\x00" + e.ID,
		})
	}
	return fewOfEach(rank(out))
}

// busiest are the files that the most commits touch, with the session of the newest one.
func (c *core) busiest(entities map[string]*memory.Entity, edges []*memory.Edge) []line {
	commits := map[string]int{}
	newest := map[string]*memory.Edge{}
	for _, e := range edges {
		if e.Relation != "touches" || entities[e.To] == nil || entities[e.To].Type != memory.TypeFile {
			continue
		}
		commits[e.To]++
		if old := newest[e.To]; old == nil || compareNewest(e.EventTime, old.EventTime) < 0 {
			newest[e.To] = e
		}
	}
	var out []line
	for id, n := range commits {
		if n < 2 {
			continue
		}
		e := newest[id]
		out = append(out, line{
			text: plain(entities[id].Name, 120) + " (changed by " + strconv.Itoa(n) + " commits)", from: e.Provenance,
			score: c.score(int64(fileWeight*n), e.EventTime), at: e.EventTime, id: id,
		})
	}
	out = rank(out)
	return out[:min(len(out), busyFiles)]
}

// fewOfEach leaves the first few lines of each entity and relation.
func fewOfEach(lines []line) []line {
	count := map[string]int{}
	return slices.DeleteFunc(lines, func(l line) bool {
		i := strings.LastIndexByte(l.id, 0)
		if i < 0 {
			return false
		}
		count[l.id[:i]]++
		return count[l.id[:i]] > sameRelation
	})
}

func nameOf(entities map[string]*memory.Entity, id string) string {
	if e := entities[id]; e != nil {
		return plain(e.Name, 80)
	}
	_, slug, _ := strings.Cut(id, ".")
	return plain(slug, 80)
}

// attributes are an entity's attributes but for its path, in brackets.
func attributes(e *memory.Entity) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(e.Attrs)) {
		if k != "path" && e.Attrs[k] != "" {
			out = append(out, k+": "+e.Attrs[k])
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + plain(strings.Join(out, ", "), 100) + ")"
}

// openErrorDays is how long an error that nobody fixed is worth a line; an issue stays open until it is fixed.
const openErrorDays = 14

// open are the issues and errors that no commit is known to have fixed, with the newest event that names each.
func (c *core) open() []line {
	fixed := map[string]bool{}
	for _, e := range c.edges() {
		if e.Relation == "fixed-by" {
			fixed[e.From] = true
		}
	}
	latest := map[string]*memory.Event{}
	for _, e := range c.events() { // newest first
		for _, id := range e.Entities {
			if latest[id] == nil {
				latest[id] = e
			}
		}
	}
	var out []line
	for id, e := range c.entities() {
		event := latest[id]
		if e.Type != memory.TypeIssue && e.Type != memory.TypeError || fixed[id] || event == nil {
			continue
		}
		at := event.Provenance.EventTime
		if e.Type == memory.TypeError && (at == nil || c.info.At-*at > openErrorDays*86400) {
			continue
		}
		out = append(out, line{
			text: plain(e.Name, 60) + ": " + plain(event.Summary, summaryBytes), from: event.Provenance,
			score: c.score(trustWeight[event.Trust], at), at: at, id: id,
		})
	}
	return rank(out)
}
