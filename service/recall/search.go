package recall

import (
	"context"
	"strings"
	"sync/atomic"

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
	// IDs keeps the documents with these ids alone, such as Filed gives them; nil keeps all, an empty list none.
	IDs []string
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
	ID      string  // of the record; of a turn "<session>/<turn>"
	Score   float64 // the sum of the parts; comparable within one answer only
	Title   string  // of an event or a segment its summary, of an entity or a tag its name, of a fact the sentence; empty for a turn
	Snippet string  // the place of the text that matches, on one line
	Label   string  // of an event its kind, of an entity its type, of a fact its verb, of a segment or a summary its tag
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

	guide     atomic.Pointer[Guide]
	analyzers words.Pool
}

// SetGuide makes searches from now on go by a guide too; nil takes it away.
func (s *Searcher) SetGuide(g *Guide) { s.guide.Store(g) }

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
	for ask := max(limit+limit/2+5, leastAsked); ; ask = min(ask*4, mostDocs) {
		r, err := s.ranked(ctx, &q, ask)
		if err != nil {
			return nil, err
		}
		if !r.fits(false) {
			return nil, nil
		}
		out := s.choose(r, &q, limit)
		if len(out) == limit || r.found < ask || ask == mostDocs || q.MaxBytes > 0 && len(out) > 0 {
			return out, nil
		}
	}
}

// ranked asks the index for so many documents and ranks them.
func (s *Searcher) ranked(ctx context.Context, q *Query, ask int) (*ranking, error) {
	text := q.Text[:cutAt(q.Text, askedBytes)]
	guide, tags := s.guide.Load(), tagList{}
	if guide != nil {
		tags = guide.tagged(q.View, text)
	}
	answer, err := s.Index.Answer(ctx, index.Query{
		Text: q.Text, View: q.View, Kinds: q.Kinds, Projects: q.Projects, Sessions: q.Sessions, IDs: q.IDs, Also: tags.ids(),
		Since: q.Since, Until: q.Until, Superseded: q.Superseded, Vector: s.vector(ctx, q.Text), Limit: ask,
	})
	if err != nil {
		return nil, err
	}
	a := s.analyzers.Get()
	defer s.analyzers.Put(a)
	r := &ranking{w: defaultWeights, asked: newAsked(a.Terms(text), &answer), text: answer.Text, far: answer.Cosine, found: len(answer.Hits), once: answer.Once, docs: answer.Docs,
		namer: newNamer(a, text, &answer), view: q.View, guide: guide, tags: tags, identifiers: identifiers(text)}
	r.known, r.tells = s.Index.Known(text)
	r.w.Vector *= trusted(r.known)
	r.rank(answer.Hits, q.Text)
	return r, nil
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
func (s *Searcher) choose(r *ranking, q *Query, limit int) []Hit {
	a := s.analyzers.Get()
	defer s.analyzers.Put(a)
	cut := newSnipper(a, q.Text)
	var out []Hit
	var folds folder
	bytes := 0
	for _, f := range r.list {
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
	body := memory.Guard(d.Body)
	h := Hit{
		What: d.Kind, Score: f.total, Parts: f.parts, Label: d.Label, Trust: d.Trust, Scope: d.Scope,
		Project: d.Project, Session: d.Session, Turn: d.Turn, Nodes: d.Nodes, Time: d.Time, Superseded: d.Superseded,
	}
	switch d.Kind {
	case index.KindEvent:
		h.ID = strings.TrimPrefix(d.ID, eventPrefix)
		h.Title, h.Snippet = oneLine(body), cut.snip(body)
	case index.KindFact:
		h.ID = strings.TrimPrefix(d.ID, factPrefix)
		_, h.Label, _ = strings.Cut(d.Label, topicEnd)
		h.Title, h.Snippet = oneLine(body), cut.snip(body)
	case index.KindEntity:
		h.ID = strings.TrimPrefix(d.ID, entityPrefix+string(d.Scope)+":")
		h.Title, h.Snippet = oneLine(memory.Guard(d.Title)), cut.snip(body)
	case index.KindSegment:
		h.ID = strings.TrimPrefix(d.ID, segmentPrefix)
		h.Title, h.Snippet = oneLine(body), cut.snip(body)
	case index.KindTagSummary:
		h.ID = strings.TrimPrefix(d.ID, tagSummaryPrefix)
		h.Snippet = cut.snip(body)
		if len(d.Names) > 0 {
			h.Title = oneLine(memory.Guard(d.Names[0]))
		}
	default:
		h.ID, _, _ = strings.Cut(strings.TrimPrefix(d.ID, turnPrefix), "#")
		h.Snippet = cut.snip(body)
	}
	if h.Turn == 0 && s.TurnOf != nil && d.Session != "" && len(d.Nodes) > 0 {
		h.Turn = s.TurnOf(d.Session, d.Nodes[0])
	}
	return h
}
