package opencode_test

import (
	"os"
	"path/filepath"
	"testing"

	"dormouse/service/capture/opencode"
	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
)

func TestKiloCodeIsReadAsOpencodeAndIsNotTakenForIt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kilo")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(script(t))
	path := filepath.Join(dir, "kilo.db")
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	theirs := parsertest.OpenLibrary(opencode.Kilo.Open).Read(t, path, transcript.Over)
	ours := open.Read(t, path, transcript.Over)
	ids := map[string]bool{}
	for _, c := range ours {
		for _, n := range c.Nodes {
			ids[n.ID] = true
		}
	}
	for id, c := range theirs {
		if got, want := parsertest.Shape(c.Nodes), parsertest.Shape(ours[id].Nodes); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
		for _, n := range c.Nodes {
			if ids[n.ID] {
				t.Errorf("%s has the id that opencode gives it", n.Output)
			}
		}
	}
	head := text[:min(len(text), opencode.HeadSize)]
	for name, want := range map[string]string{"/x/kilo.db": "kilo", "/x/opencode.db": "opencode", "/x/other.db": ""} {
		got := ""
		for _, v := range []opencode.Variant{opencode.Kilo, opencode.OpenCode} {
			if v.Imports(name, head) {
				got += v.Agent
			}
		}
		if got != want {
			t.Errorf("%s is taken for one of %q", name, got)
		}
	}
	if opencode.Kilo.Imports("/x/e.json", []byte(exported)) {
		t.Error("an export of opencode is taken for Kilo Code's")
	}
	if err := os.MkdirAll(filepath.Join(dir, "storage", "session"), 0o700); err != nil {
		t.Fatal(err)
	}
	if tree := filepath.Join(dir, "storage"); !opencode.Kilo.Imports(tree, nil) || opencode.OpenCode.Imports(tree, nil) {
		t.Error("whose tree it is, is told wrongly")
	}
}

func TestKiloCodeIsLookedForWhereItKeepsItsData(t *testing.T) {
	env := func(k string) string { return map[string]string{"KILO_DB": "/elsewhere/kilo-mine.db"}[k] }
	roots := opencode.Kilo.Roots(env, "/home/me")
	if len(roots) != 2 || roots[0] != filepath.Join("/home/me", ".local", "share", "kilo") || roots[1] != "/elsewhere" {
		t.Errorf("roots %v", roots)
	}
	for path, want := range map[string]string{"/k/kilo.db": "/k/kilo.db", "/k/kilo-beta.db-wal": "/k/kilo-beta.db", "/k/opencode-beta.db": "/k/opencode-beta.db", "/k/auth.json": "", "/k/other.db": ""} {
		if got := opencode.Kilo.Of(path); got != want {
			t.Errorf("%s belongs to %q", path, got)
		}
	}
}
