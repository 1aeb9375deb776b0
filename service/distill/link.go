package distill

import (
	"regexp"
	"slices"
	"strings"

	"dormouse/service/distill/alias"
	"dormouse/store/memory"
)

// link gives one id to the different names of one thing within a turn's extraction: spelling and version suffixes of
// libraries, short and long names of commits, trackers' keys, and names that the texts state to be equal. Entities, edges and
// events are renamed together. It asks no memory, so that the order in which sessions are read makes no difference.
func link(ex *Extraction, stated map[string]string) {
	renamed := map[string]string{}
	var kept []EntityDraft
	at := map[string]int{}
	for _, e := range ex.Entities {
		was := e.ID()
		name := canonical(e.Type, e.Name)
		if full, ok := stated[strings.ToLower(name)]; ok && slices.ContainsFunc(ex.Entities, func(o EntityDraft) bool { return o.Type == e.Type && strings.EqualFold(o.Name, full) }) {
			name = full
		}
		if name != e.Name {
			e.Aliases = append(e.Aliases, e.Name)
			e.Name = name
		}
		id := e.ID()
		renamed[was] = id
		if i, ok := at[id]; ok {
			kept[i].Aliases = mergeNames(kept[i].Name, kept[i].Aliases, append(e.Aliases, e.Name))
			continue
		}
		at[id] = len(kept)
		kept = append(kept, e)
	}
	ex.Entities = kept
	for i := range ex.Edges {
		ex.Edges[i].From, ex.Edges[i].To = through(renamed, ex.Edges[i].From), through(renamed, ex.Edges[i].To)
	}
	for i := range ex.Facts {
		f := &ex.Facts[i]
		f.Subject = through(renamed, f.Subject)
		for k := range f.Links {
			f.Links[k].To = through(renamed, f.Links[k].To)
		}
	}
	for i := range ex.Events {
		for k, id := range ex.Events[i].Entities {
			ex.Events[i].Entities[k] = through(renamed, id)
		}
		slices.Sort(ex.Events[i].Entities)
		ex.Events[i].Entities = slices.Compact(ex.Events[i].Entities)
	}
}

func through(renamed map[string]string, id string) string {
	if to, ok := renamed[id]; ok {
		return to
	}
	return id
}

func mergeNames(name string, a, b []string) []string {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(s string) bool { return s == name })
}

var majorRE = regexp.MustCompile(`/v\d+$`)

// canonical is the name under which a thing of a type is filed.
func canonical(typ, name string) string {
	switch typ {
	case memory.TypeLibrary:
		return strings.ToLower(majorRE.ReplaceAllString(strings.TrimSuffix(name, "/..."), ""))
	case memory.TypeTool:
		return strings.ToLower(strings.TrimSuffix(name, ".exe"))
	case memory.TypeIssue:
		return strings.ToUpper(name)
	case memory.TypeCommit:
		return shortSHA(name)
	case memory.TypeFile:
		return strings.TrimPrefix(name, "./")
	}
	return name
}

// equality is a statement of the conversation that two names mean one thing, and the node that makes it.
type equality struct {
	alias.Pair
	node int
}

// maxEqualities is how many statements of one message are read.
const maxEqualities = 8

// equalities reads stated equalities out of a turn's messages: the person's prompts and what the assistant says.
func equalities(nodes []memory.Node) []equality {
	var out []equality
	for i := range nodes {
		n := &nodes[i]
		if n.Metadata.AgentID != "" || n.Role == memory.RoleTool || n.Role == memory.RoleUser && n.Metadata.Kind != memory.KindPrompt || len(n.Output) > maxText {
			continue
		}
		pairs := alias.Stated(n.Output)
		for _, p := range pairs[:min(len(pairs), maxEqualities)] {
			out = append(out, equality{p, i})
		}
	}
	return out
}

// namesOf are the names that statements make another one's: other name in lower case -> name.
func namesOf(list []equality) map[string]string {
	out := map[string]string{}
	for _, e := range list {
		out[strings.ToLower(e.Other)] = e.Name
	}
	return out
}
