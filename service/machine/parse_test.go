package machine

import (
	"runtime"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	for in, want := range map[string]struct {
		all, busy time.Duration
		ok        bool
	}{
		"cpu  100 20 30 1000 50 6 4 10 99 98\ncpu0 1 2 3 4\n": {12200 * time.Millisecond, 1700 * time.Millisecond, true},
		"cpu  100 20 30 1000\n":                               {11500 * time.Millisecond, 1500 * time.Millisecond, true},
		"cpu0 100 20 30 1000 50\n":                            {},
		"cpu  100 twenty 30 1000\n":                           {},
		"":                                                    {},
	} {
		all, busy, ok := parseStat([]byte(in))
		if all != want.all || busy != want.busy || ok != want.ok {
			t.Errorf("%q: %v %v %v", in, all, busy, ok)
		}
	}
}

func TestLoadIsWhatOthersUse(t *testing.T) {
	cores := time.Duration(runtime.NumCPU())
	before := times{all: time.Hour, busy: time.Minute, own: time.Second}
	for name, c := range map[string]struct {
		now  times
		want float64
		ok   bool
	}{
		"half of it, of which this process took half": {times{before.all + 4*cores*time.Second, before.busy + 2*cores*time.Second, before.own + cores*time.Second}, .25, true},
		"all of it is this process's":                 {times{before.all + 4*cores*time.Second, before.busy + cores*time.Second, before.own + 2*cores*time.Second}, 0, true},
		"too near":                                    {times{before.all + 100*cores*time.Millisecond, before.busy + 90*cores*time.Millisecond, before.own}, 0, false},
		"a clock that went back":                      {times{before.all - time.Minute, before.busy, before.own}, 0, false},
	} {
		if got, ok := c.now.since(before); got != c.want || ok != c.ok {
			t.Errorf("%s: %v %v", name, got, ok)
		}
	}
}

func TestParseLoadavg(t *testing.T) {
	for in, want := range map[string]float64{"0.75 0.5 0.2 1/234 5678\n": .75, "12.00": 12} {
		if got, ok := parseLoadavg([]byte(in)); !ok || got != want {
			t.Errorf("%q: %v %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "x 1 2", "-1 0 0", "NaN 0 0"} {
		if _, ok := parseLoadavg([]byte(in)); ok {
			t.Errorf("%q counts as a load", in)
		}
	}
}

func TestParseSupplies(t *testing.T) {
	mains := func(online string) supply { return supply{Type: "Mains", Online: online} }
	battery := func(status, charge string) supply { return supply{Type: "Battery", Status: status, Charge: charge} }
	for name, c := range map[string]struct {
		list   []supply
		on     Known
		charge int // -1 is nil
	}{
		"a desktop":                         {nil, No, -1},
		"a laptop at the mains":             {[]supply{mains("1"), battery("Charging", "40")}, No, -1},
		"a full one":                        {[]supply{battery("Full", "100")}, No, -1},
		"a laptop on battery":               {[]supply{mains("0"), battery("Discharging", "40")}, Yes, 40},
		"two batteries":                     {[]supply{battery("Discharging", "40"), battery("Unknown", "7")}, Yes, 7},
		"charged over USB":                  {[]supply{mains("0"), {Type: "USB", Online: "1"}, battery("Charging", "9")}, No, -1},
		"the other way around":              {[]supply{{Type: "USB", Online: "1"}, mains("0"), battery("Unknown", "9")}, No, -1},
		"nothing plugged in, status hidden": {[]supply{mains("0"), {Type: "USB", Online: "0"}, battery("Unknown", "9")}, Yes, 9},
		"only a mouse has one":              {[]supply{{Type: "Battery", Scope: "Device", Status: "Discharging", Charge: "3"}}, No, -1},
		"a battery that says nothing":       {[]supply{battery("Unknown", "50")}, Unknown, -1},
		"a charge that is none":             {[]supply{mains("0"), battery("Discharging", "444")}, Yes, -1},
	} {
		on, charge := parseSupplies(c.list)
		if on != c.on || (charge == nil) != (c.charge < 0) || charge != nil && *charge != c.charge {
			t.Errorf("%s: %v %v", name, on, charge)
		}
	}
}

// The forms that ioreg prints a number and data in.
const (
	ioregNumber = "+-o IOHIDSystem  <class IOHIDSystem, id 0x100000471, registered, matched, active, busy 0 (0 ms), retain 25>\n    {\n      \"HIDIdleTime\" = 4123456789\n      \"HIDParameters\" = {\"HIDMouseAcceleration\"=45056}\n    }\n"
	ioregData   = "    | |   {\n    | |     \"HIDIdleTime\" = <15cd5b0700000000>\n"
	pmsetOn     = "Now drawing from 'Battery Power'\n -InternalBattery-0 (id=4325475)\t83%; discharging; 5:12 remaining present: true\n"
	pmsetOff    = "Now drawing from 'AC Power'\n -InternalBattery-0 (id=4325475)\t83%; charging; 1:12 remaining present: true\n"
)

func TestParseIoreg(t *testing.T) {
	for in, want := range map[string]time.Duration{ioregNumber: 4123456789, ioregData: 123456789} {
		if got, ok := parseIoreg([]byte(in)); !ok || got != want {
			t.Errorf("%q: %v %v", in, got, ok)
		}
	}
	for _, in := range []string{"", `"HIDIdleTime" = `, `"HIDIdleTime" = <15cd>`, `"HIDIdleTime" = <15cd5b070000000g>`, `"HIDIdleTime" = 18446744073709551615`} {
		if got, ok := parseIoreg([]byte(in)); ok {
			t.Errorf("%q counts as %v", in, got)
		}
	}
}

func TestParsePmset(t *testing.T) {
	for in, want := range map[string]struct {
		on     Known
		charge int
	}{
		pmsetOn: {Yes, 83}, pmsetOff: {No, -1}, "": {Unknown, -1},
		"Now drawing from 'Battery Power'\n":              {Yes, -1},
		"Now drawing from 'Battery Power'\n x\t183%; y\n": {Yes, -1},
	} {
		on, charge := parsePmset([]byte(in))
		if on != want.on || (charge == nil) != (want.charge < 0) || charge != nil && *charge != want.charge {
			t.Errorf("%q: %v %v", in, on, charge)
		}
	}
}

func TestCostOfANetworkOnWindows(t *testing.T) {
	for cost, want := range map[uint32]Known{0: Unknown, 1: No, 2: Yes, 4: Yes, 0x10001: Yes, 0x40001: Yes, 0x20001: No} {
		if got := costOf(cost); got != want {
			t.Errorf("%x: %v", cost, got)
		}
	}
}

// FuzzParsers makes sure that nothing that a system prints ends the service or gives a time or a charge that cannot be.
func FuzzParsers(f *testing.F) {
	for _, s := range []string{ioregNumber, ioregData, pmsetOn, pmsetOff, "cpu  1 2 3 4\n", "0.5 1", "Discharging"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if d, ok := parseIoreg(b); ok && d < 0 {
			t.Errorf("idle for %v", d)
		}
		if all, busy, ok := parseStat(b); ok && (busy < 0 || busy > all) {
			t.Errorf("busy for %v of %v", busy, all)
		}
		if l, ok := parseLoadavg(b); ok && !(l >= 0) {
			t.Errorf("load %v", l)
		}
		_, c := parsePmset(b)
		_, d := parseSupplies([]supply{{Type: "Battery", Status: string(b), Charge: string(b)}})
		for _, charge := range []*int{c, d} {
			if charge != nil && (*charge < 0 || *charge > 100) {
				t.Errorf("charge %d", *charge)
			}
		}
	})
}
