package api

import "net/url"

// The paths of the typed view over sessions.
const (
	PathObjects = "/v1/objects" // ObjectQuery: a session's objects
	PathPager   = "/v1/pager"   // what the context engine is set to
)

// ObjectQuery asks for the objects of a session: of the one that is named, of the one that holds an object, or of the newest one.
type ObjectQuery struct {
	Session string // a whole id; empty for the newest
	Project string // with no session: the newest of this project, by id or name
	Object  string // the object whose text is wanted as well, by its id
	Draw    bool   // a drawing is wanted as well
	For     string // the agent that asks, from whom private turns and erased ones are kept; empty for the person
}

// Values are the query as parameters.
func (q ObjectQuery) Values() url.Values {
	v := url.Values{}
	for k, s := range map[string]string{"session": q.Session, "project": q.Project, "object": q.Object, "for": q.For} {
		if s != "" {
			v.Set(k, s)
		}
	}
	if q.Draw {
		v.Set("draw", "true")
	}
	return v
}

// Objects are what a session is made of.
type Objects struct {
	Session   Session          `json:"session"`
	Objects   []Object         `json:"objects"`
	Relations []ObjectRelation `json:"relations"`
	Refused   []RefusedObject  `json:"refused"`
	Stats     ObjectStats      `json:"stats"`
	// Object is the one that was asked for, by its id now, and Text what it holds.
	Object  string `json:"object,omitempty"`
	Text    string `json:"text,omitempty"`
	Drawing string `json:"drawing,omitempty"` // in Graphviz's language
}

// Object is one thing of a session. Its type is file_context, tool_result, error_context, plan, design_decision, debugging_session,
// conversation_phase or external_reference.
type Object struct {
	ID         string       `json:"id"`
	Type       string       `json:"type"`
	Title      string       `json:"title"`         // one line of its own words
	Key        string       `json:"key,omitempty"` // of a file its path; of a call what it asks for
	Agent      string       `json:"agent,omitempty"`
	FirstTurn  int          `json:"first_turn"`
	LastTurn   int          `json:"last_turn"`
	Goal       int          `json:"goal"` // which goal of the session, from 1
	Parts      []ObjectPart `json:"parts"`
	Bytes      int          `json:"bytes"`
	Tokens     int          `json:"tokens"` // a token is counted as four bytes
	Level      string       `json:"level"`  // L0 to L4: how much of it the next request would show
	Superseded string       `json:"superseded,omitempty"`
	Also       []string     `json:"also,omitempty"` // ids of objects that were joined to it
}

// ObjectPart is a node of an object, or the bytes of its text from From up to To.
type ObjectPart struct {
	Node string `json:"node,omitempty"`
	Turn int    `json:"turn,omitempty"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// ObjectRelation is references, depends_on, parent_of or supersedes.
type ObjectRelation struct {
	From string `json:"from"`
	Kind string `json:"kind"`
	To   string `json:"to"`
}

// RefusedObject is something that was not worth storing.
type RefusedObject struct {
	ID     string       `json:"id"`
	Type   string       `json:"type"`
	Title  string       `json:"title"`
	Parts  []ObjectPart `json:"parts"`
	Bytes  int          `json:"bytes"`
	Reason string       `json:"reason"`
	Score  float64      `json:"score"` // 0 where a rule decided
}

// ObjectStats are counts over a session's objects.
type ObjectStats struct {
	Turns      int            `json:"turns"`
	Blocks     int            `json:"blocks"` // texts, calls and results, also those in no object
	Objects    int            `json:"objects"`
	Bytes      int            `json:"bytes"`
	Tokens     int            `json:"tokens"`
	Mean       float64        `json:"mean"`   // tokens an object
	Median     int            `json:"median"` // tokens
	Types      map[string]int `json:"types"`
	Levels     [5]int         `json:"levels"` // objects at L0 to L4
	Superseded int            `json:"superseded"`
	Joined     int            `json:"joined"`
	Goals      int            `json:"goals"`
	Calls      int            `json:"calls"`
	Refused    int            `json:"refused"`
	Quiet      int            `json:"quiet"` // blocks of nobody: what a client or Dormouse put there
	Other      int            `json:"other"` // blocks without a text
	Empty      int            `json:"empty"`
}

// Pager is what the context engine is set to.
type Pager struct {
	Proxy    string         `json:"proxy"` // on, off or shut
	Pages    bool           `json:"pages"` // old results of tools are shortened on the way
	Settings []PagerSetting `json:"settings"`
}

// PagerSetting is one setting of the engine.
type PagerSetting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	About string `json:"about"`
}
