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
	if w := e.find(kRelative); w != nil && w.unit == uWeek && w.n == 0 && w.count == 1 && e.has(kDay) { // "the week of the 18th"
		rest := expr{cs: slices.DeleteFunc(slices.Clone(e.cs), func(c constraint) bool { return c == *w })}
		s, ok := c.resolve(&rest)
		return uWeek.around(s.from), ok
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

// nth counts units in the box, from its end where n is negative.
func (s *stage) nth(c *constraint) bool {
	u := c.unit
	if !s.set {
		parent := uMonth
		if u >= uMonth {
			parent = uYear
		}
		s.put(parent.around(s.now))
	}
	first := u.around(s.box.from)
	switch {
	case u == uWeek:
		first = weekOf(s.box.from)
	case first.from.Before(s.box.from):
		first = u.shift(s.box.from, 1)
	}
	if c.n < 0 {
		last := u.around(s.box.to.Add(-time.Second))
		if u == uWeek {
			if next := weekOf(s.box.to); !next.from.After(last.from) {
				last = uWeek.shift(next.from, -1)
			}
		}
		return s.put(span{u.plus(last.to, c.n*c.count), u.plus(last.to, (c.n+1)*c.count)})
	}
	from := u.plus(first.from, c.n-1)
	return s.put(span{from, u.plus(from, c.count)}) && from.Before(s.box.to)
}

// weekOf is the first week of a month or a year: the one that has its first Thursday.
func weekOf(first time.Time) span {
	w := uWeek.around(first)
	if first.Sub(w.from) > 3*24*time.Hour+time.Hour {
		w = uWeek.shift(first, 1)
	}
	return w
}

func isoWeek(y, n int, z *time.Location) span {
	return uWeek.shift(weekOf(date(y, 1, 1, z)).from, n-1)
}

func (s *stage) dayOf(c *constraint) bool {
	if s.set {
		for n, m := 0, uMonth.around(s.box.from).from; n < 60 && m.Before(s.box.to); n, m = n+1, uMonth.plus(m, 1) {
			if d := date(m.Year(), m.Month(), c.n, s.zone()); real(m.Year(), int(m.Month()), c.n) && s.box.has(d) {
				return s.put(day(d))
			}
		}
		return false
	}
	w := s.e.find(kWeekday)
	for k, m := 0, uMonth.around(s.now).from; k < 60; k, m = k+1, uMonth.plus(m, -1) {
		d := date(m.Year(), m.Month(), c.n, s.zone())
		if real(m.Year(), int(m.Month()), c.n) && !d.After(s.now) && (w == nil || int(d.Weekday()) == w.n) {
			return s.put(day(d))
		}
	}
	return false
}

func (s *stage) ago(c *constraint) bool {
	at := c.unit.plus(s.now, c.n)
	if c.unit < uDay {
		return s.put(c.unit.around(at))
	}
	return s.put(day(at))
}

func (s *stage) weekday(c *constraint) bool {
	on := func(from time.Time, back bool) span { // the nearest such day from a day on
		step := 1
		if back {
			step = -1
		}
		for range 7 {
			if int(from.Weekday()) == c.n {
				break
			}
			from = moved(from, 0, step)
		}
		return day(from)
	}
	ago := s.e.find(kAgo)
	today := day(s.now).from
	switch {
	case ago != nil && ago.unit >= uWeek:
		return s.put(on(uWeek.around(s.box.from).from, false))
	case s.set && s.e.has(kDay, kFeast, kAgo):
		return true // the day is known
	case s.set && c.m > 0:
		return s.put(span{moved(on(s.box.from, false).from, 0, 7*(c.m-1)), moved(on(s.box.from, false).to, 0, 7*(c.m-1))})
	case s.set && c.way == -1:
		return s.put(on(moved(s.box.to, 0, -1), true))
	case s.set && s.box.days() <= 7:
		return s.put(on(s.box.from, false))
	case s.set:
		last := moved(s.box.to, 0, -1)
		if last.After(today) {
			last = today
		}
		return s.put(on(last, true))
	case c.m > 0:
		s.put(uMonth.around(s.now))
		return s.weekday(c)
	case c.way == 0:
		return s.put(on(uWeek.around(s.now).from, false))
	case c.way > 0:
		return s.put(on(moved(today, 0, 1), false))
	case c.way == anyWay:
		return s.put(on(today, true))
	}
	return s.put(on(moved(today, 0, -1-7*(-c.way-1)), true))
}

// finish applies what narrows a window at last.
func (s *stage) finish(c *constraint) bool {
	switch c.kind {
	case kHours, kClock:
		if !s.set {
			s.put(day(s.now))
		}
		if s.box.days() > 1 {
			return true // the hours of many days are no window
		}
		y, m, d := s.box.from.Date()
		hour := func(h, min int) time.Time { return time.Date(y, m, d, h, min, 0, 0, s.zone()) }
		if c.kind == kHours {
			return s.put(span{hour(c.n, 0), hour(c.m, 0)})
		}
		from := hour(c.n, c.m)
		return s.put(span{from, from.Add(time.Duration(c.count) * time.Minute)})
	case kToDate:
		if c.n > 0 {
			return s.put(span{s.now, s.box.to})
		}
		return s.put(span{s.box.from, s.now})
	}
	return s.set && s.put(part(s.box, c.n))
}

// part is the beginning, the middle or the end of a window: three days of a week, ten of a month, four months of a year, a third of
// all else.
func part(b span, n int) span {
	cut := func(from, to time.Time) span { return []span{{b.from, from}, {from, to}, {to, b.to}}[n] }
	switch d := b.days(); {
	case d == 7:
		return cut(moved(b.from, 0, 3), moved(b.from, 0, 4))
	case d >= 28 && d <= 31:
		return cut(moved(b.from, 0, 10), moved(b.from, 0, 20))
	case d >= 89 && d <= 92:
		return cut(moved(b.from, 1, 0), moved(b.from, 2, 0))
	case d == 365 || d == 366:
		return cut(moved(b.from, 4, 0), moved(b.from, 8, 0))
	}
	third := b.to.Sub(b.from) / 3
	return cut(b.from.Add(third), b.from.Add(2*third))
}
