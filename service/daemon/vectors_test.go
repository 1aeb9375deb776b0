package daemon

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/store/index"
	"dormouse/store/memory"
)

// endpoint answers as OpenAI's embeddings do: the counts of some letters. down has it fail; hold has it wait.
type endpoint struct {
	*httptest.Server
	down  atomic.Bool
	asked atomic.Int64
	limit atomic.Int64 // after so many texts it fails; 0 is no limit
	texts sync.Map     // that it was asked for
}

func newEndpoint(t *testing.T) *endpoint {
	t.Helper()
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input any }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		text := fmt.Sprint(q.Input)
		n := e.asked.Add(1)
		e.texts.Store(text, true)
		if e.down.Load() || e.limit.Load() > 0 && n > e.limit.Load() {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		var v [8]float32
		for i := range v {
			v[i] = 0.1 + float32(strings.Count(strings.ToLower(text), string(rune('a'+2*i))))
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": []any{map[string]any{"embedding": v}}})
	}))
	t.Cleanup(e.Close)
	return e
}

// vectorParams is a service on the samples with the given embedding model.
func vectorParams(homeDir, roots string, e *endpoint) Params {
	p := params(homeDir, roots)
	p.Embedding = assets.Embedding()
	if e != nil {
		p.Config.Embed.Provider, p.Config.Embed.Model, p.Config.Embed.BaseURL = "openai-compatible", "letters", e.URL
	}
	return p
}

// untilIndex waits until the index is as it should be.
func untilIndex(t *testing.T, s *service, ok func(api.Index) bool) api.Index {
	t.Helper()
	var last api.Index
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		i, err := s.Index(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if last = i; ok(i) {
			return i
		}
	}
	t.Fatalf("the index stays at %+v", last)
	return last
}

func allMade(i api.Index) bool {
	return i.Docs > 0 && i.Vectors.Docs == i.Docs && i.Vectors.Waiting == 0 && i.SessionsWaiting == 0 && !i.Rebuilding
}

// TestAQuestionLeavesForAnEndpointWithoutItsSecrets asks in every way in which a question is embedded.
func TestAQuestionLeavesForAnEndpointWithoutItsSecrets(t *testing.T) {
	e := newEndpoint(t)
	p := vectorParams(t.TempDir(), t.TempDir(), e)
	p.Config.Inject.PromptRecords = 3
	s := start(t, p)
	const secret = "ghp" + "_x7Kq9ZtR2mVbN4sWcY8uHjP3aLdF6eG1oQ5T"
	question := func(who string) string {
		return "the deploy of " + who + " fails with token=" + secret + " at the gateway"
	}
	before := e.asked.Load()
	if _, err := s.Search(t.Context(), api.SearchQuery{Words: question("search"), Limit: 5}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Ask(t.Context(), api.AskQuery{Question: question("ask"), Limit: 5}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.When(t.Context(), api.WhenQuery{Question: question("when"), Time: "since 2020", Limit: 5}); err != nil {
		t.Fatal(err)
	}
	s.asks(t, "claude-code", "UserPromptSubmit", map[string]any{"session_id": "s", "cwd": t.TempDir(), "prompt": question("inject")})
	if _, err := s.daemon.index.Embed(t.Context(), []string{question("embed")}); err != nil {
		t.Fatal(err)
	}
	if e.asked.Load() == before {
		t.Error("nothing was asked: the test shows nothing")
	}
	whole := map[string]bool{}
	e.texts.Range(func(text, _ any) bool {
		if strings.Contains(text.(string), secret) {
			t.Errorf("the endpoint was told %q", text)
		}
		for _, who := range []string{"search", "ask", "when", "inject", "embed"} {
			whole[who] = whole[who] || strings.Contains(text.(string), "the deploy of "+who+" fails")
		}
		return true
	})
	if !whole["search"] || !whole["embed"] {
		t.Errorf("the other words of the questions did not leave: %v", whole)
	}
}

func TestAnotherModelTakesOverWhenItsVectorsAreWhole(t *testing.T) {
	p := learnedFrom(t, "vectors")
	dir, roots := p.Home.Dir(), filepath.Dir(filepath.Dir(p.Config.Capture.Roots["claude-code"][0]))
	s := start(t, p)
	old := untilIndex(t, s, allMade)
	if !strings.HasPrefix(old.Vectors.Model, "dormouse-static-") {
		t.Fatalf("vectors of %q", old.Vectors.Model)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}

	e := newEndpoint(t)
	e.limit.Store(10) // one for its size, some for documents; then it fails
	s = start(t, vectorParams(dir, roots, e))
	i := untilIndex(t, s, func(i api.Index) bool { return i.Vectors.Failure != "" })
	if i.Vectors.Model != old.Vectors.Model || i.Vectors.Docs != old.Docs || i.Vectors.NextModel != "openai-compatible/letters" {
		t.Errorf("while the new vectors are made: %+v", i)
	}
	if v, err := s.daemon.index.Embed(t.Context(), []string{"session"}); err != nil || len(v) != 1 || len(v[0]) == 8 {
		t.Errorf("a query is embedded by the wrong model: %v", err)
	}
	if err := s.stop(); err != nil { // in the middle of it
		t.Fatal(err)
	}

	e.limit.Store(0)
	s = start(t, vectorParams(dir, roots, e))
	i = untilIndex(t, s, allMade)
	if i.Vectors.Model != "openai-compatible/letters" || i.Vectors.NextModel != "" || i.Vectors.Failure != "" {
		t.Errorf("%+v", i)
	}
	v, err := s.daemon.index.Embed(t.Context(), []string{"session"})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.daemon.index.Answer(t.Context(), index.Query{Vector: v[0], View: memory.View{All: true}})
	if err != nil || len(a.Hits) == 0 || a.Cosine.N != i.Docs {
		t.Errorf("%d hits, %+v, %v", len(a.Hits), a.Cosine, err)
	}
}

func TestARebuildLeavesEverythingAsItWas(t *testing.T) {
	s := start(t, learnedFrom(t, "vectors"))
	before := untilIndex(t, s, allMade)
	ids, err := s.daemon.index.IDs("")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.daemon.index.Delete(t.Context(), ids[:len(ids)/2]); err != nil { // somebody took documents out
		t.Fatal(err)
	}
	i, err := s.RebuildIndex(t.Context())
	if err != nil || !i.Rebuilding {
		t.Fatalf("%+v, %v", i, err)
	}
	after := untilIndex(t, s, allMade)
	if after.Docs != before.Docs || after.Vectors.Model != before.Vectors.Model {
		t.Errorf("before %+v, after %+v", before, after)
	}
	again, err := s.daemon.index.IDs("")
	if err != nil || strings.Join(again, "\n") != strings.Join(ids, "\n") {
		t.Errorf("%d documents, before %d: %v", len(again), len(ids), err)
	}
}

func TestAnEndpointThatIsDownHidesNothing(t *testing.T) {
	e := newEndpoint(t)
	e.down.Store(true)
	s := start(t, vectorParams(t.TempDir(), samples(t), e))
	st, err := s.Status(t.Context())
	if err != nil || st.Counts.Indexed == 0 {
		t.Fatalf("%d documents, %v", st.Counts.Indexed, err)
	}
	event := someEvent(t, s)
	if !slices.Contains(finds(t, s, event.Summary), event.ID) {
		t.Errorf("%q is not found", event.Summary)
	}
	e.down.Store(false)
	i := untilIndex(t, s, allMade) // by itself
	if i.Vectors.Model != "openai-compatible/letters" {
		t.Errorf("%+v", i.Vectors)
	}
}

// TestNothingErasedComesBackByARebuild erases while vectors are made anew.
func TestNothingErasedComesBackByARebuild(t *testing.T) {
	s := start(t, learnedFrom(t, "vectors"))
	untilIndex(t, s, allMade)
	line, err := s.Timeline(t.Context(), api.TimelineQuery{})
	if err != nil || len(line.Events) == 0 {
		t.Fatalf("%v", err)
	}
	event := line.Events[0]
	if _, err := s.RebuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Decide(t.Context(), api.Decide{Action: api.DoErase, ID: event.ID, Reason: "private"}); err != nil {
		t.Fatal(err)
	}
	untilIndex(t, s, allMade)
	v, err := s.daemon.index.Embed(t.Context(), []string{event.Summary})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.daemon.index.Answer(t.Context(), index.Query{Text: event.Summary, Vector: v[0], View: memory.View{All: true}, Limit: 1000, Superseded: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range a.Hits {
		if h.Doc.ID == "event:"+event.ID || h.Doc.Body == event.Summary {
			t.Errorf("%s is found", h.Doc.ID)
		}
		for _, n := range event.Provenance.NodeIDs {
			if strings.Contains(strings.Join(h.Doc.Nodes, " "), n) && h.Doc.Kind == index.KindTurn {
				t.Errorf("%s of node %s is found", h.Doc.ID, n)
			}
		}
	}
}
