package pager

import (
	"errors"
	"fmt"
	"time"
)

// Options are the settings of an engine. Ages are counted in messages of the user's side since a block came: each brings a
// prompt or the results of tools, so that in an agent's work an age is about a number of requests. Sizes are bytes of UTF-8.
type Options struct {
	// The provider's prompt cache: how long it remembers a conversation, and what a byte costs that is read from it or written
	// into it, where a byte without a cache costs 1.
	CacheLife             time.Duration
	ReadPrice, WritePrice float64

	// A change of what the cache holds has to save Caution times its price in the requests to come. As many are expected as there
	// were so far, and at least Horizon.
	Caution float64
	Horizon int

	MinBytes   int // a smaller result stays as it is
	Output     int // age from which the result of a command, a search or another tool is shortened
	Check      int // age for a check (a test, a build, a status) and a command that was run before, up to CheckBytes
	CheckBytes int
	Part       int // age for a part of a file, or a file that was read before
	SmallPart  int // age for such a part up to PartBytes
	PartBytes  int
	Replaced   int // age for a file of which a part was read anew; one that was read anew as a whole, and anything else that was, goes at once
	File       int // age for a file that was read for the first time and not edited since
	Edited     int // age for a file that was edited after it was read
	Floor      int // while a request is smaller, a file that was read for the first time stays whole
	Call       int // age for the text that an edit took out of a file
	Page       int // age for what was brought back

	// What depends together stays together: a file's newest copy of up to InUseBytes stays until InUse messages after the last call that
	// was about the file, and so do those of up to Together files that it names, and that those name, Hops steps in all. 0 messages for none.
	InUse, InUseBytes int
	Hops, Together    int

	Goals *Goals // nil for none

	// A change of what the cache holds costs at most what was saved so far and what the change saves in Sure requests; 0 for no such bound.
	Sure int

	RestoreBytes int  // of a longer block so much is brought back around what was asked for
	RestoreWhole int  // a block up to this size is brought back whole, if what was saved so far pays for it
	NameLosses   int  // size from which a short form names what it leaves out
	Handles      bool // short forms carry a handle, by which the model asks for what they stand for; see Engine.Find

	Budget int        // bytes of the model's window; 0 for no pressure at all
	Zones  [4]float64 // shares of the budget at which caution, warning, critical and emergency begin
}

// Default are the settings that BENCHMARKS.md's figures are made with.
func Default() Options {
	return Options{
		CacheLife: 5 * time.Minute, ReadPrice: 0.1, WritePrice: 1.25,
		Caution: 1, Horizon: 20, Sure: 6,
		MinBytes: 120, Output: 2, Check: 80, CheckBytes: 4000, Part: 8, SmallPart: 40, PartBytes: 4000, Replaced: 4, File: 5, Edited: 8, Floor: 50_000,
		Call: 2, Page: 6,
		InUse: 4, InUseBytes: 20_000, Hops: 2, Together: 3,
		RestoreBytes: 4000, RestoreWhole: 60_000, NameLosses: 1500,
		Budget: 800_000, Zones: [4]float64{0.5, 0.7, 0.85, 0.95},
	}
}

// Validate says what is wrong with the settings.
func (o Options) Validate() error {
	switch {
	case o.CacheLife <= 0:
		return errors.New("pager: the cache's life has to be longer than nothing")
	case o.ReadPrice < 0 || o.WritePrice < o.ReadPrice:
		return fmt.Errorf("pager: reading a cached byte (%g) cannot cost more than writing it (%g)", o.ReadPrice, o.WritePrice)
	case o.Goals != nil && (o.Goals.Keep < 0 || o.Goals.Shift == nil):
		return errors.New("pager: a new goal has to be told by something, and no fewer than no blocks can stay for it")
	case o.InUse < 0 || o.InUseBytes < 0 || o.Together < 0 || o.Sure < 0 || o.InUse > 0 && o.Hops < 1:
		return errors.New("pager: what is in use stays for 0 messages or more, and what it names one step on at least")
	case o.Caution < 0 || o.Horizon < 0 || o.Budget < 0:
		return errors.New("pager: caution, horizon and budget cannot be negative")
	}
	last := 0.0
	for _, z := range o.Zones {
		if z <= last || z > 1 {
			return fmt.Errorf("pager: the zones %v have to rise, above 0 and up to 1", o.Zones)
		}
		last = z
	}
	return nil
}

// price is the cost of a request in bytes at full price: what the cache holds is read, the rest is written into it.
func (o Options) price(bytes, cached int) float64 {
	return o.ReadPrice*float64(cached) + o.WritePrice*float64(bytes-cached)
}
