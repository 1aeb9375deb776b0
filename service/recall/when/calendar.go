package when

import "time"

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
	if c.count > 0 { // "2 months and 3 days ago"
		at = unit(c.count).plus(at, c.m)
	}
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
