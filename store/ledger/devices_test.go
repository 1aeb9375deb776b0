package ledger

import (
	"testing"
	"time"

	"dormouse/store/memory"
)

func TestDevicesTellWhatEachMachineHasOfTheOthersAndWhatItIsCalled(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	la, lb := open(t, a, "aa", day1), open(t, b, "bb", day1.Add(time.Hour))
	mustAppend(t, la, 1, "One", "Two")
	if la.NewlyKnown() {
		t.Error("nothing came in, and yet there is something to tell")
	}
	carry(t, a, b, "aa")
	if _, err := lb.Reload(); err != nil {
		t.Fatal(err)
	}
	if !lb.NewlyKnown() {
		t.Error("what came in is nothing to tell")
	}
	note := func(l *Ledger, n *memory.DeviceNote) {
		t.Helper()
		if err := l.Append(nil, memory.Run{Kind: memory.RunDevices, Ended: day1.Add(2 * time.Hour).Unix(), Device: n}); err != nil {
			t.Fatal(err)
		}
	}
	note(lb, &memory.DeviceNote{ID: "bb", Name: "laptop"})
	if lb.NewlyKnown() {
		t.Error("it was told and is there still")
	}
	note(lb, &memory.DeviceNote{ID: "bb", Name: "desk"})
	note(lb, &memory.DeviceNote{ID: "cc", Name: "old", Retired: true})
	carry(t, b, a, "bb")
	if _, err := la.Reload(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // also of a ledger that has read its own log anew
		ds := la.Devices()
		if len(ds) != 3 || ds[0].ID != "aa" || ds[0].Decisions != 2 || ds[0].Told != 0 || ds[2].ID != "cc" || !ds[2].Retired || ds[2].Name != "old" || ds[2].Seen != 0 {
			t.Fatalf("%+v", ds)
		}
		if m := ds[1]; m.Name != "desk" || m.Retired || m.Decisions != 0 || m.Runs != 3 || m.Known["aa"].Decisions != 2 || m.Told != day1.Add(2*time.Hour).Unix() || m.Seen != m.Told {
			t.Errorf("%+v", m)
		}
		la = open(t, a, "aa", day1)
	}
	if r := memory.LastSleep(lb.Runs()); r == nil || r.Machine != "aa" {
		t.Errorf("a word about machines counts as a sleep: %+v", r)
	}
	// What was told is not told again with every run.
	for _, r := range lb.Runs()[2:] {
		if r.Known != nil {
			t.Errorf("told twice: %+v", r)
		}
	}
}
