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
		link(&ex, ex.Same)
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

func TestPartsOfSeveralSessionsBecomeOneWhateverTheOrder(t *testing.T) {
	said := []string{"The worker is also called backend.", "Note that the backend and the daemon are the same thing.", "The crawler is short for web-crawler.",
		"By the way: the daemon is the same as the crawler."}
	var want string
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}} {
		b := newBed(t)
		for _, i := range order {
			s := newScript("cc_" + string(rune('a'+i)))
			s.at, s.meta.CreatedAt = int64(1_780_000_000+1000*i), int64(1_780_000_000+1000*i)
			file := "q" + string(rune('a'+i)) + ".go"
			s.user(said[i]).edit("/home/u/shop/" + file).says("Changed the retry loop in `" + file + "`.")
			b.run(nil, s)
		}
		var stands []string
		b.log.Read(func(s *memory.State) {
			for _, e := range s.EntityList() {
				if e.Type == memory.TypeComponent && e.SupersededBy == "" {
					stands = append(stands, e.Name+": "+strings.Join(e.Aliases, ","))
				}
			}
		})
		if got := strings.Join(stands, "; "); got != "backend: crawler,daemon,web-crawler,worker" {
			t.Errorf("order %v: %s", order, got)
		}
		if got := b.published(); want == "" {
			want = got
		} else if got != want {
			t.Errorf("order %v gives other files", order)
		}
	}
}

func TestNearNamesAreSuggestedOnceAndADeclinedOneNotAgain(t *testing.T) {
	b := newBed(t)
	first := newScript("cc_1").user("add the driver").bash("go get github.com/lib/postgres", "").says("Added the driver to the module.")
	b.run(nil, first)
	second := newScript("cc_2")
	second.at, second.meta.CreatedAt = 1_780_100_000, 1_780_100_000
	second.user("add the other driver").bash("go get github.com/lib/postgress", "").says("Added the other driver to the module.")
	b.run(nil, first, second)
	n := 0
	b.log.Read(func(s *memory.State) {
		n = len(s.Suggestions)
		for _, e := range s.EntityList() {
			if e.SupersededBy != "" {
				t.Errorf("%s was merged without asking", e.ID)
			}
		}
	})
	if n != 1 {
		t.Fatalf("%d suggestions", n)
	}
	for _, d := range b.log.Decisions() {
		if d.Action == memory.ActionMerge {
			d.Accepted, d.By, d.Reason, d.Proposal.Candidate = false, memory.ByPerson, "they are two", false
			if err := b.log.Append([]memory.Decision{d}, memory.Run{}); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	third := newScript("cc_3")
	third.at, third.meta.CreatedAt = 1_779_000_000, 1_779_000_000 // an earlier sighting is added again
	third.user("add it there, too").bash("go get github.com/lib/postgress", "").says("Added it to the second module.")
	b.run(nil, first, second, third)
	merges := 0
	for _, d := range b.log.Decisions() {
		if d.Action == memory.ActionMerge {
			merges++
		}
	}
	if merges != 2 {
		t.Errorf("%d decisions on merges, want the suggestion and its refusal", merges)
	}
}
