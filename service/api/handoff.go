package api

import "net/url"

// PathHandoff is the path of a project's open threads as a page.
const PathHandoff = "/v1/handoff" // ?project=

// Handoff is a page from which another agent or another machine goes on in a project.
type Handoff struct {
	Project Project `json:"project"`
	Text    string  `json:"text"` // Markdown
	Bytes   int     `json:"bytes"`
	Limit   int     `json:"limit"`
	// Sessions are the ids of those that it tells of, the newest first.
	Sessions []string `json:"sessions"`
}

// HandoffValues are the parameters of a request for a project's handoff.
func HandoffValues(project string) url.Values { return values("project", project) }
