package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/pprof"
)

// profiled begins to note where a part of the bench spends its time. stop writes that down, and what was allocated since the bench began; without a
// folder both do nothing.
func (w *syncWorld) profiled(part string) (stop func() error, err error) {
	if w.profile == "" {
		return func() error { return nil }, nil
	}
	cpu, err := os.Create(filepath.Join(w.profile, part+".cpu"))
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, errors.Join(err, cpu.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		allocs, err := os.Create(filepath.Join(w.profile, part+".allocs"))
		if err != nil {
			return errors.Join(err, cpu.Close())
		}
		return errors.Join(cpu.Close(), pprof.Lookup("allocs").WriteTo(allocs, 0), allocs.Close())
	}, nil
}
