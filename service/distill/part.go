package distill

import (
	"maps"
	"slices"
	"strings"

	"dormouse/store/memory"
)

// addParts makes an entity of every part of the project that the conversation says to have more than one name: the worker that is
// also called backend. The other names are its aliases. A part that the branch knows keeps the name that it had first.
func (g *graph) addParts() {
	g.parts = g.s.turn.Prior.Parts
	for _, e := range g.s.equal {
		if g.known(e.Name) || g.known(e.Other) {
			continue // a file, library or command has an entity of its own; link joins their names
		}
		name, other := e.Name, e.Other
		if _, ok := g.parts[strings.ToLower(other)]; ok {
			name, other = other, name
		}
		id := g.parts[strings.ToLower(name)]
		if id == "" {
			id = memory.EntityID(memory.TypeComponent, name)
		}
		g.part(id, name, other, e.node)
	}
}

// known reports whether a name is that of another entity of the turn.
func (g *graph) known(name string) bool {
	return slices.ContainsFunc(g.entities, func(e EntityDraft) bool {
		return e.Type != memory.TypeComponent && strings.EqualFold(e.Name, name)
	})
}

func (g *graph) part(id, name, other string, node int) {
	if len(g.parts) < maxParts {
		if g.parts = maps.Clone(g.parts); g.parts == nil {
			g.parts = map[string]string{}
		}
		g.parts[strings.ToLower(name)], g.parts[strings.ToLower(other)] = id, id
	}
	aliases := []string{other}
	if memory.EntityID(memory.TypeComponent, name) != id {
		aliases = append(aliases, name)
	}
	if i, ok := g.have[id]; ok {
		g.entities[i].Aliases = mergeNames(g.entities[i].Name, g.entities[i].Aliases, aliases)
		return
	}
	e := EntityDraft{Type: memory.TypeComponent, Name: strings.TrimPrefix(id, memory.TypeComponent+"."), Aliases: aliases}
	if memory.EntityID(memory.TypeComponent, name) == id {
		e.Name = name
	}
	e.Nodes, e.At = g.evidence(node)
	g.have[id] = len(g.entities)
	g.entities = append(g.entities, e)
	g.edge(id, "part-of", g.project, 0.9, node)
}

// mentioned are the parts that a line names, by whichever of their names.
func (g *graph) mentioned(line string) []string {
	if len(g.parts) == 0 {
		return nil
	}
	words := strings.FieldsFunc(strings.ToLower(line), notOfName)
	for i := range words {
		words[i] = strings.TrimRight(words[i], ".")
	}
	low := " " + strings.Join(words, " ") + " "
	var out []string
	for _, name := range slices.Sorted(maps.Keys(g.parts)) {
		if strings.Contains(low, " "+name+" ") {
			out = append(out, g.parts[name])
		}
	}
	return out
}

// notOfName finds the characters that divide the names of a line.
func notOfName(r rune) bool { return strings.ContainsRune(" \t,;:!?()[]{}\"'`", r) }
