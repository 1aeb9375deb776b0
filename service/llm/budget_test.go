package llm

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"dormouse/service/cost"
)

func TestTheCapsHoldOverRestartsUntilTheNextNight(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"tokens": func(o *Options) { o.Caps.Tokens = 1100 },
		"money":  func(o *Options) { o.Caps.CostMicros = 2000; o.Price = &Price{Input: 1, Output: 10} },
	} {
		s := newScript(t, chatAnswer(`{"a":1}`, "", "stop"))
		store := books(t.TempDir())
		now := time.Date(2026, 6, 1, 4, 0, 0, 0, time.UTC)
		again := func() error { // a service that was started anew each time
			b := newBed(t, OpenAI, s.URL, change, func(o *Options) { o.Store = store; o.Now = func() time.Time { return now } })
			_, err := b.Complete(t.Context(), ask)
			return err
		}
		made := 0
		for again() == nil {
			if made++; made > 20 {
				t.Fatalf("%s: no cap", name)
			}
		}
		if err := again(); kindOf(t, err) != Cap || !failureOf(err).Capped() || made < 2 || s.calls() != made {
			t.Errorf("%s: %v after %d answers and %d calls", name, err, made, s.calls())
		}
		now = now.Add(20 * time.Hour) // still the same night
		if err := again(); kindOf(t, err) != Cap {
			t.Errorf("%s: the day after: %v", name, err)
		}
		now = now.AddDate(0, 0, -1) // a clock that was set back
		if err := again(); kindOf(t, err) != Cap {
			t.Errorf("%s: a clock that was set back: %v", name, err)
		}
		now = now.AddDate(0, 0, 2)
		if err := again(); err != nil {
			t.Errorf("%s: the next night: %v", name, err)
		}
	}
}

func TestWhatACrashLeftReservedCountsAsSpent(t *testing.T) {
	store := books(t.TempDir())
	now := func() time.Time { return time.Date(2026, 6, 1, 4, 0, 0, 0, time.UTC) }
	meter := cost.At(t.TempDir())
	b := &budget{caps: Caps{Tokens: 1000}, store: store, meter: meter, now: now, night: nightOf}
	if _, err := b.reserve("facts", Usage{Calls: 1, InputTokens: 600, OutputTokens: 100}); err != nil {
		t.Fatal(err)
	}
	b = &budget{caps: Caps{Tokens: 1000}, store: store, meter: meter, now: now, night: nightOf}
	if s, err := b.state(); err != nil || s.Tokens() != 700 || s.Reserved != (Usage{}) {
		t.Errorf("%+v %v", s, err)
	}
	if _, err := b.reserve("facts", Usage{InputTokens: 301}); err == nil {
		t.Error("beyond the cap")
	}
}

func TestTwoCallsAtOnceShareTheCap(t *testing.T) {
	b := &budget{caps: Caps{Tokens: 1000}, store: Store{Load: noBooks, Save: func([]byte) error { return nil }}, meter: cost.At(t.TempDir()), now: time.Now, night: nightOf}
	most := Usage{InputTokens: 600}
	id, first := b.reserve("facts", most)
	if _, second := b.reserve("facts", most); first != nil || second == nil {
		t.Error("both were allowed")
	}
	if err := b.settle(id, "", Usage{InputTokens: 10}, false); err != nil {
		t.Fatal(err)
	}
	if _, err := b.reserve("facts", most); err != nil {
		t.Error("what was not used is not given back")
	}
}

func TestBooksThatCannotBeReadOrWrittenAllowNothing(t *testing.T) {
	s := newScript(t, chatAnswer(`{"a":1}`, "", "stop"))
	for want, store := range map[string]Store{
		"delete it":    {Name: "spent.json", Load: func() ([]byte, error) { return []byte("{torn"), nil }, Save: func([]byte) error { return nil }},
		"disk is gone": {Load: func() ([]byte, error) { return nil, errors.New("disk is gone") }, Save: func([]byte) error { return nil }},
		"disk is full": {Load: noBooks, Save: func([]byte) error { return errors.New("disk is full") }},
	} {
		_, err := newBed(t, OpenAI, s.URL, func(o *Options) { o.Store = store }).Complete(t.Context(), ask)
		if kindOf(t, err) != Setup || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if s.calls() != 0 {
		t.Errorf("%d calls were made", s.calls())
	}
}

func TestTheHourOfTheDeepSleepMayMove(t *testing.T) {
	at := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	hour := 3
	b := &budget{caps: Caps{Tokens: 100}, store: Store{Load: noBooks, Save: func([]byte) error { return nil }}, meter: cost.At(t.TempDir()), now: func() time.Time { return at },
		night: func(t time.Time) time.Time { return time.Date(2026, t.Month(), t.Day(), hour, 0, 0, 0, time.UTC) }}
	if _, err := b.reserve("facts", Usage{InputTokens: 90}); err != nil {
		t.Fatal(err)
	}
	hour = 10
	if _, err := b.reserve("facts", Usage{InputTokens: 90}); err == nil {
		t.Error("a later hour opened new books")
	}
	at = at.AddDate(5, 0, 0) // a clock years ahead, and right again
	_, _ = b.state()
	at = at.AddDate(-5, 0, 1)
	if s, _ := b.state(); s.Night != time.Date(2026, 6, 2, 10, 0, 0, 0, time.UTC).Unix() {
		t.Errorf("the books wait for %v", time.Unix(s.Night, 0))
	}
}

func TestAProviderThatCountsNonsenseOpensNoRoom(t *testing.T) {
	for name, usage := range map[string]string{"less than nothing": `{"prompt_tokens":-1000000,"completion_tokens":-5}`, "nothing": `{}`} {
		s := newScript(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"choices":[{"finish_reason":"stop","message":{"content":"{\"a\":1}"}}],"usage":` + usage + `}`))
		})
		b := newBed(t, OpenAI, s.URL)
		if _, err := b.Complete(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
		if sp, _ := b.Spent(); sp.OutputTokens != 100 || sp.InputTokens <= 0 {
			t.Errorf("%s: %+v", name, sp)
		}
	}
}

func TestCostIsRoundedUp(t *testing.T) {
	for want, got := range map[int64]int64{0: Price{}.cost(5, 5), 200: Price{1, 5}.cost(100, 20), 1: Price{0.1, 0}.cost(1, 0), 31: Price{0.3, 0.01}.cost(100, 2)} {
		if got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
}

func FuzzDocument(f *testing.F) {
	for _, s := range []string{`{"a":1}`, "```json\n[1]\n```", "x {y} [z", "", "{{{{", `text {"a":"}"} more`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<12 {
			t.Skip()
		}
		got, err := document(s)
		if err == nil && !strings.Contains(s, strings.TrimSpace(got)) {
			t.Errorf("%q gives %q", s, got)
		}
	})
}
