// Command dormouse-bench measures the product: its own code paths with their default settings, on data given by path. Each
// command prints a table for people or, with --json, one object for programs.
//
// It is never part of what ships, and it never changes the data that it measures on.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// bench measures one thing and prints its figures.
type bench struct {
	about string
	run   func(args []string, stdout io.Writer) error
}

// benches are the commands, by name.
func benches() map[string]bench {
	return map[string]bench{
		"alias":    {"how well names of one thing are told from names of two: precision, recall and F1", aliasBench},
		"capture":  {"speed and size of capturing transcripts: MB and nodes a CPU second, bytes and files on disk, memory", captureBench},
		"distill":  {"what is remembered of labelled sessions: writes predictions for their scorer", distillBench},
		"factcon":  {"whether the newest of contradicting facts is found first, and nothing is superseded wrongly", factconBench},
		"floor":    {"whether nothing comes where nothing fits: the questions of each set, asked of their own and of the others", floorBench},
		"temporal": {"which days the expressions of time in questions are taken to mean", temporalBench},
		"large":    {"inputs of a size that no agent has: memory, CPU and what is left out, in every form", largeBench},
		"live":     {"how soon a turn that an agent writes is stored, and the turn before it a commit", liveBench},
		"hook":     {"what an agent waits for a hook: with the service up, down, hung and busy", hookBench},
		"pager":    {"what a policy of what each request carries saves and costs, and what was missing later, on recorded sessions", pagerBench},
		"recall":   {"how well the right turn is found: R@1, 5, 10, 20 and MRR beside plain BM25", recallBench},
		"redact":   {"how many secrets are caught, and how many harmless texts are changed", redactBench},
		"refuse":   {"how many rewordings of refused memories are kept out, and how many other memories wrongly", refuseBench},
		"search":   {"speed and size of the search index by text, by vector and by both, beside bleve, SQLite FTS5 and chromem-go", searchBench},
		"sessions": {"speed and size of the sessions' repositories, beside go-git and the git command", sessionsBench},
		"tags":     {"whether the vocabulary settles: new tags, merges, splits and alias hits, night after night", tagsBench},
		"sync":     {"a year of memory between two machines: time, bytes sent, size of the remote, and what folding takes after a join", syncBench},
		"soak":     {"hours in minutes: agents that write, clients that ask, sleeps and restarts; then what was lost and what grew", soakBench},
	}
}

func main() {
	if dir := os.Getenv(serveHome); dir != "" {
		if err := serve(dir, os.Getenv(serveRoots), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs one bench and returns the exit code: 0, 1 for a failure, 2 for wrong usage.
func run(args []string, stdout, stderr io.Writer) int {
	all := benches()
	if len(args) == 0 || args[0] == "-h" || args[0] == "--help" || args[0] == "help" {
		usage(stdout, all)
		return 0
	}
	b, ok := all[args[0]]
	if !ok {
		_, _ = fmt.Fprintf(stderr, "dormouse-bench: there is no bench %q\n", args[0])
		usage(stderr, all)
		return 2
	}
	switch err := b.run(args[1:], stdout); {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	default:
		_, _ = fmt.Fprintf(stderr, "dormouse-bench %s: %v\n", args[0], err)
		return 1
	}
}

func usage(w io.Writer, all map[string]bench) {
	_, _ = fmt.Fprintln(w, "usage: dormouse-bench COMMAND [flags]; each command has --help")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		_, _ = fmt.Fprintf(w, "  %-9s %s\n", name, all[name].about)
	}
}
