package localapi

import (
	"testing"
	"time"
	"unicode/utf8"
)

func FuzzParametersAreInRangeOrRefused(f *testing.F) {
	for _, s := range []string{"q=x&limit=3&since=2026-05-01", "q=%00", "limit=-1", "since=9999-12-31T23:59:59Z", "since=253402300800", "q=a;b", "%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		p, err := readParams(query, []string{"q", "limit", "since"}, time.UTC)
		if err != nil {
			return
		}
		q, n, at := p.text("q"), p.number("limit", 1, 9, 5), p.time("since", true)
		if p.check(true) != nil {
			return
		}
		if !utf8.ValidString(q) || len(q) > maxText || n < 1 || n > 9 || at < 0 || at > maxTime+1 {
			t.Errorf("%q gives %q, %d, %d", query, q, n, at)
		}
	})
}
