package when

// kind says what a constraint bounds.
type kind int

const (
	kYear     kind = iota + 1 // n
	kDecade                   // n, its first year
	kCentury                  // n, its first year
	kRelative                 // the unit that lies n units away; count of them
	kHalf                     // n of the year
	kQuarter                  // n of the year
	kSeason                   // n
	kMonth                    // n; way: last, this, next
	kWeekNo                   // n of the year
	kWeek                     // the week in which the rest lies
	kNth                      // the n-th unit of what is around it, from its end where n is negative; count of them
	kDay                      // n of the month
	kDate                     // the day that lies n days away
	kAgo                      // n units away from now
	kWeekday                  // n; way: last, this, next; n-th: of what is around it
	kFeast
	kHours // from n to m o'clock
	kClock // n:m for d minutes
	kNow
	kPart   // n: beginning, middle, end
	kToDate // up to now, or from now on
)

// no way is said.
const anyWay = -9

// constraint is one thing that an expression says of a window.
type constraint struct {
	kind        kind
	n, m, count int
	unit        unit
	way         int // of a month or a weekday: -1 last, 0 this, 1 next, else anyWay
	roll        bool
	feast       string
}

// expr is an expression without bounds of its own: constraints that hold at once, or a distance from another expression.
type expr struct {
	cs   []constraint
	weak bool
	// base is what a distance of n units counts from.
	base   *expr
	anchor string // instead of base: words for something that happened
	n      int
	unit   unit
	roll   bool // all the time between the two, not the day at its other end
}

func (e *expr) find(k kind) *constraint {
	for i := range e.cs {
		if e.cs[i].kind == k {
			return &e.cs[i]
		}
	}
	return nil
}

func (e *expr) has(ks ...kind) bool {
	for _, k := range ks {
		if e.find(k) != nil {
			return true
		}
	}
	return false
}

// fits reports whether more constraints can hold beside those that are there.
func (e *expr) fits(more []constraint) bool {
	for i := range more {
		c := &more[i]
		switch c.kind {
		case kNow, kToDate:
			if len(e.cs) > 0 {
				return false
			}
		case kPart, kClock, kSeason, kQuarter, kHalf, kMonth, kDay, kYear, kWeekNo, kFeast, kHours, kNth, kDecade, kCentury:
			if e.has(c.kind) {
				return false
			}
		case kDate, kAgo:
			if e.has(kDate, kAgo, kMonth, kDay, kYear, kRelative, kNow, kFeast) {
				return false
			}
		case kWeekday:
			if e.has(kWeekday, kDate) {
				return false
			}
		case kRelative:
			if e.has(kDate, kAgo, kYear, kNow) || e.has(kRelative) && e.find(kRelative).unit == c.unit {
				return false
			}
		}
		switch {
		case e.has(kNow, kToDate), e.has(kDate, kAgo) && c.kind != kHours && c.kind != kClock && c.kind != kWeekday,
			e.has(kYear) && c.kind == kRelative && c.unit >= uYear:
			return false
		}
	}
	return true
}
