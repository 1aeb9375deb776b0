package main

import (
	"bufio"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// watchMemory samples the private memory of this process until the returned function is called, which gives the peak in
// 10^6 bytes.
func watchMemory() (peak func() float64) {
	stop, done := make(chan struct{}), make(chan float64)
	go func() {
		top := 0.0
		for {
			top = max(top, privateMB())
			select {
			case <-stop:
				done <- top
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	return func() float64 {
		close(stop)
		return <-done
	}
}

// privateMB is the private memory of this process in 10^6 bytes: RssAnon where /proc tells it, else what Go took from the
// system.
func privateMB() float64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.Sys-m.HeapReleased) / 1e6
	}
	defer f.Close() //nolint:errcheck // opened for reading
	s := bufio.NewScanner(f)
	for s.Scan() {
		if v, ok := strings.CutPrefix(s.Text(), "RssAnon:"); ok {
			kb, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(v), " kB"), 64)
			if err != nil {
				return 0
			}
			return kb * 1024 / 1e6
		}
	}
	return 0
}
