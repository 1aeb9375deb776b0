package recall

import (
	"maps"
	"slices"
	"strings"

	"dormouse/store/index"
	"dormouse/store/memory"
)

// The beginnings of document ids.
const (
	eventPrefix  = "event:"
	entityPrefix = "entity:"
	factPrefix   = "fact:"
	turnPrefix   = "turn:"
)

// DocsFromState makes a document of each event, entity, fact, segment and summary of a tag that was not forgotten. Records without a valid scope get none:
// nobody may see them.
func DocsFromState(s *memory.State) []index.Doc {
	var out []index.Doc
	for _, e := range s.Timeline() {
		if e.Scope.Valid() {
			out = append(out, eventDoc(s, e))
		}
	}
	for _, e := range s.EntityList() {
		if e.Scope.Valid() {
			out = append(out, entityDoc(e))
		}
	}
	for _, f := range s.FactList() {
		if f.Scope.Valid() {
			out = append(out, factDoc(s, f))
		}
	}
	return append(out, TagDocs(s)...)
}

// factDoc is found by the words of the fact and by the name of the entity that it is about.
func factDoc(s *memory.State, f *memory.Fact) index.Doc {
	subject := f.Subject
	if e := s.Entities[memory.Key{Scope: f.Scope, ID: f.Subject}]; e != nil {
		subject = e.Name
	}
	d := index.Doc{
		ID: factPrefix + f.ID, Kind: index.KindFact, Scope: f.Scope, Label: f.Subject + topicEnd + f.Verb, Trust: f.Trust,
		Superseded: f.SupersededBy != "", Body: factText(subject, f), Names: namesOf(s, f.Scope, f.Subject),
	}
	d.Path = otherNames(d.Names, d.Body)
	provenance(&d, f.Provenance)
	if at := f.Begins(); at != nil {
		d.Time = *at
	}
	return d
}

// topicEnd divides a fact's subject from its verb in the label of its document.
const topicEnd = "\x1f"

// factText is a fact as a sentence: of a wish the wish itself.
func factText(subject string, f *memory.Fact) string {
	text := f.Object
	if !f.Wish() {
		text = subject + " " + strings.ReplaceAll(f.Verb, "-", " ") + " " + f.Object
	}
	if f.Status != memory.StatusActive && f.Status != "" {
		text += " (" + string(f.Status) + ")"
	}
	return text
}

// eventDoc is found by the words of the event and by the names of what it is about, old ones and aliases too.
func eventDoc(s *memory.State, e *memory.Event) index.Doc {
	d := index.Doc{
		ID: eventPrefix + e.ID, Kind: index.KindEvent, Scope: e.Scope, Label: string(e.Kind), Trust: e.Trust,
		Superseded: e.SupersededBy != "", Body: e.Summary, Names: namesOf(s, e.Scope, e.Entities...),
	}
	d.Path = otherNames(d.Names, d.Body)
	provenance(&d, e.Provenance)
	return d
}

// entityDoc is found by the entity's name and aliases, and by its attributes.
func entityDoc(e *memory.Entity) index.Doc {
	d := index.Doc{
		ID: entityPrefix + string(e.Scope) + ":" + e.ID, Kind: index.KindEntity, Scope: e.Scope, Label: e.Type,
		Superseded: e.SupersededBy != "", Title: e.Name, Path: strings.Join(e.Aliases, " "),
		Names: append([]string{e.Name}, e.Aliases...),
	}
	var attrs []string
	for _, k := range slices.Sorted(maps.Keys(e.Attrs)) {
		attrs = append(attrs, k+": "+e.Attrs[k])
	}
	d.Body = strings.Join(attrs, ", ")
	provenance(&d, e.Provenance)
	return d
}

func provenance(d *index.Doc, p memory.Provenance) {
	d.Project, d.Session, d.Nodes = p.ProjectID, p.SessionID, p.NodeIDs
	if p.EventTime != nil {
		d.Time = *p.EventTime
	}
}
