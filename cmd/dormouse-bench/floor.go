package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"dormouse/service/recall"
	"dormouse/store/memory"
)

// heldSet is a set of data in the index: its projects, and the questions that have an answer in one of them.
type heldSet struct {
	name     string
	projects []string
	asked    []heldQuestion
}

// heldQuestion is a question with the project that answers it and the sessions that do.
type heldQuestion struct {
	project, text string
	gold          map[string]bool
}

// floorRow is how often questions of one set found something in another, or in their own.
type floorRow struct {
	Asked     string  `json:"asked"` // whose questions
	Of        string  `json:"of"`    // what they were asked of
	Questions int     `json:"questions"`
	Finds     float64 `json:"finds"`          // percent that find something
	Recall    float64 `json:"R@10,omitempty"` // percent of the sessions that answer among the first ten hits; of their own set alone
}

// floorBench asks the questions of each set where they have an answer, and where they have none: of the other sets, and of another project
// of their own.
func floorBench(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("floor", flag.ContinueOnError)
	flags.Usage = func() {
		_, _ = fmt.Fprintln(flags.Output(), "usage: dormouse-bench floor --data DIR,DIR... [--half even|odd] [--every N] [--json]\nEach DIR holds conversations, coding sessions or languages, as recall takes them.\n"+
			"example: dormouse-bench floor --data bench/locomo,bench/sessions --half odd")
		flags.PrintDefaults()
	}
	dirs := flags.String("data", "", "folders with the data, divided by commas")
	half := flags.String("half", "", "even or odd: that half of the questions alone, by their place in their set")
	every := flags.Int("every", 1, "of each half one question of so many")
	asJSON := flags.Bool("json", false, "print the figures as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dirs == "" || *every < 1 || *half != "" && *half != "even" && *half != "odd" {
		return errors.New("floor: --data DIR,DIR... is needed; --half is even or odd, --every at least 1")
	}
	p, err := openProduct()
	if err != nil {
		return err
	}
	rows, err := p.floorRows(strings.Split(*dirs, ","), picker(*half, *every))
	if err = errors.Join(err, p.close()); err != nil {
		return fmt.Errorf("floor: %w", err)
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(map[string]any{"rows": rows})
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "questions of\tasked of\tquestions\tfind something\tR@10\t")
	for _, r := range rows {
		own := ""
		if r.Asked == r.Of {
			own = fmt.Sprintf("%.1f", r.Recall)
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%.1f\t%s\t\n", r.Asked, r.Of, r.Questions, r.Finds, own)
	}
	return w.Flush()
}

// picker tells whether the question at a place is asked.
func picker(half string, every int) func(i int) bool {
	return func(i int) bool {
		return (half == "" || i%2 == 0 == (half == "even")) && i/2%every == 0
	}
}

func (p *product) floorRows(dirs []string, pick func(i int) bool) (rows []floorRow, err error) {
	var sets []heldSet
	for _, dir := range dirs {
		more, err := p.hold(dir)
		if err != nil {
			return nil, err
		}
		sets = append(sets, more...)
	}
	for i := range sets {
		for k := range sets {
			r, err := p.askOf(&sets[i], &sets[k], pick)
			if err != nil {
				return nil, err
			}
			if r.Questions > 0 {
				rows = append(rows, r)
			}
		}
		r, err := p.askElsewhere(&sets[i], pick)
		if err != nil {
			return nil, err
		}
		if r.Questions > 0 {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// hold puts the data of a folder into the index.
func (p *product) hold(dir string) ([]heldSet, error) {
	has := func(pattern string) bool {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		return len(found) > 0
	}
	switch {
	case has("turns.jsonl*"):
		return p.holdTurns(dir)
	case has("MANIFEST.jsonl*"):
		return p.holdSessions(dir)
	case has("*" + passagesSuffix + "*"):
		return p.holdPassages(dir)
	}
	return nil, fmt.Errorf("%s holds neither turns.jsonl nor MANIFEST.jsonl nor *%s", dir, passagesSuffix)
}

func (p *product) holdTurns(dir string) ([]heldSet, error) {
	turns, err := readLines[spoken](filepath.Join(dir, "turns.jsonl"))
	if err != nil {
		return nil, err
	}
	questions, err := readLines[asked](filepath.Join(dir, "questions.jsonl"))
	if err != nil {
		return nil, err
	}
	set := heldSet{name: "conversations"}
	sessionOf := map[string]string{}
	for i := range turns {
		sessionOf[turns[i].Conv+"/"+turns[i].ID] = turns[i].sessionID()
	}
	for _, q := range questions {
		if q.Category == unanswerable || len(q.Evidence) == 0 {
			continue
		}
		gold := map[string]bool{}
		for _, e := range q.Evidence {
			gold[sessionOf[q.Conv+"/"+e]] = true
		}
		set.add(q.Conv, q.Question, gold)
	}
	return []heldSet{set}, p.index.Put(context.Background(), turnDocs(turns))
}

func (p *product) holdSessions(dir string) ([]heldSet, error) {
	queries, store, err := maskedSessions(dir)
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	for id, s := range store.sessions {
		ids[s.meta.AgentSessionID] = id
	}
	set := heldSet{name: "coding sessions"}
	for _, q := range queries {
		gold := map[string]bool{}
		for _, g := range q.Gold {
			gold[ids[g]] = true
		}
		set.add(q.Project, q.Query, gold)
	}
	return []heldSet{set}, p.indexTurns(store)
}

func (p *product) holdPassages(dir string) (sets []heldSet, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+passagesSuffix+"*"))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		name, _ := strings.CutSuffix(strings.TrimSuffix(filepath.Base(f), ".gz"), passagesSuffix)
		queries, err := readLines[passageAsked](filepath.Join(dir, name+".queries.jsonl"))
		if err != nil {
			return nil, err
		}
		set := heldSet{name: name}
		for _, q := range queries {
			gold := map[string]bool{}
			for _, g := range q.Gold {
				gold[name+"."+g] = true
			}
			set.add(name, q.Question, gold)
		}
		if err := p.addPassages(dir, name, plainSet{}); err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}

func (s *heldSet) add(project, text string, gold map[string]bool) {
	if !slices.Contains(s.projects, project) {
		s.projects = append(s.projects, project)
	}
	s.asked = append(s.asked, heldQuestion{project, text, gold})
}

// askOf asks the questions of one set of another, in one project after the other, or in their own of their own set.
func (p *product) askOf(from, of *heldSet, pick func(i int) bool) (floorRow, error) {
	return p.askAll(from, of.name, pick, func(i int) string {
		if from == of {
			return from.asked[i].project
		}
		return of.projects[i%len(of.projects)]
	})
}

// askElsewhere asks the questions of a set in another project of it.
func (p *product) askElsewhere(set *heldSet, pick func(i int) bool) (floorRow, error) {
	if len(set.projects) < 2 {
		return floorRow{}, nil
	}
	return p.askAll(set, set.name+", another project", pick, func(i int) string {
		own := slices.Index(set.projects, set.asked[i].project)
		return set.projects[(own+1+i%(len(set.projects)-1))%len(set.projects)]
	})
}

func (p *product) askAll(from *heldSet, of string, pick func(i int) bool, project func(i int) string) (floorRow, error) {
	r := floorRow{Asked: from.name, Of: of}
	for i, q := range from.asked {
		if !pick(i) {
			continue
		}
		hits, err := p.searcher.Search(context.Background(), recall.Query{Text: q.text, View: memory.View{Project: project(i)}})
		if err != nil {
			return r, err
		}
		r.Questions++
		if len(hits) > 0 {
			r.Finds++
		}
		found := map[string]bool{}
		for _, h := range hits {
			if q.gold[h.Session] {
				found[h.Session] = true
			}
		}
		r.Recall += float64(len(found)) / float64(len(q.gold))
	}
	if r.Questions > 0 {
		r.Finds, r.Recall = 100*r.Finds/float64(r.Questions), 100*r.Recall/float64(r.Questions)
	}
	if of != from.name {
		r.Recall = 0
	}
	return r, nil
}
