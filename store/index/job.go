package index

import (
	"fmt"
	"slices"
)

// exhaustive is the most postings of a query that are all read. Of more those are passed over that can't be of a best document (MaxScore,
// Turtle and Flood 1995, with the bounds of Ding and Suel 2011 for stretches), and the spread of all scores is taken from those documents
// whose hashes are at most lowHash, one of 64.
const exhaustive = 1 << 16

// job is the text's side of one search.
type job struct {
	ranker
	asked    []askedTerm
	weights  []*weights // of the asked terms
	postings int        // of all of them
	best     *best
	also     []*match // found by other means: their scores are filled in
	tally    *tally   // of all scores above 0
}

// piece scores the allowed documents of one piece, one bit a document, offers them to best, and fills in the scores of those that were
// found by other means.
func (j *job) piece(index int, p *piece, allow []uint64) error {
	m := j.pool.Get().(*marks)
	defer func() { m.clear(); j.pool.Put(m) }()
	m.fit(p.cols.count())
	work := &pieceJob{job: j, index: index, piece: p, allow: allow, marks: m}
	if j.postings <= j.all {
		if err := work.all(); err != nil {
			return err
		}
	} else if err := work.sample(); err != nil {
		return err
	} else if err := work.promising(); err != nil {
		return err
	}
	return work.also()
}

// pieceJob is a job in one piece.
type pieceJob struct {
	*job
	index int
	piece *piece
	allow []uint64
	marks *marks
}

func (j *pieceJob) list(term int) *postings { return j.asked[term].lists[j.index] }

func (j *pieceJob) adding(term int) *adding {
	return &adding{lens: j.piece.cols.lens, allow: j.allow, weights: j.weights[term], bit: 1 << term}
}

func (j *pieceJob) offer(score float64, words uint64, place int) {
	if score >= j.best.floor {
		c := j.piece.cols
		j.best.offer(candidate{score, words, c.times[place], c.hashes[place], j.index, place})
	}
}

// all scores every document that has one of the terms.
func (j *pieceJob) all() error {
	for term := range j.asked {
		if l := j.list(term); l != nil {
			if err := j.marks.add(l, j.adding(term)); err != nil {
				return err
			}
		}
	}
	for _, place := range j.marks.touched {
		s := j.marks.scores[place]
		j.tally.add(s)
		j.offer(s, j.marks.words[place], int(place))
	}
	return nil
}

// sample scores the documents that the spread is taken from.
func (j *pieceJob) sample() error {
	c := j.piece.cols
	scores := make([]float64, len(c.low))
	for term := range j.asked {
		l := j.list(term)
		if l == nil {
			continue
		}
		buf := l.sample
		if l.stretches == nil {
			buf = l.buf
		}
		at, w := 0, j.weights[term]
		err := walk(buf, c.count(), func(local int, tf uint32) {
			for at < len(c.low) && int(c.low[at].place) < local {
				at++
			}
			if at < len(c.low) && int(c.low[at].place) == local && j.allow[local>>6]>>(local&63)&1 != 0 {
				scores[at] += w.of(tf, c.lens[local])
			}
		})
		if err != nil {
			return err
		}
	}
	for _, s := range scores {
		if s > 0 {
			j.tally.add(s)
			j.tally.total += lowOneOf
		}
	}
	return nil
}

// promising scores the documents that may be among the best: it goes through the terms, the rarest first, as long as a document may be among
// them that has none of the terms so far, and looks for the terms that are left in those documents alone that were found.
func (j *pieceJob) promising() error {
	m := j.marks
	left := make([]float64, len(j.asked)+1) // that the terms from one on can add
	for term := len(j.asked) - 1; term >= 0; term-- {
		left[term] = left[term+1] + j.weights[term].bound(j.list(term))
	}
	term := 0
	floor := j.best.floor
	for ; term < len(j.asked); term++ {
		l := j.list(term)
		if l == nil {
			continue
		}
		if l.n > len(m.touched) {
			floor = max(floor, m.least(j.best.limit))
		}
		if left[term] < floor {
			break
		}
		a := j.adding(term)
		a.need = floor - left[term+1]
		if err := m.add(l, a); err != nil {
			return err
		}
	}
	found := m.above(floor - left[term])
	for ; term < len(j.asked) && len(found.places) > 0; term++ {
		l := j.list(term)
		if l == nil {
			continue
		}
		if err := j.addTo(found, term); err != nil {
			return err
		}
		found.keep(floor - left[term+1])
	}
	for i, place := range found.places {
		j.offer(found.scores[i], found.words[i], int(place))
	}
	return nil
}

// addTo adds a term to the scores of documents.
func (j *pieceJob) addTo(f *foundPlaces, term int) error {
	lens, w := j.piece.cols.lens, j.weights[term]
	return j.list(term).pick(f.places, len(lens), func(i int, tf uint32) {
		f.scores[i] += w.of(tf, lens[f.places[i]])
		f.words[i] |= 1 << term
	})
}

// also fills in the scores of what was found by other means.
func (j *pieceJob) also() error {
	f := &foundPlaces{}
	for _, x := range j.job.also {
		if x.piece == j.index {
			f.places = append(f.places, uint32(x.place))
		}
	}
	if len(f.places) == 0 {
		return nil
	}
	slices.Sort(f.places)
	f.places = slices.Compact(f.places)
	f.scores, f.words = make([]float64, len(f.places)), make([]uint64, len(f.places))
	for term := range j.asked {
		if j.list(term) == nil {
			continue
		}
		if err := j.addTo(f, term); err != nil {
			return fmt.Errorf("term %q: %w", j.asked[term].term, err)
		}
	}
	for _, x := range j.job.also {
		if x.piece == j.index {
			i, _ := slices.BinarySearch(f.places, uint32(x.place))
			x.score, x.words = f.scores[i], f.words[i]
		}
	}
	return nil
}
