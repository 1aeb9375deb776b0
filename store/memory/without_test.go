package memory

import "testing"

func TestAStateWithoutAProjectHasNothingOfIt(t *testing.T) {
	s := newState()
	add := func(id string, scope Scope, project string) {
		s.Events["e"+id] = &Event{ID: "e" + id, Scope: scope, Provenance: Provenance{ProjectID: project}}
		s.Facts["f"+id] = &Fact{ID: "f" + id, Scope: scope, Provenance: Provenance{ProjectID: project}}
		s.Entities[Key{scope, "n" + id}] = &Entity{ID: "n" + id, Scope: scope, Provenance: Provenance{ProjectID: project}}
	}
	add("1", ProjectScope("hid"), "hid")
	add("2", Global, "hid")
	add("3", PrivateScope("hid"), "hid")
	add("4", ProjectScope("seen"), "seen")
	add("5", Global, "seen")
	out := s.Without(map[string]bool{"hid": true})
	for what, n := range map[string]int{"events": len(out.Events), "facts": len(out.Facts), "entities": len(out.Entities)} {
		if n != 2 {
			t.Errorf("%d %s remain, want 2", n, what)
		}
	}
	if out.Events["e4"] == nil || out.Facts["f5"] == nil || len(s.Events) != 5 || s.Without(nil) != s {
		t.Error("others went too, or the state was changed")
	}
}
