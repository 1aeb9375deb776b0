package daemon

import (
	"context"
	"sync"
	"testing"

	"dormouse/service/api"
	"dormouse/service/client"
)

func TestTheFirstCaptureIsToldInStatusWhileItGoesOn(t *testing.T) {
	dir, roots := t.TempDir(), t.TempDir()
	give(t, roots, 1, 2)
	p := params(dir, roots)
	c := client.New(client.Options{Home: p.Home.Dir()})
	var mu sync.Mutex
	var seen []*api.Scan
	ready := make(chan struct{})
	p.Report = func(r Report) {
		switch r.Stage {
		case StageCapture:
			st, err := c.Status(context.Background())
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Errorf("while it captures: %v", err)
			}
			seen = append(seen, st.Scan)
		case StageReady:
			close(ready)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- New(p).Run(ctx) }()
	<-ready
	mu.Lock()
	defer mu.Unlock()
	if len(seen) == 0 || seen[len(seen)-1] == nil {
		t.Fatalf("nothing is told: %v", seen)
	}
	last := *seen[len(seen)-1]
	if last.Files == 0 || last.Bytes == 0 || last.BytesDone != last.Bytes || last.FilesDone > last.Files || last.Sessions == 0 {
		t.Errorf("%+v", last)
	}
	if st, err := c.Status(t.Context()); err != nil || st.Scan != nil {
		t.Errorf("after it: %+v, %v", st.Scan, err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
