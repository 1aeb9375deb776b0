package session

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"dormouse/store/memory"
)

// filled is a session every field of which has a value of its own.
func filled(t *testing.T, seed int) (m memory.Session) {
	t.Helper()
	v := reflect.ValueOf(&m).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(fmt.Sprintf("%s %d ü", v.Type().Field(i).Name, seed))
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(-1 + i*1000*seed))
		case reflect.Bool:
			f.SetBool(true)
		default:
			t.Fatalf("%s is a %s", v.Type().Field(i).Name, f.Kind())
		}
	}
	return m
}

func TestTheSummaryHoldsEveryFieldOfASession(t *testing.T) {
	all := map[string]*knownMeta{}
	for i := range 3 {
		all[fmt.Sprint("key", i)] = &knownMeta{stamp{int64(i), 1 << 60, -1, 1 << 63}, filled(t, i+1)}
	}
	raw := encodeSummary(all)
	if got := parseSummary(raw); !reflect.DeepEqual(got, all) {
		t.Errorf("read back: %+v", got)
	}
	if again := encodeSummary(maps.Clone(all)); !bytes.Equal(again, raw) {
		t.Error("equal sessions make other bytes")
	}
	for i := range raw {
		bad := bytes.Clone(raw)
		bad[i] ^= 1
		if got := parseSummary(bad); len(got) > 0 {
			t.Fatalf("a summary that is damaged at byte %d is believed", i)
		}
		if got := parseSummary(raw[:i]); len(got) > 0 {
			t.Fatalf("a summary that is cut off after %d bytes is believed", i)
		}
	}
}

func FuzzParseSummary(f *testing.F) {
	f.Add(encodeSummary(map[string]*knownMeta{"a": {stamp{1, 2, 3, 4}, memory.Session{ID: "a", Title: "A", Pinned: true}}})[summaryHead:])
	f.Add([]byte{2})
	f.Fuzz(func(t *testing.T, body []byte) {
		raw := sealed(body)
		got := parseSummary(raw)
		if len(got) == 0 {
			return
		}
		if again := parseSummary(encodeSummary(got)); !reflect.DeepEqual(again, got) {
			t.Fatalf("%+v, written and read again: %+v", got, again)
		}
	})
}

// settled waits until the stamps of what was just written tell the next change.
func settled(t *testing.T, dir string) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); time.Now().Before(limit); time.Sleep(20 * time.Millisecond) {
		if s := statMeta(dir); s != nil && s.settled() {
			return
		}
	}
	t.Fatalf("%s does not settle", dir)
}

// listStore is a store with sessions in both places and a summary.
func listStore(t *testing.T) (*Store, []*Session) {
	t.Helper()
	s := newStore(t)
	s.opts.Summary = filepath.Join(t.TempDir(), "summary")
	project := t.TempDir()
	s.opts.Temps = nil
	var all []*Session
	for i := range 4 {
		if s.opts.Inside = func(memory.Session) string { return "" }; i == 3 {
			s.opts.Inside = func(memory.Session) string { return project }
		}
		x := ensure(t, s, fmt.Sprint(i))
		add(t, x, true, true, talk(1, 2+i)...)
		all = append(all, x)
	}
	settled(t, all[3].Dir())
	return New(s.opts), all
}

func titles(t *testing.T, s *Store) (out []string) {
	t.Helper()
	list, invalid, err := s.List()
	if err != nil || len(invalid) > 0 {
		t.Fatalf("%v, %v", err, invalid)
	}
	for _, m := range list {
		out = append(out, m.Title)
	}
	slices.Sort(out)
	return out
}

func TestAListAfterAStartReadsTheSummaryAndWhatChangedSince(t *testing.T) {
	s, all := listStore(t)
	if got := titles(t, s); len(got) != 4 {
		t.Fatal(got)
	}
	if err := s.KeepList(); err != nil {
		t.Fatal(err)
	}
	known := readSummary(s.opts.Summary)
	if len(known) != 4 {
		t.Fatalf("%d sessions are in the summary", len(known))
	}
	for _, k := range known { // to see that it is what is listed
		k.meta.Title = "from the summary"
	}
	if err := os.WriteFile(s.opts.Summary, encodeSummary(known), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := titles(t, New(s.opts)); !slices.Equal(got, slices.Repeat([]string{"from the summary"}, 4)) {
		t.Errorf("the first list: %v", got)
	}
	s = New(s.opts)
	for i, x := range []*Session{all[0], all[3]} { // in both places
		m := x.Meta()
		m.Title = fmt.Sprint("changed ", i)
		if err := writeMeta(x.Dir(), m); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(all[1].Dir()); err != nil {
		t.Fatal(err)
	}
	add(t, ensure(t, s, "new"), true, true, talk(1, 2)...)
	if err := ensure(t, s, "new").Update(func(m *memory.Session) { m.Title = "new" }); err != nil {
		t.Fatal(err)
	}
	want := []string{"changed 0", "changed 1", "from the summary", "new"}
	for range 2 {
		if got := titles(t, s); !slices.Equal(got, want) {
			t.Errorf("after changes: %v", got)
		}
	}
	if err := s.KeepList(); err != nil {
		t.Fatal(err)
	}
	if got := titles(t, New(s.opts)); !slices.Equal(got, want) {
		t.Errorf("after the next start: %v", got)
	}
}

func TestADamagedSummaryIsPassedOverAndMadeAgain(t *testing.T) {
	s, _ := listStore(t)
	want := titles(t, s)
	for _, content := range []string{"", "DMS1", "DMS1\x00\x00\x00\x00", "{}", string(bytes.Repeat([]byte("x"), 5000))} {
		if err := os.WriteFile(s.opts.Summary, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		again := New(s.opts)
		if got := titles(t, again); !slices.Equal(got, want) {
			t.Errorf("with %q: %v", content, got)
		}
		if err := again.KeepList(); err != nil || len(readSummary(s.opts.Summary)) != 4 {
			t.Errorf("with %q: %v", content, err)
		}
	}
	if err := os.Remove(s.opts.Summary); err != nil {
		t.Fatal(err)
	}
	if got := titles(t, New(s.opts)); !slices.Equal(got, want) {
		t.Errorf("without one: %v", got)
	}
}

func TestWhatWasChangedJustNowIsNotRemembered(t *testing.T) {
	s, all := listStore(t)
	m := all[0].Meta()
	if err := writeMeta(all[0].Dir(), m); err != nil {
		t.Fatal(err)
	}
	titles(t, s)
	if err := s.KeepList(); err != nil {
		t.Fatal(err)
	}
	if known := readSummary(s.opts.Summary); known[all[0].id] != nil && known[all[0].id].stamp.settled() {
		t.Skip("the machine was too slow to see it")
	} else if known[all[0].id] != nil {
		t.Error("a file that was written within the second is remembered")
	}
}

func TestASessionThatIsDeletedLeavesTheSummary(t *testing.T) {
	s, all := listStore(t)
	titles(t, s)
	if err := s.KeepList(); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(all[2].id); err != nil {
		t.Fatal(err)
	}
	if known := readSummary(s.opts.Summary); len(known) != 3 || known[all[2].id] != nil {
		t.Errorf("%d sessions are in the summary", len(known))
	}
	if got := titles(t, s); len(got) != 3 {
		t.Errorf("%v", got)
	}
}
