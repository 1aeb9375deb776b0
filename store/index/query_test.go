package index

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestOddQueriesHaveAClearAnswer(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir()})
	put(t, ix, note("zh", "我们决定用SQLite存储会话记录"), note("cpp", "the C++ client calls foo.bar"), note("sharp", "the C# client"),
		note("rocket", "ship it 🚀 today"), note("code", "func getUserName() in internal/store/fts.go"),
		note("sha", "commit 4f1c9d2b7e6a5f3c fixed it"), note("flag", "run it with --no-verify"), note("v", "released v1.2.3"))
	long := strings.Repeat("SQLite and ", 10_000)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"empty":                    {"", nil},
		"only the commonest words": {"what is this and that", nil},
		"only operators":           {`"" AND ( OR * ) NEAR/5 -- ^ ~ :`, nil},
		"quotes around":            {`"sqlite`, []string{"zh"}},
		"NUL and invalid UTF-8":    {"sqlite\x00\xff\xfe", []string{"zh"}},
		"100 KB":                   {long[:100<<10], []string{"zh"}},
		"100 KB without a space":   {strings.Repeat("x", 100<<10), nil},
		"two Chinese characters":   {"会话", []string{"zh"}},
		"one Chinese character":    {"话", []string{"zh"}},
		"mixed scripts":            {"sqlite会话", []string{"zh"}},
		"C++":                      {"C++", []string{"cpp"}},
		"C#":                       {"c#", []string{"sharp"}},
		"a dotted name":            {"foo.bar", []string{"cpp"}},
		"emoji":                    {"🚀", []string{"rocket"}},
		"snake for camel":          {"user_name", []string{"code"}},
		"part of a path":           {"store/fts", []string{"code"}},
		"a short hash":             {"4f1c9d2", []string{"sha"}},
		"a flag":                   {"--no-verify", []string{"flag"}},
		"a version":                {"1.2.3", []string{"v"}},
		"nothing that is there":    {"zebra", nil},
		"a column filter":          {"title:sqlite", []string{"zh"}},
	} {
		if got := found(t, ix, Query{Text: c.text}); !slices.Equal(got, c.want) {
			t.Errorf("%s: found %v, want %v", name, got, c.want)
		}
	}
	if got := search(t, ix, Query{Text: "client", Limit: 1 << 30}); len(got) != 2 {
		t.Errorf("a boundless limit finds %d", len(got))
	}
}

func TestLongDocumentsAreFoundByTheirBeginning(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir()})
	put(t, ix, note("long", "alpha "+strings.Repeat("日本語 filler ", 20_000)+" omega"))
	if len(found(t, ix, Query{Text: "alpha"})) != 1 || len(found(t, ix, Query{Text: "omega"})) != 0 {
		t.Error("a field is not cut where the limit says")
	}
	if d, ok, err := ix.Get("long"); err != nil || !ok || !strings.HasSuffix(d.Body, "omega") {
		t.Errorf("the text that is shown was cut too: %v %v", ok, err)
	}
}

func TestPuttingTheSameAgainChangesNothing(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir()})
	put(t, ix, note("a", "word"), note("b", "other"))
	put(t, ix, note("a", "word"), note("a", "passing"), note("a", "word"))
	if s := ix.Stats(); s.Docs != 2 || s.Dead != 0 {
		t.Errorf("%+v", s)
	}
	put(t, ix, note("a", "first"), note("a", "last"))
	if got := found(t, ix, Query{Text: "word first last"}); !slices.Equal(got, []string{"a"}) {
		t.Errorf("found %v", got)
	}
	if d, _, err := ix.Get("a"); err != nil || d.Body != "last" {
		t.Errorf("%+v %v", d, err)
	}
}

func TestDeletedDocumentsAreGone(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir(), HotDocs: 4})
	for _, id := range []string{"a/1", "a/2", "b/1", "a/3", "c/1"} {
		put(t, ix, note(id, "word"))
	}
	settle(t, ix)
	if err := ix.Delete(t.Context(), []string{"a/1", "a/2", "b/1", "a/3"}); err != nil {
		t.Fatal(err)
	}
	settle(t, ix)
	if got := found(t, ix, Query{Text: "word"}); !slices.Equal(got, []string{"c/1"}) {
		t.Errorf("found %v", got)
	}
	if _, ok, err := ix.Get("a/1"); ok || err != nil {
		t.Errorf("a deleted document is there: %v %v", ok, err)
	}
	if s := ix.Stats(); s.Docs != 1 || s.Dead != 0 || s.Segments != 0 {
		t.Errorf("the room of the dead is not given back: %+v", s)
	}
	put(t, ix, note("a/9", "word"), note("a/8", "word"))
	if ids, err := ix.IDs("a/"); err != nil || !slices.Equal(ids, []string{"a/8", "a/9"}) {
		t.Errorf("ids %v %v", ids, err)
	}
}

func TestACancelledContextEndsTheCall(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir()})
	put(t, ix, note("a", "word"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ix.Search(ctx, Query{Text: "word"}); !errors.Is(err, context.Canceled) {
		t.Errorf("search: %v", err)
	}
	if err := ix.Put(ctx, []Doc{note("b", "word")}); !errors.Is(err, context.Canceled) {
		t.Errorf("put: %v", err)
	}
	if err := ix.Delete(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("delete: %v", err)
	}
}

func TestAClosedIndexRefusesEveryCall(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir()})
	if err := errors.Join(ix.Close(), ix.Close()); err != nil {
		t.Fatal(err)
	}
	_, err1 := ix.Search(t.Context(), Query{Text: "word", View: memory.View{All: true}})
	_, _, err2 := ix.Get("a")
	_, _, err3 := ix.Area("x").Get("a")
	for i, err := range []error{err1, err2, err3, ix.Put(t.Context(), []Doc{note("a", "b")}), ix.Area("x").Put("a", nil),
		ix.Delete(t.Context(), []string{"a"}), ix.Settle(t.Context())} {
		if err == nil || errors.Is(err, ErrBroken) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if ix.Stats() != (Stats{}) {
		t.Error("a closed index has numbers")
	}
}

func TestAHitTellsWhichWordsItHas(t *testing.T) {
	ix := open(t, Options{Dir: t.TempDir()})
	put(t, ix, Doc{ID: "a", Kind: KindTurn, Scope: memory.Global, Body: "the lease is renewed"},
		Doc{ID: "b", Kind: KindTurn, Scope: memory.Global, Body: "a lease, and a broker"},
		Doc{ID: "c", Kind: KindTurn, Scope: memory.Global, Body: "nothing of it"})
	a, err := ix.Answer(t.Context(), Query{Text: "lease broker unheard"})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Words) != 2 || a.Words[0].Term != "broker" || a.Words[0].Docs != 1 || a.Words[1].Term != "leas" || a.Words[1].Docs != 2 {
		t.Fatalf("words %+v", a.Words)
	}
	if a.Words[0].Weight <= a.Words[1].Weight || a.Rarest <= a.Words[0].Weight || a.Text.N != 2 || a.Text.Dev <= 0 {
		t.Errorf("weights %+v, rarest %v, spread %+v", a.Words, a.Rarest, a.Text)
	}
	got := map[string]uint64{}
	for _, h := range a.Hits {
		got[h.Doc.ID] = h.Words
	}
	if len(got) != 2 || got["a"] != 0b10 || got["b"] != 0b11 {
		t.Errorf("hits have %v", got)
	}
}
