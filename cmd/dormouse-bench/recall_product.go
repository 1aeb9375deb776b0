package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dormouse/service/recall"
	"dormouse/store/index"
	"dormouse/store/memory"
)

// product is the product's own search over an index in a temporary folder, with its default settings.
type product struct {
	dir      string
	index    *index.Index
	searcher *recall.Searcher
}

func openProduct() (*product, error) {
	dir, err := os.MkdirTemp("", "dormouse-bench-*")
	if err != nil {
		return nil, err
	}
	v, err := defaultVectors()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	ix, _, err := index.Open(index.Options{Dir: filepath.Join(dir, "index"), Vectors: v})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &product{dir, ix, &recall.Searcher{Index: ix}}, nil
}

func (p *product) close() error { return errors.Join(p.index.Close(), os.RemoveAll(p.dir)) }

// said is the document or documents of a text that a person said as a turn of a session.
func said(project, session string, turn int, node, text string) []index.Doc {
	meta := memory.Session{ID: session, ProjectID: project}
	n := memory.Node{ID: node, Role: memory.RoleUser, Output: text, Metadata: memory.Metadata{Kind: memory.KindPrompt}}
	return recall.DocsFromTurn(meta, turn, []memory.Node{n})
}

// nodes are the first nodes of the hits for a question within a project, best first.
func (p *product) nodes(project, question string) ([]string, error) {
	hits, err := p.searcher.Search(context.Background(), recall.Query{Text: question, View: memory.View{Project: project}, Limit: mostRanked})
	var ids []string
	for _, h := range hits {
		ids = append(ids, h.Nodes[0])
	}
	return ids, err
}

// mostRanked is how many hits are asked for where a whole ranking is scored.
const mostRanked = 100

// openData opens a data file, or the gzipped one of that name.
func openData(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if f, zerr := os.Open(path + ".gz"); zerr == nil {
			z, err := gzip.NewReader(f)
			if err != nil {
				return nil, errors.Join(fmt.Errorf("%s.gz: %w", path, err), f.Close())
			}
			return struct {
				io.Reader
				io.Closer
			}{z, f}, nil
		}
	}
	return f, err
}

// readLines reads a file of one JSON object a line, gzipped or not.
func readLines[T any](path string) ([]T, error) {
	f, err := openData(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// sessions are the sessions of a project, best first: the rank of each is that of its best turn.
func (p *product) sessions(project, question string) ([]string, error) {
	hits, err := p.searcher.Search(context.Background(), recall.Query{Text: question, View: memory.View{Project: project}, Limit: mostRanked})
	var ids []string
	seen := map[string]bool{}
	for _, h := range hits {
		if !seen[h.Session] {
			seen[h.Session] = true
			ids = append(ids, h.Session)
		}
	}
	return ids, err
}
