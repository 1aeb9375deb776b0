package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"dormouse/service/distill"
	"dormouse/store/home"
	"dormouse/store/ledger"
	"dormouse/store/memory"
)

// refuseRow is how often a new account of something was kept out after an account was refused.
type refuseRow struct {
	What    string  `json:"what"`
	Wanted  string  `json:"wanted"` // caught, or let in
	Tried   int     `json:"tried"`
	Refused int     `json:"refused"`
	Percent float64 `json:"percent_refused"`
	// Low and High bound the percentage: bootstrap 95 %, drawn over the refused memories.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// refuseBench refuses one memory after the other and proposes rewordings of it, which should be kept out, and other memories,
// which should not. The memories are what the product distils; rewordings are made by rule, and where labels are given also
// the sentences in which people told the same things.
func refuseBench(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("refuse", flag.ContinueOnError)
	dir := fs.String("sessions", "", "folder of transcripts")
	labels := fs.String("labels", "", "folder of labels: what people wrote of these sessions (may be left out)")
	asJSON := fs.Bool("json", false, "print the figures as JSON")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *dir == "" {
		return fmt.Errorf("refuse: --sessions DIR is needed")
	}
	store, err := readSessions(*dir)
	if err != nil {
		return err
	}
	events, err := eventsOf(store)
	if err != nil {
		return err
	}
	rows := refuseFigures(events)
	if *labels != "" {
		told, err := readTold(*labels, events)
		if err != nil {
			return err
		}
		rows = append(rows, toldFigures(told)...)
	}
	if *asJSON {
		e := json.NewEncoder(stdout)
		e.SetIndent("", " ")
		return e.Encode(rows)
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "proposed after a refusal\tshould be\ttried\trefused\t%\t95 %")
	for _, r := range rows {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.1f\t%.1f to %.1f\n", r.What, r.Wanted, r.Tried, r.Refused, r.Percent, r.Low, r.High)
	}
	return w.Flush()
}

// eventsOf distils the sessions and gives their events, by id.
func eventsOf(store *transcripts) ([]memory.Event, error) {
	dir, err := os.MkdirTemp("", "dormouse-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the log: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	log := ledger.New(ledger.Options{Dir: dir, Machine: "bench", Now: time.Now})
	if err := log.Open(); err != nil {
		return nil, err
	}
	if _, err := distill.New(distill.Options{Sessions: store, Log: log}).Run(context.Background(), nil, "manual"); err != nil {
		return nil, err
	}
	var out []memory.Event
	log.Read(func(s *memory.State) {
		for _, e := range s.Timeline() {
			out = append(out, *e)
		}
	})
	return out, nil
}

// refused is the state in which one event is refused.
func refused(e *memory.Event) *memory.State {
	p, err := memory.Propose(e)
	if err != nil {
		return memory.Fold(nil)
	}
	return memory.Fold([]memory.Decision{{ID: "de_1", Action: memory.ActionAdd, By: memory.ByPerson, Lamport: 1, Machine: "m", Proposal: p}})
}

// keptOut reports whether a state keeps an account of some evidence out.
func keptOut(s *memory.State, like *memory.Event, summary string, nodes []string) bool {
	e := *like
	e.Summary, e.Provenance.NodeIDs = summary, nodes
	_, ok := s.BarredAlike(memory.EventClaim(&e))
	return ok
}

// tally counts for each refused memory how many proposals were made and refused.
type tally struct {
	what, wanted   string
	tried, refused []int
}

func (t *tally) row() refuseRow {
	sum := func(of []int, pick []int) (n int) {
		for _, i := range pick {
			n += of[i]
		}
		return n
	}
	all := make([]int, len(t.tried))
	for i := range all {
		all[i] = i
	}
	r := refuseRow{What: t.what, Wanted: t.wanted, Tried: sum(t.tried, all), Refused: sum(t.refused, all)}
	r.Percent = percent(r.Refused, r.Tried)
	r.Low, r.High = interval(len(all), func(pick []int) float64 { return percent(sum(t.refused, pick), sum(t.tried, pick)) })
	return r
}

// see notes one proposal after refusal i.
func (t *tally) see(i int, kept bool) {
	for len(t.tried) <= i {
		t.tried, t.refused = append(t.tried, 0), append(t.refused, 0)
	}
	t.tried[i]++
	if kept {
		t.refused[i]++
	}
}

func refuseFigures(events []memory.Event) []refuseRow {
	var rows []refuseRow
	same := map[string]*tally{}
	other := map[string]*tally{}
	for _, w := range rewordings {
		same[w.name] = &tally{what: "same turn: " + w.name, wanted: "caught"}
		other[w.name] = &tally{what: "told elsewhere: " + w.name, wanted: "caught"}
	}
	near := &tally{what: "another memory of the same evidence", wanted: "let in"}
	far := &tally{what: "another memory of the project", wanted: "let in"}
	for i := range events {
		e := &events[i]
		s := refused(e)
		for _, w := range rewordings {
			said := w.say(e.Summary)
			same[w.name].see(i, keptOut(s, e, said, e.Provenance.NodeIDs))
			other[w.name].see(i, keptOut(s, e, said, []string{"elsewhere"}))
		}
		near.see(i, false) // so that every memory has its place
		near.tried[i]--
		far.see(i, false)
		far.tried[i]--
		for k := range events {
			o := &events[k]
			if k == i || o.Scope != e.Scope {
				continue
			}
			t := far
			if slices.ContainsFunc(o.Provenance.NodeIDs, func(n string) bool { return slices.Contains(e.Provenance.NodeIDs, n) }) {
				t = near
			}
			_, kept := s.BarredAlike(memory.EventClaim(o))
			t.see(i, kept)
		}
	}
	for _, w := range rewordings {
		rows = append(rows, same[w.name].row(), other[w.name].row())
	}
	return append(rows, near.row(), far.row())
}

// told is what a person wrote of a session, and the distilled memories that say the same.
type told struct {
	summary string
	keys    [][]string
	session []*told // others of the session
	same    []*memory.Event
}

// readTold reads the labels and finds the memories that match them by their keys, as their scorer does.
func readTold(dir string, events []memory.Event) ([]*told, error) {
	names, err := home.List(dir, "", ".json")
	if err != nil {
		return nil, err
	}
	var out []*told
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var label struct {
			Items []struct {
				Summary string     `json:"summary"`
				Keys    [][]string `json:"keys"`
			} `json:"items"`
		}
		if err := json.Unmarshal(raw, &label); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		var session []*told
		for _, it := range label.Items {
			t := &told{summary: it.Summary, keys: it.Keys}
			for i := range events {
				if t.matches(&events[i]) {
					t.same = append(t.same, &events[i])
				}
			}
			session = append(session, t)
		}
		for _, t := range session {
			t.session = session
		}
		out = append(out, session...)
	}
	return out, nil
}

// matches reports whether at least two thirds of the groups of keys are in a memory.
func (t *told) matches(e *memory.Event) bool {
	text := strings.ToLower(e.Summary + " " + strings.Join(e.Entities, " "))
	hit := 0
	for _, group := range t.keys {
		if slices.ContainsFunc(group, func(k string) bool { return strings.Contains(text, strings.ToLower(k)) }) {
			hit++
		}
	}
	return len(t.keys) > 0 && 3*hit >= 2*len(t.keys)
}

// toldFigures refuses what was distilled and proposes what people wrote of the same and of other things.
func toldFigures(all []*told) []refuseRow {
	same := &tally{what: "same turn: as a person told it", wanted: "caught"}
	near := &tally{what: "another thing that a person told, as if of the same turn", wanted: "let in"}
	n := 0
	for _, t := range all {
		for _, e := range t.same {
			s := refused(e)
			same.see(n, keptOut(s, e, t.summary, e.Provenance.NodeIDs))
			near.see(n, false)
			near.tried[n]--
			for _, o := range t.session {
				if o != t && !o.matches(e) {
					near.see(n, keptOut(s, e, o.summary, e.Provenance.NodeIDs))
				}
			}
			n++
		}
	}
	return []refuseRow{same.row(), near.row()}
}
