package index

import (
	"math"
	"slices"
)

// foundPlaces are documents of a piece with their scores so far, by ascending places.
type foundPlaces struct {
	places []uint32
	scores []float64
	words  []uint64
}

// above lists the marked documents that have at least a score.
func (m *marks) above(least float64) *foundPlaces {
	f := &foundPlaces{}
	for _, place := range m.touched {
		if m.scores[place] >= least {
			f.places = append(f.places, place)
		}
	}
	slices.Sort(f.places)
	f.scores, f.words = make([]float64, len(f.places)), make([]uint64, len(f.places))
	for i, place := range f.places {
		f.scores[i], f.words[i] = m.scores[place], m.words[place]
	}
	return f
}

// keep drops the documents that have less than a score.
func (f *foundPlaces) keep(least float64) {
	n := 0
	for i, s := range f.scores {
		if s >= least {
			f.places[n], f.scores[n], f.words[n] = f.places[i], s, f.words[i]
			n++
		}
	}
	f.places, f.scores, f.words = f.places[:n], f.scores[:n], f.words[:n]
}

// least is what the best of the marked documents have at least, as many as the limit says; 0 where there are fewer.
func (m *marks) least(limit int) float64 {
	if len(m.touched) < limit {
		return 0
	}
	list := make([]float64, len(m.touched))
	for i, place := range m.touched {
		list[i] = m.scores[place]
	}
	return math.Max(0, kth(list, len(list)-limit))
}
