package daemon

import (
	"runtime/debug"
	"sync"
)

// footing has the garbage collector aim at what the service needs beside what the memory and the index hold all the time: with a bound below that it
// would collect without rest.
type footing struct {
	mu            sync.Mutex
	limit         int64 // bytes; 0 leaves the collector's own limit alone
	ledger, index int64
	set           func(int64) int64 // nil is debug.SetMemoryLimit
}

// ledgerHolds is told what the ledger holds now, in bytes.
func (f *footing) ledgerHolds(n int64) { f.fit(&f.ledger, n) }

// indexHolds is told what the index holds now, in bytes.
func (f *footing) indexHolds(n int64) { f.fit(&f.index, n) }

func (f *footing) fit(part *int64, n int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if *part = n; f.limit <= 0 {
		return
	}
	set := f.set
	if set == nil {
		set = debug.SetMemoryLimit
	}
	set(f.limit + f.ledger + f.index)
}
