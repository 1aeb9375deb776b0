package model

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/memory"
)

func when(s string) *int64 { t := at(s); return &t }

func reviewFake() *fake {
	return &fake{
		projects: []api.Project{{ID: "p1", Name: "shop"}},
		review: api.Review{Total: 6, Items: []api.ReviewItem{
			{ID: "ev_1", Record: "ev_1", What: "candidate", Kind: memory.RecordEvent, Scope: "project:p1", Text: "The cache\nis Redis", Field: "summary", Value: "The cache is Redis",
				Reason: "only a tool or a page says it", Trust: memory.TrustQuoted, ProjectID: "p1", SessionID: "cc_1", Turn: 2, Nodes: []string{"n2"}, Time: when("2026-05-04 15:10")},
			{ID: "fa_1", Record: "fa_1", What: "contradiction", Kind: memory.RecordFact, Scope: "global", Text: "person prefers spaces", Field: "object", Value: "spaces",
				Reason: "rule: it is not what was said before", Contests: []api.Contested{{ID: "fa_0", Text: "person prefers tabs"}, {ID: "fa_9"}}, Trust: memory.TrustAgent},
			{ID: "de_1", Record: "service.be", What: "merge", Kind: memory.RecordEntity, Scope: "project:p1", Text: "be", Other: "service.backend", OtherText: "backend", Reason: "rule: alike", Field: "name", Value: "be", Names: []string{"api"}},
			{ID: "de_2", Record: "tag.web", What: "split", Kind: memory.RecordTag, Scope: "agent:codex", Text: "web", Parts: []string{"tag.html", "tag.http"}, Reason: "it covers too much"},
			{ID: "de_3", Record: "ev_5", What: "supersede", Kind: memory.RecordEvent, Scope: "private:p1", Text: "Ships on Friday", Other: "ev_6"},
			{ID: "x_1", What: "novelty", Text: "new\x1b[31m kind"},
		}},
	}
}

func TestWhatWaitsIsAskedInWordsThatFit(t *testing.T) {
	page := presenter(reviewFake()).Review(t.Context())
	if page.Summary != "The newest 6 of 6" && page.Summary != "6 to decide" || page.Waiting != 6 || page.Empty != nil || len(page.Rows) != 6 {
		t.Fatalf("%+v", page)
	}
	first := page.Rows[0]
	first.item = api.ReviewItem{}
	want := ReviewRow{ID: "ev_1", Title: "The cache is Redis", Below: "Not sure · shop · today 15:10", Ask: "Is this so?", Claim: "The cache is Redis",
		Facts: []Fact{{Label: "Why it waits", Text: "Only a tool or a page says it."}, {Label: "Who says it", Text: "A text that was read says it; neither you nor the agent did."},
			{Label: "What it is", Text: "Memory of shop"}, {Label: "From", Text: "today 15:10, 3 hours ago"}},
		From: Place{"cc_1", 2}, Words: ReviewWords{"Accept", "Refuse"}, CanEdit: true, Value: "The cache is Redis"}
	if !reflect.DeepEqual(first, want) {
		t.Errorf("got\n%+v\nwant\n%+v", first, want)
	}
	type other struct {
		title  string
		other  []string
		accept string
		edit   bool
		merge  bool
		split  bool
		is     string
	}
	for i, w := range []other{
		{"", nil, "Accept", true, false, false, "Memory of shop"},
		{"Remembered until now", []string{"person prefers tabs", "fa_9"}, "Accept", true, false, false, "Fact for every project"},
		{"The other name", []string{"backend"}, "They are the same", true, true, true, "Name of shop"},
		{"It may fall into", []string{"tag.html", "tag.http"}, "Split it", false, false, true, "Tag for Codex alone"},
		{"It may be replaced by", []string{"ev_6"}, "Replace it", false, false, false, "Memory for you alone"},
		{"", nil, "Accept", false, false, false, ""},
	} {
		r := page.Rows[i]
		is := ""
		for _, f := range r.Facts {
			if f.Label == "What it is" {
				is = f.Text
			}
		}
		if got := (other{r.OtherTitle, r.Other, r.Words.Accept, r.CanEdit, r.CanMerge, r.CanSplit, is}); !reflect.DeepEqual(got, w) {
			t.Errorf("%d: got %+v, want %+v", i, got, w)
		}
	}
	if last := page.Rows[5]; last.Title != "new kind" || last.Below != "novelty" || last.Facts[0].Text != "The reason is not known." {
		t.Errorf("%+v", last)
	}
}

func TestTheQueueSaysHowMuchWaits(t *testing.T) {
	for _, c := range []struct {
		listed, total int
		want          string
	}{{0, 0, ""}, {3, 3, "3 to decide"}, {500, 1204, "The newest 500 of 1,204"}} {
		if got := WaitingSummary(c.listed, c.total); got != c.want {
			t.Errorf("%d of %d: %q", c.listed, c.total, got)
		}
	}
	empty := presenter(&fake{}).Review(t.Context())
	if empty.Empty == nil || empty.Summary != "" {
		t.Errorf("%+v", empty)
	}
	f := reviewFake()
	if n := presenter(f).Waiting(t.Context()); n != 6 || f.asked[0] != "review  1" {
		t.Errorf("%d, %q", n, f.asked)
	}
	for _, call := range []string{"review", "projects"} {
		f := reviewFake()
		f.err = map[string]error{call: errors.New("no")}
		if page := presenter(f).Review(t.Context()); page.Trouble == nil {
			t.Errorf("%s: %+v", call, page)
		}
		if call == "review" && presenter(f).Waiting(t.Context()) != 0 {
			t.Error("it counts what it cannot know")
		}
	}
}

func TestDecisionsNameWhatTheyAreAbout(t *testing.T) {
	f := reviewFake()
	f.decided = api.Decided{Text: "The cache is Redis", Decisions: []memory.Decision{{ID: "de_7"}, {ID: "de_8"}}}
	p := presenter(f)
	rows := p.Review(t.Context()).Rows
	for _, c := range []struct {
		do   func() Ruling
		want string
		text string
	}{
		{func() Ruling { return p.Accept(t.Context(), rows[0]) }, "decide action=accept&id=ev_1&project=p1", "Accepted: The cache is Redis"},
		{func() Ruling { return p.Refuse(t.Context(), rows[2]) }, "decide action=refuse&id=de_1&project=p1", "Refused: The cache is Redis"},
		{func() Ruling { return p.Edit(t.Context(), rows[1], " two\n spaces ") }, `decide action=edit&id=fa_1&set=%7B%22object%22%3A%22two+spaces%22%7D`, "Edited, and taken in: The cache is Redis"},
		{func() Ruling { return p.Edit(t.Context(), rows[2], "backend") }, `decide action=edit&id=service.be&project=p1&set=%7B%22name%22%3A%22backend%22%7D`, "Edited, and taken in: The cache is Redis"},
		{func() Ruling { return p.Merge(t.Context(), rows[2], "") }, "decide action=accept&id=de_1&project=p1", "Merged: The cache is Redis"},
		{func() Ruling { return p.Merge(t.Context(), ReviewRow{ID: "service.x"}, " service.y ") }, "decide action=merge&id=service.x&other=service.y", "Merged: The cache is Redis"},
		{func() Ruling { return p.Split(t.Context(), rows[3], nil) }, "decide action=accept&id=de_2", "Split: The cache is Redis"},
		{func() Ruling { return p.Split(t.Context(), ReviewRow{ID: "service.x"}, []string{" a ", "", "b"}) }, "decide action=split&id=service.x&parts=a%0Ab", "Split: The cache is Redis"},
	} {
		r := c.do()
		if got := f.asked[len(f.asked)-1]; got != c.want || r.Text != c.text || !reflect.DeepEqual(r.Undo, []string{"de_7", "de_8"}) {
			t.Errorf("asked %q, want %q; %+v", got, c.want, r)
		}
	}
	asked := len(f.asked)
	for _, r := range []Ruling{p.Edit(t.Context(), rows[0], "  "), p.Edit(t.Context(), rows[0], "The cache is Redis"), p.Merge(t.Context(), rows[0], " "), p.Split(t.Context(), rows[0], []string{" "})} {
		if r.Done() || !strings.HasPrefix(r.Text, "Nothing was") || len(f.asked) != asked {
			t.Errorf("%+v, %q", r, f.asked)
		}
	}
}

func TestUndoTakesTheLastDecisionBackFirst(t *testing.T) {
	f := &fake{decided: api.Decided{Decisions: []memory.Decision{{ID: "u"}}}}
	n := presenter(f).Undo(t.Context(), []string{"de_7", "de_8"})
	if want := []string{"decide action=undo&id=de_8", "decide action=undo&id=de_7"}; !reflect.DeepEqual(f.asked, want) || n.Tone != Good {
		t.Errorf("%q, %+v", f.asked, n)
	}
	if n := presenter(f).Undo(t.Context(), nil); !strings.Contains(n.Text, "nothing to take back") {
		t.Errorf("%+v", n)
	}
	f = &fake{err: map[string]error{"decide": &api.Error{Code: api.CodeBadRequest, Message: "that is so already"}}}
	if n := presenter(f).Undo(t.Context(), []string{"a", "b"}); n.Tone != Warn || n.Text != "That is so already." || len(f.asked) != 1 {
		t.Errorf("%+v, %q", n, f.asked)
	}
}

func TestARefusedDecisionIsToldInTheServicesWords(t *testing.T) {
	for code, tone := range map[string]Tone{api.CodeNotFound: Warn, api.CodeAmbiguous: Warn, api.CodeBadRequest: Warn, api.CodeInternal: Bad} {
		f := &fake{err: map[string]error{"decide": &api.Error{Code: code, Message: "what it is"}}}
		if r := presenter(f).Accept(t.Context(), ReviewRow{ID: "x"}); r.Done() || r.Tone != tone || !strings.Contains(strings.ToLower(r.Text), "what it is") {
			t.Errorf("%s: %+v", code, r)
		}
	}
}

func evidenceFake() *fake {
	f := reviewFake()
	node := func(id string, role memory.Role, text string) memory.Node {
		n := memory.Node{ID: id, Role: role, Output: text}
		if role == memory.RoleUser {
			n.Metadata.Kind = memory.KindPrompt
		}
		return n
	}
	tool := node("n3", memory.RoleTool, "exit")
	tool.Name = "Bash"
	f.open = api.Transcript{Session: session("cc_1", "Speed up", "claude-code", "p1", "2026-05-04 15:10"),
		Turns: []api.Turn{{N: 2, Nodes: []memory.Node{node("n1", memory.RoleUser, "why is it slow"), node("n2", memory.RoleAssistant, "Because of Redis"), tool}}}}
	return f
}

func TestEvidenceQuotesTheNodesOfTheClaim(t *testing.T) {
	f := evidenceFake()
	p := presenter(f)
	row := p.Review(t.Context()).Rows[0]
	got := p.Evidence(t.Context(), row)
	want := Evidence{Title: "Speed up · Claude Code", Quotes: []Quoted{{Speaker: "Claude Code", Text: "Because of Redis"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	row.item.Nodes = []string{"n1", "n3"}
	got = p.Evidence(t.Context(), row)
	if want := []Quoted{{Speaker: "You", Text: "why is it slow", Person: true}, {Speaker: "Bash · ok", Text: "exit"}}; !reflect.DeepEqual(got.Quotes, want) {
		t.Errorf("got %+v", got.Quotes)
	}
	row.item.Nodes = []string{"gone"}
	if got = p.Evidence(t.Context(), row); len(got.Quotes) != 1 || !got.Quotes[0].Person {
		t.Errorf("without its nodes: %+v", got)
	}
	f.open.Turns[0].Nodes = nil
	if got = p.Evidence(t.Context(), row); got.Note == "" {
		t.Errorf("without a prompt: %+v", got)
	}
	f.open.Session.Missing = "deleted"
	if got = p.Evidence(t.Context(), row); got.Note != "Deleted." {
		t.Errorf("deleted: %+v", got)
	}
	f.err = map[string]error{"session": &api.Error{Code: api.CodeElsewhere, Message: "it is on anvil"}}
	if got = p.Evidence(t.Context(), row); got.Note != "It is on anvil." {
		t.Errorf("elsewhere: %+v", got)
	}
	if got = p.Evidence(t.Context(), ReviewRow{}); !strings.Contains(got.Note, "rule") {
		t.Errorf("of none: %+v", got)
	}
}

func TestAnExcerptShowsWhereTheClaimStands(t *testing.T) {
	long := strings.Repeat("nothing to see here\n", 100) + "the cache uses Redis on port 6379 today\n" + strings.Repeat("more of the same\n", 100)
	got := excerpt(long, "Cache is Redis, port 6379", 200)
	if !strings.Contains(got, "the cache uses Redis on port 6379") || len([]rune(got)) > 204 || !strings.HasPrefix(got, "… ") || !strings.HasSuffix(got, " …") {
		t.Errorf("%q", got)
	}
	for _, c := range []struct {
		text, claim, want string
	}{
		{" short ", "x", "short"},
		{strings.Repeat("一", 30) + "猫が好き" + strings.Repeat("二", 30), "猫が好き", "… 一一一一一猫が好き二二二二二二二二二二二 …"},
		{strings.Repeat("x", 50), "nowhere", strings.Repeat("x", 20) + " …"},
		{"İ" + strings.Repeat("y", 40), "yyyy", "İ" + strings.Repeat("y", 19) + " …"}, // its small letter is longer
	} {
		if got := excerpt(c.text, c.claim, 20); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestOnlyWhatHasPartsCanBeSplit(t *testing.T) {
	for name, tt := range map[string]struct {
		it  api.ReviewItem
		can bool
	}{
		"a suggested split":         {api.ReviewItem{What: "split", Kind: memory.RecordFact}, true},
		"a tag":                     {api.ReviewItem{What: "candidate", Kind: memory.RecordTag}, true},
		"a name with other names":   {api.ReviewItem{What: "candidate", Kind: memory.RecordEntity, Names: []string{"x"}}, true},
		"a name without":            {api.ReviewItem{What: "candidate", Kind: memory.RecordEntity}, false},
		"a memory that names names": {api.ReviewItem{What: "candidate", Kind: memory.RecordEvent, Names: []string{"x"}}, false},
		"a merge of facts":          {api.ReviewItem{What: "merge", Kind: memory.RecordFact}, false},
	} {
		tt.it.ID = "x"
		page := presenter(&fake{review: api.Review{Items: []api.ReviewItem{tt.it}, Total: 1}}).Review(t.Context())
		if len(page.Rows) != 1 || page.Rows[0].CanSplit != tt.can {
			t.Errorf("%s: %+v", name, page.Rows)
		}
	}
}
