package model

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// SyncPage is the exchange with other machines, and which those are.
type SyncPage struct {
	Trouble *Trouble
	// Title and Detail are the state in a word and a sentence.
	Title, Detail string
	Tone          Tone
	On            bool // a remote is set
	Facts         []Fact
	// Failure is what went wrong and what helps.
	Failure string
	// Aside are logs of other machines that were not taken, and why.
	Aside     []string
	Machines  []MachineRow
	CanInvite bool   // a code can be shown that lets a machine in
	Empty     *Empty // no remote is set
}

// MachineRow is a machine that shares the memory.
type MachineRow struct {
	ID, Name string
	Badge    string // this machine, retired, revoked; empty for the others
	Tone     Tone   // of the badge
	Seen     string
	Notes    []Fact // what is to be looked at
	// What can be done with it.
	CanRetire, CanReturn, CanRevoke bool
}

// SyncPage asks how the exchange goes and who takes part.
func (p *Presenter) SyncPage(ctx context.Context) SyncPage {
	b := p.o.Backend()
	s, err := b.Status(ctx)
	if err != nil {
		return SyncPage{Trouble: troubleOf(err)}
	}
	w := p.style()
	page := SyncPage{On: s.Sync.Remote != "", Failure: sentence(s.Sync.Failure)}
	page.Title, page.Detail, page.Tone = w.exchange(s.Sync)
	if !page.On {
		page.Empty = &Empty{Title: lang.Say("Your memory stays on this machine"),
			Text: lang.Say("With a git repository of your own, on a server, in a folder or on a stick, each of your machines knows what the others learned. Sessions stay where they took place.")}
		return page
	}
	page.Facts = w.syncFacts(s.Sync)
	for _, why := range s.Sync.AsideWhy {
		page.Aside = append(page.Aside, Clean(strings.TrimPrefix(why, "sync: ")))
	}
	d, err := b.Devices(ctx)
	if err != nil {
		return SyncPage{Trouble: troubleOf(err)}
	}
	page.CanInvite = d.Encrypted
	for _, m := range d.Devices {
		page.Machines = append(page.Machines, w.machine(m, d.Encrypted))
	}
	return page
}

// exchange is the state of the exchange.
func (w style) exchange(s api.Sync) (title, detail string, tone Tone) {
	switch s.State {
	case api.SyncInStep:
		return lang.Say("In step"), lang.Say("What is known here is on the remote, and what others put there is known here."), Good
	case api.SyncBehind:
		return lang.Say("Catching up"), sentence(toExchange(s)), Busy
	case api.SyncOffline:
		return lang.Say("Offline"), joined(" ", lang.Say("The remote has not answered since {when}. It is tried again by itself.", w.day(s.OfflineSince)), sentence(toExchange(s))), Off
	case api.SyncStuck:
		return lang.Say("Stuck"), lang.Say("The exchange fails. What is to be done stands below; it is tried again by itself."), Bad
	case api.SyncWaiting:
		return lang.Say("Waiting"), lang.Say("There was no exchange yet since Dormouse started."), Plain
	}
	return lang.Say("Off"), lang.Say("No remote is set."), Off
}

// toExchange is how much has to be exchanged still; empty for nothing.
func toExchange(s api.Sync) string {
	var parts []string
	if s.ToSend > 0 {
		parts = append(parts, lang.Count(s.ToSend, "{n} decisions to send"))
	}
	if s.ToReceive > 0 {
		parts = append(parts, lang.Count(s.ToReceive, "{n} decisions to receive"))
	}
	return list(parts)
}

func (w style) syncFacts(s api.Sync) []Fact {
	last := lang.Say("not since Dormouse started")
	if s.LastOK != 0 {
		last = w.both(s.LastOK)
	}
	facts := []Fact{{Label: lang.Say("Remote"), Text: w.path(s.Remote)}, {Label: lang.Say("Last exchange"), Text: last}}
	switch {
	case s.Encrypted:
		facts = append(facts, Fact{Label: lang.Say("Encrypted"), Tone: Good, Text: lang.Say("Yes: who can read the repository sees sizes and times alone.")})
	case s.Readers != "":
		facts = append(facts, Fact{Label: lang.Say("Encrypted"), Tone: Warn, Text: lang.Say("No. Readable by {readers}.", strings.TrimSuffix(Line(s.Readers), "."))})
	default:
		facts = append(facts, Fact{Label: lang.Say("Encrypted"), Tone: Warn, Text: lang.Say("No: who can read the repository can read your memory.")})
	}
	if s.Failed > 0 {
		facts = append(facts, Fact{Label: lang.Say("Failed"), Tone: Bad, Text: lang.Count(s.Failed, "{n} times in a row")})
	}
	return facts
}

func (w style) machine(m api.Device, encrypted bool) MachineRow {
	row := MachineRow{ID: m.ID, Name: cmp.Or(Line(m.Name), m.ID), CanRetire: !m.This && !m.Retired && !m.Revoked,
		CanReturn: m.Retired && !m.Revoked, CanRevoke: encrypted && !m.This && m.Reads}
	row.Seen = lang.Say("nothing of it is here yet")
	if m.Seen != 0 {
		row.Seen = dots(lang.Say("seen {when}", w.ago(m.Seen)), lang.Count(m.Entries, "{n} entries of its log"))
	}
	switch {
	case m.This:
		row.Badge, row.Tone = lang.Say("This machine"), Good
	case m.Revoked:
		row.Badge, row.Tone = lang.Say("Revoked"), Bad
	case m.Retired:
		row.Badge, row.Tone = lang.Say("Retired"), Off
	}
	note := func(text string) { row.Notes = append(row.Notes, Fact{Text: text, Tone: Warn}) }
	switch {
	case m.Lacks > 0 && m.Told == 0:
		note(lang.Say("It has not said yet what it has."))
	case m.Lacks > 0:
		note(lang.Count(m.Lacks, "It has not confirmed {n} decisions yet."))
	}
	switch {
	case m.Ahead > 0:
		note(lang.Say("Its clock is at least {time} ahead.", (time.Duration(m.Ahead) * time.Second).String()))
	case m.Behind > 0:
		note(lang.Say("Its clock is at least {time} behind.", (time.Duration(m.Behind) * time.Second).String()))
	}
	if encrypted && !m.Reads && !m.Revoked {
		note(lang.Say("It has no key of its own: never let in, or a copy of another machine."))
	}
	return row
}

// RemoteChoice is a choice of the remote, as the person fills it in.
type RemoteChoice = api.SyncChoice

// Asked is what a person has to say before something can go on; nil where it is done.
type Asked struct {
	Question
	// Token says that a text is wanted that is not to be shown.
	Token bool
	// Next is the choice to make when the person agrees.
	Next RemoteChoice
}

// ChooseRemote sets a remote up and exchanges. It asks where the person has to settle something first: an ssh host that is met for the first
// time, a token that is missing.
func (p *Presenter) ChooseRemote(ctx context.Context, c RemoteChoice) (Notice, *Asked) {
	if c.URL = strings.TrimSpace(c.URL); c.URL == "" {
		return Notice{Tone: Warn, Text: lang.Say("Nothing was set up: there was no address.")}, nil
	}
	c.Code = strings.TrimSpace(c.Code)
	got, err := p.o.Backend().SyncChoose(ctx, c)
	var e *api.Error
	switch {
	case errors.As(err, &e) && e.Code == api.CodeUnknownHost && len(e.Candidates) == 1 && c.Trust == "":
		next := c
		next.Trust = e.Candidates[0]
		return Notice{}, &Asked{Question: Question{Title: lang.Say("Is this the host's key?"), Text: sentence(e.Message), Yes: lang.Say("It is"), No: lang.Say("No")}, Next: next}
	case errors.As(err, &e) && e.Code == api.CodeLogin && strings.HasPrefix(c.URL, "https://"):
		return Notice{}, &Asked{Question: Question{Title: lang.Say("The repository wants a token"), Text: joined(" ", sentence(e.Message),
			lang.Say("git's credential helper keeps the token, or else your system's keyring; no file of Dormouse does.")), Yes: lang.Say("Keep it and go on"), No: lang.Say("Cancel")}, Token: true, Next: c}
	case err != nil:
		return refusedOr(lang.Say("Setting up"), err), nil
	}
	text := lang.Say("Set up. The repository was empty; it holds your memory now.")
	if got.Found == api.FoundMemory {
		text = lang.Count(got.Received, "Set up. This machine shares the memory that the repository holds; {n} decisions came in.")
	}
	return Notice{Tone: Good, Text: text}, nil
}

// Login keeps a token for the host of an https address.
func (p *Presenter) Login(ctx context.Context, url, token string) Notice {
	if token = strings.TrimSpace(token); token == "" {
		return Notice{Tone: Warn, Text: lang.Say("Nothing was kept: there was no token.")}
	}
	if err := p.o.Backend().SyncLogin(ctx, url, "", token); err != nil {
		return refusedOr(lang.Say("Keeping the token"), err)
	}
	return Notice{}
}

// ForgetRemote turns the exchange off.
func (p *Presenter) ForgetRemote(ctx context.Context) Notice {
	if _, err := p.o.Backend().SyncChoose(ctx, api.SyncChoice{}); err != nil {
		return refusedOr(lang.Say("Turning sync off"), err)
	}
	return Notice{Text: lang.Say("Sync is off. The memory here and what the repository holds stay as they are.")}
}

// AskForget is what is asked before the remote is forgotten.
func AskForget() Question {
	return Question{Title: lang.Say("Turn sync off?"), Yes: lang.Say("Turn it off"), No: lang.Say("Keep it"),
		Text: lang.Say("This machine stops exchanging. The memory here and what the repository holds stay as they are, and you can set it up again at any time.")}
}

// InviteCode is a code that lets one new machine in.
type InviteCode struct {
	Code string
	Text string // how to use it, and until when
	Notice
	known map[string]bool // machines that could read before
}

// Invite has a code made.
func (p *Presenter) Invite(ctx context.Context) InviteCode {
	b := p.o.Backend()
	before, err := b.Devices(ctx)
	if err != nil {
		return InviteCode{Notice: refusedOr(lang.Say("Making a code"), err)}
	}
	got, err := b.Invite(ctx)
	if err != nil {
		return InviteCode{Notice: refusedOr(lang.Say("Making a code"), err)}
	}
	out := InviteCode{Code: got.Code, known: map[string]bool{}, Text: lang.Say("Enter it on the new machine, on its page Sync or with “dormouse sync setup ADDRESS --code {code}”, "+
		"and tell it nobody else. It lets one machine in, until {when}. This window waits for it.", got.Code, p.style().day(got.Until))}
	for _, m := range before.Devices {
		out.known[m.ID] = m.Reads
	}
	return out
}

// LetIn exchanges once, and says which machine has used a code; empty while none has.
func (p *Presenter) LetIn(ctx context.Context, code InviteCode) Notice {
	b := p.o.Backend()
	if _, err := b.Sync(ctx); err != nil {
		return Notice{} // it is tried again, and the page tells of it
	}
	d, err := b.Devices(ctx)
	if err != nil {
		return Notice{}
	}
	for _, m := range d.Devices {
		if m.Reads && !code.known[m.ID] {
			return Notice{Tone: Good, Text: lang.Say("{machine} was let in.", cmp.Or(Line(m.Name), m.ID))}
		}
	}
	return Notice{}
}

// RenameMachine gives a machine another name, on all machines.
func (p *Presenter) RenameMachine(ctx context.Context, id, name string) Notice {
	return p.changeMachine(ctx, api.DeviceChange{Device: id, Action: api.DeviceRename, Name: name}, lang.Mark("{machine} is what it is called from now on, on all machines."))
}

// RetireMachine has nobody wait for a machine any more.
func (p *Presenter) RetireMachine(ctx context.Context, id string) Notice {
	return p.changeMachine(ctx, api.DeviceChange{Device: id, Action: api.DeviceRetire}, lang.Mark("{machine} is retired; what it learned stays."))
}

// ReturnMachine has a retired machine back.
func (p *Presenter) ReturnMachine(ctx context.Context, id string) Notice {
	return p.changeMachine(ctx, api.DeviceChange{Device: id, Action: api.DeviceReturn}, lang.Mark("{machine} is in use again."))
}

func (p *Presenter) changeMachine(ctx context.Context, c api.DeviceChange, done lang.Word) Notice {
	m, err := p.o.Backend().ChangeDevice(ctx, c)
	if err != nil {
		return refusedOr(lang.Say("Changing the machine"), err)
	}
	return Notice{Tone: Good, Text: done.Text(cmp.Or(Line(m.Name), m.ID))}
}

// AskRevoke is what is asked before a machine is taken out: it says what it keeps.
func AskRevoke(row MachineRow) Question {
	return Question{Title: lang.Say("Revoke {machine}?", row.Name), Yes: lang.Say("Revoke"), No: lang.Say("Keep it"), Text: lang.Say("A new key is drawn, and the memory written anew under it in place of " +
		"the remote's history. What cannot be undone: what lies on that machine itself, and what it has fetched already. Take away its access to the repository as well, its ssh key or its token. What it learned stays.")}
}

// RevokeMachine takes a machine out of an encrypted memory.
func (p *Presenter) RevokeMachine(ctx context.Context, id string) Notice {
	r, err := p.o.Backend().Revoke(ctx, id)
	if err != nil {
		return refusedOr(lang.Say("Revoking"), err)
	}
	name := cmp.Or(Line(r.Device.Name), r.Device.ID)
	if r.Kept {
		return Notice{Tone: Warn, Text: lang.Say("{machine} is revoked and reads nothing new. The remote did not let its history be replaced: what the machine could read there, it can go on to read. Take a new repository to end that.", name)}
	}
	return Notice{Tone: Good, Text: lang.Say("{machine} is revoked.", name)}
}
