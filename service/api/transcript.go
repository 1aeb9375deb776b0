package api

import (
	"net/url"
	"strconv"
)

// TranscriptQuery asks for a session by its whole id: for one turn, for the turns from a number on, as many as go into an answer, or with
// neither for all of them in one answer, however long it is.
type TranscriptQuery struct {
	ID         string
	Turn, From *int
}

// Values are the query as parameters.
func (q TranscriptQuery) Values() url.Values {
	v := url.Values{"id": {q.ID}}
	if q.Turn != nil {
		v.Set("turn", strconv.Itoa(*q.Turn))
	}
	if q.From != nil {
		v.Set("from", strconv.Itoa(*q.From))
	}
	return v
}

// Transcript is one session, opened: its turns, or some of them.
type Transcript struct {
	Session Session `json:"session"`
	Turns   []Turn  `json:"turns"`
	Next    *int    `json:"next,omitempty"` // From of the query for what follows
}
