package edit

import "strings"

// Revert is the file before the change, when it was as after afterwards. ok is false where that cannot be told from what the
// call shows.
func (c *Change) Revert(after State) (before State, ok bool) {
	if c.Masked {
		return State{}, false
	}
	if c.Before != nil && c.Op != Create {
		return State{Exists: true, Text: *c.Before}, true
	}
	switch {
	case c.Op == Create:
		return State{}, after.Exists
	case !after.Exists:
		return State{}, false
	case len(c.Hunks) > 0:
		if text, ok := patch(after.Text, flip(c.Hunks)); ok {
			before = State{Exists: true, Text: text}
			if again, ok := c.Apply(before); ok && again == after {
				return before, true
			}
		}
	}
	if len(c.Replace) == 1 {
		return c.unreplaced(after)
	}
	return State{}, false
}

// unreplaced puts the old piece back in the place of the new one.
func (c *Change) unreplaced(after State) (State, bool) {
	r := c.Replace[0]
	if r.All || r.Old == "" {
		return c.unreplacedAll(after)
	}
	var places []int
	if r.New != "" {
		places = placesOf(after.Text, r.New)
	} else {
		places = c.gaps(after.Text)
	}
	text, ok := agreed(places, func(at int) (string, bool) {
		one := after.Text[:at] + r.Old + after.Text[at+len(r.New):]
		again, ok := c.Apply(State{Exists: true, Text: one})
		return one, ok && again == after
	})
	return State{Exists: ok, Text: text}, ok
}

// unreplacedAll takes the replacement of every place back, where the hunks prove that there were no new pieces before.
func (c *Change) unreplacedAll(after State) (State, bool) {
	r := c.Replace[0]
	if r.Old == "" || r.New == "" || len(c.Hunks) == 0 {
		return State{}, false
	}
	before := State{Exists: true, Text: strings.ReplaceAll(after.Text, r.New, r.Old)}
	again, ok := c.Apply(before)
	return before, ok && again == after
}

// gaps are the places from which a piece may have been taken out: those in and at the ends of the lines that the hunks show.
func (c *Change) gaps(after string) []int {
	now, _ := lines(after)
	starts := make([]int, len(now)+1)
	for i, l := range now {
		starts[i+1] = min(starts[i]+len(l)+1, len(after))
	}
	var out []int
	for i := range c.Hunks {
		f := c.Hunks[i].flipped()
		from, ok := place(now, 0, &f)
		if !ok || from < 0 {
			return nil
		}
		end := min(from+f.OldLines, len(now))
		for at := starts[min(from, len(now))]; at <= starts[end]; at++ {
			if out = append(out, at); len(out) > 16*maxPlaces {
				return nil
			}
		}
	}
	return out
}
