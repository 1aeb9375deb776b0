package memory

import "maps"

// Without is the state without the records of some projects: those in the scope of one, and those that come from a session of one. It is for
// a machine on which a project is not to be served; the log keeps all of them, and so do the other machines. The given state is not changed.
func (s *State) Without(projects map[string]bool) *State {
	if len(projects) == 0 {
		return s
	}
	out := *s
	out.Events, out.Entities, out.Edges, out.Facts = without(s.Events, projects), without(s.Entities, projects), without(s.Edges, projects), without(s.Facts, projects)
	out.Segments, out.Tags = without(s.Segments, projects), without(s.Tags, projects)
	out.TagAliases, out.TagSummaries = without(s.TagAliases, projects), without(s.TagSummaries, projects)
	out.earned = maps.Clone(s.earned)
	maps.DeleteFunc(out.earned, func(k Key, _ EarnedTag) bool { return k.Scope.of(projects) })
	return &out
}

func without[K comparable, R Record](all map[K]R, projects map[string]bool) map[K]R {
	out := make(map[K]R, len(all))
	for k, r := range all {
		if !OfProjects(r, projects) {
			out[k] = r
		}
	}
	return out
}

// OfProjects reports whether a record is in the scope of one of some projects, or comes from a session of one.
func OfProjects(r Record, projects map[string]bool) bool {
	if len(projects) == 0 {
		return false
	}
	p := r.Origin()
	return r.InScope().of(projects) || p != nil && projects[p.ProjectID]
}

// of reports whether a scope is that of one of some projects, or private to one.
func (s Scope) of(projects map[string]bool) bool {
	if id, ok := s.Project(); ok {
		return projects[id]
	}
	return s.Private() && projects[string(s[len("private:"):])]
}
