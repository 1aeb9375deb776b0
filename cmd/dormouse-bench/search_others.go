package main

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/philippgille/chromem-go"
	_ "modernc.org/sqlite" // the driver

	"dormouse/store/index"
)

// otherFigures are those of a competitor on the same documents and queries, for the ten best.
type otherFigures struct {
	Name      string  `json:"name"`
	Records   int     `json:"records"`
	BuildCPU  float64 `json:"build_cpu_s"`
	FileBytes float64 `json:"file_bytes"` // a document
	Memory    float64 `json:"private_mb"` // while answering
	Cost      cost    `json:"query"`
}

// engine is a competitor at work.
type engine struct {
	put   func([]index.Doc) error
	query func(searchQuery) error
	close func() error
}

// other is a competitor and the most documents that it gets.
type other struct {
	name string
	most int
	open func(ctx context.Context, b *searchRun, dir string) (engine, error)
}

func (b *searchRun) others() []other {
	return []other{{"bleve", b.o.others, openBleve}, {"SQLite FTS5", b.o.others, openFTS}, {"chromem-go", b.o.flat, openChromem}}
}

// slowQueries is how many queries a competitor is asked.
const slowQueries = 50

func (x other) measure(ctx context.Context, b *searchRun, dir string) (fig otherFigures, err error) {
	fig = otherFigures{Name: x.name, Records: min(x.most, b.o.records)}
	dir = filepath.Join(dir, strings.ReplaceAll(x.name, " ", "-"))
	e, err := x.open(ctx, b, dir)
	if err != nil {
		return fig, err
	}
	defer e.close() //nolint:errcheck // a temporary index
	before := cpuSeconds()
	if err := b.docs.each(fig.Records, e.put); err != nil {
		return fig, err
	}
	fig.BuildCPU = cpuSeconds() - before
	one := func(i int) error { return e.query(b.queries[i*len(b.queries)/slowQueries%len(b.queries)]) }
	if _, err := measureCalls(slowQueries, one); err != nil {
		return fig, err
	}
	freeMemory()
	if fig.Cost, err = measureCalls(slowQueries, one); err != nil {
		return fig, err
	}
	fig.Memory = privateMB()
	fig.FileBytes = float64(folderBytes(dir)) / float64(fig.Records)
	return fig, nil
}

func openBleve(_ context.Context, _ *searchRun, dir string) (engine, error) {
	m := bleve.NewIndexMapping()
	m.StoreDynamic, m.DocValuesDynamic = false, false
	ix, err := bleve.New(dir, m)
	if err != nil {
		return engine{}, err
	}
	return engine{
		put: func(docs []index.Doc) error {
			batch := ix.NewBatch()
			for i := range docs {
				if err := batch.Index(docs[i].ID, map[string]string{"body": docs[i].Body, "path": docs[i].Path}); err != nil {
					return err
				}
			}
			return ix.Batch(batch)
		},
		query: func(q searchQuery) error {
			_, err := ix.Search(bleve.NewSearchRequestOptions(bleve.NewMatchQuery(q.text), 10, 0, false))
			return err
		},
		close: ix.Close,
	}, nil
}

func openFTS(ctx context.Context, _ *searchRun, dir string) (engine, error) {
	if err := makeFolder(dir); err != nil {
		return engine{}, err
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "fts.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)")
	if err != nil {
		return engine{}, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, `CREATE VIRTUAL TABLE docs USING fts5(body, path, content='', detail=none, tokenize='porter unicode61')`); err != nil {
		return engine{}, err
	}
	row := 0
	return engine{
		put: func(docs []index.Doc) error {
			tx, err := db.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			for i := range docs {
				row++
				if _, err := tx.ExecContext(ctx, `INSERT INTO docs(rowid, body, path) VALUES (?, ?, ?)`, row, docs[i].Body, docs[i].Path); err != nil {
					_ = tx.Rollback()
					return err
				}
			}
			return tx.Commit()
		},
		query: func(q searchQuery) error {
			rows, err := db.QueryContext(ctx, `SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY bm25(docs) LIMIT 10`, `"`+strings.Join(strings.FieldsFunc(q.text, noLetter), `" OR "`)+`"`)
			if err != nil {
				return err
			}
			for rows.Next() {
				var id int64
				if err := rows.Scan(&id); err != nil {
					return err
				}
			}
			return rows.Close()
		},
		close: db.Close,
	}, nil
}

func openChromem(ctx context.Context, b *searchRun, _ string) (engine, error) {
	c, err := chromem.NewDB().CreateCollection("docs", nil, func(ctx context.Context, text string) ([]float32, error) {
		v, err := b.model.Embed(ctx, []string{text})
		if err != nil {
			return nil, err
		}
		return v[0], nil
	})
	if err != nil {
		return engine{}, err
	}
	return engine{
		put: func(docs []index.Doc) error {
			var list []chromem.Document
			for i := range docs {
				v, err := b.model.Embed(ctx, []string{docs[i].Body + "\n" + docs[i].Path})
				if err != nil {
					return err
				}
				list = append(list, chromem.Document{ID: docs[i].ID, Embedding: v[0]})
			}
			return c.AddDocuments(ctx, list, 1)
		},
		query: func(q searchQuery) error {
			_, err := c.QueryEmbedding(ctx, q.vector, 10, nil, nil)
			return err
		},
		close: func() error { return nil },
	}, nil
}
