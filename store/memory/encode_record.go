package memory

import (
	"maps"
	"slices"
	"strconv"
)

// appendRecord writes the records of which there are many as Encode would, byte for byte, without looking their types over anew. ok is false
// for all others, and for those with members of a newer version.
func appendRecord(b []byte, v any) (out []byte, ok bool) {
	switch r := v.(type) {
	case *Event:
		if r != nil && len(r.Extra) == 0 {
			return appendEvent(b, r), true
		}
	case *Entity:
		if r != nil && len(r.Extra) == 0 {
			return appendEntity(b, r), true
		}
	case *Edge:
		if r != nil && len(r.Extra) == 0 && plainReal(r.Confidence) {
			return appendEdge(b, r), true
		}
	}
	return b, false
}

func appendEvent(b []byte, e *Event) []byte {
	b = appendText(append(b, `{"id":`...), e.ID)
	b = appendText(append(b, `,"summary":`...), e.Summary)
	b = appendText(append(b, `,"kind":`...), string(e.Kind))
	b = appendProvenance(append(b, `,"provenance":`...), &e.Provenance)
	b = appendTexts(append(b, `,"entities":`...), e.Entities)
	b = appendText(append(b, `,"scope":`...), string(e.Scope))
	b = appendText(append(b, `,"trust":`...), string(e.Trust))
	return append(appendRef(append(b, `,"superseded_by":`...), e.SupersededBy), '}')
}

func appendEntity(b []byte, e *Entity) []byte {
	b = appendText(append(b, `{"id":`...), e.ID)
	b = appendText(append(b, `,"type":`...), e.Type)
	b = appendText(append(b, `,"name":`...), e.Name)
	b = appendTexts(append(b, `,"aliases":`...), e.Aliases)
	b = append(b, `,"attrs":{`...)
	for i, k := range slices.Sorted(maps.Keys(e.Attrs)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(appendText(b, k), ':'), e.Attrs[k])
	}
	b = appendText(append(b, `},"scope":`...), string(e.Scope))
	b = appendProvenance(append(b, `,"provenance":`...), &e.Provenance)
	return append(appendRef(append(b, `,"superseded_by":`...), e.SupersededBy), '}')
}

func appendEdge(b []byte, e *Edge) []byte {
	b = appendText(append(b, `{"id":`...), e.ID)
	b = appendText(append(b, `,"from":`...), e.From)
	b = appendText(append(b, `,"to":`...), e.To)
	b = appendText(append(b, `,"relation":`...), e.Relation)
	b = appendOptional(append(b, `,"event_time":`...), e.EventTime)
	b = strconv.AppendInt(append(b, `,"ingestion_time":`...), e.IngestionTime, 10)
	b = appendProvenance(append(b, `,"provenance":`...), &e.Provenance)
	b = strconv.AppendFloat(append(b, `,"confidence":`...), e.Confidence, 'f', -1, 64)
	b = appendText(append(b, `,"scope":`...), string(e.Scope))
	return append(appendRef(append(b, `,"superseded_by":`...), e.SupersededBy), '}')
}

func appendProvenance(b []byte, p *Provenance) []byte {
	b = appendText(append(b, `{"project_id":`...), p.ProjectID)
	b = appendText(append(b, `,"session_id":`...), p.SessionID)
	b = appendTexts(append(b, `,"node_ids":`...), p.NodeIDs)
	if b = append(b, `,"commit":`...); p.Commit == nil {
		b = append(b, "null"...)
	} else {
		b = appendText(b, *p.Commit)
	}
	b = appendOptional(append(b, `,"event_time":`...), p.EventTime)
	return append(strconv.AppendInt(append(b, `,"ingestion_time":`...), p.IngestionTime, 10), '}')
}

func appendOptional(b []byte, n *int64) []byte {
	if n == nil {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, *n, 10)
}

// plainReal reports whether encoding/json writes a number without an exponent.
func plainReal(x float64) bool { return x == 0 || x >= 1e-6 && x < 1e21 }
