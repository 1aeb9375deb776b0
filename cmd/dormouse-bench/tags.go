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
	"strings"
	"text/tabwriter"
	"time"

	"dormouse/service/distill"
	"dormouse/service/recall"
	"dormouse/store/ledger"
	"dormouse/store/memory"
)

// tagNight is what one night did to the vocabulary.
type tagNight struct {
	Night     int `json:"night"`
	Sessions  int `json:"sessions"`
	Tagged    int `json:"tagged_turns"` // with something to remember
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
	Nights   []tagNight   `json:"nights"`
	Projects []tagProject `json:"projects"`
	Segments int          `json:"segments"` // at the end
	// Untagged is the share of segments that no tag covers, Several that of segments of more than one turn, in percent.
	Untagged float64 `json:"untagged"`
	Several  float64 `json:"several_turns"`
}

// tagProject is how the vocabulary of one project grew.
type tagProject struct {
	Scope    memory.Scope `json:"scope"`
	Nights   int          `json:"nights"` // on which turns were tagged
	Turns    int          `json:"tagged_turns"`
	Tags     int          `json:"tags"`
	Early    rate         `json:"first_third"` // of its turns
	Late     rate         `json:"last_third"`
	NewTags  []int        `json:"new_tags"` // by night, as TurnsOf
	TurnsOf  []int        `json:"turns"`
	MostUsed string       `json:"most_used"`

	now, nowTags int
}

// rate is new tags for each tagged turn, with its bootstrap 95 % interval over the nights.
type rate struct {
	Rate float64 `json:"rate"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
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
	for _, p := range fig.Projects {
		_, err := fmt.Fprintf(stdout, "%s: %d turns on %d nights, %d tags; new tags a turn %.3f (%.3f to %.3f) in the first third of its turns, %.3f (%.3f to %.3f) in the last; most used: %s\n",
			p.Scope, p.Turns, p.Nights, p.Tags, p.Early.Rate, p.Early.Low, p.Early.High, p.Late.Rate, p.Late.Low, p.Late.High, p.MostUsed)
		if err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(stdout, "%d segments, %.0f %% of more than one turn, %.0f %% without a tag\n", fig.Segments, fig.Several, fig.Untagged)
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
	grown := map[memory.Scope]*tagProject{}
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
		night := tagNight{Night: n + 1, Sessions: len(ids), NewTags: res.Counts.Tags, AliasHits: res.Counts.TagHits}
		for _, d := range log.Decisions()[before:] {
			night.count(&d)
		}
		log.Read(func(s *memory.State) { night.Tagged, night.Tags = noteNight(s, grown) })
		for _, p := range grown {
			p.endNight()
		}
		fig.Nights = append(fig.Nights, night)
	}
	log.Read(func(s *memory.State) { fig.sum(s, grown) })
	return fig, nil
}

// noteNight adds what a night brought to each project, and returns the turns that it tagged and the tags that there are.
func noteNight(s *memory.State, grown map[memory.Scope]*tagProject) (turns, tags int) {
	of := func(scope memory.Scope) *tagProject {
		if grown[scope] == nil {
			grown[scope] = &tagProject{Scope: scope}
		}
		return grown[scope]
	}
	for _, p := range grown {
		p.now, p.nowTags = 0, 0
	}
	for _, g := range s.SegmentList() {
		of(g.Scope).now += len(g.Turns())
	}
	for _, t := range s.TagList() {
		of(t.Scope).nowTags++
		tags++
	}
	for _, p := range grown {
		turns += p.now - p.Turns
	}
	return turns, tags
}

// endNight keeps what the night brought, where it brought anything.
func (p *tagProject) endNight() {
	if p.now > p.Turns || p.nowTags > p.Tags {
		p.Nights++
		p.TurnsOf, p.NewTags = append(p.TurnsOf, p.now-p.Turns), append(p.NewTags, p.nowTags-p.Tags)
	}
	p.Turns, p.Tags = p.now, p.nowTags
}

// sum draws up the figures at the end.
func (fig *tagFigures) sum(s *memory.State, grown map[memory.Scope]*tagProject) {
	several, bare := 0, 0
	for _, g := range s.SegmentList() {
		fig.Segments++
		if len(g.Turns()) > 1 {
			several++
		}
		if len(g.Tags) == 0 {
			bare++
		}
	}
	fig.Several, fig.Untagged = percent(several, fig.Segments), percent(bare, fig.Segments)
	for _, p := range grown {
		before, early, late := 0, []int{}, []int{}
		for i, n := range p.TurnsOf {
			switch {
			case 3*before < p.Turns:
				early = append(early, i)
			case 3*before >= 2*p.Turns:
				late = append(late, i)
			}
			before += n
		}
		p.Early, p.Late = p.rate(early), p.rate(late)
		var names []string
		for _, t := range recall.Tags(s, recall.TagQuery{View: memory.View{All: true}}) {
			if t.Tag.Scope == p.Scope && len(names) < 5 {
				names = append(names, fmt.Sprintf("%s %d", t.Tag.Name, t.Turns))
			}
		}
		p.MostUsed = strings.Join(names, ", ")
		fig.Projects = append(fig.Projects, *p)
	}
	slices.SortFunc(fig.Projects, func(a, b tagProject) int { return cmp.Compare(b.Turns, a.Turns) })
}

// rate is new tags for each tagged turn of some nights.
func (p *tagProject) rate(nights []int) rate {
	of := func(pick []int) float64 {
		tags, turns := 0, 0
		for _, k := range pick {
			tags, turns = tags+p.NewTags[nights[k]], turns+p.TurnsOf[nights[k]]
		}
		return float64(tags) / float64(max(1, turns))
	}
	all := make([]int, len(nights))
	for i := range all {
		all[i] = i
	}
	low, high := interval(len(nights), of)
	return rate{of(all), low, high}
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
