package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dormouse/store/index"
	"dormouse/store/memory"
)

// searcherWith indexes the records of a state and the turns of sessions with a vector for each text: how often it says each of the
// words that are meant alike.
func searcherWith(t *testing.T, w *memory.State, docs ...index.Doc) *Searcher {
	t.Helper()
	ix, _, err := index.Open(index.Options{Dir: t.TempDir(), Vectors: index.Vectors{Model: "meanings", Dims: len(meanings), Embed: meaning}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ix.Close() })
	if err := ix.Put(t.Context(), append(DocsFromState(w), docs...)); err != nil {
		t.Fatal(err)
	}
	return &Searcher{Index: ix}
}

func foundIDs(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

func TestAHitThatOnlyMeansTheSameIsFoundAndExplained(t *testing.T) {
	w := world()
	addEvent(w, "meant", "the automobile is parked", nil)
	for i := range 20 {
		addEvent(w, fmt.Sprint("other", i), fmt.Sprintf("number %d of the weather", i), nil)
	}
	hits := find(t, searcherWith(t, w), Query{Text: "car", View: inP})
	if len(hits) != 1 || hits[0].ID != "meant" {
		t.Fatalf("found %v", foundIDs(hits))
	}
	sum := 0.0
	var names []string
	for _, p := range hits[0].Parts {
		sum += p.Value
		names = append(names, p.Name)
	}
	if d := sum - hits[0].Score; d > 1e-9 || d < -1e-9 || !slices.Contains(names, "vector") {
		t.Errorf("parts %v do not explain %v", hits[0].Parts, hits[0].Score)
	}
}

func TestRecordsOfAnotherProjectDoNotComeByTheirVectorsEither(t *testing.T) {
	w := world()
	for i := range 9 {
		addEvent(w, fmt.Sprint("theirs", i), "the automobile is parked", func(e *memory.Event) { e.Scope = memory.ProjectScope("other") })
	}
	for _, q := range []Query{{Text: "car"}, {Text: "automobile"}, {Text: "automobile", Superseded: true}, {Text: "automobile", Since: day1 - 1, Until: day1 + 1}} {
		q.View = inP
		if hits := find(t, searcherWith(t, w), q); len(hits) != 0 {
			t.Errorf("%q: %v", q.Text, foundIDs(hits))
		}
	}
}

func TestNothingComesWhereNothingFits(t *testing.T) {
	w := world()
	for i, s := range []string{"Decided to keep sessions in SQLite", "the retry budget of the parser is 5", "a good way to release is by hand"} {
		addEvent(w, fmt.Sprint(i), s, nil)
	}
	s := searcherWith(t, w)
	for _, text := range []string{"what's a good place to grade a rare penny from 1909 without sending it to an appraiser", "zebra crossing", "the of and", "", "\x00", "🙂"} {
		if hits := find(t, s, Query{Text: text, View: inP}); len(hits) != 0 {
			t.Errorf("%q finds %v", text, foundIDs(hits))
		}
	}
	if hits := find(t, s, Query{Text: "what is the retry budget", View: inP}); len(hits) == 0 {
		t.Error("what fits is not found")
	}
}

func TestOnlyWhatIsSurelyMeantComesUnasked(t *testing.T) {
	w := world()
	e := addEntity(w, "component", "queue broker", func(e *memory.Entity) { e.Aliases = []string{"NATS", "message bus"} })
	addEvent(w, "broker", "Messages go through one cluster", func(x *memory.Event) { x.Entities = []string{e.ID} })
	addEvent(w, "lint", "lint with the strict rules before each message to the list", nil)
	s := searcherWith(t, w)
	for text, want := range map[string]string{
		"does the message bus drop messages when a node is lost?": "broker", // by an alias, its words together
		"is nats up": "broker", "NTAS is down": "", "natss is down": "", // too short for a slip
		"a bus to the airport":           "",       // one word of an alias
		"mesages of the quue broker":     "",       // two words of a name are not guessed
		"lint rules":                     "lint",   // half of what was asked, and two words
		"rules":                          "",       // one word is chance
		"which rules does the team obey": "",       // too little of it
		"QUEUE BROKER":                   "broker", // case does not count
	} {
		var got []string
		for _, h := range find(t, s, Query{Text: text, View: inP, Kinds: []index.Kind{index.KindEvent, index.KindFact}, Sure: true}) {
			got = append(got, h.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q gives %v, want %q", text, got, want)
		}
	}
}

func TestASlipIsOneLetterAndNeverAtTheBeginning(t *testing.T) {
	for pair, want := range map[string]bool{"typscript typescript": true, "typsecript typescript": true, "reedis redis": true, "mongod mongodb": true,
		"mango mongo": false, "k9s k8s": false, "cache cash": false, "brokers broker": true, "tpyesscript typescript": false, "redis redis": false} {
		a, b, _ := strings.Cut(pair, " ")
		if got := slip(a, b); got != want && a != b {
			t.Errorf("%s: %v", pair, got)
		}
	}
}

func TestOldNamesStillFindEverything(t *testing.T) {
	w := world()
	e := addEntity(w, "component", "importer", func(e *memory.Entity) { e.Aliases = []string{"slurper"} })
	addEvent(w, "ev", "it reads zip files now", func(x *memory.Event) { x.Entities = []string{e.ID} })
	w.Facts["f"] = &memory.Fact{ID: "f", Subject: e.ID, Verb: "uses", Object: "archive/zip", Status: memory.StatusActive, Scope: e.Scope, Provenance: prov("p", "cc_f", at(0), "n")}
	tag := memory.Key{Scope: e.Scope, ID: "tag.ingest"}
	w.Tags[tag] = &memory.Tag{ID: "tag.ingest", Name: "ingest", Scope: e.Scope}
	w.Confirmed[w.Tags[tag].Ref()] = "d"
	w.TagAliases["a"] = &memory.TagAlias{ID: "a", Alias: "loading", Tags: []string{"tag.ingest"}, Scope: e.Scope}
	w.TagAliases["b"] = &memory.TagAlias{ID: "b", Alias: "gulping", Tags: []string{"tag.ingest"}, SessionID: "cc_1", Scope: e.Scope}
	w.Segments["s"] = &memory.Segment{ID: "s", Tags: []string{"tag.ingest"}, PrimaryTag: "tag.ingest", Summary: "Exports are read twice", Scope: e.Scope,
		Full: memory.Span{SessionID: "cc_1", FromNode: "n1", ToNode: "n1"}}
	w.TagSummaries["t"] = &memory.TagSummary{ID: "t", Tag: "tag.ingest", Summary: "All about reading exports", Scope: e.Scope, Provenance: prov("p", "cc_1", at(0), "n1")}
	s := searcherWith(t, w)
	for text, want := range map[string][]string{"slurper": {e.ID, "ev", "f"}, "loading": {"s", "t"}, "gulping": nil, "ingest": {"s", "t"}} {
		got := foundIDs(find(t, s, Query{Text: text, View: inP}))
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s finds %v, want %v", text, got, want)
		}
	}
	hits := find(t, s, Query{Text: "loading", View: inP, Kinds: []index.Kind{index.KindSegment}})
	if len(hits) != 1 || hits[0].Session != "cc_1" || !slices.Equal(hits[0].Nodes, []string{"n1"}) || hits[0].Label != "tag.ingest" {
		t.Errorf("the segment leads nowhere: %+v", hits)
	}
}

func TestAccentsTellWordsApartAndMayBeLeftOut(t *testing.T) {
	w := world()
	for id, text := range map[string]string{"tomb": "mả của ông", "mother": "má của ông", "bare": "ma cua ong", "other": "nhà"} {
		addEvent(w, id, text, nil)
	}
	s := searcherWith(t, w)
	for query, want := range map[string]string{"má": "mother", "mả": "tomb", "MÁ": "mother"} {
		for _, every := range []bool{false, true} {
			got := foundIDs(find(t, s, Query{Text: query, View: inP, EveryWord: every}))
			if len(got) != 3 || got[0] != want {
				t.Errorf("%q (every word: %v) finds %v, want %s first of three", query, every, got, want)
			}
		}
	}
	if got := foundIDs(find(t, s, Query{Text: "ma", View: inP, EveryWord: true})); len(got) != 3 {
		t.Errorf("without accents it finds %v, want three", got)
	}
	if got := foundIDs(find(t, s, Query{Text: "ông má", View: inP, EveryWord: true})); len(got) != 3 || got[0] != "mother" {
		t.Errorf("two words find %v", got)
	}
}

func TestEveryWordIsEveryWord(t *testing.T) {
	w := world()
	addEvent(w, "both", "the lease of the broker", nil)
	addEvent(w, "one", "the lease ends", nil)
	s := searcherWith(t, w)
	if got := foundIDs(find(t, s, Query{Text: "broker lease", View: inP, EveryWord: true})); !slices.Equal(got, []string{"both"}) {
		t.Errorf("found %v", got)
	}
	if got := find(t, s, Query{Text: "broker lease unheard", View: inP, EveryWord: true}); got != nil {
		t.Errorf("found %v", foundIDs(got))
	}
}

func TestWhatWasSaidBesideAMatchComesWithIt(t *testing.T) {
	turn := func(sess string, n int, text string) []index.Doc {
		return DocsFromTurn(memory.Session{ID: sess, ProjectID: "p"}, n, []memory.Node{user(fmt.Sprint(sess, n), text)})
	}
	docs := slices.Concat(turn("cc_1", 1, "what about the lease of the broker in staging?"), turn("cc_1", 2, "renewing it failed"),
		turn("cc_2", 1, "lunch"), turn("cc_2", 2, "renewing it failed, too"), turn("cc_3", 1, "nothing"))
	hits := find(t, searcherWith(t, world(), docs...), Query{Text: "renewing the lease of the broker", View: inP})
	at := func(id string) int { return slices.Index(foundIDs(hits), id) }
	if at("cc_1/000002") < 0 || at("cc_1/000002") > at("cc_2/000002") {
		t.Errorf("order %v", foundIDs(hits))
	}
}

func TestSessionsAreFoundByAllThatTheySay(t *testing.T) {
	var docs []index.Doc
	for i, texts := range [][]string{{"the lease ends", "the broker restarts", "renewal of the lease"}, {"the lease ends"}, {"something else"}} {
		for k, text := range texts {
			docs = append(docs, DocsFromTurn(memory.Session{ID: fmt.Sprint("cc_", i), ProjectID: "p"}, k+1, []memory.Node{user(fmt.Sprint(i, k), text)})...)
		}
	}
	s := searcherWith(t, world(), docs...)
	hits, err := s.Sessions(t.Context(), Query{Text: "broker lease renewal", View: inP})
	if err != nil || len(hits) != 2 || hits[0].Session != "cc_0" || len(hits[0].Turns) != 3 || hits[0].Best.ID != "cc_0/000003" || hits[1].Session != "cc_1" {
		t.Errorf("%+v, %v", hits, err)
	}
	if hits, err := s.Sessions(t.Context(), Query{Text: "lease", View: memory.View{Project: "other"}}); err != nil || len(hits) != 0 {
		t.Errorf("another project sees %+v, %v", hits, err)
	}
}

func TestALongTextOrOneOfPairsStillFitsByItsParts(t *testing.T) {
	w := world()
	addEvent(w, "en", "the broker in staging restarts its workers every night", nil)
	addEvent(w, "zh", "我们决定把缓存放在本地磁盘上", nil)
	s := searcherWith(t, w)
	long := "yesterday somebody asked whether anything could explain why users complain about slow answers, and I recalled vaguely that a broker of some kind, " +
		"perhaps the one in staging, or its workers, were involved, though nobody in the office believed it or wanted to look into it any further"
	for text, want := range map[string]string{long: "en", "昨天有人问我为什么用户抱怨缓存变慢而且没有人愿意继续调查": "zh"} {
		if got := foundIDs(find(t, s, Query{Text: text, View: inP})); !slices.Equal(got, []string{want}) {
			t.Errorf("%.20q finds %v, want %s", text, got, want)
		}
	}
}
