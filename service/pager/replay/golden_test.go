package replay

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// bench is where the recorded sessions lie. Their licence does not let them travel with this repository.
const bench = "../../../../shared/bench"

// golden is a line of the reference's results.
type golden struct {
	ID             string  `json:"id"`
	Requests       int     `json:"requests"`
	Raw            int     `json:"raw"`
	Sent           int     `json:"ctx"`
	Cost           float64 `json:"cost10"`
	StubEvents     int     `json:"stub_events"`
	Evictions      int     `json:"evictions"`
	ReadEvictions  int     `json:"read_evictions"`
	F1, F2, F3, F4 int
	Refault        int `json:"refault"`
	Peak           int `json:"peak"`
}

// TestTheReferencesResults holds every field of the baselines against the reference implementation of the metric, trace by trace.
func TestTheReferencesResults(t *testing.T) {
	ready := map[string]*Replay{}
	for name, every := range map[string]int{"fifo_4_500.jsonl": 1, "batch_4_500_10.jsonl": 10} {
		f, err := os.Open(filepath.Join(bench, "replay_golden", name))
		if err != nil {
			t.Skipf("the recorded sessions are not here: %v", err)
		}
		defer f.Close() //nolint:errcheck // only read
		n := 0
		for s := bufio.NewScanner(f); s.Scan(); n++ {
			var want golden
			if err := json.Unmarshal(s.Bytes(), &want); err != nil {
				t.Fatal(err)
			}
			if ready[want.ID] == nil {
				ready[want.ID] = recorded(t, want.ID)
			}
			r := ready[want.ID].FIFO(4, 500, every)
			got := golden{r.ID, r.Requests, r.Raw, r.Sent, r.Cost, r.StubEvents, r.Evictions, r.ReadEvictions, r.F1, r.F2, r.F3, r.F4, r.Refault, r.Peak}
			if got != want {
				t.Errorf("%s %s:\n got %+v\nwant %+v", name, want.ID, got, want)
			}
		}
		if n < 100 {
			t.Errorf("%s: only %d sessions", name, n)
		}
	}
}

func recorded(t *testing.T, id string) *Replay {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(bench, "sessions", "*", id+".jsonl.gz"))
	if len(paths) != 1 {
		t.Fatalf("%d recordings of %s", len(paths), id)
	}
	tr, err := Open(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	return New(tr)
}
