package recall

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"dormouse/store/memory"
)

// silent relations are no lines: the files and commits show them themselves, and wishes have a section of their own.
var silent = map[string]bool{"part-of": true, "touches": true, "prefers": true}

// Weights of the graph's lines, best first: where the project lies, how it is tested, checked and built, its busiest files,
// how its parts hang together, and last the mere names of tools.
const (
	projectWeight = 2000
	edgeWeight    = 300
	fileWeight    = 60 // for each change, up to maxChanges
	toolWeight    = 20
	maxChanges    = 8
	sameRelation  = 3 // lines of one relation from one entity
	busyFiles     = 4
)

// commandWeight is the importance of the commands by which a project is worked on, by their relation. Confidence, which grows
// with the runs that succeeded, is multiplied in.
var commandWeight = map[string]float64{"tested-by": 1500, "checked-by": 900, "built-by": 900}

// graph are the project itself, its strongest relations, and the files that change most.
func (c *core) graph() []line {
	entities, edges := c.entities(), c.edges()
	out := c.busiest(entities, edges)
	for _, e := range entities {
		if e.Type == memory.TypeProject && e.Attrs["path"] != "" {
			l := line{text: plain(e.Name, 80) + " at " + plain(e.Attrs["path"], 120) + attributes(e), from: e.Provenance,
				at: e.Provenance.EventTime, id: e.ID}
			out = append(out, c.because(l, memory.RecordEntity, e.ID, e.Scope, CorePart{"where the project is", projectWeight}))
		}
	}
	out = append(out, c.states(entities)...)
	for _, e := range edges {
		if silent[e.Relation] {
			continue
		}
		l := line{text: nameOf(entities, e.From) + " ──" + plain(e.Relation, 40) + "──► " + nameOf(entities, e.To),
			from: e.Provenance, at: e.EventTime, id: e.From + "\x00" + e.Relation + "\x00" + e.ID}
		out = append(out, c.because(l, memory.RecordEdge, e.ID, e.Scope,
			CorePart{named(e.Relation), relationWeight(e)}, CorePart{"confidence", e.Confidence}))
	}
	return fewOfEach(rank(out))
}

// factWeight is the importance of a fact, before that of who stands behind it.
const factWeight = 40

// states are the facts of the project: what it uses and plans, where its parts are. How it is tested and built is told by its
// relations.
func (c *core) states(entities map[string]*memory.Entity) []line {
	var out []line
	for _, f := range c.facts() {
		if f.Wish() || commandWeight[f.Verb] > 0 {
			continue
		}
		subject := plain(f.Subject, 80)
		if e := entities[f.Subject]; e != nil || strings.Contains(f.Subject, ".") {
			subject = nameOf(entities, f.Subject)
		}
		l := line{text: subject + " ──" + plain(f.Verb, 40) + "──► " + plain(f.Object, 120), from: f.Provenance, at: f.Provenance.EventTime,
			id: f.Subject + "\x00" + f.Verb + "\x00" + f.ID}
		out = append(out, c.because(l, memory.RecordFact, f.ID, f.Scope,
			CorePart{named(f.Verb), factWeight}, CorePart{"from " + string(f.Trust), float64(trustWeight[f.Trust])}))
	}
	return out
}

func relationWeight(e *memory.Edge) float64 {
	if w := commandWeight[e.Relation]; w > 0 {
		return w
	}
	if e.Relation == "fixed-by" || e.Relation == "uses" && strings.HasPrefix(e.To, memory.TypeTool+".") {
		return toolWeight
	}
	return edgeWeight
}

// change is how often a file was changed, and the newest record of it.
type change struct {
	n       int
	commits bool // counted by commits, else by pieces of work
	from    memory.Provenance
	at      *int64
}

func (c *change) see(p memory.Provenance) {
	c.n++
	if c.n == 1 || compareNewest(p.EventTime, c.at) < 0 {
		c.from, c.at = p, p.EventTime
	}
}

// busiest are the files that most commits touch or, where they are in few, that most pieces of work changed, with the session of
// the newest.
func (c *core) busiest(entities map[string]*memory.Entity, edges []*memory.Edge) []line {
	commits, works := map[string]*change{}, map[string]*change{}
	count := func(m map[string]*change, id string, p memory.Provenance) {
		if e := entities[id]; e == nil || e.Type != memory.TypeFile {
			return
		}
		if m[id] == nil {
			m[id] = &change{}
		}
		m[id].see(p)
	}
	for _, e := range edges {
		if e.Relation == "touches" {
			count(commits, e.To, e.Provenance)
		}
	}
	for _, e := range c.events() {
		if e.Kind == memory.KindWork {
			for _, id := range e.Entities {
				count(works, id, e.Provenance)
			}
		}
	}
	busiest := maps.Clone(works)
	for id, ch := range commits {
		if w := works[id]; w == nil || ch.n >= w.n {
			ch.commits = true
			busiest[id] = ch
		}
	}
	var out []line
	for id, ch := range busiest {
		text := plain(entities[id].Name, 120) + " (changed " + ch.times() + ")"
		l := line{text: text, from: ch.from, at: ch.at, id: id}
		out = append(out, c.because(l, memory.RecordEntity, id, entities[id].Scope,
			CorePart{"a file", fileWeight}, CorePart{"changes that count", float64(min(ch.n, maxChanges))}))
	}
	out = rank(out)
	return out[:min(len(out), busyFiles)]
}

func (c *change) times() string {
	switch {
	case c.commits && c.n > 1:
		return "by " + strconv.Itoa(c.n) + " commits"
	case c.n > 1:
		return strconv.Itoa(c.n) + " times"
	}
	return "once"
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
