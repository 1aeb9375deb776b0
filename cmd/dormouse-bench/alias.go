package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"dormouse/service/distill/alias"
)

// aliasFigures is what --json prints. Percent. The headline counts a pair as one thing when the rules call it the same or likely;
// merge_ counts those alone that are merged without asking.
type aliasFigures struct {
	Pairs          int                `json:"pairs"`
	Same           int                `json:"same"`
	Precision      float64            `json:"precision"`
	Recall         float64            `json:"recall"`
	F1             float64            `json:"f1"`
	F1Low          float64            `json:"f1_low"`
	F1High         float64            `json:"f1_high"`
	MergePrecision float64            `json:"merge_precision"`
	MergeRecall    float64            `json:"merge_recall"`
	RecallByKind   map[string]float64 `json:"recall_by_kind"`
	ByReason       []aliasReason      `json:"by_reason"`
}

// aliasReason is what one rule gave.
type aliasReason struct {
	Reason    string  `json:"reason"`
	Pairs     int     `json:"pairs"`
	Precision float64 `json:"precision"`
}

// aliasPair is a labelled pair with the verdict of the rules.
type aliasPair struct {
	same    bool
	kind    string
	verdict alias.Verdict
}

// aliasBench holds the rules by which names are linked against labelled pairs of names.
func aliasBench(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("alias", flag.ContinueOnError)
	data := fs.String("data", "", "pairs.tsv: label, name, name, source, kind")
	asJSON := fs.Bool("json", false, "print the figures as JSON")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *data == "" {
		return fmt.Errorf("alias: --data FILE is needed")
	}
	pairs, err := readAliasPairs(*data)
	if err != nil {
		return err
	}
	fig := aliasFiguresOf(pairs)
	if *asJSON {
		e := json.NewEncoder(stdout)
		e.SetIndent("", " ")
		return e.Encode(fig)
	}
	return printAlias(stdout, fig)
}

func readAliasPairs(path string) ([]aliasPair, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read pairs: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	var out []aliasPair
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		col := strings.Split(sc.Text(), "\t")
		switch {
		case len(col) >= 5 && (col[0] == "0" || col[0] == "1"):
			out = append(out, aliasPair{same: col[0] == "1", kind: col[4], verdict: alias.Compare(col[1], col[2])})
		case n > 1 && sc.Text() != "":
			return nil, fmt.Errorf("%s, line %d: want label, name, name, source and kind, divided by tabs", path, n)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("read pairs %s: %w", path, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no pairs", path)
	}
	return out, nil
}

func aliasFiguresOf(pairs []aliasPair) aliasFigures {
	fig := aliasFigures{Pairs: len(pairs), RecallByKind: map[string]float64{}}
	of, found, merged, mergedRight := map[string]int{}, map[string]int{}, 0, 0
	type tally struct{ n, right int }
	reasons := map[string]*tally{}
	for _, p := range pairs {
		if p.same {
			fig.Same++
			of[p.kind]++
		}
		if p.verdict.Degree == alias.Other {
			continue
		}
		t := reasons[p.verdict.Reason]
		if t == nil {
			t = &tally{}
			reasons[p.verdict.Reason] = t
		}
		t.n++
		if p.same {
			t.right++
			found[p.kind]++
		}
		if p.verdict.Degree == alias.Same {
			merged++
			if p.same {
				mergedRight++
			}
		}
	}
	fig.Precision, fig.Recall, fig.F1 = aliasScore(pairs)
	low, high := interval(len(pairs), func(pick []int) float64 {
		drawn := make([]aliasPair, len(pick))
		for i, k := range pick {
			drawn[i] = pairs[k]
		}
		_, _, f := aliasScore(drawn)
		return f
	})
	fig.F1Low, fig.F1High = low, high
	fig.MergePrecision, fig.MergeRecall = percent(mergedRight, merged), percent(mergedRight, fig.Same)
	for k, n := range of {
		fig.RecallByKind[k] = percent(found[k], n)
	}
	for r, t := range reasons {
		fig.ByReason = append(fig.ByReason, aliasReason{r, t.n, percent(t.right, t.n)})
	}
	slices.SortFunc(fig.ByReason, func(a, b aliasReason) int { return strings.Compare(a.Reason, b.Reason) })
	return fig
}

// aliasScore is precision, recall and F1 in percent.
func aliasScore(pairs []aliasPair) (precision, recall, f1 float64) {
	said, right, same := 0, 0, 0
	for _, p := range pairs {
		yes := p.verdict.Degree != alias.Other
		if p.same {
			same++
		}
		if yes {
			said++
		}
		if yes && p.same {
			right++
		}
	}
	precision, recall = percent(right, said), percent(right, same)
	if precision+recall > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return precision, recall, f1
}

func printAlias(w io.Writer, f aliasFigures) error {
	_, err := fmt.Fprintf(w, "pairs %d, of one thing %d\nsame or likely: precision %.1f, recall %.1f, F1 %.1f (95%% %.1f to %.1f)\nmerged without asking: precision %.1f, recall %.1f\n",
		f.Pairs, f.Same, f.Precision, f.Recall, f.F1, f.F1Low, f.F1High, f.MergePrecision, f.MergeRecall)
	for _, r := range f.ByReason {
		if err == nil {
			_, err = fmt.Fprintf(w, "  %-55s %4d pairs, %5.1f %% right\n", r.Reason, r.Pairs, r.Precision)
		}
	}
	return err
}
