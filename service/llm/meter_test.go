package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dormouse/service/cost"
)

// metered is the sum of what a meter holds.
func metered(t *testing.T, m *cost.Meter, by string) ([]cost.Row, cost.Row) {
	t.Helper()
	found, err := m.Read("", "")
	if err != nil || found.Damaged != 0 {
		t.Fatal(found.Damaged, err)
	}
	rows, total, err := cost.Sum(found.Entries, by)
	if err != nil {
		t.Fatal(err)
	}
	return rows, total
}

// tells answers with a usage of its own, which it adds to what the provider has told.
func tells(told *Usage, in, out int64, text, stop string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		*told = told.Plus(Usage{Calls: 1, InputTokens: in, OutputTokens: out})
		_ = json.NewEncoder(w).Encode(map[string]any{"model": "m-2026", "choices": []any{map[string]any{"finish_reason": stop, "message": map[string]any{"content": text}}},
			"usage": map[string]any{"prompt_tokens": in, "completion_tokens": out}})
	}
}

func TestTheMeterEqualsWhatTheProviderSaysItTook(t *testing.T) {
	var told Usage
	s := newScript(t,
		tells(&told, 101, 7, `{"a":1}`, "stop"),
		fails(429, "rate_limit_error", "slow down"), tells(&told, 33, 1, `{"a":1}`, "stop"), // a second try
		tells(&told, 55, 13, "no idea", "stop"), tells(&told, 77, 3, `{"a":1}`, "stop"), // mended
		tells(&told, 999, 100, `{"a":`, "length"), // cut
		fails(401, "authentication_error", "no"),
	)
	meter := cost.At(filepath.Join(t.TempDir(), "cost"))
	b := newBed(t, OpenAI, s.URL, func(o *Options) { o.Meter = meter; o.Price = &Price{Input: 3, Output: 15} })
	for i := range 5 {
		p := ask
		if i == 1 {
			p.Name = "title"
		}
		_, err := b.Complete(t.Context(), p)
		if (err != nil) != (i >= 3) {
			t.Fatalf("%d: %v", i, err)
		}
	}
	rows, total := metered(t, meter, cost.ByPurpose)
	got := total.Told
	if got.InputTokens != told.InputTokens || got.OutputTokens != told.OutputTokens || got.CostMicros != 3*told.InputTokens+15*told.OutputTokens || total.Estimated != (Usage{}) {
		t.Errorf("metered %+v, told %+v", total, told)
	}
	if got.Calls != s.calls() || told.Calls != 5 {
		t.Errorf("%d calls metered, %d made, %d answered", got.Calls, s.calls(), told.Calls)
	}
	if len(rows) != 2 || rows[1].Key != "title" || rows[1].Told.Tokens() != 34 || rows[1].Told.Calls != 2 {
		t.Errorf("%+v", rows)
	}
	if rows, _ := metered(t, meter, cost.ByModel); len(rows) != 2 || rows[0].Key != "m-2026" || rows[0].Provider != OpenAI {
		t.Errorf("%+v", rows)
	}
	if sp, err := b.Spent(); err != nil || sp.Usage != got || sp.Month != got {
		t.Errorf("the books say %+v, the meter %+v (%v)", sp, got, err)
	}
}

// dies has everything that is saved or appended after the n-th write lost, as a process that is killed there leaves it.
type dies struct {
	Store
	Meter
	left int
}

var errKilled = errors.New("killed")

func (d *dies) alive() error {
	if d.left--; d.left < 0 {
		return errKilled
	}
	return nil
}

func (d *dies) save(b []byte) error {
	if err := d.alive(); err != nil {
		return err
	}
	return d.Store.Save(b)
}

func (d *dies) Append(e cost.Entry) error {
	if err := d.alive(); err != nil {
		return err
	}
	return d.Meter.Append(e)
}

func TestAKillBetweenACallAndItsBooksIsMadeGoodByTheNextStart(t *testing.T) {
	for n := range 5 { // reserve, meter, settle; and what follows
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var told Usage
			s := newScript(t, tells(&told, 50, 5, `{"a":1}`, "stop"))
			store, meter := books(t.TempDir()), cost.At(filepath.Join(t.TempDir(), "cost"))
			d := &dies{Store: store, Meter: meter, left: n}
			_, _ = newBed(t, OpenAI, s.URL, func(o *Options) {
				o.Store, o.Meter = Store{Load: store.Load, Save: d.save}, d
			}).Complete(t.Context(), ask)
			again := newBed(t, OpenAI, s.URL, func(o *Options) { o.Store, o.Meter = store, meter })
			sp, err := again.Spent()
			if err != nil {
				t.Fatal(err)
			}
			_, total := metered(t, meter, cost.ByDay)
			if sum := total.Told.Plus(total.Estimated); sp.Usage != sum || sp.Month != sum || sp.Reserved != (Usage{}) {
				t.Errorf("the books say %+v, the meter %+v", sp, total)
			}
			switch {
			case n == 0 && (s.calls() != 0 || sp.Usage != (Usage{})):
				t.Errorf("asked %d times without books: %+v", s.calls(), sp)
			case n == 1 && (total.Told != (Usage{}) || total.Estimated.OutputTokens != 100 || total.Estimated.Calls != 1):
				t.Errorf("nobody knows what it took, and it counts %+v", total)
			case n >= 2 && total.Told != told:
				t.Errorf("metered %+v, told %+v", total.Told, told)
			}
			if _, err := again.Spent(); err != nil {
				t.Fatal(err)
			}
			if _, after := metered(t, meter, cost.ByDay); after != total {
				t.Errorf("counted twice: %+v, then %+v", total, after)
			}
		})
	}
}

func TestACallThatTheMeterCannotTakeIsOwedAndNoOtherIsMade(t *testing.T) {
	var told Usage
	s := newScript(t, tells(&told, 50, 5, `{"a":1}`, "stop"))
	store, meter := books(t.TempDir()), cost.At(filepath.Join(t.TempDir(), "cost"))
	full := &fullMeter{Meter: meter, full: true}
	b := newBed(t, OpenAI, s.URL, func(o *Options) { o.Store, o.Meter = store, full })
	for range 2 {
		if _, err := b.Complete(t.Context(), ask); kindOf(t, err) != Setup {
			t.Fatal(err)
		}
	}
	if s.calls() != 1 {
		t.Errorf("%d calls that nobody could write down", s.calls())
	}
	b = newBed(t, OpenAI, s.URL, func(o *Options) { o.Store, o.Meter = store, meter }) // a start with room again
	if _, err := b.Complete(t.Context(), ask); err != nil {
		t.Fatal(err)
	}
	if _, total := metered(t, meter, cost.ByDay); total.Told != told || total.Estimated != (Usage{}) {
		t.Errorf("metered %+v, told %+v", total, told)
	}
}

type fullMeter struct {
	Meter
	full bool
}

func (m *fullMeter) Append(e cost.Entry) error {
	if m.full {
		return errors.New("the disk is full")
	}
	return m.Meter.Append(e)
}

func TestACallThatIsCutOffCountsAsAllThatItMayHaveTaken(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	s := newScript(t, func(_ http.ResponseWriter, r *http.Request) { stop(); <-r.Context().Done() })
	meter := cost.At(filepath.Join(t.TempDir(), "cost"))
	if _, err := newBed(t, OpenAI, s.URL, func(o *Options) { o.Meter = meter }).Complete(ctx, ask); err == nil {
		t.Fatal("no error")
	}
	if _, total := metered(t, meter, cost.ByDay); total.Told != (Usage{}) || total.Estimated.OutputTokens != 100 {
		t.Errorf("%+v", total)
	}
}

func TestTheMonthsCapHoldsOverNightsRestartsAndAClockThatIsSetBack(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"tokens": func(o *Options) { o.Caps.MonthTokens = 1100 },
		"money":  func(o *Options) { o.Caps.MonthCostMicros = 2000; o.Price = &Price{Input: 1, Output: 10} },
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t, chatAnswer(`{"a":1}`, "", "stop"))
			store, meter := books(t.TempDir()), cost.At(filepath.Join(t.TempDir(), "cost"))
			now := time.Date(2026, 6, 3, 4, 0, 0, 0, time.UTC)
			again := func() error {
				b := newBed(t, OpenAI, s.URL, change, func(o *Options) { o.Store, o.Meter, o.Now = store, meter, func() time.Time { return now } })
				_, err := b.Complete(t.Context(), ask)
				return err
			}
			refused := func(when string) {
				t.Helper()
				if err := again(); kindOf(t, err) != Cap || !failureOf(err).Capped() || err.Error()[:len("the month's cap")] != "the month's cap" {
					t.Errorf("%s: %v", when, err)
				}
			}
			for n := 0; again() == nil; n++ {
				if n > 20 {
					t.Fatal("no cap")
				}
				now = now.AddDate(0, 0, 1) // another night each time
			}
			refused("at the cap")
			full := now
			now = full.AddDate(0, -1, 0)
			refused("the month before")
			now = full.AddDate(-30, 0, 0)
			refused("a clock that lost its battery")
			now = full
			refused("the clock right again")
			now = time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
			if err := again(); err != nil {
				t.Errorf("the next month: %v", err)
			}
		})
	}
}

func TestAMonthIsTheOneOfThePersonsZone(t *testing.T) {
	zone := time.FixedZone("east", 13*3600)
	at := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC).In(zone) // the first of July there
	b := &budget{store: Store{Load: noBooks, Save: func([]byte) error { return nil }}, meter: cost.At(t.TempDir()), now: func() time.Time { return at }, night: nightOf}
	id, err := b.reserve("facts", Usage{InputTokens: 9})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.settle(id, "", Usage{InputTokens: 9}, false); err != nil {
		t.Fatal(err)
	}
	if _, ok := b.spent.Months["2026-07"]; !ok {
		t.Errorf("%+v", b.spent.Months)
	}
}

func TestAClockThatWasFarAheadCostsOneMonthAtMost(t *testing.T) {
	at := time.Date(2031, 1, 5, 12, 0, 0, 0, time.UTC)
	b := &budget{caps: Caps{MonthTokens: 100}, store: Store{Load: noBooks, Save: func([]byte) error { return nil }}, meter: cost.At(t.TempDir()),
		now: func() time.Time { return at }, night: nightOf}
	spend := func() error {
		id, err := b.reserve("facts", Usage{InputTokens: 90})
		if err == nil {
			err = b.settle(id, "", Usage{InputTokens: 90}, false)
		}
		return err
	}
	for _, c := range []struct {
		at time.Time
		ok bool
	}{
		{at, true},
		{time.Date(2026, 6, 5, 0, 0, 0, 0, time.UTC), false}, // where the clock was found out
		{time.Date(2031, 1, 6, 0, 0, 0, 0, time.UTC), false}, // ahead again: no new month either
		{time.Date(2026, 6, 6, 0, 0, 0, 0, time.UTC), false},
		{time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), true},
		{time.Date(2026, 7, 2, 0, 0, 0, 0, time.UTC), false},
	} {
		at = c.at
		if err := spend(); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.at, err)
		}
	}
}

func TestBooksOfAnOlderProgramAreTakenOver(t *testing.T) {
	old := []byte(`{"night":1780282800,"calls":3,"input_tokens":500,"output_tokens":40,"cost_micros":7,"reserved":{"calls":1,"input_tokens":60,"output_tokens":100,"cost_micros":0}}`)
	raw, err := Seeded(old, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	if twice, err := Seeded(raw, time.UTC); err != nil || string(twice) != string(raw) {
		t.Errorf("%s %v", twice, err)
	}
	dir := t.TempDir()
	store, meter := books(dir), cost.At(filepath.Join(dir, "cost"))
	if err := os.WriteFile(store.Name, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	b := &budget{store: store, meter: meter, provider: "p", now: func() time.Time { return time.Date(2026, 6, 1, 4, 0, 0, 0, time.UTC) }, night: nightOf}
	s, err := b.state()
	want := Usage{Calls: 4, InputTokens: 560, OutputTokens: 140, CostMicros: 7}
	if err != nil || s.Usage != want || s.Month != want || s.Reserved != (Usage{}) {
		t.Errorf("%+v %v", s, err)
	}
	if _, total := metered(t, meter, cost.ByDay); total.Estimated != (Usage{Calls: 1, InputTokens: 60, OutputTokens: 100}) {
		t.Errorf("%+v", total)
	}
}
