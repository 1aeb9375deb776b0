package model

import (
	"cmp"
	"context"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// Found is what a search from anywhere has found, below the titles of its groups.
type Found struct {
	Rows []FoundRow
	Note string // in place of rows, or beside them
}

// FoundRow is the title of a group, or something that can be gone to.
type FoundRow struct {
	Group string // the title of a group, and nothing else

	Sign  string // the name of its sign
	Title string
	Below string
	When  string
	To    FoundPlace
}

// FoundPlace is where something is: one of its fields is set.
type FoundPlace struct {
	Page   string // id of a page
	Turn   Place
	Entity string // id of an entity, whose memories are to be shown
}

// How much of each group is listed.
const (
	maxFoundSessions = 4
	maxFoundHits     = 24
)

// foundGroups are the groups in their order, by the kind of a hit; sessions stand after them.
var foundGroups = []struct {
	title       lang.Word
	sign, kinds string
}{
	{lang.Mark("Memories"), "timeline", "event fact"}, {lang.Mark("Names"), "graph", "entity"}, {lang.Mark("Turns"), "sessions", "turn"},
}

// Find looks for words in memories, names, turns, sessions and the pages of the window.
func (p *Presenter) Find(ctx context.Context, words string) Found {
	words = strings.TrimSpace(words)
	out := Found{Rows: foundPages(words)}
	if words == "" {
		return out
	}
	b := p.o.Backend()
	hits, err := b.Search(ctx, api.SearchQuery{Words: words, Kinds: []string{"event", "entity", "fact", "turn"}, Limit: maxFoundHits})
	if err != nil {
		out.Note = sentence(troubleOf(err).Title)
		return out
	}
	projects, err := b.Projects(ctx)
	if err != nil {
		projects = nil // names are left out
	}
	w, names := p.style(), projectLabels(projects)
	for _, g := range foundGroups {
		out.group(g.title.Text(), w.foundHits(hits.Hits, g.sign, g.kinds, names))
	}
	if sessions, err := b.Search(ctx, api.SearchQuery{Words: words, Sessions: true, Limit: maxFoundSessions}); err == nil {
		out.group(lang.Say("Sessions"), w.foundSessions(sessions.Sessions, names))
	}
	if len(out.Rows) == 0 {
		out.Note = lang.Say("Nothing was found for “{words}”.", cut(Line(words), 60))
	}
	if hits.Indexing {
		out.Note = joined(" ", out.Note, lang.Say("The index is still being filled; there may be more soon."))
	}
	return out
}

// group adds rows below a title, where there are any.
func (f *Found) group(title string, rows []FoundRow) {
	if len(rows) > 0 {
		f.Rows = append(append(f.Rows, FoundRow{Group: title}), rows...)
	}
}

// foundPages are the pages whose names begin with the words; all without words.
func foundPages(words string) []FoundRow {
	f := Found{}
	var rows []FoundRow
	for _, page := range Pages() {
		if strings.HasPrefix(strings.ToLower(page.Name), strings.ToLower(words)) {
			rows = append(rows, FoundRow{Sign: page.Sign, Title: page.Name, To: FoundPlace{Page: page.ID}})
		}
	}
	f.group(lang.Say("Go to"), rows)
	return f.Rows
}

// maxFoundGroup is how many rows of hits a group has at most.
const maxFoundGroup = 6

func (w style) foundHits(hits []api.Hit, sign, kinds string, projects map[string]string) []FoundRow {
	var out []FoundRow
	for _, h := range hits {
		if !strings.Contains(kinds, h.What) || len(out) == maxFoundGroup {
			continue
		}
		row := FoundRow{Sign: sign, Title: cut(Line(cmp.Or(h.Title, h.Snippet)), 200), To: FoundPlace{Turn: Place{Session: h.SessionID, Turn: h.Turn}}}
		snippet := Line(h.Snippet)
		switch h.What {
		case "entity":
			kind, _, _ := strings.Cut(h.ID, ".")
			row.Below, row.To = dots(typeName(kind), projectWord(projects, h.ProjectID)), FoundPlace{Entity: h.ID}
		case "turn":
			row.Below, row.When = cut(snippet, 200), w.day(h.Time)
			if row.Below == row.Title {
				row.Below = projectWord(projects, h.ProjectID)
			}
		default:
			row.Below, row.When = dots(candidateWord(h), kindWords[h.Kind].Text(), projectWord(projects, h.ProjectID)), w.day(h.Time)
		}
		if h.Missing != "" && row.To.Entity == "" {
			row.Below = dots(lang.Say("cannot be opened: {why}", missingWhy(h.Missing)), row.Below)
		}
		out = append(out, row)
	}
	return out
}

func candidateWord(h api.Hit) string {
	switch {
	case h.Candidate != "":
		return lang.Say("Waits for you")
	case h.Superseded:
		return lang.Say("Replaced")
	}
	return ""
}

func (w style) foundSessions(list []api.FoundSession, projects map[string]string) []FoundRow {
	var out []FoundRow
	for _, s := range list {
		turn := 0
		if len(s.Turns) > 0 {
			turn = s.Turns[0]
		}
		out = append(out, FoundRow{Sign: "sessions", Title: cmp.Or(cut(Line(s.Title), 200), lang.Say("Session {id}", Line(s.SessionID))), When: w.day(s.Best.Time),
			Below: dots(projectWord(projects, s.ProjectID), lang.Count(len(s.Turns), "{n} turns")), To: FoundPlace{Turn: Place{Session: s.SessionID, Turn: turn}}})
	}
	return out
}
