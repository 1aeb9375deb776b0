package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
)

// recallCuts are the numbers of hits at which recall is taken.
var recallCuts = []int{1, 5, 10, 20}

// recallRow is the figures of one ranking over some questions: R@k is the share of the evidence among the first k hits, MRR
// the reciprocal rank of the first evidence; both are means over the questions, in percent.
type recallRow struct {
	System    string             `json:"system"` // dormouse, or bm25 for the plain baseline of the same run
	Unit      string             `json:"unit"`   // turns or sessions
	Set       string             `json:"set"`    // categories
	Questions int                `json:"questions"`
	Figures   map[string]float64 `json:"figures"`
}

// recallBench measures how well the product finds the evidence of questions, beside plain BM25.
func recallBench(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("recall", flag.ContinueOnError)
	dir := flags.String("data", "", "folder with turns.jsonl and questions.jsonl")
	asJSON := flags.Bool("json", false, "print the figures as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" {
		return errors.New("recall: --data DIR is needed")
	}
	if _, err := os.Stat(filepath.Join(*dir, "turns.jsonl")); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("recall: %s has no turns.jsonl; a folder with turns.jsonl and questions.jsonl is needed", *dir)
	}
	rows, err := recallTurns(*dir)
	if err != nil {
		return fmt.Errorf("recall: %w", err)
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(map[string]any{"data": filepath.Base(*dir), "rows": rows})
	}
	return printRecall(stdout, rows)
}

func printRecall(stdout io.Writer, rows []recallRow) error {
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "system\tunit\tset\tquestions\t")
	for _, k := range recallCuts {
		fmt.Fprintf(w, "R@%d\t", k)
	}
	fmt.Fprintln(w, "MRR\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t", r.System, r.Unit, r.Set, r.Questions)
		for _, k := range recallCuts {
			fmt.Fprintf(w, "%.1f\t", r.Figures[fmt.Sprintf("R@%d", k)])
		}
		fmt.Fprintf(w, "%.1f\t\n", r.Figures["MRR"])
	}
	return w.Flush()
}

// scoreboard adds up the rankings of one system and unit by set.
type scoreboard map[string][]map[string]float64

// add scores one ranking (ids best first, each once) against its evidence and counts it in each of the sets.
func (s scoreboard) add(ranked []string, gold map[string]bool, sets ...string) {
	row := map[string]float64{"MRR": 0}
	found := 0
	for i, id := range ranked {
		if gold[id] {
			if found++; found == 1 {
				row["MRR"] = 100 / float64(i+1)
			}
		}
		for _, k := range recallCuts {
			if i < k {
				row[fmt.Sprintf("R@%d", k)] = 100 * float64(found) / float64(len(gold))
			}
		}
	}
	for _, set := range sets {
		s[set] = append(s[set], row)
	}
}

// rows are the means, by set.
func (s scoreboard) rows(system, unit string) []recallRow {
	var out []recallRow
	for set, list := range s {
		r := recallRow{System: system, Unit: unit, Set: set, Questions: len(list), Figures: map[string]float64{}}
		for _, row := range list {
			for name, v := range row {
				r.Figures[name] += v / float64(len(list))
			}
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b recallRow) int { return compareSets(a.Set, b.Set) })
	return out
}
