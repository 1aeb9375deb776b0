package model

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// TranscriptPage is one session, opened.
type TranscriptPage struct {
	Trouble *Trouble
	ID      string
	Title   string
	Facts   []string // lines below the title
	Turns   []Turn
	Empty   *Empty
	Pinned  bool
	// CanAct says that it can be renamed, pinned, opened and deleted: it is here.
	CanAct bool

	project string
}

// Turn is a prompt of the person and all that answers it.
type Turn struct {
	N       int
	Name    string // Turn 3, or what comes before the first prompt
	Choice  string // name, time and first words, for a chooser
	When    string
	Commit  string // short, or that the turn is still open
	SHA     string // the whole commit id, to be copied; empty while the turn is open
	Entries []Entry
}

// EntryKind is what an entry of a turn is.
type EntryKind int

// The kinds of entry.
const (
	Said    EntryKind = iota // by the person
	Replied                  // by the agent
	Calls                    // tool calls in a row
	Aside                    // neither said it: reminders, summaries, thoughts
	SubTask                  // a sub-agent's own conversation
)

// Entry is one thing in a turn.
type Entry struct {
	Kind    EntryKind
	Speaker string
	Title   string  // of calls, an aside or a sub-agent: one line that stands for it while it is folded
	Blocks  []Block // what was said
	Notes   []string
	Tools   []Tool
	Entries []Entry // of a sub-agent
	Text    string  // what was said, as it is, to be copied
}

// Session opens a session.
func (p *Presenter) Session(ctx context.Context, id string) TranscriptPage {
	t, err := p.o.Backend().Session(ctx, id, nil)
	if err != nil {
		return TranscriptPage{ID: id, Trouble: troubleOf(err)}
	}
	return p.style().transcript(t)
}

// maxTitle is how long a title may be above its session, in characters.
const maxTitle = 120

func (w style) transcript(t api.Transcript) TranscriptPage {
	s := t.Session
	page := TranscriptPage{ID: s.ID, Title: cut(titleOf(s), maxTitle), Pinned: s.Pinned, CanAct: s.Missing == "", project: s.ProjectID}
	branch := ""
	if s.GitBranch != "" {
		branch = lang.Say("branch {name}", Line(s.GitBranch))
	}
	project := Line(s.Project)
	if s.ProjectID == defaultProject {
		project = lang.Say("no project")
	}
	page.Facts = []string{
		dots(AgentName(s.Agent), Line(s.Model), project, branch, w.path(s.Cwd)),
		dots(w.span(s.CreatedAt, s.UpdatedAt), lang.Count(s.Turns, "{n} turns"), lang.Count(s.Nodes, "{n} messages and calls"), Line(s.ID)),
	}
	for _, turn := range t.Turns {
		page.Turns = append(page.Turns, w.turn(turn, s, t.Images))
	}
	if s.Missing != "" {
		page.Empty = &Empty{Title: lang.Say("This session cannot be opened"), Text: sentence(cmp.Or(s.Reason, s.Missing))}
	} else if len(t.Turns) == 0 {
		page.Empty = &Empty{Title: lang.Say("No turn yet"), Text: lang.Say("The session has begun; its first turn appears here as soon as it is written.")}
	}
	return page
}

// span is from when to when.
func (w style) span(from, to int64) string {
	switch {
	case from == 0 || to == 0 || w.stamp(from) == w.stamp(to):
		return w.both(max(from, to))
	case daysBetween(w.at(from), w.at(to)) == 0:
		return list([]string{lang.DateYear(w.at(from)), lang.Clock(w.at(from)) + "–" + lang.Clock(w.at(to)), w.ago(to)})
	}
	return list([]string{lang.DateYear(w.at(from)) + " – " + lang.DateYear(w.at(to)), w.ago(to)})
}

func (w style) turn(t api.Turn, s api.Session, kept map[string]memory.File) Turn {
	out := Turn{N: t.N, Name: lang.Say("Turn {n}", strconv.Itoa(t.N)), SHA: Line(t.Commit), Commit: lang.Say("not committed yet")}
	if t.N == 0 {
		out.Name = lang.Say("Before the first prompt")
	}
	if t.Commit != "" {
		out.Commit = lang.Say("commit {id}", out.SHA[:min(len(out.SHA), 8)])
	}
	if len(t.Nodes) > 0 {
		out.When = w.stamp(t.Nodes[0].CreatedAt)
	}
	b := builder{style: w, session: s, kept: kept}
	out.Entries = b.entries(t.Nodes)
	out.Choice = dots(out.Name, cut(firstWords(out.Entries), 70))
	return out
}

// firstWords are the first words that were said in a turn.
func firstWords(entries []Entry) string {
	for _, e := range entries {
		if e.Kind == Said || e.Kind == Replied {
			return Line(cut(e.Text, 300))
		}
	}
	return ""
}

// EarlierTurn and LaterTurn offer a turn that is not drawn yet.
func EarlierTurn(t Turn) string { return lang.Say("Earlier: {turn}", t.Choice) }

// LaterTurn is for the turn that follows.
func LaterTurn(t Turn) string { return lang.Say("Next: {turn}", t.Choice) }

// Plain is what was said in a turn, as text to be copied.
func (t Turn) Plain() string {
	var b strings.Builder
	for _, e := range t.Entries {
		switch e.Kind {
		case Said, Replied:
			fmt.Fprintf(&b, "%s:\n%s\n\n", e.Speaker, e.Text)
		case Calls:
			for _, tool := range e.Tools {
				fmt.Fprintf(&b, "[%s] %s (%s)\n", tool.Name, tool.About, tool.Outcome)
			}
			b.WriteByte('\n')
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// Near is the index of the turn to show for a place: the turn itself, else the newest one before it, else the first.
func (p *TranscriptPage) Near(turn int) int {
	best := 0
	for i, t := range p.Turns {
		if t.N <= turn {
			best = i
		}
	}
	return best
}

// builder makes entries of nodes.
type builder struct {
	style
	session api.Session
	kept    map[string]memory.File // images, by the hashes that nodes name
}

func (b builder) entries(nodes []memory.Node) []Entry {
	var out []Entry
	for i := 0; i < len(nodes); {
		n := &nodes[i]
		took := 1
		switch {
		case n.Metadata.AgentID != "":
			took = sameAgent(nodes[i:])
			out = append(out, b.subTask(nodes[i:i+took]))
		case n.Role == memory.RoleTool && !isAside(n):
			took = toolsInARow(nodes[i:])
			out = append(out, b.calls(nodes[i:i+took]))
		default:
			out = append(out, b.message(n)...)
		}
		i += took
	}
	return out
}

func sameAgent(nodes []memory.Node) int {
	n := 1
	for n < len(nodes) && nodes[n].Metadata.AgentID == nodes[0].Metadata.AgentID {
		n++
	}
	return n
}

func toolsInARow(nodes []memory.Node) int {
	n := 1
	for n < len(nodes) && nodes[n].Role == memory.RoleTool && nodes[n].Metadata.AgentID == "" && !isAside(&nodes[n]) {
		n++
	}
	return n
}

// subTask is the nodes of one sub-agent in a row, as a conversation of its own.
func (b builder) subTask(nodes []memory.Node) Entry {
	calls := 0
	main := make([]memory.Node, len(nodes))
	for i, n := range nodes {
		if n.Role == memory.RoleTool {
			calls++
		}
		n.Metadata.AgentID = ""
		main[i] = n
	}
	name := joined(" ", lang.Say("Sub-agent"), Line(nodes[0].Metadata.AgentType))
	return Entry{Kind: SubTask, Speaker: name, Entries: b.entries(main),
		Title: dots(name, lang.Count(len(nodes)-calls, "{n} messages"), lang.Count(calls, "{n} calls"))}
}

// message is what somebody said, with the thoughts before it.
func (b builder) message(n *memory.Node) []Entry {
	if isAside(n) {
		return []Entry{aside(asideName(n), n.Output)}
	}
	var out []Entry
	if n.Metadata.Thinking != "" {
		out = append(out, aside(lang.Say("Thinking"), n.Metadata.Thinking))
	}
	e := Entry{Kind: Replied, Speaker: AgentName(b.session.Agent), Text: strings.Trim(Clean(n.Output), "\n"), Notes: b.notes(n)}
	if n.Role == memory.RoleUser {
		e.Kind, e.Speaker = Said, lang.Say("You")
		if n.Metadata.Kind == memory.KindTask {
			e.Speaker = lang.Say("Task")
		}
	}
	e.Blocks = Markdown(e.Text, e.Kind == Said)
	if e.Text == "" && len(e.Notes) == 0 {
		return out
	}
	return append(out, e)
}

func isAside(n *memory.Node) bool {
	return n.Metadata.Compaction != nil || n.Role == memory.RoleUser &&
		(n.Metadata.Kind == memory.KindHarness || n.Metadata.Kind == memory.KindInjected || n.Metadata.Kind == memory.KindCompaction ||
			n.Metadata.Kind == memory.KindPage)
}

func asideName(n *memory.Node) string {
	switch c := n.Metadata.Compaction; {
	case c != nil && c.PreTokens > 0:
		return lang.Count(c.PreTokens, "The context was compacted at {n} tokens")
	case c != nil, n.Metadata.Kind == memory.KindCompaction:
		return lang.Say("The context was compacted")
	case n.Metadata.Kind == memory.KindInjected:
		return lang.Say("From Dormouse")
	case n.Metadata.Kind == memory.KindPage:
		return lang.Say("On a page of its memory")
	}
	return lang.Say("From the agent’s client")
}

func aside(name, text string) Entry {
	text = strings.Trim(Clean(text), "\n")
	return Entry{Kind: Aside, Speaker: name, Title: joined(": ", name, cut(Line(text), 160)), Text: text, Blocks: plainBlocks(text)}
}
