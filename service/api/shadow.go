package api

// The paths of the shadow histories.
const (
	PathDiff    = "/v1/diff"            // ?id=&turn=: what a session changed in files, in one turn or in all
	PathRestore = "/v1/restore"         // POST ?id=&turn=&side=&dir=&force=: write those files to another folder
	PathShadow  = "/v1/projects/shadow" // POST ?project=&on=: turn a project's shadow history on or off
)

// Diff is what a session changed in its project's files, as its shadow history has it.
type Diff struct {
	SessionID  string       `json:"session_id"`
	ProjectID  string       `json:"project_id"`
	Turn       *int         `json:"turn"` // null for the whole session
	Subject    string       `json:"subject,omitempty"`
	When       int64        `json:"when,omitempty"`
	Commit     string       `json:"commit,omitempty"` // the turn's, in Repository
	Repository string       `json:"repository"`       // folder of the shadow repository, a bare one
	Turns      []int        `json:"turns"`            // of the session, that edited files
	Files      []EditedFile `json:"files"`
}

// EditedFile is one file that a session edited.
type EditedFile struct {
	Path string `json:"path"` // from the project's folder; whole where the file lies elsewhere
	// Op is create, update, delete or none; empty where a side is not known.
	Op     string `json:"op"`
	Before Side   `json:"before"`
	After  Side   `json:"after"`
	// Why says why nothing of the file is kept; empty where something is.
	Why     string `json:"why,omitempty"`
	Outside bool   `json:"outside,omitempty"` // somebody else changed it since the session had it last
	Mixed   bool   `json:"mixed,omitempty"`   // somebody else changed it between the turn's edits
	Edits   int    `json:"edits"`             // calls that changed it
	Binary  bool   `json:"binary,omitempty"`
	Added   int    `json:"added"` // lines
	Removed int    `json:"removed"`
	// Diff is a unified diff with file headers; empty where a side is not known or no text. Shown is then what the calls show.
	Diff  string `json:"diff,omitempty"`
	Shown string `json:"shown,omitempty"`
}

// Side is how a file is known before or after.
type Side struct {
	// From is exact (the session proves it), derived (the change fits on what was known), disk (it was seen there) or unknown.
	From   string `json:"from"`
	Exists bool   `json:"exists"`
	Bytes  int    `json:"bytes"`
	Why    string `json:"why,omitempty"` // why there is no content
}

// RestoreQuery says what is restored where.
type RestoreQuery struct {
	ID    string
	Turn  *int   // nil: the whole session
	Side  string // before or after
	Dir   string // absolute
	Force bool   // also into a folder that is not empty
}

// Restored is what a restore did.
type Restored struct {
	Dir     string         `json:"dir"`
	Written int            `json:"written"`
	Files   []RestoredFile `json:"files"`
}

// RestoredFile is what became of one file.
type RestoredFile struct {
	Path string `json:"path"`
	From string `json:"from"`
	Why  string `json:"why,omitempty"` // why it was not written
}

// Shadow is how the shadow histories stand.
type Shadow struct {
	On       bool  `json:"on"`       // the setting
	Projects int   `json:"projects"` // that are kept
	Sessions int   `json:"sessions"` // that they hold
	Bytes    int64 `json:"bytes"`    // of their repositories
	Waiting  int   `json:"waiting"`  // sessions that are not recorded yet
	Unknown  int   `json:"unknown"`  // versions since the service began that are not known
}
