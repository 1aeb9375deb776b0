package model

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// ReviewPage is the queue of what waits for the person.
type ReviewPage struct {
	Trouble *Trouble
	Rows    []ReviewRow
	Summary string // how many wait
	Waiting int
	Empty   *Empty
}

// ReviewRow is one thing to decide.
type ReviewRow struct {
	ID    string // that is decided on: of a record, or of a suggestion
	Title string // on one line
	Below string // what it is, its project and when
	Ask   string // the question that it puts
	Claim string // what it says, whole
	Facts []Fact // why it waits, who says it, where and when
	// Other says what stands against the claim, or beside it; OtherTitle is its title.
	OtherTitle string
	Other      []string
	From       Place // the turn that it comes from; no session where that is not known
	Words      ReviewWords
	// CanEdit, CanMerge and CanSplit say what fits it beside accepting and refusing.
	CanEdit, CanMerge, CanSplit bool
	Value                       string   // what an edit begins with
	Names                       []string // that a split may take; none where it has to be told by hand

	item api.ReviewItem
}

// ReviewWords are the acts in words that fit what is decided.
type ReviewWords struct{ Accept, Refuse string }

// maxWaiting is how many things the page lists; what is decided makes room for the rest.
const maxWaiting = 500

// Review asks for all that waits for the person.
func (p *Presenter) Review(ctx context.Context) ReviewPage {
	b := p.o.Backend()
	list, err := b.Review(ctx, "", maxWaiting)
	if err != nil {
		return ReviewPage{Trouble: troubleOf(err)}
	}
	projects, err := b.Projects(ctx)
	if err != nil {
		return ReviewPage{Trouble: troubleOf(err)}
	}
	w, names := p.style(), projectLabels(projects)
	page := ReviewPage{Waiting: list.Total}
	for _, it := range list.Items {
		page.Rows = append(page.Rows, w.reviewRow(it, names))
	}
	page.Summary = WaitingSummary(len(page.Rows), list.Total)
	if len(page.Rows) == 0 {
		page.Empty = &Empty{Title: lang.Say("Nothing waits for you"),
			Text: lang.Say("Where Dormouse is not sure whether something is to be remembered, or whether two names mean one thing, it asks here and tells no agent until you say.")}
	}
	return page
}

// Waiting is how many things wait for the person; 0 where that cannot be told.
func (p *Presenter) Waiting(ctx context.Context) int {
	list, err := p.o.Backend().Review(ctx, "", 1)
	if err != nil {
		return 0
	}
	return list.Total
}

// CountBadge is a number for a narrow place.
func CountBadge(n int) string {
	if n > 999 {
		return "999+"
	}
	return number(n)
}

// WaitingSummary says how many things are listed of those that wait.
func WaitingSummary(listed, total int) string {
	switch {
	case total == 0:
		return ""
	case listed < total:
		return lang.Say("The newest {n} of {all}", number(listed), number(total))
	}
	return lang.Count(total, "{n} to decide")
}

// projectLabels are the projects' names by id, told apart where two are alike.
func projectLabels(projects []api.Project) map[string]string {
	out := map[string]string{}
	for _, c := range projectChoices(projects) {
		out[c.ID] = c.Label
	}
	return out
}

// waits says of each kind of thing that waits what it is, what it asks, how it is decided, and what stands beside it.
var waits = map[string]struct {
	name, ask, other lang.Word
	accept, refuse   lang.Word
}{
	"candidate":     {lang.Mark("Not sure"), lang.Mark("Is this so?"), "", lang.Mark("Accept"), lang.Mark("Refuse")},
	"contradiction": {lang.Mark("Contradiction"), lang.Mark("Does this hold now?"), lang.Mark("Remembered until now"), lang.Mark("Accept"), lang.Mark("Refuse")},
	"merge":         {lang.Mark("Two names"), lang.Mark("Do both mean the same thing?"), lang.Mark("The other name"), lang.Mark("They are the same"), lang.Mark("Keep them apart")},
	"split":         {lang.Mark("One name for several"), lang.Mark("Does this stand for several things?"), lang.Mark("It may fall into"), lang.Mark("Split it"), lang.Mark("Keep it whole")},
	"supersede":     {lang.Mark("Perhaps out of date"), lang.Mark("Was this replaced?"), lang.Mark("It may be replaced by"), lang.Mark("Replace it"), lang.Mark("Keep both")},
}

// recordNames are the kinds of record in a word.
var recordNames = map[memory.RecordKind]lang.Word{
	memory.RecordEvent: lang.Mark("Memory (one)"), memory.RecordFact: lang.Mark("Fact"), memory.RecordEntity: lang.Mark("Name"), memory.RecordEdge: lang.Mark("Relation"),
	memory.RecordTag: lang.Mark("Tag"), memory.RecordSegment: lang.Mark("Summary of a turn,"), memory.RecordTagSummary: lang.Mark("Summary of a tag,"),
}

func (w style) reviewRow(it api.ReviewItem, projects map[string]string) ReviewRow {
	kind, ok := waits[it.What]
	if !ok {
		kind = waits["candidate"]
		kind.name = lang.Word(Line(it.What))
	}
	row := ReviewRow{ID: it.ID, Title: cut(Line(it.Text), 300), Claim: Line(it.Text), Ask: kind.ask.Text(), Words: ReviewWords{kind.accept.Text(), kind.refuse.Text()},
		From: Place{Session: it.SessionID, Turn: it.Turn}, Value: Line(it.Value), item: it}
	when := ""
	if it.Time != nil {
		when = w.day(*it.Time)
	}
	project := projectWord(projects, it.ProjectID)
	row.Below = dots(kind.name.Text(), project, when)
	row.Facts = w.reviewFacts(it, projects)
	if it.OtherText != "" || it.Other != "" {
		row.Other = []string{Line(cmp.Or(it.OtherText, it.Other))}
	}
	for _, part := range it.Parts {
		row.Other = append(row.Other, Line(part))
	}
	for _, c := range it.Contests {
		row.Other = append(row.Other, Line(cmp.Or(c.Text, c.ID)))
	}
	if len(row.Other) > 0 {
		row.OtherTitle = kind.other.Text()
	}
	row.CanEdit = it.Field != ""
	row.CanMerge = it.What == "merge" || (it.What == "candidate" || it.What == "contradiction") && named(it.Kind)
	row.CanSplit = it.What == "split" || it.Kind == memory.RecordTag || it.Kind == memory.RecordEntity && len(it.Names) > 0
	if it.Kind == memory.RecordEntity {
		row.Names = slices.Clone(it.Names)
	}
	return row
}

// SplitIsSuggested reports whether the parts of a split are known.
func (r ReviewRow) SplitIsSuggested() bool { return r.item.What == "split" }

// named reports whether records of a kind are names, of which two may mean one thing.
func named(k memory.RecordKind) bool { return k == memory.RecordEntity || k == memory.RecordTag }

func (w style) reviewFacts(it api.ReviewItem, projects map[string]string) []Fact {
	facts := []Fact{{Label: lang.Say("Why it waits"), Text: sentence(reasonWords(it.Reason))}}
	if said := saidBy(it.Trust); said != "" {
		facts = append(facts, Fact{Label: lang.Say("Who says it"), Text: said})
	}
	if name := recordNames[it.Kind]; name != "" {
		facts = append(facts, Fact{Label: lang.Say("What it is"), Text: lang.Say("{what} {scope}", name.Text(), scopeWords(it.Scope, projects))})
	}
	if it.Time != nil {
		facts = append(facts, Fact{Label: lang.Say("From"), Text: w.both(*it.Time)})
	}
	return facts
}

// reasonWords is the reason of a decision without the word by which the log says that a rule gave it.
func reasonWords(reason string) string {
	return cmp.Or(strings.TrimPrefix(Line(reason), "rule: "), lang.Say("the reason is not known"))
}

// saidBy says who stands behind a claim.
func saidBy(t memory.Trust) string {
	switch t {
	case memory.TrustPerson:
		return lang.Say("You said it.")
	case memory.TrustObserved:
		return lang.Say("The outcome of a tool call shows it.")
	case memory.TrustAgent:
		return lang.Say("The agent said it.")
	case memory.TrustQuoted:
		return lang.Say("A text that was read says it; neither you nor the agent did.")
	}
	return Line(string(t))
}

// scopeWords says who would be told of it.
func scopeWords(s memory.Scope, projects map[string]string) string {
	kind, id, _ := strings.Cut(string(s), ":")
	switch kind {
	case "global":
		return lang.Say("for every project")
	case "agent":
		return lang.Say("for {agent} alone", AgentName(id))
	case "private":
		return lang.Say("for you alone")
	}
	if name := projectWord(projects, id); name != "" {
		return lang.Say("of {project}", name)
	}
	return lang.Say("of one project")
}

// projectWord is a project's name; empty for none.
func projectWord(names map[string]string, id string) string {
	if id == "" {
		return ""
	}
	return cmp.Or(names[id], Line(id))
}
