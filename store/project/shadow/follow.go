package shadow

import (
	"slices"

	"dormouse/store/project/edit"
)

// followed is what a turn did to one file.
type followed struct {
	before, after version
	// outside: the file was not as it was known before the turn. mixed: it was changed by others between the turn's edits.
	outside, mixed bool
}

// follow carries out the changes that a turn made of one file, in their order. last is what was known of the file before the
// turn; disk is how it lies on the disk now, where that is what the turn left, else nil; hints are how it was seen when edits were
// about to be made.
func follow(changes []edit.Change, last version, disk *edit.State, hints []edit.State) followed {
	w := walk{cur: last, seen: map[string]edit.State{}, hints: hints}
	ends := last.known() && crlf(last.state.Text)
	w.cur.state.Text = unix(w.cur.state.Text)
	if disk != nil {
		ends = crlf(disk.Text)
		disk = &edit.State{Exists: disk.Exists, Text: unix(disk.Text)}
	}
	left := slices.Clone(changes)
	for len(left) > 0 {
		i := w.next(left)
		w.step(&left[i])
		left = slices.Delete(left, i, i+1)
	}
	f := followed{before: w.first, after: w.cur, mixed: w.mixed}
	if disk != nil {
		f.fromDisk(changes, *disk)
	}
	f.outside = last.known() && f.before.known() && !same(last.state, f.before.state)
	if ends {
		f.before.state.Text, f.after.state.Text = dos(f.before.state.Text), dos(f.after.state.Text)
	}
	return f
}

// walk is the way through a turn's changes of one file.
type walk struct {
	cur, first version
	begun      bool
	mixed      bool
	seen       map[string]edit.State // contents that were met, by their sums
	hints      []edit.State
}

// next picks the change to go on with: the first one, unless its content before is one that another of them leads to. Calls that ran
// side by side are not always recorded in the order in which they took effect.
func (w *walk) next(left []edit.Change) int {
	for i := range left {
		c := &left[i]
		if c.Before != nil || c.BeforeSum == "" || c.Op == edit.Create || w.base(c).known() {
			return i
		}
	}
	return 0
}

// base is the content that a change was made of.
func (w *walk) base(c *edit.Change) version {
	switch {
	case c.Before != nil && !c.Masked:
		return version{Exact, edit.State{Exists: true, Text: *c.Before}}
	case c.Op == edit.Create && w.cur.known() && w.cur.state.Exists:
		return version{weaker(Derived, w.cur.from), w.cur.state} // some tools say so of a file that they replace
	case c.Op == edit.Create:
		return version{Exact, edit.State{}}
	case c.BeforeSum != "":
		if w.cur.known() && edit.Sum(w.cur.state.Text) == c.BeforeSum {
			return version{Exact, w.cur.state}
		}
		if s, ok := w.seen[c.BeforeSum]; ok {
			return version{Exact, s}
		}
		return version{from: Unknown}
	case w.cur.known():
		return version{weaker(Derived, w.cur.from), w.cur.state}
	}
	return version{from: Unknown}
}

func (w *walk) step(c *edit.Change) {
	base := w.base(c)
	after := version{from: Unknown}
	if base.known() {
		if s, ok := c.Apply(base.state); ok {
			after = version{base.from, s}
		} else if base.from == Derived {
			base = version{from: Unknown} // it was not so any more
		}
	}
	if !base.known() {
		base, after = w.hinted(c)
	}
	if s, ok := c.Result(); ok {
		after = version{Exact, s}
		if before, ok := c.Revert(s); ok && !base.known() {
			base = version{Exact, before}
		}
	}
	if !w.begun {
		w.first, w.begun = base, true
	} else if w.cur.known() && base.known() && !same(w.cur.state, base.state) {
		w.mixed = true
	}
	for _, v := range []version{base, after} {
		if v.known() && v.state.Exists {
			w.seen[edit.Sum(v.state.Text)] = v.state
		}
	}
	w.cur = after
}

// hinted is what was seen of the file before a change, and what the change made of it.
func (w *walk) hinted(c *edit.Change) (base, after version) {
	for _, h := range w.hints {
		seen := edit.State{Exists: h.Exists, Text: unix(h.Text)}
		if c.BeforeSum != "" && edit.Sum(seen.Text) != c.BeforeSum {
			continue
		}
		if s, ok := c.Apply(seen); ok && s != seen {
			return version{Disk, seen}, version{Disk, s}
		}
	}
	return version{from: Unknown}, version{from: Unknown}
}

// fromDisk fills what the changes do not give from the file as the turn left it on the disk, when it shows the last change.
func (f *followed) fromDisk(changes []edit.Change, disk edit.State) {
	if f.after.from == Exact {
		return
	}
	if f.after.known() && same(f.after.state, disk) {
		f.after.from = Disk // what was only derived is seen
		if f.before.from == Derived {
			f.before.from = Disk
		}
		return
	}
	state, back := disk, true
	for i := len(changes) - 1; i >= 0 && back; i-- {
		c := &changes[i]
		s, ok := c.Revert(state)
		if !ok {
			if i == len(changes)-1 && (len(c.Hunks) > 0 || len(c.Replace) > 0 || c.Masked) {
				return // the disk does not show the change
			}
			back = false
			break
		}
		state = s
	}
	f.after = version{Disk, disk}
	if back && f.before.from != Exact {
		f.before = version{Disk, state}
	}
}
