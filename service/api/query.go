package api

import (
	"net/url"
	"strconv"
	"strings"

	"dormouse/store/memory"
)

// SessionQuery asks for sessions, newest first. Empty fields do not filter.
type SessionQuery struct {
	Project string // id or name
	Agent   string
	Limit   int  // 0 for all
	Deleted bool // those that the person deleted, instead of those that are there
}

// Values are the query's parameters in a request.
func (q SessionQuery) Values() url.Values {
	return values("project", q.Project, "agent", q.Agent, "limit", number(int64(q.Limit)), "deleted", flag(q.Deleted))
}

// TimelineQuery asks for events, newest first. Empty fields do not filter.
type TimelineQuery struct {
	Since   int64 // Unix seconds, inclusive; 0 for no bound
	Until   int64 // Unix seconds, exclusive; 0 for no bound
	Entity  string
	Tag     string // a name of a tag: of events of turns that are about it
	Project string // id or name
	Kinds   []memory.Kind
	// Superseded asks for events as well that others took the place of.
	Superseded bool
	Limit      int
	AsOf       AsOf
	For        string // see For
}

// Values are the query's parameters in a request.
func (q TimelineQuery) Values() url.Values {
	kinds := make([]string, len(q.Kinds))
	for i, k := range q.Kinds {
		kinds[i] = string(k)
	}
	return q.AsOf.add(values("since", number(q.Since), "until", number(q.Until), "entity", q.Entity, "tag", q.Tag, "project", q.Project,
		"kinds", strings.Join(kinds, ","), "superseded", flag(q.Superseded), "limit", number(int64(q.Limit)), "for", q.For))
}

// GraphQuery asks for an entity and what lies within a number of hops around it.
type GraphQuery struct {
	Entity  string // id or name
	Hops    int
	Project string // id or name
	AsOf    AsOf
	For     string // see For
}

// Values are the query's parameters in a request.
func (q GraphQuery) Values() url.Values {
	return q.AsOf.add(values("entity", q.Entity, "hops", number(int64(q.Hops)), "project", q.Project, "for", q.For))
}

// SearchQuery asks for what matches some words, best first.
type SearchQuery struct {
	Words   string
	Project string   // id or name; empty for all
	Kinds   []string // of a Hit: event, entity, fact, turn, segment, tag_summary; empty for all
	Limit   int
	For     string // see For
	Every   bool   // only what has every one of the words
	Explain bool   // with the parts of each score
	Tag     string // a name of a tag, old names and aliases too: only what is about it
	// Sessions asks for the sessions that the words are about, instead of single hits; Every and Explain have no meaning then.
	Sessions bool
}

// Values are the query's parameters in a request.
func (q SearchQuery) Values() url.Values {
	return values("q", q.Words, "project", q.Project, "kinds", strings.Join(q.Kinds, ","), "limit", number(int64(q.Limit)), "for", q.For,
		"every", flag(q.Every), "explain", flag(q.Explain), "tag", q.Tag,
		"sessions", flag(q.Sessions))
}

// values takes names and values in turn and leaves out what is empty.
func values(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return v
}

func flag(on bool) string {
	if on {
		return "true"
	}
	return ""
}

func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
