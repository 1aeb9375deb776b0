// Command measure starts a desktop program on an X display and tells how long it took until something useful was drawn, what CPU time it
// took while nothing happened, and what memory it held.
//
// It never talks to the program: it looks at the display and at /proc, so what it measures is what a person gets. Linux alone.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	m := measurer{}
	flag.DurationVar(&m.rest, "rest", 20*time.Second, "for how long it is looked at rest")
	flag.DurationVar(&m.settle, "settle", 5*time.Second, "how long it is left alone before that")
	flag.IntVar(&m.colours, "colours", 24, "how many colours make a useful picture; 0 is for a program without a window")
	area := flag.String("area", "230,60,640,320", "where it is looked, as x,y,width,height")
	flag.Parse()
	if _, err := fmt.Sscanf(*area, "%d,%d,%d,%d", &m.x, &m.y, &m.width, &m.height); err != nil || flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "measure: it takes a command, and an area as x,y,width,height")
		os.Exit(2)
	}
	got, err := m.run(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(got); err != nil {
		os.Exit(1)
	}
}

// figures are what was measured: times in seconds, memory in bytes.
type figures struct {
	Paint    float64 `json:"paint_s"`     // from the start until the area held a useful picture; 0 without a window
	PaintCPU float64 `json:"paint_cpu_s"` // that it took until then
	StartCPU float64 `json:"start_cpu_s"` // until it was left alone
	RestCPU  float64 `json:"rest_cpu_s"`  // while it was left alone
	Rest     float64 `json:"rest_s"`
	Resident int64   `json:"resident_bytes"` // at the end of the rest
	Peak     int64   `json:"peak_bytes"`     // resident, at most
	Private  int64   `json:"private_bytes"`  // of what is resident, what no other program shares
}

type measurer struct {
	rest, settle        time.Duration
	colours             int
	x, y, width, height int
}

// paintTime is how long a program may take to draw.
const paintTime = time.Minute

func (m measurer) run(command []string) (f figures, err error) {
	var screen *display
	if m.colours > 0 {
		if screen, err = open(); err != nil {
			return f, err
		}
		if n, err := screen.colours(m); err != nil || n >= m.colours {
			return f, fmt.Errorf("the screen is not empty before the program starts: %d colours, %w", n, err)
		}
	}
	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec // that is what it is for
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return f, err
	}
	defer func() {
		err = errors.Join(err, cmd.Process.Signal(syscall.SIGTERM))
		_ = cmd.Wait() // it was told to end
	}()
	for screen != nil {
		n, err := screen.colours(m)
		if err != nil {
			return f, err
		}
		if n >= m.colours {
			f.Paint = time.Since(began).Seconds()
			if f.PaintCPU, err = cpu(cmd.Process.Pid); err != nil {
				return f, err
			}
			break
		}
		if time.Since(began) > paintTime {
			return f, fmt.Errorf("after %s there are %d colours in the area", paintTime, n)
		}
		time.Sleep(4 * time.Millisecond)
	}
	time.Sleep(m.settle)
	if f.StartCPU, err = cpu(cmd.Process.Pid); err != nil {
		return f, err
	}
	began = time.Now()
	time.Sleep(m.rest)
	after, err := cpu(cmd.Process.Pid)
	f.RestCPU, f.Rest = after-f.StartCPU, time.Since(began).Seconds()
	if err != nil {
		return f, err
	}
	return f, memory(cmd.Process.Pid, &f)
}
