package pager

import (
	"strings"
	"testing"
)

// topic is an embedder that knows two topics.
func topic(text string) []float32 {
	switch {
	case strings.Contains(text, "parser"):
		return []float32{1, 0}
	case strings.Contains(text, "printer"):
		return []float32{0, 1}
	}
	return []float32{0, 0}
}

func goals(o *Options) {
	o.Horizon, o.Sure, o.Floor, o.InUse, o.File = 1000, 0, 0, 0, 40
	o.Goals = &Goals{Shift: func(before, prompt string) bool { return strings.Contains(prompt, "now") && before != "" }, Embed: topic, Keep: 2}
}

func (x *talk) prompt(text string) {
	x.e.Add(Message{User: true, Blocks: []Block{{Kind: Text, Text: text}}})
}

// For a new goal what fits it stays, what its prompt names stays, and the rest goes long before its age.
func TestANewGoalSwapsWhatStays(t *testing.T) {
	for name, c := range map[string]struct {
		prompt string
		change func(*Options)
		gone   string
		goals  int
	}{
		"the same goal": {"go on with the parser", nil, "", 0},
		"a new one":     {"now the printer, please", nil, "ab", 1},
		"named":         {"now the printer as in a.go", nil, "b", 1},
		"so many stay":  {"now the printer, please", func(o *Options) { o.Goals.Keep = 1 }, "abc", 1},
		"not followed":  {"now the printer, please", func(o *Options) { o.Goals = nil }, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			x := newTalk(t, goals, func(o *Options) {
				if c.change != nil {
					c.change(o)
				}
			})
			blocks := map[string]int{}
			for _, f := range []struct{ name, of string }{{"a", "parser"}, {"b", "parser"}, {"c", "printer"}, {"d", "printer"}} {
				_, blocks[f.name] = x.call("Read", file("/src/"+f.name+".go"), text(200, f.of), false)
			}
			x.prompt(c.prompt)
			x.chat(4)
			for f, b := range blocks {
				if _, gone := x.forms[b]; gone != strings.Contains(c.gone, f) {
					t.Errorf("%s: shortened is %v", f, gone)
				}
			}
			if n := x.e.Stats().Goals; n != c.goals {
				t.Errorf("%d new goals, want %d", n, c.goals)
			}
		})
	}
}

// What was foreseen for a goal is counted, and what of it calls were about, each block once.
func TestWhatWasForeseenIsCounted(t *testing.T) {
	x := newTalk(t, goals)
	for _, f := range []string{"a", "b", "c"} {
		x.call("Read", file("/src/"+f+".go"), text(200, "printer"), false)
	}
	x.prompt("now the printer")
	for range 2 {
		x.call("Bash", map[string]string{"command": "gofmt -l c.go"}, "ok", false)
		x.call("Read", file("/src/c.go"), text(200, "printer"), false)
	}
	if s := x.e.Stats(); s.Predicted != 2 || s.Met != 1 {
		t.Errorf("foreseen %d, met %d; want 2 and 1", s.Predicted, s.Met)
	}
}

func TestGoalsThatCannotBe(t *testing.T) {
	for _, g := range []*Goals{{}, {Shift: func(string, string) bool { return true }, Keep: -1}} {
		o := Default()
		if o.Goals = g; o.Validate() == nil {
			t.Errorf("%+v is taken", g)
		}
	}
}

func TestHeadOf(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{{"abc", 2, "ab"}, {"aé", 2, "a"}, {"aé", 3, "aé"}, {"abc", 0, ""}, {"abc", -1, ""}} {
		if got := headOf(c.s, c.n); got != c.want {
			t.Errorf("%q to %d: %q", c.s, c.n, got)
		}
	}
}
