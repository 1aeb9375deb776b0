package api

import (
	"maps"
	"net/url"
	"strconv"

	"dormouse/store/memory"
)

// TranscriptQuery asks for a session by its whole id: for one turn, for the turns from a number on, as many as go into an answer, or with
// neither for all of them in one answer, however long it is.
type TranscriptQuery struct {
	ID         string
	Turn, From *int
	For        string // the agent that asks, from whom private turns and erased ones are kept; empty for the person
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
	if q.For != "" {
		v.Set("for", q.For)
	}
	return v
}

// Transcript is one session, opened: its turns, or some of them.
type Transcript struct {
	Session Session `json:"session"`
	Turns   []Turn  `json:"turns"`
	// Images are those of the turns that were kept, by the SHA256 that the nodes name them by; PathSessionFile gives them.
	Images map[string]memory.File `json:"images,omitempty"`
	Next   *int                   `json:"next,omitempty"` // From of the query for what follows
}

// Add adds the turns of a part that follows.
func (t *Transcript) Add(part Transcript) {
	t.Session, t.Turns = part.Session, append(t.Turns, part.Turns...)
	if t.Images == nil {
		t.Images = part.Images
		return
	}
	maps.Copy(t.Images, part.Images)
}
