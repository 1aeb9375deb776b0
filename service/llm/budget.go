package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"
)

// Spent is what the calls of a night took. What a call may come to is in Reserved until its answer is there; after a crash it
// counts as spent, because nobody knows.
type Spent struct {
	Night int64 `json:"night"` // when it began, Unix seconds
	Usage
	Reserved Usage `json:"reserved"`
}

// Caps bound what a night may take. 0 is no bound.
type Caps struct {
	Tokens     int64 // input and output together
	CostMicros int64 // in millionths of a US dollar
}

// Store keeps what was spent over restarts. Load gives an error that is fs.ErrNotExist where nothing was kept yet.
type Store struct {
	Load func() ([]byte, error)
	Save func([]byte) error
	Name string // of the file, for messages
}

// budget keeps the books of the night.
type budget struct {
	caps  Caps
	store Store
	now   func() time.Time
	night func(time.Time) time.Time

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

// open reads the books and turns their page when the night is over. Reservations of a service that died count as spent.
func (b *budget) open() error {
	if !b.loaded {
		raw, err := b.store.Load()
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return &Failure{Kind: Setup, Detail: fmt.Sprintf("what was spent this night cannot be read: %v", err)}
		default:
			if err := json.Unmarshal(raw, &b.spent); err != nil || b.spent.Night < 0 {
				return &Failure{Kind: Setup, Detail: fmt.Sprintf("%s is damaged, so nobody knows what was spent this night; delete it to count from nothing", b.store.Name)}
			}
		}
		b.spent.Usage, b.spent.Reserved = b.spent.plus(b.spent.Reserved), Usage{}
		b.loaded = true
	}
	began := b.night(b.now())
	since := began.Sub(time.Unix(b.spent.Night, 0))
	if since >= newNight || since <= -farNight {
		b.spent = Spent{Night: began.Unix(), Reserved: b.spent.Reserved}
	}
	return nil
}

// reserve takes what a call may come to at most off the night, or says that the cap does not allow it.
func (b *budget) reserve(most Usage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.open(); err != nil {
		return err
	}
	all := b.spent.plus(b.spent.Reserved).plus(most)
	if n := all.InputTokens + all.OutputTokens; b.caps.Tokens > 0 && n > b.caps.Tokens {
		return &Failure{Kind: Cap, Detail: fmt.Sprintf("%d of %d tokens are spent, and the next call may take %d", b.spent.tokens(), b.caps.Tokens, most.tokens())}
	}
	if b.caps.CostMicros > 0 && all.CostMicros > b.caps.CostMicros {
		return &Failure{Kind: Cap, Detail: fmt.Sprintf("$%.4f of $%.2f are spent, and the next call may cost $%.4f",
			float64(b.spent.CostMicros)/1e6, float64(b.caps.CostMicros)/1e6, float64(most.CostMicros)/1e6)}
	}
	b.spent.Reserved = b.spent.Reserved.plus(most)
	if err := b.save(); err != nil {
		b.spent.Reserved = b.spent.Reserved.minus(most)
		return err
	}
	return nil
}

// settle puts what a call took in the place of what was reserved for it.
func (b *budget) settle(most, took Usage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent.Reserved = b.spent.Reserved.minus(most)
	b.spent.Usage = b.spent.plus(took)
	return b.save()
}

func (b *budget) save() error {
	raw, err := json.Marshal(b.spent)
	if err == nil {
		err = b.store.Save(raw)
	}
	if err != nil {
		return &Failure{Kind: Setup, Detail: fmt.Sprintf("what was spent cannot be written down, so nothing is: %v", err)}
	}
	return nil
}

// state is what the night has taken so far.
func (b *budget) state() (Spent, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.open()
	return b.spent, err
}

func (u Usage) minus(v Usage) Usage {
	return Usage{u.Calls - v.Calls, u.InputTokens - v.InputTokens, u.OutputTokens - v.OutputTokens, u.CostMicros - v.CostMicros}
}

func (u Usage) tokens() int64 { return u.InputTokens + u.OutputTokens }
