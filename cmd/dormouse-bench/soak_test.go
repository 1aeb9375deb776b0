package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func TestSoakCapturesEverySessionThatAgentsWrite(t *testing.T) {
	var out bytes.Buffer
	if err := soakBench([]string{"--for", "5s", "--json"}, &out); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	var f soakFigures
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	if f.Sessions == 0 || f.Nodes == 0 || f.Calls == 0 {
		t.Errorf("nothing happened: %+v", f)
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
