package distill

import (
	"slices"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestAPartWithSeveralNamesIsOneEntityAndEventsNameItByAny(t *testing.T) {
	s := newScript("s").
		user("look into the queue. Note that worker, backend and daemon are the same thing.").
		edit("/home/u/shop/queue.go").
		says("Fixed the retry loop of the queue in `queue.go`.").
		user("let us keep the retries of the daemon at 3 instead of 10").
		edit("/home/u/shop/queue.go").
		says("Limited the retries of the backend to 3 in `queue.go`.")
	var parts []string
	named := 0
	for _, ex := range s.read() {
		link(&ex, statedNames(s.nodes))
		for _, e := range ex.Entities {
			if e.Type == memory.TypeComponent {
				parts = append(parts, e.ID()+" "+strings.Join(e.Aliases, ","))
			}
		}
		for _, e := range ex.Events {
			if slices.Contains(e.Entities, "component.worker") {
				named++
				t.Log(e.Summary)
			}
		}
	}
	if want := []string{"component.worker backend,daemon"}; !slices.Equal(parts, want) {
		t.Errorf("parts %q, want %q", parts, want)
	}
	if named != 2 {
		t.Errorf("%d events name the worker, want the ruling on the daemon and the work on the backend", named)
	}
}

func TestAQuestionWhetherTwoPartsAreOneMakesNone(t *testing.T) {
	s := newScript("s").user("is the worker the same as the backend?").says("No, the worker is not the same as the backend.")
	for _, ex := range s.read() {
		if len(ex.Entities) > 0 {
			t.Errorf("entities %+v", ex.Entities)
		}
	}
}
