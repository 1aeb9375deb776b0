package when

import (
	"cmp"
	"slices"
	"time"
)

// clock is the moment from which is looked.
type clock struct {
	now    time.Time
	anchor *span // what the anchor of an expression was found to be
}

func (c *clock) zone() *time.Location { return c.now.Location() }

// grain orders constraints: the coarse ones bound the fine ones.
func (c *constraint) grain() unit {
	switch c.kind {
	case kCentury:
		return uCentury
	case kDecade:
		return uDecade
	case kYear:
		return uYear
	case kHalf:
		return uHalf
	case kSeason:
		return uSeason
	case kQuarter:
		return uQuarter
	case kMonth:
		return uMonth
	case kWeekNo:
		return uWeek
	case kRelative, kNth:
		return c.unit
	case kHours:
		return uHour
	case kClock:
		return uMinute
	case kPart, kToDate:
		return 0
	}
	return uDay
}

// resolve finds the window of an expression; false where there is none, such as a 30 February.
func (c *clock) resolve(e *expr) (span, bool) {
	if e.base != nil || e.anchor != "" {
		return c.far(e)
	}
	if w := e.find(kRelative); w != nil && (w.unit == uWeek || w.unit == uWeekend) && w.n == 0 && w.count == 1 && e.has(kDay) { // "the week of the 18th"
		rest := expr{cs: slices.DeleteFunc(slices.Clone(e.cs), func(c constraint) bool { return c == *w })}
		s, ok := c.resolve(&rest)
		return w.unit.around(s.from), ok
	}
	cs := slices.Clone(e.cs)
	slices.SortStableFunc(cs, func(a, b constraint) int {
		return cmp.Or(cmp.Compare(b.grain(), a.grain()), cmp.Compare(a.kind, b.kind))
	})
	s := stage{clock: c, e: e}
	for i := range cs {
		if !s.apply(&cs[i]) {
			return span{}, false
		}
	}
	return s.box, s.set && s.box.from.Before(s.box.to)
}

// far resolves a distance.
func (c *clock) far(e *expr) (span, bool) {
	var s span
	if e.base != nil {
		var ok bool
		if s, ok = c.resolve(e.base); !ok {
			return s, false
		}
	} else if c.anchor == nil {
		return s, false
	} else {
		s = *c.anchor
	}
	switch {
	case e.roll && e.n < 0:
		return span{e.unit.plus(s.from, e.n), s.from}, true
	case e.roll:
		return span{s.to, e.unit.plus(s.to, e.n)}, true
	}
	at := e.unit.plus(s.from, e.n)
	if e.unit < uDay {
		return span{at, e.unit.plus(at, 1)}, true
	}
	return day(at), true
}

// stage is a window that becomes narrower with each constraint.
type stage struct {
	*clock
	e   *expr
	box span
	set bool
}

// put narrows the window, if it lies in years of four digits.
func (s *stage) put(b span) bool {
	s.box, s.set = b, true
	return b.from.Year() > 0 && b.to.Year() < 10000
}

func (s *stage) apply(c *constraint) bool {
	z := s.zone()
	switch c.kind {
	case kCentury:
		return s.put(between(c.n, 1, uCentury, z))
	case kDecade:
		return s.put(between(c.n, 1, uDecade, z))
	case kYear:
		return s.put(between(c.n, 1, uYear, z))
	case kHalf:
		return s.inYear(anyWay, func(y int) (span, bool) { return between(y, c.n*6-5, uHalf, z), true })
	case kQuarter:
		return s.inYear(anyWay, func(y int) (span, bool) { return between(y, c.n*3-2, uQuarter, z), true })
	case kSeason:
		return s.inYear(c.way, func(y int) (span, bool) { return season(y, c.n, z), true })
	case kMonth:
		return s.month(c)
	case kWeekNo:
		return s.inYear(anyWay, func(y int) (span, bool) { return isoWeek(y, c.n, z), true })
	case kFeast:
		return s.inYear(c.way, func(y int) (span, bool) { return feastDay(c.feast, y, z) })
	case kRelative:
		return s.relative(c)
	case kNth:
		return s.nth(c)
	case kDay:
		return s.dayOf(c)
	case kDate:
		return s.put(day(moved(s.now, 0, c.n)))
	case kAgo:
		return s.ago(c)
	case kWeekday:
		return s.weekday(c)
	case kNow:
		return s.put(day(s.now))
	}
	return s.finish(c)
}

// inYear finds what comes once a year: in the box, or the newest one that has begun.
func (s *stage) inYear(w int, in func(y int) (span, bool)) bool {
	if s.set {
		for y := s.box.from.Year(); y <= s.box.from.Year()+1; y++ {
			if b, ok := in(y); ok && s.box.has(b.from) {
				return s.put(b)
			}
		}
		b, ok := in(s.box.from.Year()) // the first week may begin in the year before
		return ok && s.put(b)
	}
	now, y := s.now, s.now.Year()
	if w == 0 {
		for try := y + 1; try >= y-1; try-- { // the one that is going on, else this year's
			if b, ok := in(try); ok && b.has(now) {
				return s.put(b)
			}
		}
		b, ok := in(y)
		return ok && s.put(b)
	}
	if w >= 1 {
		for try := y - 1; try < y+9; try++ {
			if b, ok := in(try); ok && b.from.After(now) {
				return s.put(b)
			}
		}
		return false
	}
	for try := y + 1; try > y-9; try-- {
		b, ok := in(try)
		if ok && !b.from.After(now) && (w != -1 || !b.to.After(now)) {
			return s.put(b)
		}
	}
	return false
}

// month chooses a month by its day as well, where one is said: a 29 February has not been every year.
func (s *stage) month(c *constraint) bool {
	d, narrow := 1, s.e.find(kDay)
	if narrow != nil {
		d = narrow.n
	}
	var months span
	ok := s.inYear(c.way, func(y int) (span, bool) {
		from := date(y, time.Month(c.n), d, s.zone())
		if narrow != nil {
			return day(from), real(y, c.n, d)
		}
		return span{from, uMonth.plus(from, 1)}, true
	})
	if !ok {
		return false
	}
	months = uMonth.around(s.box.from)
	return s.put(months)
}

func (s *stage) relative(c *constraint) bool {
	u := c.unit
	if s.set && u < uYear && !s.e.has(kAgo) { // "the last week of July"
		if c.n < 0 {
			return s.nth(&constraint{kind: kNth, unit: u, n: -1, count: c.count})
		}
		return s.put(u.shift(s.now, c.n))
	}
	if c.roll {
		return s.put(span{u.plus(s.now, -c.count), s.now})
	}
	switch {
	case u == uWeekend && c.way == anyWay: // the newest one that has begun
		w := u.around(s.now)
		if w.from.After(s.now) {
			w = u.shift(s.now, -1)
		}
		return s.put(w)
	case u < uDay && c.n < 0: // "the last two hours"
		return s.put(span{u.plus(s.now, -c.count), s.now})
	case c.m == 1:
		today := day(s.now).from
		return s.put(span{u.plus(today, -c.count), today})
	case c.count > 1 && c.n < 0:
		to := u.around(s.now).from
		return s.put(span{u.plus(to, -c.count), to})
	case c.count > 1:
		from := u.shift(s.now, c.n).from
		return s.put(span{from, u.plus(from, c.count)})
	}
	return s.put(u.shift(s.now, c.n))
}
