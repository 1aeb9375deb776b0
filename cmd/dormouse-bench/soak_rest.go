package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dormouse/service/machine"
	"dormouse/store/home"
)

// restFigures are those of a service in a process of its own, with many sessions and nothing to do. Megabytes are 10^6 bytes.
type restFigures struct {
	Sessions int `json:"sessions"`
	// Ready is the quickest of some warm starts, from the start of the process; ReadyCPU what the same took of a processor.
	Ready    float64 `json:"ready_ms"`
	ReadyCPU float64 `json:"ready_cpu_ms"`
	Seconds  float64 `json:"seconds"`          // at rest
	Idle     float64 `json:"idle_cpu_percent"` // of one core
	// Settled says that the service was let come to rest before; else Idle is not judged.
	Settled bool `json:"settled"`
	// Others is what others used of all processors meanwhile, 1 is all.
	Others float64 `json:"others_load"`
	Empty  float64 `json:"resident_mb_empty"`
	Early  float64 `json:"resident_mb_early"`
	Late   float64 `json:"resident_mb_late"`
	Peak   float64 `json:"resident_mb_peak"`
	Log    int64   `json:"log_bytes"` // that the log grew by at rest

	GoroutinesEarly float64 `json:"goroutines_early"`
	GoroutinesLate  float64 `json:"goroutines_late"`
	OpenEarly       float64 `json:"open_files_early"`
	OpenLate        float64 `json:"open_files_late"`

	Year yearFigures `json:"year"`
}

// yearFigures carry what was measured on to a year of twenty sessions a day. They are sums on paper and no measurement.
type yearFigures struct {
	Sessions int     `json:"sessions"`
	Resident float64 `json:"resident_mb"`  // what is there at rest, and as much more for each session as these showed
	Log      float64 `json:"log_mb"`       // of a year of rest, before it is rotated
	State    float64 `json:"state_gb"`     // of sessions as large as those that the busy part captured
	PerNode  float64 `json:"state_b_node"` // bytes in the state folder for each of their nodes
}

// What a service at rest has to hold.
const (
	restIdle     = 0.5 // percent of a core
	restResident = 150 // MB
	restReady    = 500 // ms, of a processor's time: how long it takes by the clock is shown, and depends on who else is there
	restGrowMB   = 15
	restGrow     = 5 // goroutines, and files
)

const (
	restStarts = 3
	restLook   = 2 * time.Second
	restSettle = 75 * time.Second // after a start: the index is closed when nobody used it for half a minute, which takes some work
	restShort  = 6_000            // bytes of a sample that a session at rest has
	yearDays   = 365
	yearADay   = 20
)

// soakRest has a service capture so many short sessions, starts it anew, and looks at it while nothing happens.
func soakRest(dir string, writer *soakAgents, sessions int, length time.Duration) (*restFigures, error) {
	f := &restFigures{Sessions: sessions}
	at, roots := filepath.Join(dir, "rest"), filepath.Join(dir, "rest-roots")
	empty, err := startServed(filepath.Join(dir, "empty"), filepath.Join(dir, "no-roots"))
	if err != nil {
		return f, err
	}
	f.Empty = empty.ready.Resident
	if err := empty.stop(); err != nil {
		return f, err
	}
	if err := writer.short(roots, sessions); err != nil {
		return f, err
	}
	for i := range restStarts + 1 {
		s, err := startServed(at, roots)
		if err != nil {
			return f, err
		}
		if took := float64(s.took.Microseconds()) / 1000; i == 1 || i > 1 && took < f.Ready { // the first one captured them
			f.Ready = took
		}
		if took := s.ready.CPU * 1000; i == 1 || i > 1 && took < f.ReadyCPU {
			f.ReadyCPU = took
		}
		if i == restStarts {
			err = f.watch(s, at, length)
		}
		if e := s.stop(); err == nil {
			err = e
		}
		if err != nil {
			return f, err
		}
	}
	return f, nil
}

// watch looks at a service at rest.
func (f *restFigures) watch(s *served, dir string, length time.Duration) error {
	settle := min(restSettle, 3*length)
	f.Settled = settle == restSettle
	time.Sleep(settle)
	log := home.At(dir).Log()
	first, err := s.read()
	if err != nil {
		return err
	}
	probe := machine.New(machine.Options{Env: os.Getenv})
	defer probe.Close()
	probe.Read(context.Background())
	size := sizeOf(log)
	quiet := time.Now()
	time.Sleep(2 * length) // nobody asks it anything, not even for these figures
	asked, err := s.read()
	if err != nil {
		return err
	}
	f.Seconds = time.Since(quiet).Seconds()
	f.Idle = 100 * (asked.CPU - first.CPU) / f.Seconds
	f.Log = sizeOf(log) - size
	began := time.Now()
	var g growth
	for time.Since(began) < length {
		time.Sleep(min(restLook, length/8))
		last, err := s.read()
		if err != nil {
			return err
		}
		g.memory = append(g.memory, last.Resident)
		g.goroutines = append(g.goroutines, float64(last.Goroutines))
		g.open = append(g.open, last.Open)
	}
	f.Others = 1 // unless the system tells
	if r := probe.Read(context.Background()); r.Load != nil {
		f.Others = *r.Load
	}
	f.Early, f.Late = quarters(g.memory)
	f.Peak = max(slices.Max(g.memory), s.ready.Resident)
	f.GoroutinesEarly, f.GoroutinesLate = quarters(g.goroutines)
	f.OpenEarly, f.OpenLate = quarters(g.open)
	return nil
}

// faults says what a service at rest does not hold.
func (f *restFigures) faults() (out []string) {
	bad := func(is bool, format string, args ...any) {
		if is {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	bad(f.Settled && f.Idle > restIdle, "at rest it takes %.2f %% of a core", f.Idle)
	bad(f.Peak > restResident, "with %d sessions it has %.0f MB resident", f.Sessions, f.Peak)
	bad(f.ReadyCPU > restReady, "a warm start takes %.0f ms of a processor", f.ReadyCPU)
	bad(f.Late > f.Early+restGrowMB, "at rest its memory grew from %.0f to %.0f MB", f.Early, f.Late)
	bad(f.GoroutinesLate > f.GoroutinesEarly+restGrow, "at rest its goroutines grew from %.0f to %.0f", f.GoroutinesEarly, f.GoroutinesLate)
	bad(f.OpenLate > f.OpenEarly+restGrow, "at rest its open files grew from %.0f to %.0f", f.OpenEarly, f.OpenLate)
	return out
}

// onPaper carries the figures on to a year. state and nodes are those of the busy part.
func (f *restFigures) onPaper(state int64, nodes, sessions int) {
	y := &f.Year
	y.Sessions = yearDays * yearADay
	y.Resident = f.Late + max(0, f.Late-f.Empty)/float64(f.Sessions)*float64(y.Sessions)
	y.Log = float64(f.Log) / f.Seconds * 3600 * 24 * yearDays / 1e6
	if nodes > 0 && sessions > 0 {
		y.PerNode = float64(state) / float64(nodes)
		y.State = float64(state) / float64(sessions) * float64(y.Sessions) / 1e9
	}
}

// short writes so many sessions at once, each the beginning of a sample.
func (a *soakAgents) short(roots string, n int) error {
	was, begun := a.roots, a.sessions
	defer func() { a.roots, a.sessions = was, begun }()
	a.roots = roots
	for range n {
		s, err := a.begin()
		if err != nil {
			return err
		}
		end := bytes.LastIndexByte(s.rest[:min(len(s.rest), restShort)], '\n') + 1
		if end == 0 { // its first line is longer
			end = bytes.IndexByte(s.rest, '\n') + 1
		}
		if err := os.WriteFile(s.path, s.rest[:end], 0o600); err != nil {
			return err
		}
	}
	return nil
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// bytesBelow is what the files below a folder take on the disk.
func bytesBelow(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				sum += allocated(info)
			}
		}
		return nil
	})
	return sum
}
