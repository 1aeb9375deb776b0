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
	// In a memory of chanceDocs documents and more some hold a common word or two of any question. A hit is more than such chance where its
	// score by the text is byChance times that of a word that one document alone has: the more there are, the rarer must be what is shared, and a
	// long text has to have it more often than a short one. A hit that is nearer by its meaning than commonCosine needs less, one that is less near
	// more: nearChance times the difference, as far as the model knows the query's words. Who has mostAsked of what was asked for need
	// not show it. The numbers were chosen on even questions; the bench of the floor measures the odd ones.
	chanceDocs   = 50
	byChance     = 0.95
	commonCosine = 0.3
	nearChance   = 1.5
	mostAsked    = 0.45
	// tagShare is the share of the query's words that a tag's name is, for the tag to bring what no word finds.
	tagShare = 0.25
)

// fits reports whether anything that was found fits the query. In scripts without spaces the pairs of characters that lie across two words
// are never found, so there one that is found is enough. Of sessions, which are found by all that they hold together, no hit need be
// more than chance.
func (r *ranking) fits(sessions bool) bool {
	shares, beyond := false, sessions
	for i := range r.list {
		s := &r.list[i]
		if s.named || s.words&r.asked.grams != 0 || r.means(s) || r.tagsFit(s) {
			return true
		}
		shares, beyond = shares || r.shares(s), beyond || r.beyondChance(s)
	}
	return shares && beyond
}

// shares reports whether a hit has enough of what was asked for.
func (r *ranking) shares(s *scored) bool {
	share := r.asked.found(s.words)
	return share >= leastShare || share >= fewShare && r.asked.count(s.words) >= fewWords
}

// beyondChance reports whether a hit is better than what the memory holds for any question of such words.
func (r *ranking) beyondChance(s *scored) bool {
	if r.docs < chanceDocs || s.covered >= mostAsked {
		return true
	}
	score := s.Score / r.once
	if r.tells && s.HasVector {
		score += nearChance * r.known * (s.Cosine - commonCosine)
	}
	return score >= byChance
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
