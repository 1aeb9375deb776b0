package index

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/index/words"
	"dormouse/store/memory"
)

// firstWord are rules by which a document is found by its first word alone.
var firstWord = rules{version: termsVersion + 1000, cut: func(a *words.Analyzer, d *Doc) *hotDoc {
	first := *d
	first.Title, first.Path = "", ""
	first.Body, _, _ = strings.Cut(d.Body, " ")
	return analyze(a, &first)
}}

// TestDocumentsOfOtherRulesAnswerUntilTheyAreMadeAnew changes the rules below an index, and ends making the terms anew again and again,
// while documents come and go.
func TestDocumentsOfOtherRulesAnswerUntilTheyAreMadeAnew(t *testing.T) {
	t.Parallel()
	v := hashWords(64)
	o := Options{Dir: t.TempDir(), HotDocs: 64, MergeFactor: 2, SegmentDocs: 256, Vectors: v, rules: firstWord}
	r := rand.New(rand.NewPCG(4, 4))
	docs := map[string]Doc{}
	var all []Doc
	for i := range 600 {
		d := randomDoc(r, fmt.Sprintf("d%d", i))
		all, docs[d.ID] = append(all, d), d
	}
	ix := open(t, o)
	put(t, ix, all...)
	settle(t, ix)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}

	o.rules = rules{}
	o.Vectors.Embed = func(context.Context, []string) ([][]float32, error) {
		return nil, errors.New("no vector may be made again")
	}
	ix = open(t, o)
	if s := ix.Stats(); s.Outdated != 600 || s.Docs != 600 || s.Vectors.Docs != 600 {
		t.Fatalf("after the rules changed: %+v", s)
	}
	for rounds, left := 0, 600; ; rounds++ {
		for _, d := range all[:8] {
			first, _, _ := strings.Cut(d.Body, " ")
			if hits := found(t, ix, Query{Text: first, View: memory.View{All: true}, Superseded: true, Limit: 1000}); !contains(hits, d.ID) {
				t.Fatalf("round %d: %s is not found by %q, which it was found by before", rounds, d.ID, first)
			}
		}
		more, err := ix.refreshSome(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		s := ix.Stats()
		if !s.Refreshing || s.Outdated >= left || s.Docs != 600 || s.Vectors.Waiting != 0 || rounds > 10 {
			t.Fatalf("round %d: %+v after %d", rounds, s, left)
		}
		left = s.Outdated
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		ix = open(t, o)
	}
	for reopened := range 2 {
		if s := ix.Stats(); s.Outdated != 0 || s.Refreshing || s.Docs != 600 || s.Vectors.Docs != 600 {
			t.Fatalf("reopened %d times: %+v", reopened, s)
		}
		for range 6 {
			compare(t, ix, docs, randomQuery(r))
			compareVectors(t, ix, docs, randomQuery(r), 64)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		ix = open(t, o)
	}
	settle(t, ix)
	noOrphans(t, ix)
}

func contains(list []string, want string) bool {
	for _, s := range list {
		if s == want {
			return true
		}
	}
	return false
}

// TestAnIndexOfTheFormatStillAnswers opens an index that an earlier program wrote. When it fails the format has changed: that needs another
// FormatVersion, a reader for this one, and another file beside it.
func TestAnIndexOfTheFormatStillAnswers(t *testing.T) {
	for archive, count := range map[string]int{"index-2.tar.gz": 40, "index-3.tar.gz": 600} {
		t.Run(archive, func(t *testing.T) {
			t.Parallel()
			formatAnswers(t, archive, count)
		})
	}
}

// formatAnswers opens an index of so many random documents.
func formatAnswers(t *testing.T, archive string, count int) {
	dir := t.TempDir()
	unpack(t, filepath.Join("testdata", archive), dir)
	docs := map[string]Doc{}
	r := rand.New(rand.NewPCG(7, 7))
	for i := range count {
		d := randomDoc(r, fmt.Sprintf("d%d", i))
		docs[d.ID] = d
	}
	docs["words"] = note("words", "Zebras were running through parseConfigFile")
	for _, id := range []string{"d3", "d20", "d39"} {
		delete(docs, id)
	}
	ix, rebuild, err := Open(Options{Dir: filepath.Join(dir, "index"), HotDocs: 16, MergeFactor: 2, SegmentDocs: 256, Vectors: hashWords(64)})
	if err != nil || rebuild {
		t.Fatalf("the index is thrown away: %v, %v", rebuild, err)
	}
	defer ix.Close() //nolint:errcheck // closed below
	if s := ix.Stats(); s.Docs != len(docs) || s.Outdated != len(docs) || s.Vectors.Docs != len(docs) {
		t.Fatalf("%+v", s)
	}
	check := func(when string) {
		t.Helper()
		for id, d := range docs {
			if got, ok, err := ix.Get(id); err != nil || !ok || fmt.Sprint(got) != fmt.Sprint(d) {
				t.Errorf("%s: %s is %+v, want %+v; %v", when, id, got, d, err)
			}
		}
		if ids := found(t, ix, Query{Text: "zebra run config"}); !contains(ids, "words") {
			t.Errorf("%s: words are found as %v", when, ids)
		}
		for range 20 {
			compare(t, ix, docs, randomQuery(r))
			compareVectors(t, ix, docs, randomQuery(r), 64)
		}
		if v, ok, err := ix.Area("kept").Get("key"); err != nil || !ok || string(v) != "value" {
			t.Errorf("%s: an area holds %q, %v", when, v, err)
		}
	}
	check("as it was written")
	settle(t, ix)
	for _, e := range ix.man.Segments {
		if !e.Packed {
			t.Errorf("segment %d is not written anew", e.ID)
		}
	}
	check("written anew")
	if err := ix.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := ix.Stats(); s.Outdated != 0 || s.Vectors.Docs != len(docs) {
		t.Errorf("%+v", s)
	}
	check("made anew")
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
}

// unpack writes the files of an archive below a folder.
func unpack(t *testing.T, archive, dir string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // opened for reading
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeDir {
			continue
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestVectorsWrittenOtherwiseAreMadeAnew lets the text answer meanwhile.
func TestVectorsWrittenOtherwiseAreMadeAnew(t *testing.T) {
	o := Options{Dir: t.TempDir(), HotDocs: 16, Vectors: hashWords(64)}
	r := rand.New(rand.NewPCG(5, 5))
	docs := map[string]Doc{}
	ix := open(t, o)
	change(t, r, ix, docs)
	settle(t, ix) // or its work in the background writes another manifest meanwhile
	man := ix.man
	man.Serving.Coding = vectorCoding + 1000
	if err := errors.Join(ix.setManifest(man), ix.Close()); err != nil {
		t.Fatal(err)
	}
	ix = open(t, o)
	if s := ix.Stats(); s.Docs != len(docs) || s.Vectors.Docs != 0 || s.Vectors.Waiting != len(docs) || s.Outdated != 0 {
		t.Fatalf("%+v", s)
	}
	for range 10 {
		compare(t, ix, docs, randomQuery(r))
	}
	if err := ix.MakeVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		compareVectors(t, ix, docs, randomQuery(r), 64)
	}
	settle(t, ix)
	noOrphans(t, ix)
}

// TestAVectorStaysWithATextThatStays puts a document again, of which something else changed.
func TestAVectorStaysWithATextThatStays(t *testing.T) {
	o := Options{Dir: t.TempDir(), HotDocs: 4, Vectors: hashWords(64)}
	o.Vectors.Later = true
	ix := open(t, o)
	docs := map[string]Doc{}
	for i := range 10 {
		d := note(fmt.Sprint("n", i), fmt.Sprint("zebra w", i))
		docs[d.ID] = d
		put(t, ix, d)
	}
	if err := ix.MakeVectors(t.Context()); err != nil {
		t.Fatal(err)
	}
	settle(t, ix)
	d := docs["n3"]
	d.Time = 77
	docs["n3"] = d
	put(t, ix, d)
	if s := ix.Stats().Vectors; s.Waiting != 0 || s.Docs != 10 {
		t.Errorf("the same text: %+v", s)
	}
	compareVectors(t, ix, docs, Query{Text: "zebra", View: memory.View{All: true}, Limit: 20}, 64)
	d.Body = "quagga"
	put(t, ix, d)
	if s := ix.Stats().Vectors; s.Waiting != 1 || s.Docs != 9 {
		t.Errorf("another text: %+v", s)
	}
}
