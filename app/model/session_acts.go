package model

import (
	"context"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// Retitle gives a session the person's own title.
func (p *Presenter) Retitle(ctx context.Context, id, title string) Notice {
	if title = strings.Join(strings.Fields(title), " "); title == "" {
		return Notice{Tone: Warn, Text: lang.Say("Nothing was changed: there was no title.")}
	}
	s, err := p.o.Backend().Rename(ctx, id, title)
	if err != nil {
		return refusedOr(lang.Say("Changing the title"), err)
	}
	return Notice{Tone: Good, Text: lang.Say("It is called “{title}” now.", cut(titleOf(s), 60))}
}

// PinSession marks a session, or takes the mark away.
func (p *Presenter) PinSession(ctx context.Context, id string, on bool) Notice {
	if _, err := p.o.Backend().Pin(ctx, id, on); err != nil {
		return refusedOr(lang.Say("Pinning"), err)
	}
	if on {
		return Notice{Tone: Good, Text: lang.Say("Pinned.")}
	}
	return Notice{Text: lang.Say("Not pinned any more.")}
}

// maxPointers is how many memories are looked through for those that a session's end would leave without a source.
const maxPointers = 10_000

// AskDelete is what is asked before a session is deleted: it says what stays, and what then leads nowhere.
func (p *Presenter) AskDelete(ctx context.Context, page TranscriptPage) Question {
	q := Question{Title: lang.Say("Delete this session?"), Yes: lang.Say("Delete"), No: lang.Say("Keep it")}
	dangling, turns := "", 0
	for _, t := range page.Turns {
		if t.N > 0 { // what comes before the first prompt is none
			turns++
		}
	}
	t, err := p.o.Backend().Timeline(ctx, api.TimelineQuery{Project: page.project, Superseded: true, Limit: maxPointers})
	if err == nil {
		n := 0
		for _, e := range t.Events {
			if e.Provenance.SessionID == page.ID {
				n++
			}
		}
		dangling = lang.Say("No memory on the timeline comes from it.")
		if n > 0 {
			dangling = lang.Count(n, "{n} memories on the timeline come from it: they stay, and their pointers lead nowhere then.")
		}
	}
	q.Text = joined(" ", lang.Say("“{title}” goes with its history, {turns}.", cut(page.Title, 80), lang.Count(turns, "{n} turns")), dangling,
		lang.Say("It is not captured again, although its agent's transcript is still there, unless you take this back."))
	return q
}

// DeleteSession deletes a session.
func (p *Presenter) DeleteSession(ctx context.Context, id string) Notice {
	if _, err := p.o.Backend().Delete(ctx, id); err != nil {
		return refusedOr(lang.Say("Deleting"), err)
	}
	return Notice{Tone: Good, Text: lang.Say("Deleted. U captures it again, as far as its agent's transcript is there.")}
}

// UndeleteSession has a deleted session captured again.
func (p *Presenter) UndeleteSession(ctx context.Context, id string) Notice {
	if _, err := p.o.Backend().Undelete(ctx, id); err != nil {
		return refusedOr(lang.Say("Taking it back"), err)
	}
	return Notice{Tone: Good, Text: lang.Say("It is captured again.")}
}

// SessionFolder writes a session's files out and says where they are; the folder is empty where that failed.
func (p *Presenter) SessionFolder(ctx context.Context, id string) (string, Notice) {
	t, err := p.o.Backend().Thaw(ctx, id)
	if err != nil {
		return "", refusedOr(lang.Say("Opening the folder"), err)
	}
	return t.Dir, Notice{Tone: Good, Text: lang.Say("Its folder, a git repository: {folder}", p.style().path(t.Dir))}
}
