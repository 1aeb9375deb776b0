package cost

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"dormouse/store/disk"
	"dormouse/store/home"
)

func call(day int, model, purpose string, in, out int64) Entry {
	e := New(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, day), "p", model, purpose)
	e.ID = fmt.Sprintf("%s-%s-%d-%d-%d", model, purpose, day, in, out)
	e.Usage = Usage{Calls: 1, InputTokens: in, OutputTokens: out, CostMicros: in + 5*out}
	return e
}

func all(t *testing.T, m *Meter) []Entry {
	t.Helper()
	f, err := m.Read("", "")
	if err != nil || f.Damaged != 0 {
		t.Fatal(f.Damaged, err)
	}
	return f.Entries
}

func TestSumsAreTheSameInEveryWay(t *testing.T) {
	m := At(filepath.Join(t.TempDir(), "cost"))
	want := Usage{}
	for i := range 60 {
		e := call(i, fmt.Sprintf("m%d", i%3), fmt.Sprintf("q%d", i%4), int64(rand.IntN(1000)), int64(rand.IntN(100)))
		e.Estimated = i%7 == 0
		want = want.Plus(e.Usage)
		if err := m.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	for way, n := range map[string]int{ByDay: 60, ByMonth: 2, ByModel: 3, ByPurpose: 4, ByProvider: 1} {
		rows, total, err := Sum(all(t, m), way)
		var sum Usage
		for _, r := range rows {
			sum = sum.Plus(r.Told).Plus(r.Estimated)
		}
		if err != nil || len(rows) != n || sum != want || total.Told.Plus(total.Estimated) != want || total.Estimated.Calls != 9 {
			t.Errorf("%s: %d rows, %+v, %+v, %v", way, len(rows), sum, total, err)
		}
	}
	if _, _, err := Sum(nil, "colour"); err == nil || !strings.Contains(err.Error(), ByPurpose) {
		t.Errorf("%v", err)
	}
	part, err := m.Read("2026-05-30", "2026-06-02")
	if err != nil || len(part.Entries) != 4 || part.Entries[0].Day != "2026-05-30" || part.Entries[3].Day != "2026-06-02" {
		t.Errorf("%+v %v", part, err)
	}
}

func TestAnEntryIsThereWholeOrNotWhereverTheDiskFails(t *testing.T) {
	for fail := 0; ; fail++ {
		dir := filepath.Join(t.TempDir(), "cost")
		if err := At(dir).Append(call(0, "m", "first", 1, 1)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "2026-05.jsonl"), append(encode(all(t, At(dir))), `{"id":"torn"`...), 0o600); err != nil {
			t.Fatal(err)
		}
		n := 0
		m := At(dir)
		stop := disk.Watch(func(s disk.Step) error {
			if n++; n-1 != fail {
				return nil
			}
			if s.Op == "write" { // half of it reaches the disk
				_, _ = s.File.Write(s.Data[:len(s.Data)/2])
			}
			return fmt.Errorf("no more: %s", s.Op)
		})
		err := m.Append(call(0, "m", "second", 2, 2))
		stop()
		if n <= fail {
			if err != nil || fail < 3 {
				t.Fatalf("%d steps, %v", n, err)
			}
			return
		}
		if err == nil {
			t.Errorf("step %d: no error", fail)
		}
		before := len(all(t, At(dir)))
		if err := m.Append(call(0, "m", "third", 3, 3)); err != nil { // the same process goes on
			t.Fatal(err)
		}
		if got := all(t, At(dir)); len(got) != before+1 || got[0].Purpose != "first" || got[len(got)-1].Purpose != "third" {
			t.Errorf("step %d: %+v", fail, got)
		}
	}
}

func TestAMeterIsBoundedAndNoSumChanges(t *testing.T) {
	m := At(filepath.Join(t.TempDir(), "cost"))
	if err := home.Mkdir(m.dir); err != nil {
		t.Fatal(err)
	}
	var many []Entry
	for i := range 9000 {
		e := call(i%20, fmt.Sprintf("m%d", i%2), fmt.Sprintf("q%d", i%3), int64(i), 1)
		e.Estimated = i%5 == 0
		many = append(many, e)
	}
	for i := range 2 * maxModels { // an endpoint that has another name each time
		many = append(many, call(21, fmt.Sprintf("name-%d", i), "q", 1, 1))
	}
	if err := os.WriteFile(m.file("2026-05"), encode(many), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := m.Append(call(22, "m", "q", 1, 1)); err != nil {
		t.Fatal(err)
	}
	_, want, _ := Sum(all(t, m), ByDay)
	if !m.Long() {
		t.Fatal("it is not long")
	}
	if err := m.Fold(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(m.file("2026-05"))
	if err != nil || info.Size() > 60<<10 || m.Long() {
		t.Errorf("%d bytes, %v", info.Size(), err)
	}
	rows, total, _ := Sum(all(t, m), ByDay)
	if total != want || len(rows) != 22 {
		t.Errorf("%+v, want %+v; %d days", total, want, len(rows))
	}
	for i := range maxMonths + 3 {
		e := call(0, "m", "q", 1, 1)
		e.Day = time.Date(2027, time.Month(i+1), 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		if err := m.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Fold(); err != nil {
		t.Fatal(err)
	}
	if files, err := m.files(); err != nil || len(files) != maxMonths || monthOf(files[0]) != "2027-04" {
		t.Errorf("%v %v", files, err)
	}
}

func TestADamagedLineIsCountedAndStays(t *testing.T) {
	m := At(t.TempDir())
	if err := m.Append(call(0, "m", "q", 1, 1)); err != nil {
		t.Fatal(err)
	}
	raw, _ := os.ReadFile(m.file("2026-05"))
	long := strings.Repeat(string(raw), foldAt/len(raw)+1)
	if err := os.WriteFile(m.file("2026-05"), []byte(string(raw)+"{\n[1]\n{\"day\":\"x\"}\n"+long), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := m.Read("", "")
	if err != nil || before.Damaged != 3 {
		t.Fatalf("%d %v", before.Damaged, err)
	}
	if err := m.Fold(); err != nil {
		t.Fatal(err)
	}
	if after, err := m.Read("", ""); err != nil || !reflect.DeepEqual(before, after) {
		t.Errorf("%d, %v", after.Damaged, err)
	}
}

func TestNamesAreBoundedAndPlain(t *testing.T) {
	e := New(time.Unix(0, 0).UTC(), "p\x1b[31m", strings.Repeat("ä", 100), "q\n")
	if e.Provider != "p[31m" || len(e.Model) != maxName || e.Purpose != "q" || e.Day != "1970-01-01" {
		t.Errorf("%+v", e)
	}
	if err := At(t.TempDir()).Append(Entry{Day: "../../x"}); err == nil {
		t.Error("a day that is a path")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(string(encode([]Entry{call(0, "m", "q", 1, 1)})) + "{\n\n")
	f.Add("{\"day\":\"2026-05-01\"}")
	f.Fuzz(func(t *testing.T, s string) {
		path := filepath.Join(t.TempDir(), "2026-05.jsonl")
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		entries, damaged, err := read(path)
		if err != nil || len(entries)+damaged != strings.Count(s, "\n") {
			t.Errorf("%d entries and %d damaged of %q (%v)", len(entries), damaged, s, err)
		}
	})
}
