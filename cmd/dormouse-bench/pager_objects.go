package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"dormouse/assets"
	"dormouse/service/embed"
	"dormouse/service/pager/objects"
	"dormouse/service/pager/replay"
)

// objectFigures are the sums of the typed view over all traces.
type objectFigures struct {
	Admission  bool                     `json:"admission"`
	Traces     int                      `json:"traces"`
	Objects    int                      `json:"objects"`
	Mean       float64                  `json:"mean_tokens"`
	Median     int                      `json:"median_tokens"`
	Share      map[objects.Type]float64 `json:"types_percent"`
	MeanOf     map[objects.Type]float64 `json:"mean_tokens_of_type"`
	Superseded float64                  `json:"superseded_percent_of_files"` // of the objects of files, those that have a newer copy
	Joined     int                      `json:"joined"`
	Relations  float64                  `json:"relations_an_object"`
	Calls      int                      `json:"calls"`
	Refused    float64                  `json:"refused_percent_of_calls"`
	// After a refusal: the same was asked for again and had not changed, or an edit quoted lines of it, and no stored object holds them.
	FaultsF2 int       `json:"faults_after_refusal_f2"`
	FaultsF3 int       `json:"faults_after_refusal_f3"`
	ByReason refusedBy `json:"refused_by_reason"`
	ByType   refusedBy `json:"refused_by_type"`
	MS       float64   `json:"ms_a_turn"`
	all      refusals

	sizes []int
	of    map[objects.Type][]int
	files int
	newer int
	rels  int
	gone  int
	turns int
	took  time.Duration
}

// tableEmbedder is the embedding table that ships with the program.
func tableEmbedder() (func(string) []float32, error) {
	t, err := embed.NewTable(assets.Embedding())
	if err != nil {
		return nil, err
	}
	return t.Vector, nil
}

// objectsBench makes objects of recorded sessions, without and with admission.
func objectsBench(paths []string, asJSON bool, stdout io.Writer) error {
	e, err := tableEmbedder()
	if err != nil {
		return err
	}
	var rows []*objectFigures
	for _, admit := range []bool{false, true} {
		row, err := objectsOf(paths, e, admit)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	if asJSON {
		return json.NewEncoder(stdout).Encode(map[string]any{"rows": rows})
	}
	return printObjects(stdout, rows)
}

func objectsOf(paths []string, e func(string) []float32, admit bool) (*objectFigures, error) {
	f := &objectFigures{Admission: admit, Share: map[objects.Type]float64{}, MeanOf: map[objects.Type]float64{}, of: map[objects.Type][]int{}, ByReason: refusedBy{}, ByType: refusedBy{}}
	o := objects.Default()
	o.Embed, o.Admit = e, admit
	for _, path := range paths {
		t, err := replay.Open(path)
		if err != nil {
			return nil, fmt.Errorf("objects: %w", err)
		}
		threads := []objects.Thread{objects.FromMessages(t.Windows)}
		begin := time.Now()
		v := objects.Of(threads, o)
		f.took += time.Since(begin)
		f.add(v)
		needAfterRefusal(threads[0], v, func(r *objects.Refusal, count func(*refusals)) {
			count(&f.all)
			count(f.ByReason.of(r.Reason))
			count(f.ByType.of(string(r.Type)))
		})
	}
	f.finish()
	return f, nil
}

func (f *objectFigures) add(v *objects.View) {
	f.Traces++
	f.Objects += len(v.Objects)
	f.Joined += v.Stats.Joined
	f.Calls += v.Stats.Calls
	f.gone += v.Stats.RefusedOf
	f.rels += len(v.Relations)
	f.turns += max(1, v.Stats.Turns)
	for _, o := range v.Objects {
		f.sizes = append(f.sizes, o.Tokens)
		f.of[o.Type] = append(f.of[o.Type], o.Tokens)
		if o.Type == objects.FileContext {
			f.files++
			if o.Superseded != "" {
				f.newer++
			}
		}
	}
}

func (f *objectFigures) finish() {
	sum := func(list []int) (n int) {
		for _, x := range list {
			n += x
		}
		return n
	}
	f.FaultsF2, f.FaultsF3 = f.all.F2, f.all.F3
	if f.Objects == 0 {
		return
	}
	slices.Sort(f.sizes)
	f.Mean, f.Median = float64(sum(f.sizes))/float64(f.Objects), f.sizes[len(f.sizes)/2]
	for _, t := range objects.Types() {
		f.Share[t] = 100 * float64(len(f.of[t])) / float64(f.Objects)
		if n := len(f.of[t]); n > 0 {
			f.MeanOf[t] = float64(sum(f.of[t])) / float64(n)
		}
	}
	if f.files > 0 {
		f.Superseded = 100 * float64(f.newer) / float64(f.files)
	}
	f.Relations = float64(f.rels) / float64(f.Objects)
	if f.Calls > 0 {
		f.Refused = 100 * float64(f.gone) / float64(f.Calls)
	}
	f.MS = float64(f.took.Microseconds()) / 1000 / float64(f.turns)
}

func printObjects(stdout io.Writer, rows []*objectFigures) error {
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "admission\tobjects\tmean tokens\tmedian\tsuperseded %\tjoined\trelations\tcalls\trefused %\tF2 after\tF3 after\tms a turn\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%v\t%d\t%.0f\t%d\t%.1f\t%d\t%.2f\t%d\t%.1f\t%d\t%d\t%.2f\t\n", r.Admission, r.Objects, r.Mean, r.Median, r.Superseded, r.Joined, r.Relations, r.Calls,
			r.Refused, r.FaultsF2, r.FaultsF3, r.MS)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "type\tshare %\tmean tokens\t")
	for _, t := range objects.Types() {
		fmt.Fprintf(w, "%s\t%.1f\t%.0f\t\n", t, rows[0].Share[t], rows[0].MeanOf[t])
	}
	printRefused(w, rows[len(rows)-1])
	return w.Flush()
}

// printRefused tells what was refused for which reason and of which type, and how much of it was needed later.
func printRefused(w io.Writer, r *objectFigures) {
	for _, by := range []struct {
		name string
		of   refusedBy
	}{{"refused because it", r.ByReason}, {"refused of type", r.ByType}} {
		fmt.Fprintf(w, "\n%s\tcalls\ttexts\tF2 after\tF3 after\t\n", by.name)
		for _, word := range slices.Sorted(maps.Keys(by.of)) {
			x := by.of[word]
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", word, x.Calls, x.Texts, x.F2, x.F3)
		}
	}
}
