package llm

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"time"

	"dormouse/service/cost"
)

// Spent is what calls took. What calls under way may come to is in Reserved until their answers are there.
type Spent struct {
	Night    int64 `json:"night"` // when it began, Unix seconds
	Usage          // of the night
	Reserved Usage `json:"reserved"`
	// Open are the calls under way. After a crash, one that the meter does not know counts as all that it may have come to.
	Open []openCall `json:"open,omitempty"`
	// Owed are entries that the meter could not take yet. No call is made before it has them.
	Owed []cost.Entry `json:"owed,omitempty"`
	// Months is what was spent by months of the person's calendar, as 2026-05, of the last ones with a call.
	Months map[string]month `json:"months,omitempty"`
	// Month is what counts for the month that goes on.
	Month Usage `json:"-"`
}

// month is what was spent under the name of a month.
type month struct {
	Usage
	// Seen is the month in which this one was found to lie far ahead, because a clock was wrong: it counts there too.
	Seen string `json:"seen,omitempty"`
}

// openCall is a call that was reserved for and not settled yet.
type openCall struct {
	ID      string `json:"id"`
	Purpose string `json:"purpose"`
	Most    Usage  `json:"most"`
}

// Caps bound what a night and a month may take. 0 is no bound.
type Caps struct {
	Tokens          int64 // of a night, input and output together
	CostMicros      int64 // of a night, in millionths of a US dollar
	MonthTokens     int64
	MonthCostMicros int64
}

// Store keeps what was spent over restarts. Load gives an error that is fs.ErrNotExist where nothing was kept yet.
type Store struct {
	Load func() ([]byte, error)
	Save func([]byte) error
	Name string // of the file, for messages
}

// Meter keeps what each call took, for good.
type Meter interface {
	Append(cost.Entry) error
	// Find gives the entries of calls that were written down.
	Find(ids []string) (map[string]cost.Entry, error)
	// Long reports whether Fold is wanted, which sums up entries. Find is not asked for them afterwards.
	Long() bool
	Fold() error
}

// budget keeps the books of the night and the month.
type budget struct {
	caps     Caps
	store    Store
	meter    Meter
	provider string
	model    string
	now      func() time.Time
	night    func(time.Time) time.Time

	mu     sync.Mutex
	loaded bool
	spent  Spent
}

// A night is a new one when it began at least newNight after the one that the books are of, so that moving the hour of the
// deep sleep opens no new books. A night from the future, which a clock that was wrong has left, counts up to farNight ahead.
const (
	newNight = 12 * time.Hour
	farNight = 48 * time.Hour
)

// maxMonths is how many months the books hold.
const maxMonths = 24

// open reads the books and turns their page when the night is over.
func (b *budget) open() error {
	if !b.loaded {
		if err := b.load(); err != nil {
			return err
		}
		b.loaded = true
	}
	began := b.night(b.now())
	since := began.Sub(time.Unix(b.spent.Night, 0))
	if since >= newNight || since <= -farNight {
		b.spent.Night, b.spent.Usage = began.Unix(), Usage{}
	}
	b.spent.Month = b.thisMonth()
	return nil
}

// load reads the books. What calls took that a service left open when it died is asked of the meter; where that does not know, they count
// as all that they may have come to, because nobody knows.
func (b *budget) load() error {
	raw, err := b.store.Load()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return &Failure{Kind: Setup, Detail: fmt.Sprintf("what was spent this night cannot be read: %v", err)}
	}
	var s Spent
	if err := json.Unmarshal(raw, &s); err != nil || s.Night < 0 {
		return &Failure{Kind: Setup, Detail: fmt.Sprintf("%s is damaged, so nobody knows what was spent this night; delete it to count from nothing", b.store.Name)}
	}
	rest := s.Reserved // of books that an older program wrote, which names no calls
	ids := []string{}
	for _, c := range s.Open {
		rest = rest.Minus(c.Most)
		ids = append(ids, c.ID)
	}
	if rest != (Usage{}) && rest.Tokens() >= 0 {
		s.Open = append(s.Open, openCall{ID: fmt.Sprintf("of-%d", s.Night), Purpose: "unknown", Most: rest})
		ids = append(ids, s.Open[len(s.Open)-1].ID)
	}
	b.spent = s
	for _, e := range s.Owed {
		ids = append(ids, e.ID)
	}
	if len(ids) == 0 {
		return nil
	}
	known, err := b.meter.Find(ids)
	if err != nil {
		return &Failure{Kind: Setup, Detail: fmt.Sprintf("what was spent cannot be read: %v", err)}
	}
	b.spent.Owed = slices.DeleteFunc(b.spent.Owed, func(e cost.Entry) bool { _, ok := known[e.ID]; return ok })
	for _, c := range slices.Clone(s.Open) {
		e, ok := known[c.ID]
		if !ok {
			e = b.entry(c, "", c.Most, true)
			if err := b.meter.Append(e); err != nil {
				b.spent = Spent{}
				return unwritten(err)
			}
		}
		b.book(c.ID, e)
	}
	return b.save()
}

// thisMonth is what counts for the month that goes on: what was spent in it, and what is dated after it. A clock that is set back
// therefore opens no new month. What is dated far ahead was spent under a wrong clock: it counts in the month in which that was
// found out, and again when the month of its date comes.
func (b *budget) thisMonth() (sum Usage) {
	now := b.now()
	this := now.Format("2006-01")
	next := time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, now.Location()).Format("2006-01")
	for name, m := range b.spent.Months {
		switch {
		case name < this:
			continue
		case name > next && m.Seen == "":
			m.Seen = this
			b.spent.Months[name] = m
		case name > next && m.Seen != this:
			continue
		}
		sum = sum.Plus(m.Usage)
	}
	return sum
}

// reserve takes what a call may come to at most off the night and the month, or says that a cap does not allow it. It gives the call's id.
func (b *budget) reserve(purpose string, most Usage) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.open(); err != nil {
		return "", err
	}
	if err := b.pay(); err != nil {
		return "", err
	}
	if f := over(b.spent.Usage, b.spent.Reserved, most, b.caps.Tokens, b.caps.CostMicros); f != nil {
		return "", f
	}
	if f := over(b.spent.Month, b.spent.Reserved, most, b.caps.MonthTokens, b.caps.MonthCostMicros); f != nil {
		f.month = true
		return "", f
	}
	var raw [6]byte
	_, _ = rand.Read(raw[:]) // it never fails
	c := openCall{ID: hex.EncodeToString(raw[:]), Purpose: purpose, Most: most}
	b.spent.Open = append(b.spent.Open, c)
	b.spent.Reserved = b.spent.Reserved.Plus(most)
	if err := b.save(); err != nil {
		b.close(c.ID)
		return "", err
	}
	return c.ID, nil
}

// over says that a cap does not allow a call.
func over(spent, reserved, most Usage, tokens, micros int64) *Failure {
	all := spent.Plus(reserved).Plus(most)
	if tokens > 0 && all.Tokens() > tokens {
		return &Failure{Kind: Cap, Detail: fmt.Sprintf("%d of %d tokens are spent, and the next call may take %d", spent.Tokens(), tokens, most.Tokens())}
	}
	if micros > 0 && all.CostMicros > micros {
		return &Failure{Kind: Cap, Detail: fmt.Sprintf("$%.4f of $%.2f are spent, and the next call may cost $%.4f",
			float64(spent.CostMicros)/1e6, float64(micros)/1e6, float64(most.CostMicros)/1e6)}
	}
	return nil
}

// settle puts what a call took in the place of what was reserved for it: in the meter first, so that a crash in between finds it there.
func (b *budget) settle(id, model string, took Usage, estimated bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.spent.Open, func(c openCall) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	e := b.entry(b.spent.Open[i], model, took, estimated)
	metered := b.meter.Append(e)
	if metered != nil {
		b.spent.Owed = append(b.spent.Owed, e)
	}
	b.book(id, e)
	if err := b.save(); err != nil { // on the disk it stays open, and the next start deals with it
		return err
	}
	if metered != nil {
		return unwritten(metered)
	}
	if len(b.spent.Open) == 0 && b.meter.Long() {
		_ = b.meter.Fold() // the next one tries again; all of it can be read as it is
	}
	return nil
}

// pay gives the meter the entries that it could not take before.
func (b *budget) pay() error {
	for len(b.spent.Owed) > 0 {
		if err := b.meter.Append(b.spent.Owed[0]); err != nil {
			return unwritten(err)
		}
		b.spent.Owed = b.spent.Owed[1:] // written down with the next call; Find knows it until then
	}
	return nil
}

func (b *budget) entry(c openCall, model string, took Usage, estimated bool) cost.Entry {
	if model == "" {
		model = b.model
	}
	e := cost.New(b.now(), b.provider, model, c.Purpose)
	e.ID, e.Usage, e.Estimated = c.ID, took, estimated
	return e
}

// book closes a call and counts what it took.
func (b *budget) book(id string, e cost.Entry) {
	b.close(id)
	b.spend(e)
}

func (b *budget) close(id string) {
	b.spent.Open = slices.DeleteFunc(b.spent.Open, func(c openCall) bool { return c.ID == id })
	b.spent.Reserved = Usage{}
	for _, c := range b.spent.Open {
		b.spent.Reserved = b.spent.Reserved.Plus(c.Most)
	}
}

func (b *budget) spend(e cost.Entry) {
	b.spent.Usage = b.spent.Plus(e.Usage)
	if b.spent.Months == nil {
		b.spent.Months = map[string]month{}
	}
	name := cost.Month(e.Day)
	m := b.spent.Months[name]
	m.Usage = m.Plus(e.Usage)
	b.spent.Months[name] = m
	for len(b.spent.Months) > maxMonths {
		oldest := name
		for n := range b.spent.Months {
			oldest = min(oldest, n)
		}
		delete(b.spent.Months, oldest)
	}
	b.spent.Month = b.thisMonth()
}

func (b *budget) save() error {
	raw, err := json.Marshal(b.spent)
	if err == nil {
		err = b.store.Save(raw)
	}
	if err != nil {
		return unwritten(err)
	}
	return nil
}

func unwritten(err error) *Failure {
	return &Failure{Kind: Setup, Detail: fmt.Sprintf("what was spent cannot be written down, so nothing is: %v", err)}
}

// state is what the night and the month have taken so far.
func (b *budget) state() (Spent, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.open()
	s := b.spent
	s.Open, s.Owed, s.Months = nil, nil, nil
	return s, err
}

// Seeded brings books that know no months, of an older program, up to those that do: what the night has taken counts for its month.
// Books that know months stay as they are. zone is the person's.
func Seeded(raw []byte, zone *time.Location) ([]byte, error) {
	var s Spent
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("read what was spent: %w", err)
	}
	if s.Months != nil || s.Usage == (Usage{}) {
		return raw, nil
	}
	s.Months = map[string]month{time.Unix(s.Night, 0).In(zone).Format("2006-01"): {Usage: s.Usage}}
	return json.Marshal(s)
}
