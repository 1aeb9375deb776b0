package recall

import (
	"context"
	"strings"

	"dormouse/store/index"
	"dormouse/store/index/words"
	"dormouse/store/memory"
)

// Query asks for memories.
type Query struct {
	Text string
	// View is what the reader may see; the zero View sees what is global.
	View memory.View
	// Kinds, Projects and Sessions keep those alone; empty keeps all.
	Kinds    []index.Kind
	Projects []string
	Sessions []string
	// Since and Until (exclusive) bound the time in Unix seconds; 0 is no bound.
	Since, Until int64
	Superseded   bool // superseded records too
	// EveryWord leaves out what does not have each word of the text.
	EveryWord bool
	// Sure leaves out what is not surely meant: for what is given to an agent that did not ask.
	Sure  bool
	Limit int // hits; 0 means 10
	// MaxBytes bounds the titles and snippets of all hits together; 0 is no bound.
	MaxBytes int
}

// Hit is one memory that was found.
type Hit struct {
	What    index.Kind
	ID      string  // of the event, entity or fact; of a turn "<session>/<turn>"
	Score   float64 // the sum of the parts; comparable within one answer only
	Title   string  // of an event its summary, of an entity its name, of a fact the sentence; empty for a turn
	Snippet string  // the place of the text that matches, on one line
	Label   string  // of an event its kind, of an entity its type, of a fact its verb
	Trust   memory.Trust
	Scope   memory.Scope

	Project, Session string
	Turn             int // 0 where unknown
	Nodes            []string
	Time             int64 // Unix seconds; 0 where unknown
	Superseded       bool
	Folded           int // near-identical hits that this one stands for

	Parts []Part // of the score
}

// Searcher searches the index.
type Searcher struct {
	Index *index.Index
	// TurnOf finds the turn of a node, for records, which know their nodes alone; 0 where it is unknown. It may be nil.
	TurnOf func(session, node string) int

	analyzers words.Pool
}

const (
	mostHits   = 200
	leastAsked = 60   // candidates that are looked at for any limit
	mostDocs   = 1000 // candidates that are looked at to fill a limit
	hitWeight  = 80   // bytes that a hit costs beside its texts, for its pointer
)

// Search finds the best memories, best first. Near-identical ones are folded into the best of them, and so are the pieces of
// one turn. A query that asks for nothing has no hits and is no error.
func (s *Searcher) Search(ctx context.Context, q Query) ([]Hit, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = 10
	}
	limit = min(limit, mostHits)
	iq := index.Query{
		Text: q.Text, View: q.View, Kinds: q.Kinds, Projects: q.Projects, Sessions: q.Sessions,
		Since: q.Since, Until: q.Until, Superseded: q.Superseded, Vector: s.vector(ctx, q.Text),
	}
	a := s.analyzers.Get()
	defer s.analyzers.Put(a)
	for ask := max(limit+limit/2+5, leastAsked); ; ask = min(ask*4, mostDocs) {
		iq.Limit = ask
		answer, err := s.Index.Answer(ctx, iq)
		if err != nil {
			return nil, err
		}
		r := ranking{w: defaultWeights, asked: newAsked(a.Terms(q.Text[:cutAt(q.Text, askedBytes)]), &answer), text: answer.Text, far: answer.Cosine}
		out := s.choose(r.rank(answer.Hits, q.Text), a, &q, &r, limit)
		if len(out) == limit || len(answer.Hits) < ask || ask == mostDocs || q.MaxBytes > 0 && len(out) > 0 {
			return out, nil
		}
	}
}

// vector is the query's vector; nil where there is none, and then the text alone counts.
func (s *Searcher) vector(ctx context.Context, text string) []float32 {
	vectors, err := s.Index.Embed(ctx, []string{text[:cutAt(text, askedBytes)]})
	if err != nil || len(vectors) == 0 {
		return nil
	}
	return vectors[0]
}

// choose folds what was found, up to limit hits within the query's bytes.
func (s *Searcher) choose(found []scored, a *words.Analyzer, q *Query, r *ranking, limit int) []Hit {
	cut := newSnipper(a, q.Text)
	var out []Hit
	var folds folder
	bytes := 0
	for _, f := range found {
		if !r.passes(&f, q) {
			continue
		}
		full := len(out) == limit // what is left can only be folded
		at, folded := folds.shownAt(&f.Doc, !full)
		if folded {
			out[at].Folded++
		}
		if folded || full {
			continue
		}
		h := s.hit(f, cut)
		bytes += len(h.Title) + len(h.Snippet) + hitWeight
		if q.MaxBytes > 0 && bytes > q.MaxBytes {
			break
		}
		out = append(out, h)
	}
	return out
}

func (s *Searcher) hit(f scored, cut *snipper) Hit {
	d := &f.Doc
	h := Hit{
		What: d.Kind, Score: f.total, Parts: f.parts, Label: d.Label, Trust: d.Trust, Scope: d.Scope,
		Project: d.Project, Session: d.Session, Turn: d.Turn, Nodes: d.Nodes, Time: d.Time, Superseded: d.Superseded,
	}
	switch d.Kind {
	case index.KindEvent:
		h.ID = strings.TrimPrefix(d.ID, eventPrefix)
		h.Title, h.Snippet = oneLine(d.Body), cut.snip(d.Body)
	case index.KindFact:
		h.ID = strings.TrimPrefix(d.ID, factPrefix)
		_, h.Label, _ = strings.Cut(d.Label, topicEnd)
		h.Title, h.Snippet = oneLine(d.Body), cut.snip(d.Body)
	case index.KindEntity:
		h.ID = strings.TrimPrefix(d.ID, entityPrefix+string(d.Scope)+":")
		h.Title, h.Snippet = oneLine(d.Title), cut.snip(d.Body)
	default:
		h.ID, _, _ = strings.Cut(strings.TrimPrefix(d.ID, turnPrefix), "#")
		h.Snippet = cut.snip(d.Body)
	}
	if h.Turn == 0 && s.TurnOf != nil && d.Session != "" && len(d.Nodes) > 0 {
		h.Turn = s.TurnOf(d.Session, d.Nodes[0])
	}
	return h
}
