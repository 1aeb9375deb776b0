package main

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv(serveHome) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestSoakCapturesEverySessionThatAgentsWriteInBulk(t *testing.T) {
	var out bytes.Buffer
	if err := soakBench([]string{"--for", "8s", "--sessions", "20", "--json"}, &out); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	var f soakFigures
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	if f.Sessions == 0 || f.Nodes == 0 || f.Calls == 0 {
		t.Errorf("nothing happened: %+v", f)
	}
	if r := f.Rest; r.Ready <= 0 || r.ReadyCPU <= 0 || r.Seconds < 2 || r.Empty <= 0 || r.Early <= 0 || r.GoroutinesEarly < 5 || r.Year.Resident < r.Late || r.Year.PerNode <= 0 {
		t.Errorf("at rest: %+v", r)
	}
}

func TestSoakTellsWhatWasLostAndWhatCameFromNowhere(t *testing.T) {
	got := differing(map[string]int{"whole": 5, "more": 7, "short": 2, "strange": 1}, map[string]int{"whole": 5, "more": 6, "short": 3, "gone": 4})
	want := []string{"session gone has 0 nodes of 4", "session short has 2 nodes of 3", "session strange is in no transcript"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSoakTellsWhatKeptGrowing(t *testing.T) {
	flat, steep := []float64{9, 30, 31, 30, 30, 31, 30, 30}, []float64{9, 30, 60, 90, 120, 150, 180, 210}
	if f := (growth{memory: flat, goroutines: flat, open: flat}).faults(); len(f) > 0 {
		t.Errorf("faults without growth: %q", f)
	}
	f := growth{memory: steep, goroutines: steep, open: steep}.faults()
	if len(f) != 3 || !strings.Contains(f[0], "private memory in MB grew from 90 to 210") {
		t.Errorf("faults %q", f)
	}
}

func TestSoakTellsWhatAServiceAtRestDoesNotHold(t *testing.T) {
	well := restFigures{Sessions: 1000, Settled: true, Idle: 0.5, Peak: 150, ReadyCPU: 500, Early: 90, Late: 100, GoroutinesEarly: 30, GoroutinesLate: 33, OpenEarly: 20, OpenLate: 20}
	if f := well.faults(); len(f) > 0 {
		t.Errorf("%q", f)
	}
	ill := restFigures{Sessions: 1000, Settled: true, Idle: 0.51, Peak: 151, ReadyCPU: 501, Early: 90, Late: 120, GoroutinesEarly: 30, GoroutinesLate: 40, OpenEarly: 20, OpenLate: 40}
	if f := ill.faults(); len(f) != 6 || f[1] != "with 1000 sessions it has 151 MB resident" {
		t.Errorf("%q", f)
	}
	if f := (&restFigures{Idle: 9}).faults(); len(f) > 0 {
		t.Errorf("judged before it came to rest: %q", f)
	}
	well.Empty, well.Seconds, well.Log = 50, 3600, 1000
	well.onPaper(2_000_000, 1000, 10)
	if y := well.Year; y.Sessions != 7300 || y.Resident != 100+0.05*7300 || y.Log != 8.76 || y.PerNode != 2000 || y.State != 1.46 {
		t.Errorf("%+v", y)
	}
}

func TestSoakRenewsIDsOfASessionAlikeAndKeepsTheirForm(t *testing.T) {
	uuid, msg := []byte("130d7b7e-5801-4345-9bd6-f32fd9b8429b"), []byte("msg_01AbCdEfGhIjKlMnOpQr")
	for _, old := range [][]byte{uuid, msg} {
		a, again, other := renewed(old, 1), renewed(old, 1), renewed(old, 2)
		if !bytes.Equal(a, again) || bytes.Equal(a, other) || bytes.Equal(a, old) {
			t.Errorf("%s became %s, %s and %s", old, a, again, other)
		}
		if !regexp.MustCompile(`^(?:` + agentIDs.String() + `)$`).Match(a) {
			t.Errorf("%s is no id of the form of %s", a, old)
		}
	}
}

func TestSoakRefusesATimeThatShowsNothing(t *testing.T) {
	if err := soakBench([]string{"--for", "1s"}, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "too short") {
		t.Errorf("error %v", err)
	}
}
