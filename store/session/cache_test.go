package session

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

func TestCacheLosesNothingWhenManyUseItAtOnce(t *testing.T) {
	s := newStore(t)
	s.opts.Cache = 3
	nodes := talk(1, 7)
	var wg sync.WaitGroup
	for w := range 8 {
		x := ensure(t, s, fmt.Sprint(w))
		wg.Go(func() { // the session's one writer
			for turn := range slices.Chunk(nodes, 5) {
				b := x.Begin(w%2 == 0)
				for _, n := range turn {
					if _, err := b.Append(n); err != nil {
						t.Error(err)
					}
				}
				if err := b.Close(true); err != nil {
					t.Error(err)
				}
			}
		})
		for range 2 {
			wg.Go(func() { // readers of all sessions
				for i := range 24 {
					y, err := s.Open(ensure(t, s, fmt.Sprint((w+i)%8)).id)
					if err != nil {
						continue // not made yet
					}
					if list := y.Skeleton(); len(list)%5 != 0 {
						t.Errorf("a part of a batch is seen: %d nodes", len(list))
					}
					if i%8 == 0 {
						if err := y.Compact(); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
	}
	wg.Wait()
	if len(s.recent) > 3 {
		t.Errorf("%d sessions are in memory", len(s.recent))
	}
	for w := range 8 {
		x := ensure(t, New(s.opts), fmt.Sprint(w))
		if got := ids(all(t, x)); !slices.Equal(got, ids(nodes)) {
			t.Errorf("session %d has %d nodes", w, len(got))
		}
		sound(t, x)
	}
}
