package replay

import (
	"testing"

	"dormouse/service/pager"
)

// What an edit quotes is asked for, and found where its lines stand together.
func TestWhatAnEditMissesIsAskedFor(t *testing.T) {
	for _, c := range []struct {
		name            string
		edit            string
		answered, first int
	}{
		{"lines that stand together", `{"file_path":"/a.go","old_string":"alpha line number 700 of it\nalpha line number 701 of it","new_string":"x"}`, 1, 1},
		{"lines far apart", `{"file_path":"/a.go","old_string":"alpha line number 100 of it\nalpha line number 701 of it","new_string":"x"}`, 0, 0},
	} {
		s := newStory()
		s.call("Read", `{"file_path":"/a.go"}`, lines(900, "alpha"))
		s.wait(12)
		s.call("Edit", c.edit, "done")
		o := pager.Default()
		o.Floor, o.Sure, o.Horizon = 0, 0, 1000
		m := s.replay(t).Micro(o)
		if m.Faults != 1 || m.Answered != c.answered || m.First != c.first || m.Bytes == 0 || m.Whole != len(lines(900, "alpha")) {
			t.Errorf("%s: %+v", c.name, m)
		}
	}
}
