package main

import (
	"context"
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

	"dormouse/service/distill"
	"dormouse/service/recall"
	"dormouse/store/index"
	"dormouse/store/memory"
)

// numbered is one line of facts.jsonl: a later fact overrules an earlier one of the same subject and relation.
type numbered struct {
	Set  string `json:"set"`
	N    int    `json:"n"`
	Fact string `json:"fact"`
}

// factAsked is one line of factcon's questions.jsonl. Hop is sh for one fact, mh for a chain of them.
type factAsked struct {
	Set      string   `json:"set"`
	Hop      string   `json:"hop"`
	Question string   `json:"question"`
	Answers  []string `json:"answers"`
}

// factconRow is the figures of one set and hop, in percent of its questions.
type factconRow struct {
	Set       string `json:"set"`
	Hop       string `json:"hop"`
	Questions int    `json:"questions"`
	Facts     int    `json:"facts"`
	// Newest is how often the first hit holds the answer that is true now; Low and High its bootstrap 95 % interval.
	Newest     float64 `json:"newest_first"`
	Low        float64 `json:"newest_first_low"`
	High       float64 `json:"newest_first_high"`
	Recall5    float64 `json:"recall_5"`
	Superseded int     `json:"superseded"`
	// Wrong counts questions whose answer was superseded.
	Wrong int `json:"wrong_supersessions"`
}

// factconBench has facts decided on in their order, as a sleep decides, and asks for them as the person would.
func factconBench(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("factcon", flag.ContinueOnError)
	dir := fs.String("data", "", "folder with facts.jsonl and questions.jsonl")
	asJSON := fs.Bool("json", false, "print the figures as JSON")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *dir == "" {
		return errors.New("factcon: --data DIR is needed")
	}
	facts, err := readLines[numbered](filepath.Join(*dir, "facts.jsonl"))
	if err != nil {
		return fmt.Errorf("factcon: %w", err)
	}
	questions, err := readLines[factAsked](filepath.Join(*dir, "questions.jsonl"))
	if err != nil {
		return fmt.Errorf("factcon: %w", err)
	}
	rows, err := factconRows(facts, questions)
	if err != nil {
		return fmt.Errorf("factcon: %w", err)
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(map[string]any{"data": filepath.Base(*dir), "rows": rows})
	}
	return printFactcon(stdout, rows)
}

func printFactcon(stdout io.Writer, rows []factconRow) error {
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "set\thop\tquestions\tfacts\tnewest first\t95 %\tR@5\tsuperseded\twrongly\t")
	for _, r := range rows {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.1f\t%.0f to %.0f\t%.1f\t%d\t%d\t\n", r.Set, r.Hop, r.Questions, r.Facts, r.Newest, r.Low, r.High, r.Recall5, r.Superseded, r.Wrong)
	}
	return w.Flush()
}

func factconRows(facts []numbered, questions []factAsked) ([]factconRow, error) {
	state, err := factState(facts)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "dormouse-bench-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	ix, _, err := index.Open(index.Options{Dir: filepath.Join(dir, "index")})
	if err != nil {
		return nil, err
	}
	defer ix.Close() //nolint:errcheck // only read from here on
	if err := ix.Put(context.Background(), recall.DocsFromState(state)); err != nil {
		return nil, err
	}
	var rows []factconRow
	for _, set := range setsOf(facts) {
		for _, hop := range []string{"sh", "mh"} {
			row, err := factconRowOf(&recall.Searcher{Index: ix}, state, set, hop, questions)
			if err != nil {
				return nil, err
			}
			if row.Questions > 0 {
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

// factState is what the memory holds after all facts were told, one after the other.
func factState(facts []numbered) (*memory.State, error) {
	var list []*memory.Fact
	for _, n := range facts {
		at := int64(firstTime + 60*n.N)
		f := &memory.Fact{Verb: "states", Object: n.Fact, Subject: "text", Status: memory.StatusActive, Author: memory.SubjectPerson, Trust: memory.TrustPerson,
			Scope: memory.ProjectScope(n.Set), Provenance: memory.Provenance{ProjectID: n.Set, SessionID: "s", NodeIDs: []string{fmt.Sprint("n", n.N)},
				EventTime: &at, IngestionTime: at}}
		if s, v, o, ok := distill.SplitFact(n.Fact); ok {
			f.Subject, f.Verb, f.Object = s, v, o
		}
		list = append(list, f)
	}
	decisions, err := distill.DecideFacts(memory.Fold(nil), list, firstTime)
	for i := range decisions {
		decisions[i].Lamport, decisions[i].Machine = uint64(i+1), "bench"
		decisions[i].ID = memory.DecisionID(&decisions[i]) + fmt.Sprint(i)
	}
	return memory.Fold(decisions), err
}

func setsOf(facts []numbered) []string {
	var out []string
	for _, f := range facts {
		if !slices.Contains(out, f.Set) {
			out = append(out, f.Set)
		}
	}
	return out
}

func factconRowOf(s *recall.Searcher, state *memory.State, set, hop string, questions []factAsked) (factconRow, error) {
	row := factconRow{Set: set, Hop: hop}
	for _, f := range state.Facts {
		if f.Scope == memory.ProjectScope(set) {
			row.Facts++
			if f.SupersededBy != "" {
				row.Superseded++
			}
		}
	}
	var right []bool
	for _, q := range questions {
		if q.Set != set || q.Hop != hop {
			continue
		}
		row.Questions++
		query := recall.Query{Text: q.Question, View: memory.View{Project: set}, Kinds: []index.Kind{index.KindFact}, Limit: 10}
		hits, err := s.Search(context.Background(), query)
		if err != nil {
			return row, err
		}
		at := slices.IndexFunc(hits, q.answeredBy)
		right = append(right, at == 0)
		if at >= 0 && at < 5 {
			row.Recall5++
		}
		query.Superseded = true
		all, err := s.Search(context.Background(), query)
		if err != nil {
			return row, err
		}
		if i := slices.IndexFunc(all, q.answeredBy); at < 0 && i >= 0 && all[i].Superseded {
			row.Wrong++
		}
	}
	share := func(pick []int) float64 {
		n := 0
		for _, k := range pick {
			if right[k] {
				n++
			}
		}
		return percent(n, len(pick))
	}
	all := make([]int, len(right))
	for i := range all {
		all[i] = i
	}
	row.Newest = share(all)
	row.Low, row.High = interval(len(right), share)
	row.Recall5 = percent(int(row.Recall5), row.Questions)
	return row, nil
}

func (q *factAsked) answeredBy(h recall.Hit) bool {
	return slices.ContainsFunc(q.Answers, func(a string) bool { return strings.Contains(strings.ToLower(h.Title), strings.ToLower(a)) })
}
