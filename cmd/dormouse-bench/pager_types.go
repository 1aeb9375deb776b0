package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"dormouse/service/pager/objects"
	"dormouse/service/pager/replay"
)

// typeLabel says of what type the object is that a block belongs to, by the judgement of one who read the block and not the classifier's
// answer. Blocks are counted from 0 over all messages of a session.
type typeLabel struct {
	Session string       `json:"session"`
	Block   int          `json:"block"`
	Type    objects.Type `json:"type"`
}

// typeScore is how often a type is right.
type typeScore struct {
	Labelled int `json:"labelled"`
	Given    int `json:"given"` // objects of labelled blocks that were given the type
	Right    int `json:"right"`
}

type typeFigures struct {
	Labels   int                         `json:"labels"`
	Missing  int                         `json:"missing"` // labels whose block is in no object
	Accuracy float64                     `json:"accuracy_percent"`
	Types    map[objects.Type]*typeScore `json:"types"`
	Wrong    map[string]int              `json:"wrong"` // "labelled as given"
}

// typesBench holds the types of objects against labels.
func typesBench(paths []string, labels string, asJSON bool, stdout io.Writer) error {
	want, err := readLines[typeLabel](labels)
	if err != nil {
		return fmt.Errorf("types: %w", err)
	}
	e, err := tableEmbedder()
	if err != nil {
		return err
	}
	o := objects.Default()
	o.Embed, o.Admit = e, false
	by := map[string][]typeLabel{}
	for _, l := range want {
		by[l.Session] = append(by[l.Session], l)
	}
	f := &typeFigures{Types: map[objects.Type]*typeScore{}, Wrong: map[string]int{}}
	for _, path := range paths {
		t, err := replay.Open(path)
		if err != nil {
			return fmt.Errorf("types: %w", err)
		}
		if len(by[t.ID]) > 0 {
			f.add(by[t.ID], objects.Of([]objects.Thread{objects.FromMessages(t.Windows)}, o))
		}
	}
	if f.Labels == 0 {
		return fmt.Errorf("types: %s labels no block of these sessions", labels)
	}
	right := 0
	for _, s := range f.Types {
		right += s.Right
	}
	f.Accuracy = 100 * float64(right) / float64(f.Labels)
	if asJSON {
		return json.NewEncoder(stdout).Encode(f)
	}
	return f.print(stdout)
}

func (f *typeFigures) of(t objects.Type) *typeScore {
	if f.Types[t] == nil {
		f.Types[t] = &typeScore{}
	}
	return f.Types[t]
}

func (f *typeFigures) add(labels []typeLabel, v *objects.View) {
	got := map[int]objects.Type{}
	for _, x := range v.Objects {
		for _, p := range x.Parts {
			got[p.Block] = x.Type
		}
	}
	for _, l := range labels {
		f.Labels++
		f.of(l.Type).Labelled++
		t, ok := got[l.Block]
		if !ok {
			f.Missing++
			continue
		}
		f.of(t).Given++
		if t == l.Type {
			f.of(t).Right++
		} else {
			f.Wrong[fmt.Sprintf("%s as %s", l.Type, t)]++
		}
	}
}

func (f *typeFigures) print(stdout io.Writer) error {
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "type\tlabelled\tgiven\tright\tfound %\tof given right %\t")
	share := func(n, of int) string {
		if of == 0 {
			return ""
		}
		return fmt.Sprintf("%.1f", 100*float64(n)/float64(of))
	}
	for _, t := range objects.Types() {
		s := f.of(t)
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%s\t\n", t, s.Labelled, s.Given, s.Right, share(s.Right, s.Labelled), share(s.Right, s.Given))
	}
	fmt.Fprintf(w, "all, %d in no object\t%d\t\t\t%.1f\t\t\n\n", f.Missing, f.Labels, f.Accuracy)
	for _, k := range slices.Sorted(maps.Keys(f.Wrong)) {
		fmt.Fprintf(w, "%s\t%d\t\n", k, f.Wrong[k])
	}
	return w.Flush()
}
