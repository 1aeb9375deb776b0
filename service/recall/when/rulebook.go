package when

// rules are tried at each place, and the longest match counts; of equally long ones the first.
var rules = []rule{
	// days by number
	on(`(T)`, func(g []token) ([]constraint, bool) {
		cs := []constraint{monthOn(token{entry: entry{n: g[0].m}})}
		if g[0].n != 0 {
			cs = append(cs, yearOn(g[0].n))
		}
		if g[0].d != 0 {
			cs = append(cs, dayOn(g[0].d))
		}
		return cs, true
	}),
	on(`([NO])[/.d]?f{0,3}(M)[/.d,]{0,2}f{0,2}([YN])`, func(g []token) ([]constraint, bool) { return dmy(g[0], g[1], g[2]) }),
	on(`([NO])[/.d]?f{0,3}(M)`, func(g []token) ([]constraint, bool) { return dmy(g[0], g[1], token{}) }),
	on(`(M)[/.d]?f{0,2}([NO])[/.d,]{0,2}f{0,2}([YN])`, func(g []token) ([]constraint, bool) { return dmy(g[1], g[0], g[2]) }),
	on(`(M)[/.d]?(f)?([NO])`, func(g []token) ([]constraint, bool) {
		if g[1].n == 1 { // "March in 1 year"
			return nil, false
		}
		return dmy(g[2], g[0], token{})
	}),
	on(`([NO])f{0,2}(R)f?(U)`, func(g []token) ([]constraint, bool) {
		cs, ok := relative(g[1], token{}, g[2])
		return append(cs, dayOn(g[0].n)), ok && g[2].unit == uMonth && g[0].n >= 1 && g[0].n <= 31 && !g[0].few
	}),
	on(`(M)[/.d,]{0,2}f{0,2}([YN])`, func(g []token) ([]constraint, bool) {
		y, ok := shortYear(g[1])
		return []constraint{monthOn(g[0]), yearOn(y)}, ok
	}),
	on(`(Y)[/.d]?f{0,2}(M)[/.d]?([NO])`, func(g []token) ([]constraint, bool) { return dmy(g[2], g[1], g[0]) }),
	on(`(Y)[/.d]?f{0,2}(M)`, func(g []token) ([]constraint, bool) { return []constraint{monthOn(g[1]), yearOn(g[0].n)}, true }),
	on(`([NO])[/.d](Y)[/.d](M)`, func(g []token) ([]constraint, bool) { return dmy(g[0], g[2], g[1]) }),
	on(`(Y)[/.d]([NO])[/.d](M)`, func(g []token) ([]constraint, bool) { return dmy(g[1], g[2], g[0]) }),
	on(`f(O)`, func(g []token) ([]constraint, bool) { return one(dayOn(g[0].n)) }),
	on(`f?(U)f?([NO])`, func(g []token) ([]constraint, bool) {
		switch {
		case g[0].unit == uDay && g[1].n >= 1 && g[1].n <= 31:
			return one(dayOn(g[1].n))
		case g[0].unit == uWeek && g[1].n >= 1 && g[1].n <= 53:
			return one(constraint{kind: kWeekNo, n: g[1].n})
		case g[0].unit == uQuarter && g[1].n >= 1 && g[1].n <= 4:
			return one(constraint{kind: kQuarter, n: g[1].n})
		case g[0].unit == uYear || g[0].unit == uDecade:
			if g[1].n%10 == 0 && g[1].n >= 10 && g[1].n < 100 {
				return one(constraint{kind: kDecade, n: 1900 + g[1].n})
			}
			if y := g[1].n; g[0].unit == uYear && y >= 10 && y < 100 {
				return one(yearOn(fullYearOf(y)))
			}
		}
		return nil, false
	}),
	on(`f?(U)f{1,2}(M)`, func(g []token) ([]constraint, bool) { return []constraint{monthOn(g[1])}, g[0].unit == uMonth }),
	on(`f?(U)f?(Y)`, func(g []token) ([]constraint, bool) {
		return []constraint{yearOn(g[1].n)}, g[0].unit == uYear
	}),

	// years, months and days with their marks
	on(`([NY])y`, func(g []token) ([]constraint, bool) {
		if g[0].class == cNumber && (g[0].n > 99 || g[0].end-g[0].at < 2 || g[0].few) {
			return nil, false
		}
		if g[0].class == cNumber {
			return one(yearOn(fullYearOf(g[0].n)))
		}
		return one(yearOn(g[0].n))
	}),
	on(`(N)m`, func(g []token) ([]constraint, bool) {
		return []constraint{monthOn(g[0])}, g[0].n >= 1 && g[0].n <= 12 && !g[0].few
	}),
	on(`(N)j`, func(g []token) ([]constraint, bool) {
		return []constraint{dayOn(g[0].n)}, g[0].n >= 1 && g[0].n <= 31 && !g[0].few
	}),
	on(`(N)m(N)j?`, func(g []token) ([]constraint, bool) { return dmy(g[1], g[0], token{}) }),

	// months, weekdays, years
	on(`(M)`, func(g []token) ([]constraint, bool) { return one(monthOn(g[0])) }),
	on(`(R)f?(M)`, func(g []token) ([]constraint, bool) {
		return one(constraint{kind: kMonth, n: g[1].n, way: way(g[0].n)})
	}),
	on(`(M)f?(R)`, func(g []token) ([]constraint, bool) {
		return one(constraint{kind: kMonth, n: g[0].n, way: way(g[1].n)})
	}),
	on(`([RV])f?(N)m`, func(g []token) ([]constraint, bool) {
		return []constraint{{kind: kMonth, n: g[1].n, way: way(g[0].n)}}, g[1].n >= 1 && g[1].n <= 12
	}),
	on(`(W)[.]?`, func(g []token) ([]constraint, bool) { return weekday(g[0], anyWay) }),
	on(`(W)[,.]?f{0,2}([NO])j?`, func(g []token) ([]constraint, bool) {
		return []constraint{{kind: kWeekday, n: g[0].n, way: anyWay}, dayOn(g[1].n)}, g[1].n >= 1 && g[1].n <= 31 && !g[1].few && !g[1].weak
	}),
	on(`([RV])f?(W)`, func(g []token) ([]constraint, bool) { return weekday(g[1], way(g[0].n)) }),
	on(`(W)f?(R)`, func(g []token) ([]constraint, bool) { return weekday(g[0], way(g[1].n)) }),
	on(`([WMS])f{1,2}(R)f?(U)`, func(g []token) ([]constraint, bool) {
		cs, ok := relative(g[1], token{}, g[2])
		c := constraint{kind: kWeekday, n: g[0].n, way: anyWay}
		switch g[0].class {
		case cMonth:
			c.kind = kMonth
		case 'S':
			c.kind = kSeason
		}
		return append(cs, c), ok
	}),
	on(`f?(W)f?b(R)`, func(g []token) ([]constraint, bool) { return weekday(g[0], -2) }),
	on(`(Y)`, func(g []token) ([]constraint, bool) { return one(yearOn(g[0].n)) }),
	on(`(c)`, func(g []token) ([]constraint, bool) { return one(constraint{kind: kDecade, n: g[0].n}) }),
	on(`([NO])f?(U)`, func(g []token) ([]constraint, bool) {
		return []constraint{{kind: kCentury, n: (g[0].n - 1) * 100}}, g[1].unit == uCentury && g[0].n > 1 && g[0].n < 99
	}),
	on(`(Q)f?(Y)?`, quarter),
	on(`(Y)[d/]?(Q)`, func(g []token) ([]constraint, bool) { return quarter([]token{g[1], g[0]}) }),
	on(`(k)`, func(g []token) ([]constraint, bool) {
		cs := []constraint{{kind: kWeekNo, n: g[0].n}}
		if g[0].m > 0 {
			cs = append(cs, yearOn(g[0].m))
		}
		return cs, g[0].n >= 1 && g[0].n <= 53
	}),
	on(`(S)`, func(g []token) ([]constraint, bool) { return one(constraint{kind: kSeason, n: g[0].n, way: anyWay}) }),
	on(`([RV])f?(S)`, func(g []token) ([]constraint, bool) {
		return one(constraint{kind: kSeason, n: g[1].n, way: way(g[0].n)})
	}),
	on(`(S)f?(R)`, func(g []token) ([]constraint, bool) {
		return one(constraint{kind: kSeason, n: g[0].n, way: way(g[1].n)})
	}),
	on(`(h)`, func(g []token) ([]constraint, bool) {
		return one(constraint{kind: kFeast, feast: g[0].feast, way: anyWay})
	}),
	on(`(R)f?(h)`, func(g []token) ([]constraint, bool) {
		return one(constraint{kind: kFeast, feast: g[1].feast, way: way(g[0].n)})
	}),
	on(`(H)`, func(g []token) ([]constraint, bool) { return one(constraint{kind: kHalf, n: g[0].n}) }),
	on(`(R)f?(T)`, func(g []token) ([]constraint, bool) {
		return []constraint{{kind: kMonth, n: g[1].m, way: way(g[0].n)}, dayOn(g[1].d)}, g[1].n == 0
	}),
	on(`(X)(N)`, func(g []token) ([]constraint, bool) { return weekdayOf(g[0], g[1].n%7, g[1].n >= 1 && g[1].n <= 7) }),
	on(`(X)([Uj])`, func(g []token) ([]constraint, bool) { return weekdayOf(g[0], 0, unitToken(g[1]) == uDay) }),
	on(`(P)f{0,2}(U)`, func(g []token) ([]constraint, bool) { return partOf(g[0].n, g[1].unit) }),
	on(`(V)f?([Uy])`, func(g []token) ([]constraint, bool) { return relative(g[0], token{}, g[1]) }),

	// units seen from now
	on(`(D)`, func(g []token) ([]constraint, bool) { return one(constraint{kind: kDate, n: g[0].n}) }),
	on(`(n)`, func(g []token) ([]constraint, bool) { return one(constraint{kind: kNow}) }),
	on(`(X)`, func(g []token) ([]constraint, bool) {
		return one(constraint{kind: kRelative, n: g[0].n, unit: g[0].unit, count: 1})
	}),
	on(`(R)f?([Uy])`, func(g []token) ([]constraint, bool) { return relative(g[0], token{}, g[1]) }),
	on(`(U)f?(R)`, func(g []token) ([]constraint, bool) { return relative(g[1], token{}, g[0]) }),
	on(`([RV])f?(N)f?([Uyj])`, func(g []token) ([]constraint, bool) {
		cs, ok := relative(g[0], g[1], g[2])
		if ok && g[0].class == 'V' {
			cs[0].m = 1 // up to today
		}
		return cs, ok
	}),
	on(`(N)f?(R)f?(U)`, func(g []token) ([]constraint, bool) { return relative(g[1], g[0], g[2]) }),
	on(`(N)f?(U)f?(R)`, func(g []token) ([]constraint, bool) { return relative(g[2], g[0], g[1]) }),
	on(`(N)f?(U)(?:a|f|,){0,2}(N)f?(U)f?A`, func(g []token) ([]constraint, bool) {
		cs, ok := ago(g[0], g[1], -1)
		if ok {
			cs[0].m, cs[0].count = -g[2].n, int(g[3].unit)
		}
		return cs, ok && g[2].n <= 10000
	}),
	on(`(N)?f?(U)f?(A)`, func(g []token) ([]constraint, bool) { return ago(g[0], g[1], -1) }),
	on(`(N)f?([Uyj])f?([AV])`, func(g []token) ([]constraint, bool) { return ago(g[0], g[1], -1) }),
	on(`(G)f?(N)?f?(U)`, func(g []token) ([]constraint, bool) { return ago(g[1], g[2], -1) }),
	on(`(N)f?(W)f?A`, func(g []token) ([]constraint, bool) { return weekday(g[1], -g[0].n) }),
	on(`f[fv]?(U)`, func(g []token) ([]constraint, bool) {
		if g[0].unit == uWeekend {
			return one(constraint{kind: kRelative, unit: g[0].unit, count: 1, way: anyWay})
		}
		return []constraint{{kind: kRelative, unit: g[0].unit, count: 1}}, g[0].unit >= uDay
	}),
	on(`(I)`, func(g []token) ([]constraint, bool) { return partOf(2, g[0].unit) }),
	on(`(J)`, func(g []token) ([]constraint, bool) { return partOf(0, g[0].unit) }),
	on(`i`, func(g []token) ([]constraint, bool) { return toDate(uYear, 0) }),
	on(`(E)f{0,2}(R)?f?(U)`, func(g []token) ([]constraint, bool) { return toDate(g[2].unit, g[0].n) }),

	// the n-th of something
	on(`f?([Ol])f?(N)?f?([Uj])`, func(g []token) ([]constraint, bool) {
		n := g[0].n
		if g[0].class == 'l' {
			n = -1
		}
		return nth(n, g[2], counted(g[1]))
	}),
	on(`(l)f?([jy])`, func(g []token) ([]constraint, bool) { return nth(-1, g[1], 1) }),
	on(`o(N)(U)`, func(g []token) ([]constraint, bool) { return nth(g[0].n, g[1], 1) }),
	on(`f?(O)f?(W)`, func(g []token) ([]constraint, bool) {
		return one(constraint{kind: kWeekday, n: g[1].n, m: g[0].n, way: anyWay})
	}),

	// parts
	on(`(P)d?f{0,2}`, func(g []token) ([]constraint, bool) { return one(constraint{kind: kPart, n: g[0].n}) }),
	on(`(p)`, func(g []token) ([]constraint, bool) {
		return one(constraint{kind: kHours, n: g[0].n, m: g[0].to, way: anyWay})
	}),
	on(`(R)f?(p)`, func(g []token) ([]constraint, bool) {
		return []constraint{{kind: kDate, n: g[0].n}, {kind: kHours, n: g[1].n, m: g[1].to}}, true
	}),
	on(`(L)`, func(g []token) ([]constraint, bool) {
		return []constraint{{kind: kDate, n: int(g[0].unit)}, {kind: kHours, n: g[0].n, m: g[0].to}}, true
	}),
	on(`(g)`, func(g []token) ([]constraint, bool) {
		return one(constraint{kind: kClock, n: g[0].n, m: g[0].m, count: g[0].d})
	}),
	on(`(p)?(N)K`, func(g []token) ([]constraint, bool) {
		h := g[1].n
		if g[0].class != 0 && g[0].n >= 12 && h < 12 {
			h += 12
		}
		return []constraint{{kind: kClock, n: h, count: 60}}, h < 24
	}),
}
