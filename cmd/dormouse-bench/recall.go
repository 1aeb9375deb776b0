package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// recallSet is a kind of data that recall is measured on.
type recallSet struct {
	about string
	// there reports whether a folder holds this kind; names are those of its files.
	there func(names []string) bool
	rows  func(dir string) ([]recallRow, error)
}

// recallSets are the kinds of data, the first that fits a folder counts.
func recallSets() []recallSet {
	has := func(wanted ...string) func([]string) bool {
		return func(names []string) bool {
			for _, w := range wanted {
				if !hasSuffixed(names, w) {
					return false
				}
			}
			return true
		}
	}
	return []recallSet{
		{"turns.jsonl and questions.jsonl (conversations)", has("turns.jsonl", "questions.jsonl"), recallTurns},
		{"MANIFEST.jsonl and queries.jsonl (coding sessions)", has("MANIFEST.jsonl", "queries.jsonl"), recallSessions},
		{"facts.jsonl and questions.jsonl (facts that overrule others)", has("facts.jsonl", "questions.jsonl"), recallFacts},
		{"beliefs.seed.json and retrieval.cases.json (precision)", has("beliefs.seed.json", "retrieval.cases.json"), recallPrecision},
		{"*.passages.jsonl and *.queries.jsonl (languages)", has(".passages.jsonl", ".queries.jsonl"), recallPassages},
		{"unicode.tsv (match or no match)", has("unicode.tsv"), recallUnicode},
	}
}

// hasSuffixed reports whether a name ends so, gzipped or not.
func hasSuffixed(names []string, suffix string) bool {
	for _, n := range names {
		if strings.HasSuffix(strings.TrimSuffix(n, ".gz"), suffix) {
			return true
		}
	}
	return false
}

// recallBench measures how well the product finds what is asked for, beside plain BM25.
func recallBench(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("recall", flag.ContinueOnError)
	flags.Usage = func() {
		_, _ = fmt.Fprintln(flags.Output(), "usage: dormouse-bench recall --data DIR [--json]\nDIR holds one of these:")
		for _, s := range recallSets() {
			_, _ = fmt.Fprintln(flags.Output(), "  "+s.about)
		}
		_, _ = fmt.Fprintln(flags.Output(), "example: dormouse-bench recall --data bench/locomo --json")
		flags.PrintDefaults()
	}
	dir := flags.String("data", "", "folder with the data")
	asJSON := flags.Bool("json", false, "print the figures as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" {
		return errors.New("recall: --data DIR is needed")
	}
	rows, err := recallRows(*dir)
	if err != nil {
		return fmt.Errorf("recall: %w", err)
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(map[string]any{"data": filepath.Base(*dir), "rows": rows})
	}
	return printRecall(stdout, rows)
}

func recallRows(dir string) ([]recallRow, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	var known []string
	for _, s := range recallSets() {
		if s.there(names) {
			return s.rows(dir)
		}
		known = append(known, s.about)
	}
	return nil, fmt.Errorf("%s holds none of these: %s", dir, strings.Join(known, "; "))
}

// printRecall prints one table for the rows that have the same figures.
func printRecall(stdout io.Writer, rows []recallRow) error {
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	var last []string
	for _, r := range rows {
		names := r.names()
		if strings.Join(names, "\t") != strings.Join(last, "\t") {
			_, _ = fmt.Fprintln(w, "system\tunit\tset\tquestions\t"+strings.Join(names, "\t")+"\t"+interval95(r)+"\t")
			last = names
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%d\t", r.System, r.Unit, r.Set, r.Questions)
		for _, n := range names {
			_, _ = fmt.Fprintf(w, "%.1f\t", r.Figures[n])
		}
		if b, ok := r.Intervals[r.headline()]; ok {
			_, _ = fmt.Fprintf(w, "%.1f to %.1f", b[0], b[1])
		}
		_, _ = fmt.Fprintln(w, "\t")
	}
	return w.Flush()
}

func interval95(r recallRow) string {
	if name := r.headline(); name != "" {
		return name + ", 95 %"
	}
	return ""
}
