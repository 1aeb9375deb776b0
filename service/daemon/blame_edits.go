package daemon

import (
	"path/filepath"
	"slices"
	"strings"

	"dormouse/service/api"
	"dormouse/store/project/edit"
)

// wrote are the newest turns whose calls wrote most of some lines that no commit has.
func (x *blamer) wrote(lines []string, path string) []api.BlameTurn {
	want := map[string]bool{}
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			want[l] = true
		}
	}
	abs := filepath.Join(x.git.Root, filepath.FromSlash(path))
	best := []api.BlameTurn{}
	for i, m := range x.sessions {
		if i == maxSearched || len(want) == 0 {
			break
		}
		s, err := x.d.sessions.Open(m.ID)
		if err != nil {
			continue
		}
		wrote := map[int]map[string]bool{}
		for n, err := range s.Nodes(1) {
			if err != nil {
				break
			}
			for _, c := range edit.Of(&n) {
				if !samePath(c.Path, abs, path, m.Cwd) {
					continue
				}
				if wrote[n.Metadata.Turn] == nil {
					wrote[n.Metadata.Turn] = map[string]bool{}
				}
				for l := range written(&c) {
					if want[l] {
						wrote[n.Metadata.Turn][l] = true
					}
				}
			}
		}
		best = append(best, x.takeTurns(m.ID, wrote, want)...)
		if len(best) >= maxBlameTurns {
			return best[:maxBlameTurns]
		}
	}
	return best
}

// takeTurns are the turns of a session that wrote some of the lines, the newest first; lines that one of them wrote are wanted no more.
func (x *blamer) takeTurns(session string, wrote map[int]map[string]bool, want map[string]bool) (out []api.BlameTurn) {
	var turns []int
	for n := range wrote {
		turns = append(turns, n)
	}
	slices.SortFunc(turns, func(a, b int) int { return b - a })
	for _, n := range turns {
		some := false
		for l := range wrote[n] {
			some = some || want[l]
			delete(want, l)
		}
		if some {
			out = append(out, x.turn(session, n, "edit"))
		}
	}
	return out
}

// samePath reports whether a call means a file by a path of its own.
func samePath(called, abs, rel, cwd string) bool {
	p := filepath.FromSlash(called)
	if !filepath.IsAbs(p) {
		if filepath.ToSlash(filepath.Clean(p)) == rel {
			return true
		}
		p = filepath.Join(cwd, p)
	}
	if p = filepath.Clean(p); p == abs {
		return true
	}
	real, err := filepath.EvalSymlinks(filepath.Dir(p))
	return err == nil && filepath.Join(real, filepath.Base(p)) == abs
}

// written are the lines that a change puts into a file, without blanks around them.
func written(c *edit.Change) map[string]bool {
	out := map[string]bool{}
	add := func(text string) {
		for l := range strings.Lines(text) {
			if l = strings.TrimSpace(l); l != "" {
				out[l] = true
			}
		}
	}
	if c.Whole != nil {
		add(*c.Whole)
	}
	for _, r := range c.Replace {
		add(r.New)
	}
	for l := range strings.Lines(c.Diff) {
		if text, ok := strings.CutPrefix(l, "+"); ok {
			add(text)
		}
	}
	return out
}
