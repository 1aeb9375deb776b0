package pager

import "slices"

// plan chooses the blocks that are shortened before a request. When the cache is gone, every change is free; else only changes
// are made that pay.
func (e *Engine) plan(cold bool) []Edit {
	carried := e.carried()
	z := e.o.zone(carried)
	e.stats.Zone = z
	var c []*block
	for _, b := range e.blocks {
		if e.ripe(b, z, carried) && e.shrinks(b) {
			c = append(c, b)
		}
	}
	if !cold && z < Critical {
		c = e.worth(c)
	}
	edits := make([]Edit, 0, len(c))
	for _, b := range c {
		edits = append(edits, e.shorten(b))
	}
	if z == Emergency {
		edits = e.empty(edits)
	}
	return edits
}

// shrinks says whether a block's short form is shorter.
func (e *Engine) shrinks(b *block) bool {
	_, n := e.form(b)
	return n < b.bytes
}

// shorten gives a block its short form.
func (e *Engine) shorten(b *block) Edit {
	b.level = Stub
	if b.Kind == Call {
		b.level = Compact
	}
	text, n := e.form(b)
	b.bytes = n
	e.stats.Shortened++
	return Edit{Block: b.index, Level: b.level, Text: text}
}

// worth are the last of the candidates, from the one on from which shortening saves most. Each saves its bytes in every request to
// come, at the price of a byte that is read from the cache; what stands behind the first one is written into the cache anew.
func (e *Engine) worth(c []*block) []*block {
	tail := make([]int, len(e.sent)+1) // bytes that the last request carried from a block on
	for i := len(e.sent) - 1; i >= 0; i-- {
		tail[i] = tail[i+1] + e.sent[i]
	}
	ahead := float64(max(e.o.Horizon, e.reqs))
	best, from, saved := 0.0, len(c), 0
	for j := len(c) - 1; j >= 0; j-- {
		_, n := e.form(c[j])
		saved += c[j].bytes - n
		behind := 0
		if i := c[j].index; i < len(e.sent) {
			behind = max(0, tail[i]-saved)
		}
		gain := e.o.ReadPrice*float64(saved)*ahead - e.o.Caution*(e.o.WritePrice-e.o.ReadPrice)*float64(behind)
		if gain > best && e.affords(saved, behind) {
			best, from = gain, j
		}
	}
	return c[from:]
}

// affords says whether the price of a change is covered by what was saved so far and what the change saves in a few requests: a session may
// end at any of them, and is not to have cost more than it would have.
func (e *Engine) affords(saved, behind int) bool {
	price := (e.o.WritePrice - e.o.ReadPrice) * float64(behind)
	return e.o.Sure == 0 || price <= max(0, e.stats.Saved)+e.o.ReadPrice*float64(saved*e.o.Sure)
}

// emptied stands where a short form stood before.
func (b *block) emptied() string { return "[Paged out" + b.colon() + b.handle + "]" }

// empty takes the oldest short forms away, until the request is out of the emergency.
func (e *Engine) empty(edits []Edit) []Edit {
	carried := e.carried()
	for _, b := range e.blocks {
		if e.o.zone(carried) < Emergency {
			break
		}
		if b.level != Stub || b.bytes <= len(b.emptied()) {
			continue
		}
		text := b.emptied()
		carried -= b.bytes - len(text)
		b.level, b.bytes = Evicted, len(text)
		edits = replaceEdit(edits, Edit{Block: b.index, Level: Evicted, Text: text})
	}
	return edits
}

// replaceEdit puts an edit in the place of an earlier one of the same block, or at its place in the order of the blocks.
func replaceEdit(edits []Edit, x Edit) []Edit {
	for i, e := range edits {
		switch {
		case e.Block == x.Block:
			edits[i] = x
			return edits
		case e.Block > x.Block:
			return slices.Insert(edits, i, x)
		}
	}
	return append(edits, x)
}
