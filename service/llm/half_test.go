package llm

import (
	"net/http"
	"path/filepath"
	"testing"

	"dormouse/service/cost"
)

// half an answer: the connection ends in the middle of it. It is asked for again, and as the provider may count it, it counts in full.
func TestHalfAnAnswerIsAskedForAgainAndCountsAsAllThatItMayHaveTaken(t *testing.T) {
	for _, w := range wires {
		half := func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Length", "1000")
			_, _ = rw.Write([]byte(`{"id":"x","model":"m-2026","choices":[{"mess`))
			panic(http.ErrAbortHandler)
		}
		s := newScript(t, half, w.says(`{"a":1}`))
		meter := cost.At(filepath.Join(t.TempDir(), "cost"))
		b := newBed(t, w.provider, s.URL, func(o *Options) { o.Meter = meter })
		if got, err := b.Complete(t.Context(), ask); err != nil || got.Text != `{"a":1}` || s.calls() != 2 {
			t.Fatalf("%s: %+v after %d calls, %v", w.provider, got, s.calls(), err)
		}
		_, total := metered(t, meter, cost.ByDay)
		if total.Told.Tokens() != 120 || total.Estimated.Calls != 1 || total.Estimated.OutputTokens != 100 {
			t.Errorf("%s: %+v", w.provider, total)
		}
	}
}
