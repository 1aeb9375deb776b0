package main

import (
	"dormouse/service/pager"
	"dormouse/service/pager/objects"
)

// faultsAfterRefusal counts what was needed after it had not been stored: the same was asked for again and at least half of its lines had
// not changed (F2), or an edit quoted a line of it (F3), and no object that was stored before holds those lines.
func faultsAfterRefusal(t objects.Thread, v *objects.View) (f2, f3 int) {
	gone := map[int]bool{}
	for _, r := range v.Refused {
		for _, p := range r.Parts {
			gone[p.Block] = true
		}
	}
	calls := map[string]pager.Block{}
	stored, refused := map[string]bool{}, map[string]bool{} // lines
	last := map[string][]string{}                           // by key, the lines of the newest result, where that was refused
	at := -1
	for _, w := range t.Windows {
		for _, m := range w {
			for _, b := range m.Blocks {
				at++
				lines := pager.SignificantLines(b.Text)
				switch b.Kind {
				case pager.Call:
					calls[b.ID] = b
					if lost(pager.SignificantLines(pager.QuotedByEdit(b.Tool, b.Input)), stored, refused) {
						f3++
					}
				case pager.Result:
					c := calls[b.ID]
					key := pager.Key(c.Tool, c.Input)
					if old := last[key]; len(old) > 0 && 2*shared(old, lines) >= len(old) && !held(old, stored) {
						f2++
					}
					delete(last, key)
					if gone[at] {
						last[key] = lines
					}
				}
				into := stored
				if gone[at] {
					into = refused
				}
				for _, l := range lines {
					into[l] = true
				}
			}
		}
	}
	return f2, f3
}

// lost says whether some of the lines were refused and are stored nowhere.
func lost(lines []string, stored, refused map[string]bool) bool {
	for _, l := range lines {
		if refused[l] && !stored[l] {
			return true
		}
	}
	return false
}

// held says whether at least half of the lines are stored.
func held(lines []string, stored map[string]bool) bool {
	n := 0
	for _, l := range lines {
		if stored[l] {
			n++
		}
	}
	return 2*n >= len(lines)
}

func shared(a, b []string) (n int) {
	in := map[string]bool{}
	for _, l := range b {
		in[l] = true
	}
	for _, l := range a {
		if in[l] {
			n++
		}
	}
	return n
}
