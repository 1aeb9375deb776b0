package daemon

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
)

// TestDevicesOfAPlainRemoteTellWhatEachLacksAndHowItsClockGoes has a second laptop whose clock goes a day before.
func TestDevicesOfAPlainRemoteTellWhatEachLacksAndHowItsClockGoes(t *testing.T) {
	bare, dirA, dirB := remote(t), t.TempDir(), t.TempDir()
	a := start(t, params(dirA, half(t, assets.SampleClaude)))
	pb := params(dirB, half(t, assets.SampleCodex))
	var passed atomic.Int64 // of b's clock
	passed.Store(int64(26 * time.Hour))
	pb.Now = func() time.Time { return clock().Add(time.Duration(passed.Load())) }
	b := start(t, pb)
	exchange := func(all ...*service) {
		t.Helper()
		for _, s := range all {
			if _, err := s.Sync(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, s := range []*service{a, b} {
		if _, err := s.SyncSetup(t.Context(), bare); err != nil {
			t.Fatal(err)
		}
	}
	exchange(a)
	two := func(s *service) (this, other api.Device) {
		t.Helper()
		ds, err := s.Devices(t.Context())
		if err != nil || ds.Encrypted || len(ds.Devices) != 2 || !ds.Devices[0].This || ds.Devices[1].This {
			t.Fatalf("%+v %v", ds, err)
		}
		return ds.Devices[0], ds.Devices[1]
	}
	me, b1 := two(a)
	if me.Name != machineName() || b1.Name != machineName() || me.Lacks != 0 || me.Ahead != 0 || b1.Ahead != 26*3600 || b1.Behind != 0 || b1.Seen != pb.Now().Unix() {
		t.Errorf("%+v\n%+v", me, b1)
	}
	// b was set up before it had fetched anything, so its word is from before it had a's decisions; it tells once a day.
	if b1.Lacks == 0 {
		t.Errorf("%+v", b1)
	}
	passed.Add(int64(25 * time.Hour))
	exchange(b, a)
	if _, b1 = two(a); b1.Lacks != 0 || b1.Told != pb.Now().Unix() {
		t.Errorf("after a day b has told nothing: %+v", b1)
	}
	head := git(t, bare, "rev-parse", "main")
	passed.Add(int64(50 * time.Hour))
	exchange(b, a, b)
	if git(t, bare, "rev-parse", "main") != head {
		t.Error("two machines that learn nothing write to each other for ever")
	}
	if _, a1 := two(b); a1.Lacks == 0 || a1.Ahead != 0 {
		t.Errorf("a has confirmed what it never told: %+v", a1)
	}
	line, err := a.Timeline(t.Context(), api.TimelineQuery{Limit: 1})
	if err != nil || len(line.Events) != 1 {
		t.Fatal(line, err)
	}
	if _, err := a.Decide(t.Context(), api.Decide{Action: api.DoRefuse, ID: line.Events[0].ID, Reason: "not so"}); err != nil {
		t.Fatal(err)
	}
	exchange(a, b)
	if _, a1 := two(b); a1.Lacks != 0 || a1.Behind < 25*3600 {
		t.Errorf("a had seen b's lines before their time: %+v", a1)
	}
	if got, err := a.ChangeDevice(t.Context(), api.DeviceChange{Device: b1.ID, Action: api.DeviceRename, Name: "  the  tower "}); err != nil || got.Name != "the tower" {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := a.ChangeDevice(t.Context(), api.DeviceChange{Device: "The Tower", Action: api.DeviceRetire}); err != nil || !got.Retired {
		t.Errorf("%+v %v", got, err)
	}
	before := summaries(t, a)
	exchange(a, b)
	if this, _ := two(b); this.Name != "the tower" || !this.Retired {
		t.Errorf("%+v", this)
	}
	if _, b1 = two(a); b1.Lacks != 0 || b1.Told != 0 || summaries(t, a) != before {
		t.Errorf("a retired machine is waited for, or its records went: %+v", b1)
	}
	if got, err := b.ChangeDevice(t.Context(), api.DeviceChange{Device: b1.ID, Action: api.DeviceReturn}); err != nil || got.Retired {
		t.Errorf("%+v %v", got, err)
	}
	for _, bad := range []api.DeviceChange{{Device: "nobody", Action: api.DeviceRetire}, {Device: me.ID, Action: api.DeviceRetire}, {Device: b1.ID, Action: api.DeviceRename, Name: " "},
		{Device: b1.ID, Action: "melt"}} {
		var e *api.Error
		if _, err := a.ChangeDevice(t.Context(), bad); !errors.As(err, &e) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	sound(t, dirA)
	sound(t, dirB)
}
