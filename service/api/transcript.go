package api

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"dormouse/store/memory"
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
	// Images are those of the turns that were kept; PathSessionFile gives them. The nodes name them by their SHA-256, with those that
	// were not.
	Images []memory.File `json:"images,omitempty"`
	Next   *int          `json:"next,omitempty"` // From of the query for what follows
}

// Add adds the turns of a part that follows.
func (t *Transcript) Add(part Transcript) {
	t.Session, t.Turns = part.Session, append(t.Turns, part.Turns...)
	for _, f := range part.Images {
		if at, twice := slices.BinarySearchFunc(t.Images, f.SHA256, func(f memory.File, sum string) int { return strings.Compare(f.SHA256, sum) }); !twice {
			t.Images = slices.Insert(t.Images, at, f)
		}
	}
}
