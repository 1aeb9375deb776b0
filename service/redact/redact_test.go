package redact

import (
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestNewRefusesWhatItCannotWorkWith(t *testing.T) {
	if _, err := New(Options{}); err == nil {
		t.Error("no error without a key")
	}
	if _, err := New(Options{Key: []byte("k"), Extra: []string{"ok", "("}}); err == nil || !strings.Contains(err.Error(), `"("`) {
		t.Errorf("error %v does not name the wrong pattern", err)
	}
}

func TestAPlaceholderNamesTheFamilyAndIsTheSameForTheSameSecret(t *testing.T) {
	const token = "ghp_to3P8l3Ie2Fmxnl7lCFwzD6NIsssTCTCAa5O"
	r := newTestRedactor(t)
	clean, n, err := r.Text("a " + token + " b " + token + " c ghp_GZiBMebR1bI4Fdd6m1yjAQcqU9y3WIoUPJgf")
	if err != nil || n != 3 {
		t.Fatalf("found %d, %v", n, err)
	}
	marks := regexp.MustCompile(`\[redacted:github:[0-9a-f]{6}\]`).FindAllString(clean, -1)
	if len(marks) != 3 || marks[0] != marks[1] || marks[0] == marks[2] {
		t.Errorf("placeholders %q in %q", marks, clean)
	}
	other, err := New(Options{Key: []byte("other key")})
	if err != nil {
		t.Fatal(err)
	}
	again, _, _ := other.Text(token)
	if again == marks[0] {
		t.Error("the placeholder does not depend on the key")
	}
	if again, _, _ := newTestRedactor(t).Text(token); again != marks[0] {
		t.Errorf("another redactor with the same key gives %q, not %q", again, marks[0])
	}
}

func TestRedactingTwiceChangesNothing(t *testing.T) {
	r := newTestRedactor(t)
	check := func(text string) {
		t.Helper()
		once, _, err := r.Text(text)
		if err != nil {
			t.Fatal(err)
		}
		twice, n, err := r.Text(once)
		if err != nil || n != 0 || twice != once {
			t.Errorf("again: found %d, %v, %q of %q", n, err, twice, once)
		}
	}
	for _, make := range shapes {
		for seed := range uint64(5) {
			text, _ := make(newDraw(seed))
			check(text)
		}
	}
	for _, s := range specimens(t) {
		check(s)
	}
}

func TestTextAroundASecretStays(t *testing.T) {
	r := newTestRedactor(t)
	clean, n, err := r.Text("before\nDB_PASSWORD=\"hunter2!x\" # rotate me\nafter")
	if err != nil || n != 1 {
		t.Fatalf("found %d, %v", n, err)
	}
	if want := regexp.MustCompile(`^before\nDB_PASSWORD="\[redacted:assigned:[0-9a-f]{6}\]" # rotate me\nafter$`); !want.MatchString(clean) {
		t.Errorf("got %q", clean)
	}
}

func TestTheUsersOwnPatternsAreSecretsToo(t *testing.T) {
	r, err := New(Options{Key: []byte("k"), Extra: []string{`ACME-\d{4}`, `employee (\w+)`}})
	if err != nil {
		t.Fatal(err)
	}
	clean, n, err := r.Text("ticket ACME-1234 of employee jane, closed")
	if err != nil || n != 2 || !strings.HasPrefix(clean, "ticket [redacted:custom:") || !strings.Contains(clean, "of employee [redacted:custom:") {
		t.Errorf("found %d, %v in %q", n, err, clean)
	}
}

func TestPrivateSpansAreReplacedWithTheirTags(t *testing.T) {
	r := newTestRedactor(t)
	clean, n, err := r.Text("a <private>one\ntwo</private> b <PRIVATE>three</Private> c")
	if err != nil || n != 2 || strings.Contains(clean, "one") || strings.Contains(clean, "three") || !strings.HasSuffix(clean, "] c") {
		t.Errorf("found %d, %v in %q", n, err, clean)
	}
}

func TestAPrivateSpanFailsClosed(t *testing.T) {
	r := newTestRedactor(t)
	for name, c := range map[string]struct{ in, want string }{
		"not closed":            {"a <private>plum\nplum", "a P"},
		"nested":                {"a <private>plum <private>plum</private> plum</private> b", "a P b"},
		"nested, not closed":    {"a <private>plum <private>plum</private> plum", "a P"},
		"mention":               {"put `<private>` around it", "put `<private>` around it"},
		"mention of both":       {"`<private>` and `</private>`", "`<private>` and `</private>`"},
		"mention does not end":  {"a <private>plum `</private>` plum</private> b", "a P b"},
		"mention does not nest": {"a <private>plum `<private>` plum</private> b", "a P b"},
		"span in backticks":     {"a `<private>plum</private>` b", "a `P` b"},
		"an end alone":          {"a</private> b", "a</private> b"},
		"a placeholder within":  {"a <private>plum [redacted:aws:0a1b2c] plum</private> b", "a P b"},
	} {
		clean, _, err := r.Text(c.in)
		if got := regexp.MustCompile(`\[redacted:private:[0-9a-f]{6}\]`).ReplaceAllString(clean, "P"); err != nil || got != c.want {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	raw, _, err := r.JSON([]byte(`{"a":"<private>plum","b":"kept"}`))
	if err != nil || strings.Contains(string(raw), "plum") || !strings.Contains(string(raw), `"b":"kept"`) {
		t.Errorf("%s, %v", raw, err)
	}
}

func TestPrivateDepthGoesOnFromPartToPart(t *testing.T) {
	depth := 0
	for i, c := range []struct {
		part string
		want int
	}{{"a <private>b", 1}, {"c <private> d", 2}, {"e</private> `</private>`", 1}, {"f</private> g <private>h</private> i", 0}, {"j </private> <private>", 1}} {
		if depth = PrivateDepth(c.part, depth); depth != c.want {
			t.Errorf("part %d: %d spans are open", i, depth)
		}
	}
}

func TestAFailingRuleWithholdsTheText(t *testing.T) {
	r := newTestRedactor(t)
	r.engine.own = append(r.engine.own, ownRule{})
	for i := range r.engine.uses {
		r.engine.uses[i] = append(r.engine.uses[i], use{rule: -1, own: len(r.engine.own) - 1}) // a nil function
	}
	if clean, n, err := r.Text("my token is here"); err == nil || clean != "" || n != 0 {
		t.Errorf("got %q, %d, %v", clean, n, err)
	}
	if raw, n, err := r.JSON([]byte(`{"a":"my token is here"}`)); err == nil || raw != nil || n != 0 {
		t.Errorf("got %q, %d, %v", raw, n, err)
	}
}

func TestATextThatNeverSettlesIsWithheld(t *testing.T) {
	r, err := New(Options{Key: []byte("k"), Extra: []string{`^(.)[^\[]`, `\](.)`}})
	if err != nil {
		t.Fatal(err)
	}
	if clean, n, err := r.Text(strings.Repeat("a b", 100)); err == nil || clean != "" || n != 0 {
		t.Errorf("got %q, %d, %v", clean, n, err)
	}
}

func TestOddBytesAreKept(t *testing.T) {
	r := newTestRedactor(t)
	in := "\xff\xfe\x00\x80 DB_PASSWORD=Summer2041! \xc3\x28\x00\ud7ff"
	clean, n, err := r.Text(in)
	if err != nil || n != 1 || !strings.HasPrefix(clean, "\xff\xfe\x00\x80 DB_PASSWORD=[") || !strings.HasSuffix(clean, "] \xc3\x28\x00\ud7ff") {
		t.Errorf("found %d, %v in %q", n, err, clean)
	}
}

func TestARedactorIsUsedAtOnce(t *testing.T) {
	r := newTestRedactor(t)
	var all []string
	for _, make := range shapes {
		text, _ := make(newDraw(1))
		all = append(all, text)
	}
	text := strings.Join(all, "\n\n")
	want, _, err := r.Text(text)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got, _, err := r.Text(text); err != nil || got != want {
				t.Errorf("another result: %v", err)
			}
		})
	}
	wg.Wait()
}

func TestALongLineWithASecretTakesLittleMemory(t *testing.T) {
	r := newTestRedactor(t)
	in := strings.Repeat("lorem ipsum dolor sit amet, ", 400_000) + "DB_PASSWORD=Summer2041! " + strings.Repeat("x", 4<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	clean, n, err := r.Text(in)
	runtime.ReadMemStats(&after)
	if err != nil || n != 1 || strings.Contains(clean, "Summer2041") {
		t.Fatalf("found %d, %v", n, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 3*uint64(len(in)) {
		t.Errorf("allocated %d bytes for a text of %d", used, len(in))
	}
}
