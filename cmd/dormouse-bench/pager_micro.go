package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"dormouse/service/pager"
	"dormouse/service/pager/replay"
)

// microFigures are how well a question brings back what a replayed edit misses, in percent of those edits.
type microFigures struct {
	Faults   int     `json:"faults"`
	Answered float64 `json:"answered_percent"`
	First    float64 `json:"best_passage_percent"`
	Saved    float64 `json:"bytes_saved_percent"` // against bringing the whole blocks back
	MS       float64 `json:"ms_a_question"`
}

func microBench(paths []string, asJSON bool, stdout io.Writer) error {
	var m replay.Micro
	for _, path := range paths {
		t, err := replay.Open(path)
		if err != nil {
			return fmt.Errorf("micro: %w", err)
		}
		x := replay.New(t).Micro(pager.Default())
		m.Faults, m.Answered, m.First, m.Bytes, m.Whole, m.Took = m.Faults+x.Faults, m.Answered+x.Answered, m.First+x.First, m.Bytes+x.Bytes, m.Whole+x.Whole, m.Took+x.Took
	}
	f := microFigures{Faults: m.Faults}
	if m.Faults > 0 {
		f.Answered, f.First = 100*float64(m.Answered)/float64(m.Faults), 100*float64(m.First)/float64(m.Faults)
		f.Saved, f.MS = 100*(1-float64(m.Bytes)/float64(m.Whole)), float64(m.Took.Microseconds())/1000/float64(m.Faults)
	}
	if asJSON {
		return json.NewEncoder(stdout).Encode(f)
	}
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "edits that miss lines\tanswered %\tby the best passage %\tbytes saved against restores %\tms a question\t")
	fmt.Fprintf(w, "%d\t%.1f\t%.1f\t%.1f\t%.2f\t\n", f.Faults, f.Answered, f.First, f.Saved, f.MS)
	return w.Flush()
}
