package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"dormouse/store/index/words"
)

// Limits of a query, so that none is slow.
const (
	maxQuery = 8 << 10 // bytes of its text that are read
	maxTerms = 48      // terms that are looked for: the rarest
	maxAsked = 512     // terms that are looked up
	maxLimit = 1000    // hits
)

// Search is the hits of Answer. Without a vector they are the best documents for the query's text, best first: by score, of equal
// ones the newer first, then by a hash of the id.
func (ix *Index) Search(ctx context.Context, q Query) ([]Hit, error) {
	a, err := ix.Answer(ctx, q)
	return a.Hits, err
}

// Answer finds the best documents for a query by its text and, where it has a vector that is not all zeros, by that. A query with
// neither has no hits. An error means that the index is broken or closed, that ctx ended, or that the vector is not one of the
// index's model.
func (ix *Index) Answer(ctx context.Context, q Query) (Answer, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = 10
	}
	terms := ix.terms(q.Text)
	if len(terms) == 0 && q.Vector == nil && len(q.Also) == 0 {
		return Answer{}, nil
	}
	a, err := ix.search(ctx, &q, terms[:min(len(terms), maxAsked)], min(limit, maxLimit))
	if err != nil {
		return Answer{}, ix.check(fmt.Errorf("search: %w", err))
	}
	return a, nil
}

func (ix *Index) terms(text string) []words.Term {
	a := ix.analyzers.Get()
	defer ix.analyzers.Put(a)
	return a.Terms(clip(text, maxQuery))
}

func (ix *Index) search(ctx context.Context, q *Query, terms []words.Term, limit int) (a Answer, err error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if ix.broken != nil {
		return a, ix.broken
	}
	if ix.db.isClosed() {
		return a, badger.ErrDBClosed
	}
	txn, end, err := ix.db.begin(false)
	if err != nil {
		return a, err
	}
	defer end()
	s := &look{ix: ix, txn: txn, limit: limit, allow: make([][]uint64, len(ix.pieces))}
	only, err := numbersOf(txn, q.IDs)
	if err != nil {
		return a, err
	}
	for i, p := range ix.pieces {
		s.allow[i] = allowed(p, q, only)
	}
	if err := s.byVector(ctx, q.Vector, q.View); err != nil {
		return a, err
	}
	if err := s.byID(q.Also); err != nil {
		return a, err
	}
	if err := s.byText(ctx, terms); err != nil {
		return a, err
	}
	if err := s.measure(); err != nil {
		return a, err
	}
	return s.answer()
}

// askedTerm is a term of the query with its postings in every piece.
type askedTerm struct {
	term  string
	share float64     // what it counts of its weight
	word  int         // of which word of the query it is a form
	df    int         // documents that hold it, of those whose numbers the ranker takes
	lists []*postings // by piece; nil where there is none
}

// lookup finds the terms that documents hold whose numbers the ranker takes, rarest first, equals by term; the order in which scores are
// added up follows from it, so that they are the same to the last bit.
func (ix *Index) lookup(txn *badger.Txn, terms []words.Term, rank *ranker, allow [][]uint64) ([]askedTerm, error) {
	var out []askedTerm
	for _, t := range terms {
		a := askedTerm{term: t.Text, share: t.Share, word: t.Word, lists: make([]*postings, len(ix.pieces))}
		for i, p := range ix.pieces {
			if rank.within && allow[i] == nil {
				continue
			}
			l, err := ix.postingsOf(txn, p, t.Text)
			if err != nil {
				return nil, err
			}
			if l == nil {
				continue
			}
			n := 0
			if rank.within {
				n, err = countIn(l, p.cols.count(), allow[i])
			} else {
				n, err = p.liveIn(l)
			}
			if err != nil {
				return nil, fmt.Errorf("term %q of segment %d: %w", t.Text, p.id, err)
			}
			a.df += n
			a.lists[i] = l
		}
		if a.df > 0 {
			out = append(out, a)
		}
	}
	shareOut(out)
	slices.SortFunc(out, func(a, b askedTerm) int { return cmp.Or(cmp.Compare(a.df, b.df), cmp.Compare(a.term, b.term)) })
	return out[:min(len(out), maxTerms)], nil
}

// shareOut shares the weight of each word out among those of its forms that some document has.
func shareOut(list []askedTerm) {
	sum := map[int]float64{}
	for _, a := range list {
		sum[a.word] += a.share
	}
	for i := range list {
		list[i].share /= max(sum[list[i].word], minShare)
	}
}

const minShare = 0.25

// postingsOf finds the postings of a term in a piece; nil where there is none.
func (ix *Index) postingsOf(txn *badger.Txn, p *piece, term string) (*postings, error) {
	if p.lists != nil {
		return p.lookup(txn, term)
	}
	if l := ix.held.get(p.id, term); l != nil {
		return l, nil
	}
	l, err := p.lookup(txn, term)
	if err == nil && l != nil {
		ix.held.put(p.id, term, l)
	}
	return l, err
}

// Get reads a document by its id; ok is false where there is none.
func (ix *Index) Get(id string) (d Doc, ok bool, err error) {
	err = ix.view(func(txn *badger.Txn) error {
		num, _, err := getID(txn, id)
		if err != nil || num == nil {
			return err
		}
		d, err = ix.record(txn, *num)
		ok = err == nil
		return err
	})
	if err != nil {
		return Doc{}, false, fmt.Errorf("read document %s from the index: %w", id, err)
	}
	return d, ok, nil
}

// IDs lists the ids that begin with prefix, in ascending order.
func (ix *Index) IDs(prefix string) ([]string, error) {
	var out []string
	err := ix.view(func(txn *badger.Txn) error {
		opt := badger.DefaultIteratorOptions
		opt.PrefetchValues = false
		opt.Prefix = idKey(prefix)
		it := txn.NewIterator(opt)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			out = append(out, string(it.Item().Key()[1:]))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the documents of the index: %w", err)
	}
	return out, nil
}

// view is a read of the database that is refused when the index is broken or closed.
func (ix *Index) view(fn func(*badger.Txn) error) error {
	ix.mu.RLock()
	err := ix.broken
	if err == nil && ix.db.isClosed() {
		err = badger.ErrDBClosed
	}
	if err == nil {
		err = ix.db.view(fn)
	}
	ix.mu.RUnlock()
	if err == nil || errors.Is(err, ErrBroken) {
		return err
	}
	return ix.check(err)
}
