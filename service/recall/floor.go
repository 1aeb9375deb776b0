package recall

// The floor: what a hit has at least, so that nothing comes where nothing fits.
const (
	// sureShare is the share of what was asked for that a hit has to be surely meant.
	sureShare = 0.5
	// nearEnough is how many standard deviations nearer than most a hit is that has no word of what was asked for.
	nearEnough = 2
)

// passes reports whether a hit lies above the floor of a query.
func (r *ranking) passes(s *scored, q *Query) bool {
	switch {
	case q.EveryWord:
		return r.asked.all(s.words)
	case q.Sure:
		return s.covered >= sureShare
	}
	return s.words != 0 || s.HasVector && s.Cosine-r.far.Mean >= nearEnough*max(r.far.Dev, leastCosineDev)
}
