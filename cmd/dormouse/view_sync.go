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
	p.field("Exchanged", lastOf(v, s))
	p.sharing(s)
	if s.Failed > 0 {
		p.field("Failed", count(s.Failed, "time")+" in a row")
		p.prose(text.Clean(s.Failure), "            ", v.Warn)
		p.hint("It is tried again by itself. To do that now:", "dormouse sync now")
	}
	return p.lines
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
