package memory

import "strings"

// Scope says who may be shown a record: "global", "project:<id>", "agent:<name>", or "private:<id>" of a project, which the person alone
// is shown. A record without a scope is shown to
// nobody.
type Scope string

// Global is the scope of what holds in every project.
const Global Scope = "global"

// ProjectScope is the scope of one project.
func ProjectScope(id string) Scope { return Scope("project:" + id) }

// AgentScope is the scope of one agent.
func AgentScope(name string) Scope { return Scope("agent:" + name) }

// Project returns the project's id and whether the scope is a project's.
func (s Scope) Project() (string, bool) { return strings.CutPrefix(string(s), "project:") }

// Valid reports whether the scope has one of the four forms.
func (s Scope) Valid() bool {
	if s == Global {
		return true
	}
	for _, p := range []string{"project:", "agent:", "private:"} {
		if v, ok := strings.CutPrefix(string(s), p); ok {
			return v != ""
		}
	}
	return false
}

// View is the set of scopes that a reader may see. The zero View sees nothing but Global.
type View struct {
	// All lifts the limit; only the person's own tools use it.
	All     bool
	Project string // project id, or empty
	Agent   string // agent name, or empty
	// Person says that the person looks, who sees what is private to the project.
	Person bool
}

// Sees reports whether a record of scope s may be shown in the view.
func (v View) Sees(s Scope) bool {
	switch {
	case !s.Valid():
		return false
	case v.All || s == Global:
		return true
	case v.Project != "" && (s == ProjectScope(v.Project) || v.Person && s == PrivateScope(v.Project)):
		return true
	default:
		return v.Agent != "" && s == AgentScope(v.Agent)
	}
}

// Scopes lists the scopes that the view sees; nil when it sees all.
func (v View) Scopes() []Scope {
	if v.All {
		return nil
	}
	out := []Scope{Global}
	if v.Project != "" {
		out = append(out, ProjectScope(v.Project))
		if v.Person {
			out = append(out, PrivateScope(v.Project))
		}
	}
	if v.Agent != "" {
		out = append(out, AgentScope(v.Agent))
	}
	return out
}
