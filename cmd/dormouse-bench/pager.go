package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"dormouse/service/pager/replay"
)

// paged are the sums of one policy over all traces; ratios are of sums.
type paged struct {
	Policy string `json:"policy"`
	Traces int    `json:"traces"`
	// In percent of the bytes that all requests have without a policy; net counts a request again for each F3.
	Gross float64 `json:"gross"`
	Net   float64 `json:"net"`
	// Faults by kind; F2 and F3 in percent of the results that were shortened, and all in percent of each short form in each request.
	F1       int     `json:"f1"`
	F2       int     `json:"f2"`
	F3       int     `json:"f3"`
	F4       int     `json:"f4"`
	Faults   float64 `json:"faults"`
	PerEvent float64 `json:"faults_per_event"`
	// With the prices of prompt caches, against no policy: without and with the requests that faults caused.
	Cost         float64 `json:"cost"`
	CostRefault  float64 `json:"cost_with_faults"`
	Dearer       int     `json:"dearer"` // traces that cost more than without a policy, faults counted in
	Worst        float64 `json:"worst"`  // the dearest of all traces, faults counted in
	Peak         float64 `json:"peak"`   // bytes of a trace's largest request, mean
	Evictions    int     `json:"evictions"`
	CallsTrimmed int     `json:"calls_trimmed"` // calls whose arguments were shortened; no evictions
	Requests     int     `json:"requests"`

	raw, sent, refault, events int
	cost, costRefault, base    float64
}

// pagerBench replays recorded sessions through policies of what each request carries.
func pagerBench(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("pager", flag.ContinueOnError)
	data := fs.String("data", "", "folder of sessions in trace v1; with a MANIFEST.jsonl those alone that it marks with replay")
	only := fs.String("policy", "", "one policy alone beside none: fifo, fifo-10 or dormouse")
	asJSON := fs.Bool("json", false, "print the figures as JSON")
	each := fs.String("each", "", "print this policy's result of each trace as a JSON line instead of the table")
	typed := fs.Bool("objects", false, "print instead what objects the sessions are made of, and what admission keeps out")
	goals := fs.Bool("goals", false, "print instead how new goals are told, and what is foreseen for them")
	micro := fs.Bool("micro", false, "print instead how well a question brings back what edits miss")
	types := fs.String("types", "", "print instead how often an object's type is that of this file of labels: JSON lines with session, block, type")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *data == "" {
		return errors.New("pager: --data DIR is needed")
	}
	paths, err := replayPaths(*data)
	if err != nil {
		return fmt.Errorf("pager: %w", err)
	}
	if *typed {
		return objectsBench(paths, *asJSON, stdout)
	}
	if *micro {
		return microBench(paths, *asJSON, stdout)
	}
	if *types != "" {
		return typesBench(paths, *types, *asJSON, stdout)
	}
	if *goals {
		return goalsBench(paths, *asJSON, stdout)
	}
	rows, err := pageAll(paths, *only, *each, stdout)
	if err != nil || *each != "" {
		return err
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(map[string]any{"rows": rows})
	}
	return printPaged(stdout, rows)
}

// replayable is one line of a set's MANIFEST.jsonl.
type replayable struct {
	File   string `json:"file"`
	Replay bool   `json:"replay"`
}

// replayPaths are the traces of a folder. A manifest names its files from the folder or from the one above it.
func replayPaths(dir string) ([]string, error) {
	manifest := filepath.Join(dir, "MANIFEST.jsonl")
	if _, err := os.Stat(manifest); err != nil {
		return tracesBelow(dir)
	}
	lines, err := readLines[replayable](manifest)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, l := range lines {
		if !l.Replay {
			continue
		}
		p := filepath.Join(dir, l.File)
		if _, err := os.Stat(p); err != nil {
			p = filepath.Join(filepath.Dir(filepath.Clean(dir)), l.File)
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s marks no session with replay", manifest)
	}
	return out, nil
}

func tracesBelow(dir string) (out []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".jsonl") {
			out = append(out, path)
		}
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("no sessions in trace v1 (*.jsonl or *.jsonl.gz) below %s", dir)
	}
	return out, err
}

func pageAll(paths []string, only, each string, stdout io.Writer) ([]*paged, error) {
	var rows []*paged
	policies, names := replay.Policies(), replay.Names()
	for _, name := range []string{only, each} {
		if name != "" && !slices.Contains(names, name) {
			return nil, fmt.Errorf("pager: there is no policy %q; there are %s", name, strings.Join(names, ", "))
		}
	}
	for _, path := range paths {
		t, err := replay.Open(path)
		if err != nil {
			return nil, fmt.Errorf("pager: %w", err)
		}
		r := replay.New(t)
		none := r.None()
		i := 0
		for _, p := range policies {
			if only != "" && p.Name != "none" && p.Name != only {
				continue
			}
			if i == len(rows) {
				rows = append(rows, &paged{Policy: p.Name})
			}
			res := none
			if p.Name != "none" {
				res = p.Run(r)
			}
			if p.Name == each {
				if err := json.NewEncoder(stdout).Encode(res); err != nil {
					return nil, err
				}
			}
			rows[i].add(res, none)
			i++
		}
	}
	for _, r := range rows {
		r.ratios()
	}
	return rows, nil
}

func (p *paged) add(r, none replay.Result) {
	p.Traces++
	p.Requests += r.Requests
	p.F1, p.F2, p.F3, p.F4 = p.F1+r.F1, p.F2+r.F2, p.F3+r.F3, p.F4+r.F4
	p.Evictions += r.Evictions
	p.CallsTrimmed += r.CallEvictions
	p.Peak += float64(r.Peak)
	p.raw, p.sent, p.refault, p.events = p.raw+none.Raw, p.sent+r.Sent, p.refault+r.Refault, p.events+r.StubEvents
	p.cost, p.costRefault, p.base = p.cost+r.Cost, p.costRefault+r.Cost+r.RefaultCost, p.base+none.Cost
	if ratio := (r.Cost + r.RefaultCost) / none.Cost; none.Cost > 0 {
		p.Worst = max(p.Worst, ratio)
		if r.Cost+r.RefaultCost > none.Cost {
			p.Dearer++
		}
	}
}

func (p *paged) ratios() {
	if p.raw > 0 {
		p.Gross = 100 * (1 - float64(p.sent)/float64(p.raw))
		p.Net = 100 * (1 - float64(p.sent+p.refault)/float64(p.raw))
		p.Cost, p.CostRefault = p.cost/p.base, p.costRefault/p.base
	}
	if p.Evictions > 0 {
		p.Faults = 100 * float64(p.F2+p.F3) / float64(p.Evictions)
		p.PerEvent = 100 * float64(p.F1+p.F2+p.F3) / float64(p.events)
	}
	p.Peak /= float64(p.Traces)
}

func printPaged(stdout io.Writer, rows []*paged) error {
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "policy\tgross %\tnet %\tF1\tF2\tF3\tF4\t(F2+F3)/eviction %\tfaults/event %\tcost\twith faults\tdearer\tworst\tpeak kB\tevictions\tcalls\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%d\t%d\t%d\t%d\t%.2f\t%.3f\t%.3f\t%.3f\t%d\t%.3f\t%.0f\t%d\t%d\t\n", r.Policy, r.Gross, r.Net, r.F1, r.F2, r.F3, r.F4, r.Faults,
			r.PerEvent, r.Cost, r.CostRefault, r.Dearer, r.Worst, r.Peak/1000, r.Evictions, r.CallsTrimmed)
	}
	if len(rows) > 0 {
		fmt.Fprintf(w, "%d sessions, %d requests\t\n", rows[0].Traces, rows[0].Requests)
	}
	return w.Flush()
}
