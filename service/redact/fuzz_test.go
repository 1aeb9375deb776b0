package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzText checks that Text never fails, changes nothing the second time, and never leaves a token that was planted in it.
func FuzzText(f *testing.F) {
	for _, make := range shapes {
		text, _ := make(newDraw(1))
		f.Add(text, uint64(2))
	}
	for _, make := range harmless {
		f.Add(make(newDraw(1)), uint64(3))
	}
	for _, s := range nasty {
		f.Add(strings.Repeat(s, 3), uint64(4))
	}
	r := newTestRedactor(f)
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		d := newDraw(seed)
		body := d.alnum(36)
		at := int(seed % uint64(len(text)+1))
		planted := text[:at] + "\nghp_" + body + "\n" + text[at:]
		clean, _, err := r.Text(planted)
		if err != nil {
			t.Fatal(err)
		}
		// A text that held the body before, without the prefix that makes it a token, may keep that one.
		alone := !strings.Contains(text, body)
		if alone && randomness(body) == random && !isPlaceholder(body) && strings.Contains(clean, body) {
			t.Errorf("%q left in %q", body, clean)
		}
		again, n, err := r.Text(clean)
		if err != nil || n != 0 || again != clean {
			t.Errorf("again: found %d, %v\n%q\n%q", n, err, clean, again)
		}
	})
}

// FuzzJSON checks that what was valid JSON stays so and settles, and that anything else is withheld.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"password":"hunter22","a":["--token","x"],"n":[{"name":"PW","value":"é"}]}`))
	f.Add([]byte(`["\ud800","\u0000","a\\\"b"]`))
	f.Add([]byte(`{"body":"{\"password\":\"hunter22\"}"}`))
	r := newTestRedactor(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		out, _, err := r.JSON(raw)
		if !json.Valid(raw) && len(raw) > 0 {
			if err == nil || out != nil {
				t.Errorf("invalid JSON is not withheld: %q", out)
			}
			return
		}
		if err != nil || len(raw) > 0 && !json.Valid(out) {
			t.Fatalf("%v: %q", err, out)
		}
		if again, n, err := r.JSON(out); err != nil || n != 0 || string(again) != string(out) {
			t.Errorf("again: found %d, %v\n%q\n%q", n, err, out, again)
		}
	})
}
