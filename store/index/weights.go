package index

// The counts and lengths for which weights are computed in advance.
const (
	tableCounts  = 4
	tableLengths = 1024
	// tableDocs is from how many documents of a term on that pays.
	tableDocs = 4096
)

// weights tells what a term adds to the scores of documents. A division a posting is what a query for frequent words would spend most on.
type weights struct {
	rank  *ranker
	idf   float64   // times the share of the term
	table []float64 // by count and length; nil where it does not pay
}

// weights are those of a term that df of the documents hold, of which a share counts.
func (r *ranker) weights(df int, share float64) *weights {
	w := &weights{rank: r, idf: float64(idf(r.docs, df) * share)}
	if df < tableDocs {
		return w
	}
	w.table = make([]float64, tableCounts*tableLengths)
	for i := range w.table {
		w.table[i] = r.weight(w.idf, uint32(i/tableLengths)+1, uint16(i%tableLengths))
	}
	return w
}

func (w *weights) of(tf uint32, length uint16) float64 {
	if i := int(tf-1)*tableLengths + int(length); length < tableLengths && i < len(w.table) {
		return w.table[i]
	}
	return w.rank.weight(w.idf, tf, length)
}

// most is the highest that one of some peaks is worth, times a little more, since bounds are added up in another order than scores.
func (w *weights) most(list peaks) float64 {
	top := 0.0
	for _, p := range list {
		top = max(top, w.of(p.tf, p.len))
	}
	return top * (1 + 1e-9)
}

// bound is the highest that a posting of a list can be worth.
func (w *weights) bound(l *postings) float64 {
	switch {
	case l == nil:
		return 0
	case l.stretches == nil:
		return w.idf * (k1 + 1) * (1 + 1e-9)
	}
	top := 0.0
	for i := range l.stretches {
		top = max(top, w.most(l.stretches[i].peaks))
	}
	return top
}
