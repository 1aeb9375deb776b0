package model

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// SessionsPage is all sessions, newest first, and what they can be filtered by.
type SessionsPage struct {
	Trouble  *Trouble
	Rows     []SessionRow
	Projects []Choice // every one first, whose ID is empty
	Agents   []Choice // likewise
	Empty    *Empty
}

// SessionRow is one session in the list.
type SessionRow struct {
	ID, Title string
	Below     string // project, agent and turns
	When      string
	// Found is what a search found in the session, and At the turn that it stands in; empty and 0 without a search.
	Found string
	At    int

	project, agent, words string
}

// SessionFilter says which sessions are listed. Empty fields do not filter.
type SessionFilter struct {
	Project, Agent string // ids
	// Words have to stand in the title, the names or the id, each of them, in any order; or a search has to find them in what
	// was said.
	Words string
}

// Hits are what a search found in the sessions, by session.
type Hits map[string]Hit

// Hit is the best place in a session.
type Hit struct {
	Text string
	Turn int
}

// Sessions asks for all sessions.
func (p *Presenter) Sessions(ctx context.Context) SessionsPage {
	b := p.o.Backend()
	list, err := b.Sessions(ctx, api.SessionQuery{})
	if err != nil {
		return SessionsPage{Trouble: troubleOf(err)}
	}
	projects, err := b.Projects(ctx)
	if err != nil {
		return SessionsPage{Trouble: troubleOf(err)}
	}
	w := p.style()
	page := SessionsPage{Projects: []Choice{{Label: lang.Say("Every project")}}, Agents: []Choice{{Label: lang.Say("Every agent")}}}
	labels, used := map[string]string{}, map[string]bool{}
	for _, s := range list {
		used[s.ProjectID] = true
	}
	for _, c := range projectChoices(projects) {
		labels[c.ID] = c.Label
		if used[c.ID] {
			page.Projects = append(page.Projects, c)
		}
	}
	for _, s := range list {
		page.Rows = append(page.Rows, w.session(s, labels))
	}
	page.Agents = append(page.Agents, agentChoices(list)...)
	if len(list) == 0 {
		page.Empty = &Empty{Title: lang.Say("No session yet"),
			Text: lang.Say("Work with one of your agents: its session appears here within seconds, also while it goes on.")}
	}
	return page
}

func agentChoices(list []api.Session) []Choice {
	seen := map[string]bool{}
	var out []Choice
	for _, s := range list {
		if !seen[s.Agent] {
			seen[s.Agent] = true
			out = append(out, Choice{ID: s.Agent, Label: AgentName(s.Agent)})
		}
	}
	slices.SortFunc(out, func(a, b Choice) int { return cmp.Compare(a.Label, b.Label) })
	return distinct(out)
}

func (w style) session(s api.Session, labels map[string]string) SessionRow {
	project := cmp.Or(labels[s.ProjectID], Line(s.Project), Line(s.ProjectID))
	row := SessionRow{ID: s.ID, Title: titleOf(s), Below: dots(special(s), project, AgentName(s.Agent), lang.Count(s.Turns, "{n} turns")), When: w.day(s.UpdatedAt),
		project: s.ProjectID, agent: s.Agent}
	row.words = strings.ToLower(strings.Join([]string{row.Title, project, AgentName(s.Agent), s.ID, s.AgentSessionID, s.GitBranch}, "\n"))
	return row
}

// special is what the person should know of a session before it is opened.
func special(s api.Session) string {
	pinned, missing := "", ""
	if s.Pinned {
		pinned = lang.Say("Pinned")
	}
	if s.Missing != "" {
		missing = missingWord(s.Missing)
	}
	return dots(pinned, missing)
}

// titleOf is a session's title in one line.
func titleOf(s api.Session) string {
	return cmp.Or(cut(Line(s.Title), 200), lang.Say("Session {id}", Line(s.ID)))
}

// Filter are the rows that a filter leaves, in their order. With hits, the sessions in which a search found the words come
// too, each with what was found.
func (p *SessionsPage) Filter(f SessionFilter, hits Hits) []SessionRow {
	words := strings.Fields(strings.ToLower(f.Words))
	var out []SessionRow
	for _, row := range p.Rows {
		if f.Project != "" && row.project != f.Project || f.Agent != "" && row.agent != f.Agent {
			continue
		}
		hit, found := hits[row.ID]
		if !found && !contains(row.words, words) {
			continue
		}
		row.Found, row.At = hit.Text, hit.Turn
		out = append(out, row)
	}
	return out
}

func contains(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// NoneFits is what the list shows when the filter leaves nothing.
func NoneFits(f SessionFilter) Empty {
	if f.Words != "" {
		return Empty{Title: lang.Say("No session fits"), Text: lang.Say("Nothing like “{words}” was said or is in a title. Escape clears the filter.", cut(Line(f.Words), 40))}
	}
	return Empty{Title: lang.Say("No session fits"), Text: lang.Say("Choose another project or agent. Escape clears the filter.")}
}

// ListSummary says how many of the sessions are listed.
func ListSummary(shown, all int) string {
	if shown == all {
		return lang.Count(all, "{n} sessions")
	}
	return lang.Count(all, "{shown} of {n} sessions", number(shown))
}

// maxHits is how many places a search for sessions brings.
const maxHits = 50

// FindSessions searches what was said for words. It is empty for no words and where the search fails: the filter by title
// works without it.
func (p *Presenter) FindSessions(ctx context.Context, f SessionFilter) Hits {
	if strings.TrimSpace(f.Words) == "" {
		return nil
	}
	found, err := p.o.Backend().Search(ctx, api.SearchQuery{Words: f.Words, Project: f.Project, Kinds: []string{"turn", "event"}, Limit: maxHits})
	if err != nil {
		return nil
	}
	out := Hits{}
	for _, h := range found.Hits {
		if _, better := out[h.SessionID]; better || h.SessionID == "" {
			continue
		}
		out[h.SessionID] = Hit{Text: lang.Say("“{words}”", cut(Line(cmp.Or(h.Snippet, h.Title)), 200)), Turn: h.Turn}
	}
	return out
}
