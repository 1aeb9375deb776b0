package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhereAPathLeadsIsAskedAgain(t *testing.T) {
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	var a answers
	if a.within(dir, filepath.Join(link, "in")) || !a.within(dir, filepath.Join(dir, "in")) || a.within("", dir) {
		t.Error("it lies in the folder, or does not")
	}
	if err := os.MkdirAll(filepath.Join(dir, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, link); err != nil {
		t.Skipf("this system makes no links here: %v", err)
	}
	a.since = a.since.Add(-2 * answersFor)
	if !a.within(dir, filepath.Join(link, "in")) {
		t.Error("the link was not followed later")
	}
}

func TestWhatTookPlaceInAnExcludedFolderIsNotCaptured(t *testing.T) {
	w := newWorld(t)
	private, open := filepath.Join(t.TempDir(), "private"), t.TempDir()
	inner, link := filepath.Join(private, "in"), filepath.Join(open, "link")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(private, link); err != nil {
		t.Skipf("this system makes no links here: %v", err)
	}
	o := w.options()
	o.Exclude = excludes(t, private)
	w.engine = New(o)
	for id, cwd := range map[string]string{"1": private, "2": inner, "3": filepath.Join(link, "in"), "4": private + "-not", "5": open} {
		session := strings.Repeat(id, 8) + "-1111-1111-1111-111111111111"
		text := strings.ReplaceAll(line, "11111111-1111-1111-1111-111111111111", session)
		w.write(w.claude(session+".jsonl"), strings.ReplaceAll(text, `"cwd":"/w"`, `"cwd":"`+filepath.ToSlash(cwd)+`"`))
	}
	w.scan()
	for _, s := range w.sessions() {
		if s.Cwd != filepath.ToSlash(private+"-not") && s.Cwd != filepath.ToSlash(open) {
			t.Errorf("captured in %s", s.Cwd)
		}
	}
	if n := w.status("claude-code").Skipped[excludedReason].Times; len(w.sessions()) != 2 || n != 3 {
		t.Errorf("%d sessions, %d left out", len(w.sessions()), n)
	}
	w.problems(0)
}
