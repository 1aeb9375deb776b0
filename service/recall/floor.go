package recall

// The floor: what a hit has at least, so that nothing comes where nothing fits.
const (
	// sureShare is the share of what was asked for that a hit has to be surely meant.
	sureShare = 0.5
	// sureWords is how many words of what was asked for it has at least, unless it is called by its name: one is chance.
	sureWords = 2
	// nearEnough is how many standard deviations nearer than most a hit is that has no word of what was asked for.
	nearEnough = 2
	// What was found fits by chance where no hit has leastShare of what was asked for, nor fewShare of it in fewWords words, and nothing is
	// called by its name or near by its meaning. The shares were chosen on some 3,200 questions that have an answer and 2,000 that
	// have none.
	leastShare = 0.15
	fewShare   = 0.08
	fewWords   = 2
	// longText is how many words that no document has weigh as much as a long text: of what was pasted in, most is found nowhere.
	longText = 10
	// nearMeaning is the cosine, times the share of the query's words that the model knows, from which on two texts mean the same. Of a model
	// that does not tell what it knows the scale is not known either, and what lies striking deviations nearer than most counts.
	nearMeaning = 0.45
	striking    = 3
	// tagShare is the share of the query's words that a tag's name is, for the tag to bring what no word finds.
	tagShare = 0.25
)

// fits reports whether anything that was found fits the query. In scripts without spaces the pairs of characters that lie across two words
// are never found, so there one that is found is enough.
func (r *ranking) fits() bool {
	for i := range r.list {
		s := &r.list[i]
		share := r.asked.found(s.words)
		if s.named || share >= leastShare || share >= fewShare && r.asked.count(s.words) >= fewWords || s.words&r.asked.grams != 0 || r.means(s) || r.tagsFit(s) {
			return true
		}
	}
	return false
}

// means reports whether a hit means what the query does.
func (r *ranking) means(s *scored) bool {
	if !r.tells {
		return r.nearer(s, striking)
	}
	return s.HasVector && s.Cosine*r.known >= nearMeaning
}

// tagsFit reports whether a hit is about a tag that is much of the query.
func (r *ranking) tagsFit(s *scored) bool {
	return r.tags.share[s.Doc.ID] > 0 && float64(r.tags.words) >= tagShare*float64(r.asked.size())
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
	return s.words != 0 || r.nearer(s, nearEnough) || r.tagsFit(s)
}

// trusted is how far the vector of a query counts of whose words the embedding model knows a share: what it guesses from pieces of words
// misleads as often as it helps.
func trusted(known float64) float64 { return known * known }
