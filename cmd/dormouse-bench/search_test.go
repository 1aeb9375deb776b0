package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/store/index"
)

func TestTheSearchBenchMeasuresAllEnginesOnTheSameDocuments(t *testing.T) {
	args := []string{"search", "--records", "900", "--queries", "20", "--others", "300", "--flat", "200", "--corpus", "../../store,../../service/recall", "--dir", t.TempDir()}
	var out, errs bytes.Buffer
	if code := run(append(args, "--json"), &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var f searchFigures
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	o := f.Ours
	if f.Records != 900 || f.Bytes < 300 || f.Bytes > 3000 || o.TextBytes <= 0 || o.VectorBytes < float64(f.Dims) || o.ShownBytes <= 0 || o.IDBytes <= 0 ||
		o.Memory <= 0 || o.Recall < 0.9 || len(o.Queries) != 7 || o.BuildMemory <= 0 {
		t.Errorf("%+v", f)
	}
	var names []string
	for _, r := range f.Others {
		names = append(names, r.Name)
		if r.Records != map[string]int{"bleve": 300, "SQLite FTS5": 300, "chromem-go": 200}[r.Name] || r.Cost.P99 < r.Cost.P50 || r.Cost.P50 <= 0 {
			t.Errorf("%+v", r)
		}
	}
	if !slices.Equal(names, []string{"bleve", "SQLite FTS5", "chromem-go"}) {
		t.Errorf("measured %v", names)
	}
	out.Reset()
	if err := printSearch(&out, f); err != nil || !strings.Contains(out.String(), "recall of the ten nearest") {
		t.Errorf("%v\n%s", err, out.String())
	}
	left := 0
	_ = filepath.WalkDir(args[len(args)-1], func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			left++
		}
		return nil
	})
	if left > 0 {
		t.Errorf("%d files are left", left)
	}
}

func TestChunksAreAlwaysTheSame(t *testing.T) {
	draw := func() (out []index.Doc) {
		c, err := newChunks([]string{"../../store/index"}, 5, 600)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.each(700, func(d []index.Doc) error { out = append(out, d...); return nil }); err != nil {
			t.Fatal(err)
		}
		return out
	}
	a, b := draw(), draw()
	ids := map[string]bool{}
	for i := range a {
		if a[i].Body != b[i].Body || a[i].ID != b[i].ID {
			t.Fatalf("document %d differs", i)
		}
		ids[a[i].ID] = true
	}
	if len(ids) != 700 {
		t.Errorf("%d ids of 700 documents", len(ids))
	}
	if _, err := newChunks([]string{t.TempDir()}, 1, 600); err == nil {
		t.Error("an empty folder gives documents")
	}
}

func TestTheSearchBenchRefusesWhatItCannotMeasure(t *testing.T) {
	for _, args := range [][]string{{"--records", "3"}, {"--queries", "0"}, {"more"}, {"--nothing"}} {
		if run(append([]string{"search"}, args...), &bytes.Buffer{}, &bytes.Buffer{}) == 0 {
			t.Errorf("%v is taken", args)
		}
	}
}
