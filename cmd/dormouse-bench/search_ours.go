package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"dormouse/service/embed"
	"dormouse/service/recall"
	"dormouse/store/index"
	"dormouse/store/memory"
)

// cost is what one call costs: CPU on average, the clock at the median and at the 99th of 100.
type cost struct {
	CPU float64 `json:"cpu_ms"`
	P50 float64 `json:"p50_ms"`
	P99 float64 `json:"p99_ms"`
}

func (c cost) String() string {
	return fmt.Sprintf("%.2f ms of CPU; clock %.2f ms, p99 %.1f", c.CPU, c.P50, c.P99)
}

// measureCalls calls fn n times.
func measureCalls(n int, fn func(i int) error) (c cost, err error) {
	var took []float64
	before := cpuSeconds()
	for i := range n {
		began := time.Now()
		if err := fn(i); err != nil {
			return c, err
		}
		took = append(took, time.Since(began).Seconds()*1000)
	}
	c.CPU = (cpuSeconds() - before) / float64(n) * 1000
	slices.Sort(took)
	c.P50, c.P99 = took[n/2], took[n*99/100]
	return c, nil
}

// oursFigures are those of the product's index.
type oursFigures struct {
	BuildCPU    float64     `json:"build_cpu_s"`
	BuildRate   float64     `json:"build_docs_a_second"`
	TextBytes   float64     `json:"text_bytes"` // a document, as the other bytes
	VectorBytes float64     `json:"vector_bytes"`
	ShownBytes  float64     `json:"shown_bytes"`
	IDBytes     float64     `json:"id_bytes"`
	FileBytes   float64     `json:"file_bytes"`
	Open        cost        `json:"open"`
	Add         cost        `json:"add_turn"`
	Memory      float64     `json:"private_mb"`       // while answering
	BuildMemory float64     `json:"build_private_mb"` // at most while building, what is not of the index included
	Recall      float64     `json:"recall_at_10"`
	Queries     []queryCost `json:"queries"`
}

type queryCost struct {
	Name string `json:"name"`
	Cost cost   `json:"cost"`
}

// serviceLimit is what the service has the garbage collector aim at, in bytes.
const serviceLimit = 128 << 20

// freeMemory gives back what is no longer used.
func freeMemory() { debug.FreeOSMemory() }

// searchRun is one run of the bench.
type searchRun struct {
	o       searchOptions
	docs    *chunks
	model   embed.Model
	dir     string
	bytes   int64
	told    int // lines of progress
	queries []searchQuery
}

func (b *searchRun) open() (*index.Index, error) {
	ix, _, err := index.Open(index.Options{Dir: b.dir, Vectors: index.Vectors{Model: b.model.Name, Dims: b.model.Dims, Embed: b.model.Embed}})
	return ix, err
}

func (b *searchRun) measure(ctx context.Context) (fig oursFigures, err error) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(serviceLimit))
	if err := b.build(ctx, &fig); err != nil {
		return fig, err
	}
	freeMemory()
	began, cpu := time.Now(), cpuSeconds()
	ix, err := b.open()
	if err != nil {
		return fig, err
	}
	defer ix.Close() //nolint:errcheck // a temporary index
	took := time.Since(began).Seconds() * 1000
	debug.SetMemoryLimit(serviceLimit + ix.Resident())
	fig.Open = cost{CPU: (cpuSeconds() - cpu) * 1000, P50: took, P99: took}
	if err := b.ask(ctx, ix, &fig); err != nil {
		return fig, err
	}
	if err := b.add(ctx, ix, &fig); err != nil {
		return fig, err
	}
	fmt.Fprintf(os.Stderr, "%+v\n", fig) // so that little is lost of a long run that is ended
	fig.Recall, err = b.recall(ctx, ix)
	return fig, err
}

// build fills a new index, and draws the queries on the way.
func (b *searchRun) build(ctx context.Context, fig *oursFigures) error {
	ix, err := b.open()
	if err != nil {
		return err
	}
	var bodies []string
	every, n := max(1, b.o.records/b.o.queries), 0
	peak := watchMemory()
	stop, err := profile(named(b.o.cpuProfile, ".build"))
	if err != nil {
		return err
	}
	began, cpu := time.Now(), cpuSeconds()
	err = b.docs.each(b.o.records, func(docs []index.Doc) error {
		for i := range docs {
			b.bytes += int64(len(docs[i].Body))
			if n%every == every/2 {
				bodies = append(bodies, strings.Clone(docs[i].Body)) // else it holds its whole file
			}
			n++
		}
		b.tell(n, began)
		debug.SetMemoryLimit(serviceLimit + ix.Resident()) // as the service has it
		if b.profiles(n, len(docs)) {
			if err := profileMemory(b.o.memProfile); err != nil {
				return err
			}
		}
		if b.o.reuse != "" {
			return nil
		}
		return ix.Put(ctx, docs)
	})
	if err == nil {
		err = ix.Settle(ctx)
	}
	stop()
	fig.BuildMemory = peak()
	fig.BuildCPU, fig.BuildRate = cpuSeconds()-cpu, float64(b.o.records)/time.Since(began).Seconds()
	if err != nil {
		return err
	}
	sizes, err := ix.Sizes()
	if err != nil {
		return err
	}
	per := func(n int64) float64 { return float64(n) / float64(b.o.records) }
	fig.TextBytes, fig.VectorBytes, fig.ShownBytes, fig.IDBytes = per(sizes.Text), per(sizes.Vectors), per(sizes.Shown), per(sizes.IDs)
	if err := ix.Close(); err != nil {
		return err
	}
	fig.FileBytes = per(folderBytes(b.dir))
	b.queries = drawQueries(bodies, b.o.seed)
	for i := range b.queries {
		v, err := b.model.Query(ctx, []string{b.queries[i].text})
		if err != nil {
			return err
		}
		b.queries[i].vector = v[0]
	}
	return nil
}

func folderBytes(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// ask measures queries of each kind, the second time that each is asked.
func (b *searchRun) ask(ctx context.Context, ix *index.Index, fig *oursFigures) error {
	everything := memory.View{All: true}
	project := memory.View{Project: chunkDoc(b.o.records/2, "", "").Project}
	stop, err := profile(b.o.cpuProfile)
	if err != nil {
		return err
	}
	defer stop()
	for _, kind := range []struct {
		name         string
		text, vector bool
		view         memory.View
		limit        int
		whole        bool // as a person's or an agent's search does it, ranked and cut
	}{
		{"text", true, false, everything, 10, false},
		{"vectors", false, true, everything, 10, false},
		{"text and vectors", true, true, everything, 10, false},
		{"text and vectors, 50 of each", true, true, everything, 50, false},
		{"text and vectors, one project", true, true, project, 10, false},
		{"search and rank, everything", true, true, everything, 10, true},
		{"search and rank, one project", true, true, project, 10, true},
	} {
		searcher := &recall.Searcher{Index: ix}
		one := func(i int) error {
			asked := b.queries[i%len(b.queries)]
			if kind.whole {
				_, err := searcher.Search(ctx, recall.Query{Text: asked.text, View: kind.view, Limit: kind.limit})
				return err
			}
			q := index.Query{View: kind.view, Limit: kind.limit}
			if kind.text {
				q.Text = asked.text
			}
			if kind.vector {
				q.Vector = asked.vector
			}
			_, err := ix.Answer(ctx, q)
			return err
		}
		if _, err := measureCalls(len(b.queries), one); err != nil {
			return err
		}
		c, err := measureCalls(len(b.queries), one)
		if err != nil {
			return err
		}
		fig.Queries = append(fig.Queries, queryCost{kind.name, c})
	}
	fig.Memory = privateMB()
	return nil
}

// add measures putting the documents of a turn, as it happens in a live session.
func (b *searchRun) add(ctx context.Context, ix *index.Index, fig *oursFigures) (err error) {
	const turns, size = 100, 4
	var docs []index.Doc
	err = b.docs.each(turns*size, func(some []index.Doc) error {
		docs = append(docs, some...)
		return nil
	})
	if err != nil {
		return err
	}
	for i := range docs {
		docs[i].ID = "new" + docs[i].ID
	}
	fig.Add, err = measureCalls(turns, func(i int) error { return ix.Put(ctx, docs[i*size:(i+1)*size]) })
	if err != nil {
		return err
	}
	ids := make([]string, len(docs))
	for i := range docs {
		ids[i] = docs[i].ID
	}
	return ix.Delete(ctx, ids)
}
