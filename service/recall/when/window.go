package when

import "time"

// window is what a reading means.
func (r *reading) window(c *clock) (Window, bool) {
	if r.rel == fromTo {
		return r.between(c)
	}
	var s span
	ok := true
	if r.left.anchor != "" && r.left.unit == 0 {
		if ok = c.anchor != nil; ok {
			s = *c.anchor
		}
	} else {
		s, ok = c.resolve(r.left)
	}
	if !ok {
		return Window{}, false
	}
	switch r.rel {
	case since:
		return bounds(s.from, time.Time{})
	case until:
		return bounds(time.Time{}, s.to)
	case before:
		return bounds(time.Time{}, s.from)
	case after:
		return bounds(s.to, time.Time{})
	}
	return bounds(s.from, s.to)
}

// bounds makes a window. The one second that would say that there is no bound gives way to the next.
func bounds(from, to time.Time) (w Window, ok bool) {
	second := func(t time.Time) int64 {
		if n := t.Unix(); n != 0 {
			return n
		}
		return 1
	}
	if !from.IsZero() {
		w.Since = second(from)
	}
	if !to.IsZero() {
		w.Until = second(to)
	}
	return w, from.IsZero() || to.IsZero() || w.Since < w.Until
}

// between resolves a range. What one end leaves out, the other one says: "3 to 5 May", "from May to Oct 2020".
func (r *reading) between(c *clock) (Window, bool) {
	l, u := *r.left, *r.right
	l.cs, u.cs = append([]constraint(nil), l.cs...), append([]constraint(nil), u.cs...)
	share(&l, &u)
	share(&u, &l)
	ly, uy := l.find(kYear), u.find(kYear)
	from, ok := c.resolve(&l)
	if !ok {
		return Window{}, false
	}
	if ly == nil && uy != nil && l.yearless() {
		from, ok = c.inYearOf(&l, uy.n)
		if to, fits := c.resolve(&u); ok && fits && from.from.After(to.from) {
			from, ok = c.inYearOf(&l, uy.n-1)
		}
	}
	to, fits := c.resolve(&u)
	if uy == nil && u.yearless() {
		to, fits = c.inYearOf(&u, from.from.Year())
		if !fits || to.from.Before(from.from) {
			to, fits = c.inYearOf(&u, from.from.Year()+1)
		}
	} else if w := u.find(kWeekday); w != nil && len(u.cs) == 1 && fits && to.from.Before(from.from) {
		to = span{moved(to.from, 0, 7), moved(to.to, 0, 7)}
	}
	if !ok || !fits {
		return Window{}, false
	}
	end := to.to
	if part := u.find(kPart); part != nil && part.n == 0 { // "to the beginning of 2008"
		end = to.from
	}
	return bounds(from.from, end)
}

// yearless reports whether an expression names a part of a year and not which year.
func (e *expr) yearless() bool {
	return e.has(kMonth, kFeast, kSeason, kQuarter, kHalf, kWeekNo) && !e.has(kYear, kRelative, kDate, kAgo, kDecade, kCentury) &&
		(e.find(kMonth) == nil || e.find(kMonth).way == anyWay)
}

func (c *clock) inYearOf(e *expr, y int) (span, bool) {
	with := *e
	with.cs = append(append([]constraint(nil), e.cs...), yearOn(y))
	return c.resolve(&with)
}

// share gives a day the month that the other end says.
func share(to, from *expr) {
	if !to.has(kDay) || to.has(kMonth, kRelative, kDate) || len(to.cs) > 1 {
		return
	}
	for i := range from.cs {
		if c := from.cs[i]; c.kind == kMonth || c.kind == kRelative || c.kind == kYear {
			to.cs = append(to.cs, c)
		}
	}
}
