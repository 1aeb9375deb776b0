package redact

import "unicode/utf8"

// window is the part of a text that a rule's expression has to look at: everything that a match around the anchors added so
// far can hold. Anchors are added from left to right; the work for all of them is linear in the text.
type window struct {
	from, to int
	open     bool // something is in it
	used     bool // it is no longer as it was made
	runEnd   int  // where the first stretch, or the value, after the last anchor ended
}

// join widens the window to hold s[from:to]. It reports false, and does nothing, if the window would have a gap.
func (w *window) join(from, to int) bool {
	if w.open && from > w.to {
		return false
	}
	if !w.open {
		w.from, w.open = from, true
	}
	w.from, w.to = min(w.from, from), max(w.to, to)
	return true
}

// add widens the window to hold every match around the byte at. It reports false, and does nothing, if the window would have
// a gap: then it has to be run and begun anew.
func (w *window) add(r *reach, s string, at int) bool {
	if w.open && at >= w.to {
		if left := r.left(s, at, w.to); left > w.to {
			return false
		}
	} else if !w.open {
		w.from = r.left(s, at, 0)
		w.open = true
	}
	if r.runs > 0 && at+r.fixed <= w.runEnd {
		return true // all of it is in the stretch that is inside already
	}
	var to int
	to, w.runEnd = r.right(s, at)
	w.to = max(w.to, to)
	return true
}

// left is the lowest offset, not below floor, that a match around the byte at can begin at, and a character before it.
func (r *reach) left(s string, at, floor int) int {
	from := max(floor, at-r.fixed)
	for range r.runs {
		for from > floor && r.set[s[from-1]] {
			from--
		}
		from = max(floor, from-r.fixed)
	}
	return max(floor, from-utf8.UTFMax)
}

// right is the highest offset that a match around the byte at can end at, and a character after it; and where the first
// stretch ends.
func (r *reach) right(s string, at int) (to, firstRun int) {
	to = min(len(s), at+r.fixed)
	for i := range r.runs {
		for to < len(s) && r.set[s[to]] {
			to++
		}
		if i == 0 {
			firstRun = to
		}
		to = min(len(s), to+r.fixed)
	}
	return min(len(s), to+utf8.UTFMax), firstRun
}
