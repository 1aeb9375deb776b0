package recall

// The floor: what a hit has at least, so that nothing comes where nothing fits.
const (
	// sureShare is the share of what was asked for that a hit has to be surely meant.
	sureShare = 0.5
	// sureWords is how many words of what was asked for it has at least, unless it is called by its name: one is chance.
	sureWords = 2
	// nearEnough is how many standard deviations nearer than most a hit is that has no word of what was asked for.
	nearEnough = 2
	// Where no hit has leastShare of what was asked for or leastWords words of it (of a long text much is never found), nothing is called by
	// its name, and nothing is striking deviations nearer than most, what was found fits by chance. In scripts without spaces the pairs of
	// characters that lie across two words are never found, so there one that is found is enough.
	leastShare = 0.12
	leastWords = 3
	striking   = 3
)

// fits reports whether anything that was found fits the query.
func (r *ranking) fits() bool {
	for i := range r.list {
		if s := &r.list[i]; s.named || s.covered >= leastShare || r.asked.count(s.words) >= leastWords || s.words&r.asked.grams != 0 || r.nearer(s, striking) {
			return true
		}
	}
	return false
}

// nearer reports whether a hit is so many deviations nearer than most.
func (r *ranking) nearer(s *scored, deviations float64) bool {
	return s.HasVector && s.Cosine-r.far.Mean >= deviations*max(r.far.Dev, leastCosineDev)
}

// passes reports whether a hit lies above the floor of a query.
func (r *ranking) passes(s *scored, q *Query) bool {
	switch {
	case q.EveryWord:
		return r.asked.all(s.words)
	case q.Sure:
		return s.named || !r.anyNamed && s.covered >= sureShare && r.asked.count(s.words) >= sureWords
	}
	return s.words != 0 || r.nearer(s, nearEnough)
}
