package ledger

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/store/memory"
)

func TestAnEraseReachesWhatWasSetAside(t *testing.T) {
	dir, aside := t.TempDir(), filepath.Join(t.TempDir(), "damaged")
	o := Options{Dir: dir, Machine: "aa", Aside: aside, Now: func() time.Time { return day1 }}
	l := openWith(t, o)
	mustAppend(t, l, 1, "Hid the canary", "Two")
	log := read(t, logPath(dir, "aa", "2026-06-18.jsonl"))
	put := func(name, text string) string {
		t.Helper()
		path := filepath.Join(aside, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	changed := strings.Replace(strings.Split(log, "\n")[1], "Two", "Two and the canary", 1)
	torn := log[:strings.Index(log, "canary")+10]
	copied := put("aa-2026-06-18.jsonl.1", log+changed+"\n"+torn)
	useless := put("aa-2026-06-18.jsonl.2", torn)
	put(".git.1/objects/ab", "the canary, packed")
	if err := l.Erase(nil, run()); err != nil { // nothing is erased yet
		t.Fatal(err)
	}
	if got := read(t, copied); !strings.Contains(got, "canary") {
		t.Errorf("what was set aside changed for nothing: %s", got)
	}
	if err := l.Erase([]memory.Decision{erase(event(1, "Hid the canary"))}, run()); err != nil {
		t.Fatal(err)
	}
	got := read(t, copied)
	if strings.Contains(got, "canary") || !strings.Contains(got, `"Two"`) || strings.Count(got, "\n") != 3 {
		t.Errorf("left of the copy:\n%s", got)
	}
	for _, gone := range []string{useless, filepath.Join(aside, ".git.1")} {
		if _, err := os.Stat(gone); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", gone, err)
		}
	}
	// What comes to lie there later is looked through by the next start.
	again := put("aa-2026-06-18.jsonl.3", log)
	openWith(t, o)
	if got := read(t, again); strings.Contains(got, "canary") || !strings.Contains(got, `"Two"`) {
		t.Errorf("left of a later copy:\n%s", got)
	}
}
