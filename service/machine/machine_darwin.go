package machine

import (
	"context"
	"encoding/binary"
	"os/exec"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// system is what a probe keeps open on macOS: nothing.
type system struct{}

func (*system) close() {}

// commandWait bounds a command that is asked.
const commandWait = 500 * time.Millisecond

func told(ctx context.Context, name string, args ...string) []byte {
	ctx, cancel := context.WithTimeout(ctx, commandWait)
	defer cancel()
	b, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return nil
	}
	return b
}

// input asks ioreg, since IOKit itself needs C. Whether the screen is locked is not told without C.
func (p *Probe) input(ctx context.Context) (*time.Duration, string, Known) {
	d, ok := parseIoreg(told(ctx, "/usr/sbin/ioreg", "-c", "IOHIDSystem", "-r", "-d", "1", "-k", "HIDIdleTime"))
	if !ok {
		return nil, "", Unknown
	}
	return &d, "ioreg", Unknown
}

// cpuTimes are not told without C; average stands in.
func (p *Probe) cpuTimes() (times, bool) { return times{}, false }

// average is the average of the last minute (struct loadavg in sys/resource.h: three fixed-point numbers of 32 bits, padding, and
// their scale as a long), without what this process itself may have added.
func (p *Probe) average() *float64 {
	b, err := unix.SysctlRaw("vm.loadavg")
	if err != nil || len(b) < 24 {
		return nil
	}
	scale := binary.LittleEndian.Uint64(b[16:])
	if scale == 0 {
		return nil
	}
	v := float64(binary.LittleEndian.Uint32(b)) / float64(scale)
	v = min(1, max(0, v-1)/float64(runtime.NumCPU()))
	return &v
}

func (p *Probe) battery(ctx context.Context) (Known, *int) {
	return parsePmset(told(ctx, "/usr/bin/pmset", "-g", "batt"))
}

// metered is not told without C.
func (p *Probe) metered(context.Context) Known { return Unknown }
