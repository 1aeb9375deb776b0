package capture

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"dormouse/service/capture/claudecode"
)

func claudeSamples(t *testing.T) map[string][]byte {
	t.Helper()
	samples, err := filepath.Glob(filepath.Join("claudecode", "testdata", "*.jsonl"))
	if err != nil || len(samples) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	out := map[string][]byte{}
	for _, path := range samples {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := claudecode.Identify(path, text, func(string) []byte { return nil }); ok && f.AgentID == "" {
			out[f.Session] = text
		}
	}
	return out
}

// prefix is the first part of a text, up to the end of a line.
func prefix(text []byte, part int) []byte {
	i := bytes.LastIndexByte(text[:len(text)*part/4], '\n')
	return text[:i+1]
}

func TestASessionInTwoProjectFoldersIsCapturedOnce(t *testing.T) {
	samples := claudeSamples(t)
	type step struct {
		folder string
		part   int // quarters of the text
	}
	count := func(id string, text []byte, restarts bool, steps ...[]step) int {
		w := newWorld(t)
		for _, s := range steps {
			for _, f := range s {
				w.write(filepath.Join(w.home, ".claude", "projects", f.folder, id+".jsonl"), string(prefix(text, f.part)))
			}
			w.scan()
			if restarts {
				w.restart()
			}
			w.scan()
		}
		n := 0
		for _, m := range w.sessions() {
			n += m.Nodes
		}
		return n
	}
	ways := map[string][][]step{
		"at once":                  {{{"-a", 4}, {"-b", 4}}},
		"later":                    {{{"-a", 4}}, {{"-b", 4}}},
		"before the first":         {{{"-b", 4}}, {{"-a", 4}}},
		"a part of it":             {{{"-a", 4}}, {{"-b", 2}}},
		"a part, before":           {{{"-b", 2}}, {{"-a", 4}}},
		"a part that grows":        {{{"-a", 2}}, {{"-b", 2}}, {{"-b", 3}}, {{"-b", 4}}},
		"both grow":                {{{"-a", 1}, {"-b", 1}}, {{"-a", 2}, {"-b", 3}}, {{"-a", 4}, {"-b", 4}}},
		"renamed while it goes on": {{{"-a", 3}}, {{"-b", 4}}},
	}
	for id, text := range samples {
		for _, restarts := range []bool{false, true} {
			for name, steps := range ways {
				whole := [][]step{}
				for _, s := range steps {
					best := step{"-a", 0}
					for _, f := range s {
						best.part = max(best.part, f.part)
					}
					for _, w := range whole {
						best.part = max(best.part, w[0].part)
					}
					whole = append(whole, []step{best})
				}
				once, twice := count(id, text, restarts, whole...), count(id, text, restarts, steps...)
				if once != twice {
					t.Errorf("session %s, %s, restarts %v: %d nodes, with the copy %d", id, name, restarts, once, twice)
				}
			}
		}
	}
}

func TestASessionWhoseProjectFolderIsRenamedGoesOn(t *testing.T) {
	for id, text := range claudeSamples(t) {
		for _, restarts := range []bool{false, true} {
			w := newWorld(t)
			old, moved := filepath.Join(w.home, ".claude", "projects", "-old"), filepath.Join(w.home, ".claude", "projects", "-new")
			w.write(filepath.Join(old, id+".jsonl"), string(prefix(text, 3)))
			w.scan()
			if err := os.Rename(old, moved); err != nil {
				t.Fatal(err)
			}
			if restarts {
				w.restart()
			}
			w.scan()
			w.write(filepath.Join(moved, id+".jsonl"), string(text))
			w.scan()
			plain := newWorld(t)
			path := filepath.Join(plain.home, ".claude", "projects", "-old", id+".jsonl")
			plain.write(path, string(prefix(text, 3)))
			plain.scan()
			plain.write(path, string(text))
			plain.scan()
			got, want := 0, 0
			for _, m := range w.sessions() {
				got += m.Nodes
			}
			for _, m := range plain.sessions() {
				want += m.Nodes
			}
			if got != want {
				t.Errorf("session %s, restarts %v: %d nodes, without the rename %d", id, restarts, got, want)
			}
		}
	}
}

// TestATranscriptThatIsMovedAwayForAMomentIsReadWhenItIsBack has one go between the walk that finds it and its reading.
func TestATranscriptThatIsMovedAwayForAMomentIsReadWhenItIsBack(t *testing.T) {
	w := newWorld(t)
	path := w.claude(aUUID + ".jsonl")
	away := func() {
		t.Helper()
		if err := w.engine.walk(t.Context()); err != nil {
			t.Fatal(err)
		}
		jobs := w.engine.plan(nil)
		if len(jobs) != 1 {
			t.Fatalf("%d jobs", len(jobs))
		}
		if err := os.Rename(path, path+"-away"); err != nil {
			t.Fatal(err)
		}
		if err := w.engine.run(t.Context(), jobs); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+"-away", path); err != nil {
			t.Fatal(err)
		}
		w.scan()
	}
	w.write(path, turn(0, w.now, "one", "1"))
	away()
	if n := len(w.nodes(w.only().ID)); n != 2 {
		t.Errorf("%d nodes of a new one", n)
	}
	w.now = w.now.Add(2 * overAfter)
	w.scan()
	w.restart()
	w.append(path, turn(1, w.now, "two", "2"))
	away()
	if n := len(w.nodes(w.only().ID)); n != 4 {
		t.Errorf("%d nodes of one that grew", n)
	}
	w.problems(0)
}
