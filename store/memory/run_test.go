package memory

import "testing"

func TestLastSleepAddsUpItsRuns(t *testing.T) {
	runs := []Run{
		{Machine: "a", Kind: "deep", Started: 1, Counts: RunCounts{Events: 100}},
		{Machine: "a", Kind: "light", Started: 5, Ended: 6, Counts: RunCounts{Events: 2, Sessions: 1}, CostMicros: 3},
		{Machine: "a", Kind: "light", Started: 5, Ended: 8, Counts: RunCounts{Events: 3, Nodes: 7}, CostMicros: 4, Coverage: []Coverage{{SessionID: "s"}}},
	}
	got := LastSleep(runs)
	if got.Counts != (RunCounts{Events: 5, Sessions: 1, Nodes: 7}) || got.Ended != 8 || got.CostMicros != 7 || got.Coverage != nil {
		t.Errorf("%+v", got)
	}
	if runs[2].Coverage == nil || runs[2].Counts.Events != 3 {
		t.Error("the runs themselves were changed")
	}
	runs[1].Machine = "b" // another machine's sleep that began in the same second
	if got := LastSleep(runs); got.Counts.Events != 3 {
		t.Errorf("%+v", got.Counts)
	}
	if LastSleep(nil) != nil {
		t.Error("a sleep without a run")
	}
}
