package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"dormouse/service/pager"
	"dormouse/service/pager/objects"
	"dormouse/service/pager/replay"
)

// goalFigures are what following goals finds and foresees. Sessions of two tasks are joined, half by half, so that the seams are known.
type goalFigures struct {
	Joined   int     `json:"joined"` // pairs of sessions
	Seams    int     `json:"seams"`
	Found    float64 `json:"found_percent"` // of the seams
	Others   int     `json:"other_prompts"` // that begin nothing new as far as is known: a session may have several goals of its own
	Alarms   float64 `json:"taken_for_new_percent"`
	Accuracy float64 `json:"accuracy_percent"` // mean of the seams that were found and the other prompts that were not taken for one
	// What stays for a new goal or is named by its prompt, and what of it calls were about later, over the joined sessions.
	Predicted int     `json:"predicted"`
	Met       float64 `json:"met_percent"`
	// The sessions as they were recorded, with and without goals.
	Rows []*paged `json:"rows"`

	found, alarms, met int
}

// goalOptions are the engine's with goals followed, told by the embedding table that ships.
func goalOptions(e func(string) []float32) pager.Options {
	o := pager.Default()
	by := objects.Default()
	by.Embed = e
	o.Goals = &pager.Goals{Shift: by.NewGoal, Embed: e, Keep: 20}
	return o
}

// goalsBench measures how goals are told and what is foreseen for them.
func goalsBench(paths []string, asJSON bool, stdout io.Writer) error {
	e, err := tableEmbedder()
	if err != nil {
		return err
	}
	f := &goalFigures{Rows: []*paged{{Policy: "dormouse"}, {Policy: "with goals"}}}
	o := goalOptions(e)
	var before []pager.Message
	for _, path := range paths {
		t, err := replay.Open(path)
		if err != nil {
			return fmt.Errorf("goals: %w", err)
		}
		r := replay.New(t)
		none := r.None()
		f.Rows[0].add(r.Engine(pager.Default()), none)
		f.Rows[1].add(r.Engine(o), none)
		if w := longest(t.Windows); len(prompts(w)) > 1 {
			if before == nil {
				before = w
				continue
			}
			f.join(before, w, o)
			before = nil
		}
	}
	f.finish()
	if asJSON {
		return json.NewEncoder(stdout).Encode(f)
	}
	return f.print(stdout)
}

func longest(windows [][]pager.Message) (w []pager.Message) {
	for _, x := range windows {
		if len(x) > len(w) {
			w = x
		}
	}
	return w
}

// prompts are the messages in which the person says something.
func prompts(w []pager.Message) (out []int) {
	for i, m := range w {
		if m.User && slices.ContainsFunc(m.Blocks, func(b pager.Block) bool { return b.Kind == pager.Text && b.Text != "" }) {
			out = append(out, i)
		}
	}
	return out
}

// join takes half of one session, half of another, and then the rest of each: three seams.
func (f *goalFigures) join(a, b []pager.Message, o pager.Options) {
	f.Joined++
	at := func(w []pager.Message) int { p := prompts(w); return p[len(p)/2] }
	shift, seam, first := o.Goals.Shift, false, true
	g := *o.Goals
	o.Goals = &g
	g.Shift = func(before, prompt string) bool {
		got := shift(before, prompt)
		f.note(seam && first, got)
		first = false
		return got
	}
	e := pager.New(o)
	for i, part := range [][]pager.Message{a[:at(a)], b[:at(b)], a[at(a):], b[at(b):]} {
		for n, m := range part {
			seam, first = i > 0 && n == 0, true
			if !m.User {
				e.Request(m.Time)
			}
			e.Add(m)
		}
	}
	s := e.Stats()
	f.Predicted, f.met = f.Predicted+s.Predicted, f.met+s.Met
}

func (f *goalFigures) note(seam, got bool) {
	switch {
	case seam:
		f.Seams++
		if got {
			f.found++
		}
	default:
		f.Others++
		if got {
			f.alarms++
		}
	}
}

func (f *goalFigures) finish() {
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	f.Found, f.Alarms, f.Met = share(f.found, f.Seams), share(f.alarms, f.Others), share(f.met, f.Predicted)
	f.Accuracy = (f.Found + 100 - f.Alarms) / 2
	for _, r := range f.Rows {
		r.ratios()
	}
}

func (f *goalFigures) print(stdout io.Writer) error {
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "joined pairs\tseams\tfound %\tother prompts\ttaken for new %\taccuracy %\tpredicted\tmet %\t")
	fmt.Fprintf(w, "%d\t%d\t%.1f\t%d\t%.1f\t%.1f\t%d\t%.1f\t\n\n", f.Joined, f.Seams, f.Found, f.Others, f.Alarms, f.Accuracy, f.Predicted, f.Met)
	if err := w.Flush(); err != nil {
		return err
	}
	return printPaged(stdout, f.Rows)
}
