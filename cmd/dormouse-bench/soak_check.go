package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"dormouse/service/api"
)

// growth is what was seen of the process, once a second.
type growth struct{ memory, goroutines, open []float64 }

// watchGrowth looks at the process until ctx ends.
func watchGrowth(ctx context.Context) <-chan growth {
	out := make(chan growth, 1)
	go func() {
		var g growth
		for tick := time.NewTicker(time.Second); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				out <- g
				return
			case <-tick.C:
				g.memory = append(g.memory, privateMB())
				g.goroutines = append(g.goroutines, float64(runtime.NumGoroutine()))
				g.open = append(g.open, openFiles())
			}
		}
	}()
	return out
}

// openFiles is how many files the process has open; 0 where the system does not tell.
func openFiles() float64 {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return float64(len(list))
}

// quarters are the medians of the second quarter of the values and of the last.
func quarters(v []float64) (early, late float64) {
	n := len(v)
	return median(v[n/4 : n/2]), median(v[n*3/4:])
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

func (g growth) fill(f *soakFigures) {
	f.MemoryEarly, f.MemoryLate = quarters(g.memory)
	f.GoroutinesEarly, f.GoroutinesLate = quarters(g.goroutines)
	f.OpenEarly, f.OpenLate = quarters(g.open)
	if len(g.memory) > 0 {
		f.MemoryPeak = slices.Max(g.memory)
	}
}

// How much may grow: memory with what is captured meanwhile, goroutines and open files by what happens to be under way.
const (
	growMemory     = 1.5
	growMemoryMB   = 40
	growGoroutines = 20
	growOpen       = 40
)

func (g growth) faults() (out []string) {
	grew := func(what string, v []float64, factor, more float64) {
		if early, late := quarters(v); late > early*factor+more {
			out = append(out, fmt.Sprintf("%s grew from %.0f to %.0f", what, early, late))
		}
	}
	grew("private memory in MB", g.memory, growMemory, growMemoryMB)
	grew("the number of goroutines", g.goroutines, 1, growGoroutines)
	grew("the number of open files", g.open, 1, growOpen)
	return out
}

// compareWithCalm starts the service anew, so that it has caught up, and a second one on an empty state folder, and
// compares their sessions.
func compareWithCalm(s *soakService, dir string) (faults []string, nodes int, err error) {
	if err := s.stop(); err != nil {
		faults = append(faults, fmt.Sprintf("stop: %v", err))
	}
	got, err := nodesOf(s)
	if err != nil {
		return faults, 0, err
	}
	want, err := nodesOf(&soakService{home: filepath.Join(dir, "calm"), roots: s.roots})
	if err != nil {
		return faults, 0, err
	}
	return append(faults, differing(got, want)...), total(got), nil
}

// nodesOf starts a service, counts the nodes of each session by the agent's own id, and stops it.
func nodesOf(s *soakService) (map[string]int, error) {
	if err := s.start(); err != nil {
		return nil, err
	}
	all, err := s.client.Sessions(context.Background(), api.SessionQuery{})
	if e := s.stop(); err == nil {
		err = e
	}
	out := map[string]int{}
	for _, x := range all {
		out[x.Agent+"/"+x.AgentSessionID] = x.Nodes
	}
	return out, err
}

func total(nodes map[string]int) (n int) {
	for _, k := range nodes {
		n += k
	}
	return n
}

// differing tells of sessions that were lost or came from nowhere, and of those that have fewer nodes than a calm capture
// gives. More are no fault: the rest of a message that was final too early is a node of its own.
func differing(got, want map[string]int) (out []string) {
	for id, n := range want {
		if got[id] < n {
			out = append(out, fmt.Sprintf("session %s has %d nodes of %d", id, got[id], n))
		}
	}
	for id := range got {
		if _, ok := want[id]; !ok {
			out = append(out, fmt.Sprintf("session %s is in no transcript", id))
		}
	}
	slices.Sort(out)
	return out
}
