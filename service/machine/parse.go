package machine

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of /proc/stat on every Linux that Go runs on (USER_HZ, proc(5)).
const tick = 10 * time.Millisecond

// parseStat reads the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; guests are in user and nice.
func parseStat(b []byte) (all, busy time.Duration, ok bool) {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	fields := strings.Fields(string(line))
	if len(fields) < 5 || fields[0] != "cpu" {
		return 0, 0, false
	}
	for i, f := range fields[1:min(len(fields), 9)] {
		n, err := strconv.ParseUint(f, 10, 48)
		if err != nil {
			return 0, 0, false
		}
		d := time.Duration(n) * tick
		all += d
		if i != 3 && i != 4 { // waiting for a disk is no work
			busy += d
		}
	}
	return all, busy, true
}

// parseLoadavg reads the average of the last minute in /proc/loadavg.
func parseLoadavg(b []byte) (float64, bool) {
	first, _, _ := strings.Cut(string(b), " ")
	v, err := strconv.ParseFloat(strings.TrimSpace(first), 64)
	return v, err == nil && v >= 0 && v < 1e6
}

// supply is one power supply of the system.
type supply struct {
	Type   string // Mains, USB or Battery
	Scope  string // Device is the battery of a mouse or a headset
	Online string
	Status string
	Charge string // percent
}

// parseSupplies says whether the machine runs on battery, and the lowest charge of its batteries. A machine without a battery does
// not run on one.
func parseSupplies(list []supply) (Known, *int) {
	on, mains := Unknown, Unknown
	var charge *int
	for _, s := range list {
		switch s.Type {
		case "Mains", "USB":
			if s.Scope != "Device" && (s.Online == "1" || mains == Unknown && s.Type == "Mains") {
				mains = known(s.Online == "1")
			}
		case "Battery":
			if s.Scope == "Device" {
				continue
			}
			switch s.Status {
			case "Discharging":
				on = Yes
			case "Charging", "Full", "Not charging":
				if on == Unknown {
					on = No
				}
			}
			if n, err := strconv.Atoi(s.Charge); err == nil && n >= 0 && n <= 100 && (charge == nil || n < *charge) {
				charge = &n
			}
		}
	}
	switch {
	case mains == Yes, on == No, charge == nil && on == Unknown: // the last is a machine without a battery
		return No, nil
	case on == Yes, mains == No:
		return Yes, charge
	}
	return Unknown, nil
}

// parseIoreg reads HIDIdleTime, in nanoseconds, from what `ioreg -c IOHIDSystem -r -d 1` prints on macOS.
func parseIoreg(b []byte) (time.Duration, bool) {
	for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); {
		_, value, ok := strings.Cut(lines.Text(), `"HIDIdleTime" = `)
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		if raw, isHex := strings.CutPrefix(value, "<"); isHex { // eight bytes, lowest first
			var eight [8]byte
			raw = strings.TrimSuffix(raw, ">")
			if len(raw) != 16 {
				return 0, false
			}
			for i := range eight {
				v, err := strconv.ParseUint(raw[2*i:2*i+2], 16, 8)
				if err != nil {
					return 0, false
				}
				eight[i] = byte(v)
			}
			return sane(binary.LittleEndian.Uint64(eight[:]))
		}
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return 0, false
		}
		return sane(n)
	}
	return 0, false
}

// sane refuses times of more than a hundred years.
func sane(ns uint64) (time.Duration, bool) {
	const most = uint64(100 * 365 * 24 * time.Hour)
	return time.Duration(min(ns, most)), ns <= most
}

// parsePmset reads what `pmset -g batt` prints on macOS: "Now drawing from 'Battery Power'", then a line a battery with its charge.
func parsePmset(b []byte) (Known, *int) {
	text := string(b)
	switch {
	case strings.Contains(text, "Now drawing from 'AC Power'"), strings.Contains(text, "Now drawing from 'UPS Power'"):
		return No, nil
	case !strings.Contains(text, "Now drawing from 'Battery Power'"):
		return Unknown, nil
	}
	var charge *int
	for _, line := range strings.Split(text, "\n") {
		before, _, ok := strings.Cut(line, "%;")
		if !ok {
			continue
		}
		digits := before[strings.LastIndexAny(before, "\t )")+1:]
		if n, err := strconv.Atoi(digits); err == nil && n >= 0 && n <= 100 && (charge == nil || n < *charge) {
			charge = &n
		}
	}
	return Yes, charge
}

// The bits of NLM_CONNECTION_COST (netlistmgr.h).
const (
	costUnrestricted = 0x1
	costFixed        = 0x2
	costVariable     = 0x4
	costOverLimit    = 0x10000
	costRoaming      = 0x40000
)

// costOf says whether a network of Windows costs by what is sent.
func costOf(cost uint32) Known {
	switch {
	case cost&(costFixed|costVariable|costOverLimit|costRoaming) != 0:
		return Yes
	case cost&costUnrestricted != 0:
		return No
	}
	return Unknown
}
