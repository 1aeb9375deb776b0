package daemon

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"dormouse/service/api"
)

// objectWith is the object of a session that holds a word, as an agent sees it, or the person (""). One that begins in a private turn is
// another one for agents: what they may see of it begins later.
func objectWith(t *testing.T, s *service, session, word, agent string) string {
	t.Helper()
	x, err := s.Objects(t.Context(), api.ObjectQuery{Session: session, For: agent})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range x.Objects {
		one, err := s.Objects(t.Context(), api.ObjectQuery{Session: session, Object: o.ID, For: agent})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(one.Text, word) {
			return o.ID
		}
	}
	t.Fatalf("no object of %s holds %q: %+v", session, word, x.Objects)
	return ""
}

// TestObjectsOfACapturedSession goes from a transcript to objects whose nodes open, over a restart.
func TestObjectsOfACapturedSession(t *testing.T) {
	roots, home := t.TempDir(), t.TempDir()
	work := ofRemote(t, "https://example.org/x/orchard.git")
	said(t, roots, "one", work, "Please look at the cellar of the house and say what is in it.", "Let's keep the apples there because it is cool in summer.")
	said(t, roots, "two", work, "Something else altogether.")
	p := params(home, roots)
	s := start(t, p)
	id := s.daemon.sessionOfAgent("claude-code", "one")
	x, err := s.Objects(t.Context(), api.ObjectQuery{Session: id, Draw: true})
	if err != nil || len(x.Objects) < 2 || x.Stats.Turns != 2 || x.Session.ID != id || !strings.HasPrefix(x.Drawing, "digraph") {
		t.Fatalf("%+v %v", x, err)
	}
	i := slices.IndexFunc(x.Objects, func(o api.Object) bool { return o.Type == "design_decision" })
	if i < 0 || x.Objects[i].FirstTurn != 2 || len(x.Objects[i].Parts) != 1 {
		t.Fatalf("%+v", x.Objects)
	}
	turn := 2
	opened, err := s.Session(t.Context(), id, &turn)
	if err != nil || opened.Turns[0].Nodes[0].ID != x.Objects[i].Parts[0].Node {
		t.Errorf("%+v: the node does not open: %v", x.Objects[i], err)
	}
	s.stop()
	s = start(t, p)
	one, err := s.Objects(t.Context(), api.ObjectQuery{Object: x.Objects[i].ID}) // nobody told of it in this life of the service
	if err != nil || one.Session.ID != id || one.Object != x.Objects[i].ID || !strings.Contains(one.Text, "apples") {
		t.Errorf("%+v %v", one, err)
	}
	var e *api.Error
	for q, want := range map[api.ObjectQuery]string{{Session: id, Object: "ob_ffffffffffff"}: "dormouse objects --session", {Object: "ob_ffffffffffff"}: "name its session", {Session: "cc_ffffffff"}: "there is no session"} {
		if _, err := s.Objects(t.Context(), q); !errors.As(err, &e) || e.Code != api.CodeNotFound || !strings.Contains(e.Message, want) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	newest, err := s.Objects(t.Context(), api.ObjectQuery{})
	if err != nil || newest.Session.ID == "" {
		t.Errorf("%+v %v", newest, err)
	}
	set, err := s.Pager(t.Context())
	if err != nil || set.Proxy != api.ProxyShut || len(set.Settings) < 10 {
		t.Errorf("%+v %v", set, err)
	}
}
