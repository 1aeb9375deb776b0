package daemon

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// stateTag has the person put a name into a project's vocabulary.
func stateTag(t *testing.T, s *service, scope memory.Scope, name string) {
	t.Helper()
	project, _ := scope.Project()
	p, err := memory.Propose(&memory.Tag{ID: memory.TagID(name), Name: name, Scope: scope, Provenance: memory.Provenance{ProjectID: project}})
	if err != nil {
		t.Fatal(err)
	}
	d := memory.Decision{Action: memory.ActionAdd, Accepted: true, By: memory.ByPerson, Proposal: p}
	if err := s.daemon.ledger.Append([]memory.Decision{d}, memory.Run{Kind: memory.RunReview}); err != nil {
		t.Fatal(err)
	}
}

func filed(t *testing.T, s *service, tag string) (nodes []string, got api.Tags) {
	t.Helper()
	got, err := s.Tags(t.Context(), api.TagQuery{Tag: tag})
	if err != nil {
		t.Fatalf("tag %s: %v", tag, err)
	}
	for _, g := range got.Segments {
		nodes = append(nodes, g.Segment.Full.FromNode)
	}
	slices.Sort(nodes)
	return nodes, got
}

func TestWhatIsFiledUnderATagOpensAndAnOldNameFindsIt(t *testing.T) {
	s := start(t, learned(t))
	// The two names that most segments of the samples worked on, in one project.
	uses := map[memory.Scope]map[string]int{}
	s.daemon.ledger.Read(func(st *memory.State) {
		for _, g := range st.SegmentList() {
			for _, turn := range g.Turns() {
				for _, id := range turn.Tags {
					if uses[g.Scope] == nil {
						uses[g.Scope] = map[string]int{}
					}
					uses[g.Scope][strings.TrimPrefix(id, "tag.")]++
				}
			}
		}
	})
	var scope memory.Scope
	var names []string
	for sc, of := range uses {
		if len(of) > len(names) {
			scope, names = sc, nil
			for n := range of {
				names = append(names, n)
			}
		}
	}
	if len(names) < 2 {
		t.Fatalf("the samples name too little: %v", uses)
	}
	slices.SortFunc(names, func(a, b string) int { return 1000*(uses[scope][b]-uses[scope][a]) + strings.Compare(a, b) })
	old, now := names[0], names[1]
	stateTag(t, s, scope, old)
	stateTag(t, s, scope, now)

	before, got := filed(t, s, strings.ToUpper(old))
	if len(before) == 0 || len(got.Tags) != 1 || got.Tags[0].Turns == 0 {
		t.Fatalf("under %s: %+v", old, got)
	}
	for _, g := range got.Segments {
		open, err := s.Session(t.Context(), g.Segment.Full.SessionID, &g.Turn)
		if err != nil || g.Turn == 0 || !slices.ContainsFunc(open.Turns[0].Nodes, func(n memory.Node) bool { return n.ID == g.Segment.Full.FromNode }) {
			t.Errorf("%s does not open at turn %d: %v", g.Segment.ID, g.Turn, err)
		}
	}
	line, err := s.Timeline(t.Context(), api.TimelineQuery{Tag: old, Limit: 1000})
	if err != nil || line.Total == 0 {
		t.Errorf("the timeline of %s has %d events: %v", old, line.Total, err)
	}
	decided(t, s, api.Decide{Action: api.DoMerge, ID: memory.TagID(old), Other: memory.TagID(now)})
	after, got := filed(t, s, old)
	for _, n := range before {
		if !slices.Contains(after, n) {
			t.Errorf("merged into %s, %s no longer finds %s", now, old, n)
		}
	}
	if len(got.Tags) != 1 || got.Tags[0].Tag.Name != now || !slices.Contains(got.Tags[0].Names, old) {
		t.Errorf("%+v", got.Tags)
	}
	// A search by the old name finds what is filed under the new one, in its turns too, and nothing of another project.
	words := "the of and a to it is fix add test file run"
	all := searched(t, s, api.SearchQuery{Words: words, Limit: 200})
	some := searched(t, s, api.SearchQuery{Words: words, Tag: old, Limit: 200})
	if len(some) == 0 || len(some) >= len(all) || !slices.ContainsFunc(some, func(h api.Hit) bool { return h.What == "turn" }) {
		t.Errorf("%d hits with the tag, %d without", len(some), len(all))
	}
	project, _ := scope.Project()
	for _, h := range some {
		if h.ProjectID != project {
			t.Errorf("%s %s of project %s is filed under a tag of %s", h.What, h.ID, h.ProjectID, project)
		}
	}
	byOld, err := s.Search(t.Context(), api.SearchQuery{Words: old, Project: project, Kinds: []string{"segment"}, Explain: true, Limit: 5})
	if err != nil || len(byOld.Hits) == 0 || !slices.ContainsFunc(byOld.Hits[0].Parts, func(p api.ScorePart) bool { return p.Name == "tags" && p.Value > 0 }) {
		t.Errorf("asked for by its old name, %+v come: %v", byOld.Hits, err)
	}
	var refused *api.Error
	if _, err := s.Search(t.Context(), api.SearchQuery{Words: words, Tag: "nothing of the kind"}); !errors.As(err, &refused) || refused.Code != api.CodeNotFound {
		t.Errorf("a search in an unknown tag: %v", err)
	}
	if _, err := s.Tags(t.Context(), api.TagQuery{Tag: "nothing of the kind"}); !errors.As(err, &refused) || refused.Code != api.CodeNotFound {
		t.Errorf("an unknown tag: %v", err)
	}
}

func searched(t *testing.T, s *service, q api.SearchQuery) []api.Hit {
	t.Helper()
	found, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return found.Hits
}
