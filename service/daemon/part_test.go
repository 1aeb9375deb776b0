package daemon

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestFailingPartIsStartedAgainAndTurnsAmber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var starts []time.Duration
		begin := time.Now()
		p := &part{name: "capture", now: time.Now, log: slog.New(slog.DiscardHandler)}
		p.run = func(ctx context.Context) error {
			starts = append(starts, time.Since(begin))
			if len(starts) == 2 {
				panic("boom")
			}
			return errors.New("folder vanished")
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		go p.supervise(ctx)
		time.Sleep(2 * time.Second)
		if r := p.report(); r.State != "ok" || r.Failed != 2 || !strings.Contains(r.Failure, "boom") {
			t.Errorf("after two failures: %+v", r)
		}
		time.Sleep(2 * time.Second)
		if r := p.report(); r.State != "amber" || r.Failure != "folder vanished" {
			t.Errorf("after three failures: %+v", r)
		}
		<-ctx.Done()
		synctest.Wait()
		if len(starts) != 5 || starts[1] != time.Second || starts[2] != 3*time.Second || starts[4] != 15*time.Second {
			t.Errorf("started at %v", starts)
		}
		p.ok()
		if r := p.report(); r.State != "ok" || r.Failure != "" || r.LastOK == 0 {
			t.Errorf("after a good round: %+v", r)
		}
	})
}
