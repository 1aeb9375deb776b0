package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"dormouse/service/distill"
	"dormouse/store/ledger"
	"dormouse/store/memory"
)

// tagNight is what one night did to the vocabulary.
type tagNight struct {
	Night     int `json:"night"`
	Sessions  int `json:"sessions"`
	Tagged    int `json:"tagged_turns"` // segments that were added
	NewTags   int `json:"new_tags"`
	Tags      int `json:"tags"`       // of all projects, at the end of the night
	Merges    int `json:"merges"`     // that were carried out
	Suggested int `json:"suggested"`  // merges that wait for the person
	Splits    int `json:"splits"`     // that wait for the person
	Unsplit   int `json:"not_split"`  // broad tags that were found to be no burden, with the reason in the log
	AliasHits int `json:"alias_hits"` // names that led to the tag of another name
}

// tagFigures is what --json prints.
type tagFigures struct {
	Nights []tagNight `json:"nights"`
	// Early and Late are new tags for each tagged turn in the first and in the last third of the nights.
	Early float64 `json:"new_tags_a_turn_early"`
	Late  float64 `json:"new_tags_a_turn_late"`
	// Once is the share of the tags that were given to a single turn, in percent.
	Once float64 `json:"tags_given_once"`
}

// tagsBench replays sessions night after night, in the order in which they were begun.
func tagsBench(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("tags", flag.ContinueOnError)
	dir := fs.String("sessions", "", "folder of transcripts, or of sessions in trace v1")
	nights := fs.Int("nights", 30, "how many nights the sessions are spread over")
	asJSON := fs.Bool("json", false, "print the figures as JSON")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *dir == "" || *nights < 1 {
		return errors.New("tags: --sessions DIR is needed, and at least one night")
	}
	store, err := readSessions(*dir)
	if err != nil {
		return err
	}
	fig, err := replayTags(store, *nights)
	if err != nil {
		return fmt.Errorf("tags: %w", err)
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(fig)
	}
	return printTags(stdout, fig)
}

func printTags(stdout io.Writer, fig tagFigures) error {
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "night\tsessions\ttagged turns\tnew tags\ttags\tmerges\tsuggested\tsplits\tnot split\talias hits\t")
	for _, n := range fig.Nights {
		_, _ = fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", n.Night, n.Sessions, n.Tagged, n.NewTags, n.Tags, n.Merges, n.Suggested, n.Splits, n.Unsplit, n.AliasHits)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "new tags a tagged turn: %.2f in the first third, %.2f in the last; given once: %.0f %%\n", fig.Early, fig.Late, fig.Once)
	return err
}

func replayTags(store *transcripts, nights int) (tagFigures, error) {
	var fig tagFigures
	home, err := os.MkdirTemp("", "dormouse-bench-")
	if err != nil {
		return fig, err
	}
	defer os.RemoveAll(home) //nolint:errcheck // a temporary folder
	log := ledger.New(ledger.Options{Dir: home, Machine: "bench", Now: time.Now})
	if err := log.Open(); err != nil {
		return fig, err
	}
	all, err := store.List()
	if err != nil {
		return fig, err
	}
	slices.SortFunc(all, func(a, b memory.Session) int {
		return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	// A project has one vocabulary, whichever of its worktrees was worked in.
	one := distill.New(distill.Options{Sessions: store, Log: log})
	for n := range nights {
		var ids []string
		for _, s := range all[n*len(all)/nights : (n+1)*len(all)/nights] {
			ids = append(ids, s.ID)
		}
		before := len(log.Decisions())
		res, err := one.Run(context.Background(), append([]string{}, ids...), "deep")
		if err != nil {
			return fig, err
		}
		night := tagNight{Night: n + 1, Sessions: len(ids), Tagged: res.Counts.Segments, NewTags: res.Counts.Tags, AliasHits: res.Counts.TagHits}
		for _, d := range log.Decisions()[before:] {
			night.count(&d)
		}
		log.Read(func(s *memory.State) { night.Tags = len(s.Tags) })
		fig.Nights = append(fig.Nights, night)
	}
	fig.Early, fig.Late = newTagsATurn(fig.Nights[:(nights+2)/3]), newTagsATurn(fig.Nights[nights-(nights+2)/3:])
	log.Read(func(s *memory.State) { fig.Once = givenOnce(s) })
	return fig, nil
}

func (n *tagNight) count(d *memory.Decision) {
	if d.Proposal.Kind != memory.RecordTag {
		return
	}
	switch {
	case d.Action == memory.ActionMerge && d.Proposal.Candidate:
		n.Suggested++
	case d.Action == memory.ActionMerge && d.Accepted:
		n.Merges++
	case d.Action == memory.ActionSplit && d.Accepted:
		n.Splits++
	case d.Action == memory.ActionSplit:
		n.Unsplit++
	}
}

func newTagsATurn(nights []tagNight) float64 {
	tags, turns := 0, 0
	for _, n := range nights {
		tags += n.NewTags
		turns += n.Tagged
	}
	return float64(tags) / float64(max(1, turns))
}

// givenOnce is the share of tags that a single turn has, in percent.
func givenOnce(s *memory.State) float64 {
	uses := map[memory.Key]int{}
	for _, g := range s.SegmentList() {
		for _, t := range g.Tags {
			uses[memory.Key{Scope: g.Scope, ID: t}]++
		}
	}
	once := 0
	for _, n := range uses {
		if n == 1 {
			once++
		}
	}
	return percent(once, len(uses))
}
