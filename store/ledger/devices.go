package ledger

import (
	"maps"
	"slices"
	"strings"

	"dormouse/store/memory"
)

// Device is what the logs that are here tell of a machine.
type Device struct {
	ID      string
	Name    string // empty where nobody has named it
	Retired bool
	Seen    int64 // when its newest run ended, by its own clock, in Unix seconds; 0 where there is none
	// Decisions and Runs are those of its log that are here.
	Decisions, Runs int
	// Known is what it had of other machines' logs when it last told, which was at Told by its own clock; 0 where it never did.
	Known map[string]memory.KnownLog
	Told  int64
}

// Devices lists the machines whose logs hold something, those that a note tells of, and this one, by id. It looks at the runs alone.
func (l *Ledger) Devices() []Device {
	runs := l.Runs()
	by := map[string]*Device{}
	device := func(id string) *Device {
		if by[id] == nil {
			by[id] = &Device{ID: id}
		}
		return by[id]
	}
	device(l.o.Machine)
	for i := range runs {
		r := &runs[i]
		d := device(r.Machine)
		d.Runs++
		d.Seen = max(d.Seen, r.Ended)
		if r.Known != nil {
			d.Known, d.Told = r.Known, r.Ended
		}
	}
	for id, n := range memory.DeviceNotes(runs) {
		d := device(id)
		d.Name, d.Retired = n.Name, n.Retired
	}
	for _, s := range l.shown() {
		device(s.machine).Decisions = len(s.heads)
	}
	out := make([]Device, 0, len(by))
	for _, d := range by {
		out = append(out, *d)
	}
	slices.SortFunc(out, func(a, b Device) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// NewlyKnown reports whether there are decisions of other machines here of which this machine's log does not tell yet that they are.
func (l *Ledger) NewlyKnown() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	told := l.lastKnown()
	for id, k := range l.known {
		if k.Decisions > told[id].Decisions {
			return true
		}
	}
	return false
}

// newlyKnown is what a run tells of other machines' logs: nothing where the last one that did told the same. l.mu is held.
func (l *Ledger) newlyKnown() map[string]memory.KnownLog {
	if len(l.known) == 0 || maps.Equal(l.known, l.lastKnown()) {
		return nil
	}
	return l.known
}

// lastKnown is what this machine's log told last. l.mu is held.
func (l *Ledger) lastKnown() map[string]memory.KnownLog {
	for _, r := range slices.Backward(l.mine.runs) {
		if r.Known != nil {
			return r.Known
		}
	}
	return nil
}

// known is how much of each machine's log was read.
func (c *contents) known() map[string]memory.KnownLog {
	out := map[string]memory.KnownLog{}
	for _, s := range c.shelves {
		out[s.machine] = memory.KnownLog{Decisions: len(s.heads)}
	}
	for i := range c.runs {
		k := out[c.runs[i].Machine]
		k.At = max(k.At, c.runs[i].Ended)
		out[c.runs[i].Machine] = k
	}
	return out
}
