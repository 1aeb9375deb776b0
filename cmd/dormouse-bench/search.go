package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"dormouse/assets"
	"dormouse/service/embed"
)

const searchHelp = `dormouse-bench search [flags]: speed and size of the search index, on documents that are cut from real source code: building it,
opening it, adding a turn, and what a query costs by text, by vector and by both; how many of the ten nearest vectors the codes find.
Beside it, on the same documents in the same run: bleve, SQLite FTS5 and chromem-go, each on as many as it can take.

Example: dormouse-bench search --records 100000
         dormouse-bench search --records 1000000 --dir /data --json

`

// searchOptions are the flags of the search bench.
type searchOptions struct {
	records, queries, mean, others, flat int
	seed                                 uint64
	corpus, dir, table, cpuProfile       string
	memProfile, reuse                    string
	profileAt, exact                     int
	keep, asJSON                         bool
}

// searchFigures is what the search bench prints.
type searchFigures struct {
	Records int            `json:"records"`
	Bytes   float64        `json:"mean_bytes"`
	Passes  int            `json:"passes"` // over the text
	Dims    int            `json:"dims"`   // of a vector
	Ours    oursFigures    `json:"dormouse"`
	Others  []otherFigures `json:"others"`
}

func searchBench(args []string, stdout io.Writer) error {
	o, err := parseSearch(args, stdout)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(o.dir, "dormouse-bench-")
	if err != nil {
		return err
	}
	if !o.keep {
		defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	}
	fig, err := measureSearch(context.Background(), o, dir)
	if err != nil {
		return err
	}
	if o.asJSON {
		return json.NewEncoder(stdout).Encode(fig)
	}
	return printSearch(stdout, fig)
}

func parseSearch(args []string, stdout io.Writer) (o searchOptions, err error) {
	f := flag.NewFlagSet("search", flag.ContinueOnError)
	f.SetOutput(stdout)
	f.Usage = func() {
		_, _ = io.WriteString(stdout, searchHelp)
		f.PrintDefaults()
	}
	f.IntVar(&o.records, "records", 1_000_000, "documents")
	f.IntVar(&o.queries, "queries", 300, "queries of each kind")
	f.IntVar(&o.mean, "mean", 1024, "mean length of a document in bytes")
	f.IntVar(&o.others, "others", 200_000, "most documents for bleve and FTS5; 0 leaves them out")
	f.IntVar(&o.flat, "flat", 100_000, "most documents for chromem-go; 0 leaves it out")
	f.Uint64Var(&o.seed, "seed", 1, "seed of all chance")
	f.StringVar(&o.corpus, "corpus", "", "folders with source code, divided by commas (default: Go's own and the downloaded modules)")
	f.StringVar(&o.dir, "dir", "", "where the temporary folder is made")
	f.StringVar(&o.table, "table", "", "a file with another embedding table than the program's")
	f.StringVar(&o.cpuProfile, "cpuprofile", "", "write a CPU profile of the queries to this file, and one of building to this name with .build")
	f.IntVar(&o.exact, "exact", 100, "queries for which the ten nearest are held against all vectors, which takes long; 0 leaves it out")
	f.StringVar(&o.memProfile, "memprofile", "", "write a profile of the memory in use while building to this file")
	f.StringVar(&o.reuse, "reuse", "", "a folder that --keep left of a run with the same documents: the index in it is asked, and none is built")
	f.IntVar(&o.profileAt, "profileat", 0, "documents after which the memory profile is made (default: three quarters)")
	f.BoolVar(&o.keep, "keep", false, "leave the temporary folder")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 || o.records < 100 || o.queries < 1 || o.mean < 100 {
		return o, fmt.Errorf("it takes flags alone, at least 100 records of 100 bytes and one query; dormouse-bench search --help")
	}
	return o, nil
}

func measureSearch(ctx context.Context, o searchOptions, dir string) (fig searchFigures, err error) {
	var dirs []string
	if o.corpus != "" {
		dirs = strings.Split(o.corpus, ",")
	}
	docs, err := newChunks(dirs, o.seed, o.mean)
	if err != nil {
		return fig, err
	}
	raw := assets.Embedding()
	if o.table != "" {
		if raw, err = os.ReadFile(o.table); err != nil {
			return fig, err
		}
	}
	table, err := embed.NewTable(raw)
	if err != nil {
		return fig, err
	}
	fig.Dims = table.Model().Dims
	fig.Records = o.records
	b := &searchRun{o: o, docs: docs, model: table.Model(), dir: filepath.Join(dir, "index")}
	if o.reuse != "" {
		b.dir = filepath.Join(o.reuse, "index")
	}
	if fig.Ours, err = b.measure(ctx); err != nil {
		return fig, err
	}
	fig.Bytes, fig.Passes = float64(b.bytes)/float64(o.records), docs.passes
	for _, other := range b.others() {
		if other.most < 1 {
			continue
		}
		row, err := other.measure(ctx, b, dir)
		freeMemory()
		if err != nil {
			return fig, fmt.Errorf("%s: %w", other.name, err)
		}
		fig.Others = append(fig.Others, row)
	}
	return fig, nil
}

func printSearch(w io.Writer, f searchFigures) error {
	o := f.Ours
	fmt.Fprintf(w, "%d documents of mean %.0f bytes; vectors of %d numbers; %d passes over the text\n\n", f.Records, f.Bytes, f.Dims, f.Passes)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "build\t%.0f CPU s, %.0f documents a second of the clock\n", o.BuildCPU, o.BuildRate)
	fmt.Fprintf(t, "bytes a document\ttext %.0f, vectors %.0f, shown text %.0f, ids %.0f; all files %.0f\n", o.TextBytes, o.VectorBytes, o.ShownBytes, o.IDBytes, o.FileBytes)
	fmt.Fprintf(t, "open\t%s\n", o.Open)
	fmt.Fprintf(t, "add a turn of 4 documents\t%s\n", o.Add)
	fmt.Fprintf(t, "private memory\t%.0f MB while answering, at most %.0f while building\n", o.Memory, o.BuildMemory)
	if o.Recall > 0 {
		fmt.Fprintf(t, "recall of the ten nearest\t%.3f\n", o.Recall)
	}
	for _, q := range o.Queries {
		fmt.Fprintf(t, "%s\t%s\n", q.Name, q.Cost)
	}
	if len(f.Others) > 0 {
		fmt.Fprintf(t, "\nothers\tdocuments\tbuild CPU s\tbytes a document\tMB private\tquery\n")
		for _, r := range f.Others {
			fmt.Fprintf(t, "%s\t%d\t%.0f\t%.0f\t%.0f\t%s\n", r.Name, r.Records, r.BuildCPU, r.FileBytes, r.Memory, r.Cost)
		}
	}
	return t.Flush()
}
