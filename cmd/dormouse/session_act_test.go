package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestDeleteAsksUnlessToldNotTo(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serve(t, home)
	for typed, want := range map[string]bool{"yes\n": true, "Y": true, "no\n": false, "": false, "cc_1a2b3c4d\n": false} {
		f.asked = nil
		r := answering(t, home, typed, "delete", "cc_1a2")
		if did := slices.Contains(f.asked, "delete cc_1a2b3c4d"); did != want || (r.code == exitOK) != want {
			t.Errorf("%q: deleted %v, code %d, %s", typed, did, r.code, r.err)
		}
		if !strings.Contains(r.err, "Delete cc_1a2b3c4d") || !strings.Contains(r.err, "2 turns") {
			t.Errorf("asked %q", r.err)
		}
	}
}

func TestWordsThatMeanNoSessionOrSeveralChangeNothing(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serve(t, home)
	for args, want := range map[string]string{
		"delete cc_1a --yes":      "may be any of 2",
		"delete nothing --yes":    "dormouse sessions lists",
		"delete nothing --undo":   "dormouse sessions --deleted",
		"rename cc_1a x":          "may be any of 2",
		"rename cc_1a2":           "takes a session and its title",
		"pin nothing":             "no session",
		"open nothing":            "no session",
		"delete a --yes --undo":   "none of the others can be",
		"delete":                  "takes the id of one session",
		"sessions --deleted more": "takes no arguments",
	} {
		f.asked = nil
		r := dormouse(t, home, strings.Fields(args)...)
		if r.code == exitOK || !strings.Contains(r.err, want) {
			t.Errorf("%s: code %d, %s", args, r.code, r.err)
		}
		if i := slices.IndexFunc(f.asked, func(a string) bool { return !strings.HasPrefix(a, "sessions") }); i >= 0 {
			t.Errorf("%s did %s", args, f.asked[i])
		}
	}
}
