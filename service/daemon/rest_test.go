package daemon

import (
	"errors"
	"testing"

	"dormouse/service/api"
)

// TestNothingThatComesAroundOpensTheIndex does what the service does every minute by itself, and what tray and window ask all the time.
func TestNothingThatComesAroundOpensTheIndex(t *testing.T) {
	t.Parallel()
	s := start(t, learned(t))
	d := s.daemon
	around := func() {
		t.Helper()
		_, look := d.look(t.Context())
		_, status := s.Status(t.Context())
		if err := errors.Join(look, status, d.engine.Scan(t.Context()), d.keeper.round(t.Context(), func(string) {}), d.makeVectors(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	settled(t, s) // a start indexes what changed while no service ran, which opens the index when it comes to it
	around()      // what is read once
	want, err := s.Search(t.Context(), api.SearchQuery{Words: "test", Limit: 5})
	if err != nil || len(want.Hits) == 0 {
		t.Fatalf("%v, %v", want, err)
	}
	if !d.index.Rest() {
		t.Fatal("the index does not rest")
	}
	around()
	if !d.index.Resting() {
		t.Error("what comes around every minute opens the index")
	}
	st, err := s.Status(t.Context())
	if err != nil || st.Counts.Indexed == 0 || st.Backlog.Waiting != 0 {
		t.Errorf("at rest: %+v, %+v, %v", st.Counts, st.Backlog, err)
	}
	got, err := s.Search(t.Context(), api.SearchQuery{Words: "test", Limit: 5})
	if err != nil || len(got.Hits) != len(want.Hits) || got.Hits[0].ID != want.Hits[0].ID || got.Hits[0].Score != want.Hits[0].Score || d.index.Resting() {
		t.Errorf("after a rest %+v, before %+v: %v", got, want, err)
	}
}

func TestWhatSessionsWereToldIsKeptThoughTheIndexRests(t *testing.T) {
	t.Parallel()
	p := learned(t)
	s := start(t, p)
	s.daemon.index.Rest()
	s.daemon.told.Core("codex\x00one\x00")
	s.daemon.told.Records("codex\x00one\x00", "r1")
	s.daemon.told.Core("codex\x00two\x00")
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	told := &start(t, p).daemon.told
	if !told.HasCore("codex\x00one\x00") || !told.Has("codex\x00one\x00", "r1") || !told.HasCore("codex\x00two\x00") || told.HasCore("codex\x00three\x00") {
		t.Error("what sessions were told is forgotten")
	}
}
