package daemon

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"dormouse/service/api"
)

// TestAfterAnUpgradeTheOldIndexAnswersUntilItIsMadeAnew begins with an index that notes no version of the rules of its terms, as an
// earlier program left it.
func TestAfterAnUpgradeTheOldIndexAnswersUntilItIsMadeAnew(t *testing.T) {
	p := learnedFrom(t, "vectors")
	dir, s := p.Home.Dir(), start(t, p)
	before := untilIndex(t, s, allMade)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	made, err := os.Stat(filepath.Join(dir, "index", "FORMAT"))
	if err != nil {
		t.Fatal(err)
	}
	editManifest(t, filepath.Join(dir, "index"), func(man map[string]any) { delete(man, "terms") })

	s = start(t, p)
	first, err := s.Index(t.Context())
	if err != nil || first.Docs != before.Docs || first.Vectors.Docs != before.Docs {
		t.Errorf("just after the upgrade: %+v, before %+v; %v", first, before, err)
	}
	found, err := s.Search(t.Context(), api.SearchQuery{Words: "session"})
	if err != nil || len(found.Hits) == 0 {
		t.Errorf("nothing is found: %v", err)
	}
	after := untilIndex(t, s, allMade)
	if after.Docs != before.Docs || after.Vectors.Docs != before.Docs {
		t.Errorf("%+v, before %+v", after, before)
	}
	if d := s.daemon.index.Stats(); d.Outdated != 0 {
		t.Errorf("%+v", d)
	}
	if again, err := os.Stat(filepath.Join(dir, "index", "FORMAT")); err != nil || !again.ModTime().Equal(made.ModTime()) {
		t.Errorf("the index was thrown away: %v", err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	editManifest(t, filepath.Join(dir, "index"), func(man map[string]any) {
		if man["terms"] == nil || man["old_terms"] != nil {
			t.Errorf("the manifest says %v", man)
		}
	})
}

// editManifest changes what the manifest of an index says that is closed.
func editManifest(t *testing.T, dir string, edit func(man map[string]any)) {
	t.Helper()
	db, err := badger.Open(badger.DefaultOptions(dir).WithLogger(nil).WithCompression(options.None))
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(txn *badger.Txn) error {
		item, err := txn.Get([]byte{'M'})
		if err != nil {
			return err
		}
		man := map[string]any{}
		if err := item.Value(func(v []byte) error { return json.Unmarshal(v, &man) }); err != nil {
			return err
		}
		edit(man)
		raw, err := json.Marshal(man)
		if err != nil {
			return err
		}
		return txn.Set([]byte{'M'}, raw)
	})
	if err := errors.Join(err, db.Close(), os.Remove(filepath.Join(dir, "CLEAN"))); err != nil { // as after a crash: another has opened it
		t.Fatal(err)
	}
}
