package main

import (
	"strings"
	"testing"

	"dormouse/service/api"
)

func TestAPartThatIsNotWellIsNotShownAsWell(t *testing.T) {
	page := func(parts ...api.Part) string {
		return strings.Join(formatStatus(viewOf(80), api.Status{Phase: "idle", Parts: parts}), "\n")
	}
	for want, got := range map[string]string{
		"idle. Not all is well: clock.":       page(api.Part{Name: "clock", State: "ok", Health: "degraded", Failure: "one of the two was wrong"}),
		"clock  degraded":                     page(api.Part{Name: "clock", State: "ok", Health: "degraded", Failure: "one of the two was wrong"}),
		"sleep  degraded  1 failure in a row": page(api.Part{Name: "sleep", State: "ok", Health: "degraded", Failed: 1, Failure: "x"}),
		"idle. In trouble: disk.":             page(api.Part{Name: "disk", State: "amber", Health: "failed", Failure: "full"}, api.Part{Name: "sync", State: "ok", Health: "degraded"}),
		"disk  amber\n               full":    page(api.Part{Name: "disk", State: "amber", Health: "failed", Failure: "full"}),
		"idle.\n":                             page(api.Part{Name: "disk", State: "ok", Health: "ok"}),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestANightThatCouldNotReadDoesNotSayThatNothingWasWaiting(t *testing.T) {
	for name, n := range map[string]api.Night{
		"held":   {Ended: 1, Waits: []string{"10 sessions wait: the night's cap is reached"}},
		"failed": {Ended: 1, Stages: []api.NightStage{{Name: "backlog", Done: true, Failure: "the key is not accepted"}}},
		"paused": {},
	} {
		if got := learned(n); got != "nothing" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := learned(api.Night{Ended: 1}); got != "nothing was waiting" {
		t.Errorf("nothing to do: %q", got)
	}
}

func TestWhatTheMeterCannotReadIsSaidAlsoWhereThereIsNothingElse(t *testing.T) {
	if got := strings.Join(formatCost(viewOf(200), api.Cost{By: "day", Damaged: 1}), "\n"); !strings.Contains(got, "1 line of the meter could not be read and is in no sum.") {
		t.Error(got)
	}
	one := api.CostRow{Key: "2026-05-04", Estimated: api.Usage{Calls: 1, InputTokens: 5}}
	got := strings.Join(formatCost(viewOf(200), api.Cost{By: "day", Rows: []api.CostRow{one}, Total: one, Damaged: 2}), "\n")
	for _, want := range []string{"of 1 call the provider did not tell what it took; it counts", "2 lines of the meter could not be read and are in no sum."} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}
