package pager

import (
	"fmt"
	"strings"
	"testing"
)

// What calls are about stays, and so do the files that it names, up to some steps on and some files.
func TestWhatDependsTogetherStaysTogether(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Options)
		tool   string
		input  any
		stays  string
	}{
		"nothing is about them":        {nil, "Note", map[string]string{"n": "x"}, ""},
		"by its path":                  {nil, "Edit", map[string]string{"file_path": "/src/c.go", "old_string": "x", "new_string": "y"}, "c"},
		"by its name in a command":     {nil, "Bash", map[string]string{"command": "gofmt -l c.go"}, "c"},
		"with what it names":           {nil, "Bash", map[string]string{"command": "gofmt -l b.go"}, "bc"},
		"and no further than two":      {nil, "Bash", map[string]string{"command": "gofmt -l a.go"}, "ab"},
		"three steps where that is so": {func(o *Options) { o.Hops = 3 }, "Bash", map[string]string{"command": "gofmt -l a.go"}, "abc"},
		"one step alone":               {func(o *Options) { o.Hops = 1 }, "Bash", map[string]string{"command": "gofmt -l a.go"}, "a"},
		"so many together":             {func(o *Options) { o.Hops, o.Together = 3, 1 }, "Bash", map[string]string{"command": "gofmt -l a.go"}, "ab"},
		"switched off":                 {func(o *Options) { o.InUse = 0 }, "Bash", map[string]string{"command": "gofmt -l a.go"}, ""},
		"too large":                    {func(o *Options) { o.InUseBytes = 100 }, "Bash", map[string]string{"command": "gofmt -l a.go"}, ""},
		"a name that two files have":   {nil, "Bash", map[string]string{"command": "gofmt -l d.go"}, "d"},
	} {
		t.Run(name, func(t *testing.T) {
			x := newTalk(t, func(o *Options) {
				o.Horizon, o.Sure, o.Floor, o.File = 1000, 0, 0, 8
				if c.change != nil {
					c.change(o)
				}
			})
			read := map[string]int{}
			for _, f := range []struct{ name, path, names string }{
				{"c", "/src/c.go", "nothing"}, {"b", "/src/b.go", "see c.go"}, {"a", "/src/a.go", "see b.go"},
				{"e1", "/one/e.go", ""}, {"e2", "/two/e.go", ""}, {"d", "/src/d.go", "see e.go"},
			} {
				_, read[f.name] = x.call("Read", file(f.path), text(160, f.name)+f.names, false)
			}
			for range 14 {
				x.call(c.tool, c.input, "ok", false)
			}
			for f, block := range read {
				if _, gone := x.forms[block]; gone == strings.Contains(c.stays, f) {
					t.Errorf("%s: shortened is %v", f, gone)
				}
			}
		})
	}
}

// What was in use goes when nothing was about it for some messages.
func TestWhatIsInUseNoMoreGoes(t *testing.T) {
	x := newTalk(t, func(o *Options) { o.Horizon, o.Sure, o.Floor = 1000, 0, 0 })
	_, r := x.call("Read", file("/src/a.go"), text(160, "code"), false)
	for range 10 {
		x.call("Bash", map[string]string{"command": "gofmt -l a.go"}, "ok", false)
	}
	if _, gone := x.forms[r]; gone {
		t.Fatal("it goes while it is in use")
	}
	x.chat(8)
	if _, gone := x.forms[r]; !gone {
		t.Error("it stays for ever")
	}
}

// A part of a file that is read anew does not stand for all of it: the earlier copy stays some messages longer.
func TestAPartStandsForNoWholeFile(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines int
		after int // calls after which the earlier copy is gone
	}{{"as long", 300, 3}, {"nearly as long", 260, 3}, {"a part", 60, 5}} {
		x := newTalk(t, func(o *Options) { o.Horizon, o.Sure, o.Floor, o.InUse = 1000, 0, 0, 0 })
		_, first := x.call("Read", file("/src/a.go"), text(300, "code"), false)
		x.call("Read", file("/src/a.go"), text(c.lines, "code"), false)
		n := 1
		for ; n < 20; n++ {
			if _, gone := x.forms[first]; gone {
				break
			}
			x.chat(1)
		}
		if n != c.after {
			t.Errorf("%s: gone after %d calls, want %d", c.name, n, c.after)
		}
	}
}

// No change costs more than what was saved so far and what it saves in some requests.
func TestAChangeIsAfforded(t *testing.T) {
	for _, c := range []struct {
		sure  int
		saved float64
		saves int // bytes
		fits  bool
	}{
		{6, 0, 1000, false}, {6, 0, 2000, true}, // 1150 for 1,000 bytes behind; 600 and 1200 saved in six requests
		{12, 0, 1000, true},
		{6, 560, 1000, true}, {6, 540, 1000, false}, // with what was saved
		{6, -900, 2000, true}, // a loss is no debt
		{0, 0, 1, true},
	} {
		e := New(Default())
		e.o.Sure, e.stats.Saved = c.sure, c.saved
		if got := e.affords(c.saves, 1000); got != c.fits {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestFileNames(t *testing.T) {
	for in, want := range map[string]string{
		`{"command":"go vet ./a/b_test.go && cat README.md"}`: "[b_test.go README.md]",
		"see c.go, c.go and Über.txt.":                        "[c.go Über.txt]",
		"1.5 e.g. v1.2.3-rc.10 end. x.y":                      "[v1.2.3-rc.10]",
		"":                                                    "[]",
	} {
		if got := fmt.Sprint(fileNames(in)); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
