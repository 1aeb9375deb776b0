package main

import (
	"fmt"
	"strings"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// How many lines of what you and what the agent said are shown before the rest is folded.
const (
	maxPrompt = 20
	maxReply  = 60
)

// transcript adds the nodes of a session.
type transcript struct {
	page
	session api.Session
	speaker string // of the lines before
	agent   string // sub-agent whose nodes are being added
	whole   []wholeText
	images  map[string]memory.File // that were kept, by the hashes that nodes name
}

// formatTranscript makes a session readable.
func formatTranscript(v view, t api.Transcript) []string {
	p := &transcript{page: page{view: v}, session: t.Session, images: t.Images}
	p.title()
	for _, turn := range t.Turns {
		p.turn(turn)
	}
	p.end(len(t.Turns))
	return p.lines
}

// end adds what is to be said after so many turns.
func (p *transcript) end(turns int) {
	switch {
	case p.session.Missing != "":
		p.gap()
		p.prose("It cannot be opened ("+text.Line(p.session.Missing)+"): "+text.Line(p.session.Reason)+".", "", p.Warn)
		if p.session.Missing == api.MissingDeleted {
			p.hint("To capture it again, while its transcript is there:", "dormouse delete --undo "+quote(p.session.ID))
		}
	case turns == 0:
		p.hint("The session has no turn yet.", "")
	}
	if turns == 1 && p.session.Turns > 1 {
		p.hint("The whole session:", "dormouse show "+quote(p.session.ID))
	}
}

func (p *transcript) title() {
	s := p.session
	p.prose(titleOf(s), "", p.Strong)
	p.field("Session", joined(text.Line(s.ID), text.Line(s.Agent), text.Line(s.Model)))
	branch := ""
	if s.GitBranch != "" {
		branch = "branch " + text.Line(s.GitBranch)
	}
	p.field("Project", joined(projectOf(s), branch, p.path(s.Cwd)))
	p.field("Time", joined(p.span(s.CreatedAt, s.UpdatedAt), count(s.Turns, "turn"), count(s.Nodes, "node")))
	if s.ForkOf != "" {
		p.field("Fork of", text.Line(s.ForkOf))
	}
}

// span is from when to when.
func (v view) span(from, to int64) string {
	if from == 0 || to == 0 || sameDay(v.at(from), v.at(to)) {
		end := ""
		if from != 0 && to != 0 && v.stamp(from) != v.stamp(to) {
			end = " to " + v.at(to).Format("15:04")
		}
		if from == 0 {
			from = to
		}
		return strings.Replace(v.when(from), " (", end+" (", 1)
	}
	return v.stamp(from) + " to " + v.when(to)
}

func (p *transcript) turn(t api.Turn) {
	p.gap()
	name := fmt.Sprintf("Turn %d", t.N)
	if t.N == 0 {
		name = "Before the first prompt"
	}
	var when, commit string
	if len(t.Nodes) > 0 {
		when = p.stamp(t.Nodes[0].CreatedAt)
	}
	if t.Commit != "" {
		commit = "commit " + text.Line(t.Commit)[:min(len(text.Line(t.Commit)), 10)]
	} else {
		commit = "still open"
	}
	head := "── " + joined(name, when, commit) + " "
	if p.width > 0 {
		head += strings.Repeat("─", max(0, p.width-text.Width(head)))
	} else {
		head += "──"
	}
	p.add(p.Strong(head))
	p.speaker, p.agent = "", ""
	for i := 0; i < len(t.Nodes); i++ {
		n := &t.Nodes[i]
		if n.Metadata.AgentID != "" && !p.full {
			i += p.foldAgent(t.Nodes[i:]) - 1
			continue
		}
		p.node(n)
	}
}

// foldAgent adds one line for the nodes of one sub-agent in a row and returns how many they are.
func (p *transcript) foldAgent(nodes []memory.Node) int {
	n, calls := 0, 0
	id := nodes[0].Metadata.AgentID
	for n < len(nodes) && nodes[n].Metadata.AgentID == id {
		if nodes[n].Role == memory.RoleTool {
			calls++
		}
		n++
	}
	line := fmt.Sprintf("⤷ sub-agent %s: %s, %s (--full shows them)", agentName(&nodes[0]), count(n, "node"), count(calls, "tool call"))
	p.add("  " + p.Faint(text.Cut(line, p.fold())))
	return n
}

func agentName(n *memory.Node) string {
	return strings.TrimSpace(text.Line(n.Metadata.AgentType) + " " + text.Cut(text.Line(n.Metadata.AgentID), 12))
}

// node adds one node.
func (p *transcript) node(n *memory.Node) {
	if n.Metadata.AgentID != p.agent {
		p.agent, p.speaker = n.Metadata.AgentID, ""
		p.gap()
		if p.agent != "" {
			p.add("  " + p.Faint("⤷ sub-agent "+agentName(n)))
		}
	}
	switch {
	case n.Metadata.Compaction != nil || n.Metadata.Kind == memory.KindCompaction:
		p.aside(compaction(n.Metadata.Compaction), p.said(n))
	case n.Role == memory.RoleTool:
		p.tool(n)
	case n.Role == memory.RoleUser && n.Metadata.Kind == memory.KindHarness:
		p.aside("from the agent's client: ", p.said(n))
	case n.Role == memory.RoleUser && n.Metadata.Kind == memory.KindInjected:
		p.aside("from Dormouse: ", p.said(n))
	case n.Role == memory.RoleUser && n.Metadata.Kind == memory.KindPage:
		p.aside("on a page of its memory: ", p.said(n))
	default:
		p.message(n)
	}
	p.files(n)
	if n.Metadata.Undone > 0 {
		p.add("  " + p.Warn("The "+count(n.Metadata.Undone, "turn")+" before this one were taken back."))
	}
}

// aside adds a text that neither you nor the agent said: on one line, or in full.
func (p *transcript) aside(label, s string) {
	if p.full {
		p.add("  " + p.Faint("· "+strings.TrimSuffix(label, ": ")))
		p.prose(text.Clean(s), "    ", p.Faint)
		return
	}
	p.add("  " + p.Faint(text.Cut("· "+label+text.Line(s), p.fold())))
}

// foldWidth is how long a folded line is where the width of lines is not limited.
const foldWidth = 160

// fold is how many columns a folded text may take.
func (v view) fold() int {
	if v.width <= 0 {
		return foldWidth
	}
	return max(1, v.width-2)
}

func compaction(c *memory.Compaction) string {
	label := "the context was compacted"
	if c != nil && c.PreTokens > 0 {
		label += fmt.Sprintf(" at %s", count(c.PreTokens, "token"))
	}
	return label + ": "
}

// message adds what someone said, below their name when they begin to speak.
func (p *transcript) message(n *memory.Node) {
	limit := maxReply
	switch {
	case n.Metadata.Kind == memory.KindTask:
		p.speaks("task", p.Strong)
	case n.Role == memory.RoleUser:
		p.speaks("you", p.Link)
		limit = maxPrompt
	default:
		p.speaks(text.Line(p.session.Agent), p.Strong)
	}
	if p.full && n.Metadata.Thinking != "" {
		p.prose(text.Clean(n.Metadata.Thinking), "  ~ ", p.Faint)
	}
	if s := strings.Trim(text.Clean(p.said(n)), "\n"); s != "" {
		p.folded(s, "  ", limit)
	}
	if note := notes(n); note != "" {
		p.add("  " + p.Warn(note))
	}
}

// speaks names a speaker who begins to speak.
func (p *transcript) speaks(name string, paint func(string) string) {
	if name == p.speaker {
		return
	}
	if p.speaker != "" {
		p.gap()
	}
	p.add(paint(name))
	p.speaker = name
}

// notes says what is not as usual with a node's text.
func notes(n *memory.Node) string {
	var notes []string
	switch {
	case n.Role == memory.RoleTool: // its line says how it ended
	case n.Metadata.Status == memory.StatusInterrupted:
		notes = append(notes, "interrupted")
	case n.Metadata.Status == memory.StatusError:
		notes = append(notes, "ended with an error")
	}
	if n.Metadata.Clipped != nil {
		notes = append(notes, "cut by Dormouse: it was "+size(n.Metadata.Clipped.Bytes)+" long")
	}
	if n.Metadata.Redacted > 0 {
		notes = append(notes, count(n.Metadata.Redacted, "secret")+" replaced")
	}
	return joined(notes...)
}

// folded adds clean text, at most limit lines of it unless everything is to be shown.
func (p *transcript) folded(s, indent string, limit int) {
	first := len(p.lines)
	p.prose(s, indent, nil)
	if left := len(p.lines) - first - limit; left > 0 && !p.full {
		p.lines = append(p.lines[:first+limit], indent+p.Faint(fmt.Sprintf("… %s more (--full shows all)", count(left, "line"))))
	}
}
