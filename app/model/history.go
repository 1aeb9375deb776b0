package model

import (
	"context"
	"slices"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// HistoryPage is a session as it branched: its turns on all branches, newest first.
type HistoryPage struct {
	Trouble *Trouble
	Rows    []HistoryRow
	Lanes   int    // that are drawn beside each other at most
	Summary string // how many turns and branches there are
}

// HistoryRow is a turn, or a sub-agent's part of it, with the lines that lead to it. Lanes count from 0 at the left.
type HistoryRow struct {
	Label, When string
	Branch      string // whose newest turn it is; empty for the others
	Lane        int
	Above       []int // lanes whose line from above ends here
	Past        []int // lanes whose line goes by
	Below       []int // lanes whose line goes on below
	Turn        int
	Shown       bool // its branch is the one that the session shows
	Sub         bool // a sub-agent's
	// Switch is the node to switch to, to see its branch; empty where that is shown.
	Switch string
}

// History asks how a session branched. The page of the session is shown beside it.
func (p *Presenter) History(ctx context.Context, session TranscriptPage) HistoryPage {
	got, err := p.o.Backend().SessionCommits(ctx, session.ID)
	if err != nil {
		return HistoryPage{Trouble: troubleOf(err)}
	}
	h := p.style().history(got)
	h.addSubs(session)
	h.Summary = lang.Count(len(got.Commits), "{n} commits")
	if n := len(got.Branches); n > 1 {
		h.Summary = dots(h.Summary, lang.Count(n, "{n} branches"))
	}
	return h
}

// history gives each commit its lane: the leftmost one that waits for it.
func (w style) history(got api.SessionCommits) HistoryPage {
	var out HistoryPage
	heads := map[string]api.Branch{}
	for _, b := range got.Branches {
		heads[b.Commit] = b
	}
	shown := shownCommits(got)
	var waits []string // by lane, the commit that comes next on it; empty for a free lane
	for _, c := range got.Commits {
		row := HistoryRow{Label: cut(Line(c.Message), 120), When: w.day(c.When), Turn: c.Turn, Shown: shown[c.SHA]}
		row.Lane = slices.Index(waits, c.SHA)
		if row.Lane < 0 {
			row.Lane = free(&waits)
		}
		for lane, sha := range waits {
			switch {
			case sha == c.SHA:
				row.Above = append(row.Above, lane)
				waits[lane] = ""
			case sha != "" && lane != row.Lane:
				row.Past = append(row.Past, lane)
			}
		}
		for i, parent := range c.Parents {
			lane := row.Lane
			if i > 0 {
				lane = free(&waits)
			}
			waits[lane] = parent
			row.Below = append(row.Below, lane)
		}
		if b, ok := heads[c.SHA]; ok {
			row.Branch = Line(b.Name)
		}
		if !row.Shown {
			row.Switch = nodeOf(got.Branches, c.Branch)
		}
		out.Lanes = max(out.Lanes, len(waits), row.Lane+1)
		out.Rows = append(out.Rows, row)
	}
	return out
}

// free is the leftmost lane that nothing waits on.
func free(waits *[]string) int {
	if i := slices.Index(*waits, ""); i >= 0 {
		return i
	}
	*waits = append(*waits, "")
	return len(*waits) - 1
}

// shownCommits are those on the way from the head of the branch that is shown.
func shownCommits(got api.SessionCommits) map[string]bool {
	parents := map[string][]string{}
	for _, c := range got.Commits {
		parents[c.SHA] = c.Parents
	}
	out := map[string]bool{}
	var next []string
	for _, b := range got.Branches {
		if b.Shown {
			next = append(next, b.Commit)
		}
	}
	for len(next) > 0 {
		sha := next[len(next)-1]
		next = next[:len(next)-1]
		if !out[sha] {
			out[sha] = true
			next = append(next, parents[sha]...)
		}
	}
	return out
}

func nodeOf(branches []api.Branch, name string) string {
	for _, b := range branches {
		if b.Name == name {
			return b.Node
		}
	}
	return ""
}

// addSubs puts the sub-agents of each turn that is shown below it, on a lane of their own.
func (h *HistoryPage) addSubs(session TranscriptPage) {
	subs := map[int][]string{}
	for _, t := range session.Turns {
		for _, e := range t.Entries {
			if e.Kind == SubTask {
				subs[t.N] = append(subs[t.N], e.Title)
			}
		}
	}
	if len(subs) == 0 {
		return
	}
	var out []HistoryRow
	for _, row := range h.Rows {
		if !row.Shown || len(subs[row.Turn]) == 0 {
			out = append(out, row)
			continue
		}
		past, lane := slices.Concat(row.Above, row.Past), h.Lanes
		for i, title := range subs[row.Turn] { // a turn may have several commits: its sub-agents stand at the newest
			sub := HistoryRow{Label: strings.TrimSpace(title), Lane: lane, Past: past, Below: []int{lane}, Turn: row.Turn, Shown: true, Sub: true}
			if i > 0 {
				sub.Above = []int{lane}
			}
			out = append(out, sub)
		}
		row.Above = append(slices.Clone(row.Above), lane)
		delete(subs, row.Turn)
		out = append(out, row)
	}
	h.Rows, h.Lanes = out, h.Lanes+1
}

// SwitchTo shows another branch of a session.
func (p *Presenter) SwitchTo(ctx context.Context, id, node string) Notice {
	if _, err := p.o.Backend().Switch(ctx, id, node); err != nil {
		return refusedOr(lang.Say("Showing the branch"), err)
	}
	return Notice{Text: lang.Say("Its repository and this page show that branch now.")}
}
