package main

import (
	"cmp"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
)

// formatSynced tells what an exchange did.
func formatSynced(v view, s api.Synced) []string {
	p := &page{view: v}
	received, sent := "nothing new", "nothing new"
	if s.Received > 0 {
		received = count(s.Received, "entry") + " of other machines' logs"
	}
	if s.Sent {
		sent = "what this machine learned"
	}
	p.add("Exchanged with " + v.Strong(v.path(s.Sync.Remote)) + ".")
	p.field("Received", received)
	p.field("Sent", sent)
	p.sharing(s.Sync)
	switch s.Found {
	case api.FoundNothing:
		p.field("It held", "nothing yet")
	case api.FoundMemory:
		p.field("It held", "a memory, which this machine shares now")
	}
	p.readers(s.Sync)
	if s.Received > 0 {
		p.hint("Read it:", "dormouse timeline")
	}
	return p.lines
}

// formatSync tells how the exchange goes.
func formatSync(v view, s api.Sync) []string {
	p := &page{view: v}
	if s.Remote == "" {
		if s.Failure != "" {
			p.prose(text.Clean(s.Failure), "", v.Warn)
			return p.lines
		}
		p.say("Sync is off: the memory stays on this machine. To carry it to your other ones:", "dormouse sync setup URL")
		return p.lines
	}
	p.field("Remote", v.path(s.Remote))
	p.field("State", stateOf(v, s))
	p.field("Exchanged", lastOf(v, s))
	p.sharing(s)
	p.readers(s)
	if s.Failed > 0 {
		p.field("Failed", count(s.Failed, "time")+" in a row")
	}
	if s.Failure != "" {
		p.prose(text.Clean(s.Failure), "            ", v.Warn)
	}
	if s.Failed > 0 || s.State == api.SyncOffline {
		p.hint("It is tried again by itself. To do that now:", "dormouse sync now")
	}
	return p.lines
}

// stateOf says in words how the two sides stand.
func stateOf(v view, s api.Sync) string {
	open := ""
	switch {
	case s.ToSend > 0 && s.ToReceive > 0:
		open = count(s.ToSend, "entry") + " to send, " + count(s.ToReceive, "entry") + " to receive"
	case s.ToSend > 0:
		open = count(s.ToSend, "entry") + " to send"
	case s.ToReceive > 0:
		open = count(s.ToReceive, "entry") + " to receive"
	}
	switch s.State {
	case api.SyncOffline:
		return joined("offline since "+v.when(s.OfflineSince), open)
	case api.SyncStuck:
		return joined("stuck, because of what is said below", open)
	case api.SyncBehind:
		return open
	case api.SyncInStep:
		return "in step"
	}
	return "waiting for the first exchange"
}

// readers tells who can read what the remote holds.
func (p *page) readers(s api.Sync) {
	if s.Encrypted {
		p.field("Encrypted", "yes: who can read the repository sees sizes and times alone")
		return
	}
	if s.Readers != "" {
		p.field("Readable by", text.Clean(s.Readers))
	}
}

func lastOf(v view, s api.Sync) string {
	if s.LastOK == 0 {
		return "not since the service began"
	}
	return v.when(s.LastOK)
}

// sharing tells who shares the memory, and what of theirs was not taken.
func (p *page) sharing(s api.Sync) {
	p.field("Shared by", count(cmp.Or(s.Machines, 1), "machine"))
	if s.Aside > 0 {
		p.field("Not taken", count(s.Aside, "log")+" of other machines; dormouse status says why")
	}
}
