package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"time"
)

// tellEvery is how many documents lie between two lines of progress.
const tellEvery = 50_000

// tell says on stderr how far building is.
func (b *searchRun) tell(n int, began time.Time) {
	if n/tellEvery == b.told {
		return
	}
	b.told = n / tellEvery
	fmt.Fprintf(os.Stderr, "%d documents after %.0f s, %.0f CPU s; %.0f MB private\n", n, time.Since(began).Seconds(), cpuSeconds(), privateMB())
}

// profiles reports whether the memory profile is due: n documents are drawn, the last few of them in this batch.
func (b *searchRun) profiles(n, batch int) bool {
	at := b.o.profileAt
	if at == 0 {
		at = b.o.records * 3 / 4
	}
	return b.o.memProfile != "" && n >= at && n-batch < at
}

// profileMemory writes what memory is in use now to a file.
func profileMemory(name string) error {
	runtime.GC() // the profile is as of the last collection
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup("heap").WriteTo(f, 0), f.Close())
}

// named is a name with something after it; no name stays none.
func named(name, after string) string {
	if name == "" {
		return ""
	}
	return name + after
}
