package api

// The paths of the search index.
const (
	PathIndex        = "/v1/index"         // GET: how it stands
	PathIndexRebuild = "/v1/index/rebuild" // POST: have it made anew in the background
)

// Index is how the search index stands.
type Index struct {
	Docs  int   `json:"docs"`
	Bytes int64 `json:"bytes"` // on disk
	// SessionsWaiting of all Sessions have turns that are not indexed.
	Sessions        int     `json:"sessions"`
	SessionsWaiting int     `json:"sessions_waiting"`
	Vectors         Vectors `json:"vectors"`
	// Rebuilding says that it is being made anew; what was there before answers meanwhile.
	Rebuilding bool `json:"rebuilding"`
}

// Vectors is how the vectors of the search index stand.
type Vectors struct {
	Model   string `json:"model"`   // whose vectors are searched; empty for search by words alone
	Docs    int    `json:"docs"`    // that have theirs
	Waiting int    `json:"waiting"` // documents whose vectors are made later; they are found by their words
	// NextModel is the model whose vectors are being made to take the place of these; empty where none are.
	NextModel   string `json:"next_model,omitempty"`
	NextDocs    int    `json:"next_docs,omitempty"`
	NextWaiting int    `json:"next_waiting,omitempty"`
	Failure     string `json:"failure,omitempty"` // why none could be made the last time
}
