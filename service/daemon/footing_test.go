package daemon

import (
	"slices"
	"testing"
)

func TestTheCollectorGetsRoomBesideWhatMemoryAndIndexHold(t *testing.T) {
	var was []int64
	r := footing{limit: 100, set: func(n int64) int64 { was = append(was, n); return 0 }}
	r.ledgerHolds(30)
	r.indexHolds(5)
	r.ledgerHolds(20)
	if !slices.Equal(was, []int64{130, 135, 125}) {
		t.Errorf("%d", was)
	}
	off := footing{set: func(n int64) int64 { was = append(was, n); return 0 }}
	if off.ledgerHolds(7); len(was) != 3 {
		t.Errorf("a limit that the person set was changed to %d", was[3:])
	}
}
