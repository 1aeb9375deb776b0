package localapi

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"dormouse/service/api"
)

// maxText is the longest text in a parameter, in bytes.
const maxText = 4096

// maxTime is the last second of the year 9999, the last that RFC 3339 can write.
const maxTime = 253402300799

// params reads the parameters of a request and collects everything that is wrong with them.
type params struct {
	values url.Values
	zone   *time.Location
	errs   []string
}

// readParams refuses parameters that are not among names, come twice, are too long, or are no text.
func readParams(query string, names []string, zone *time.Location) (*params, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, refuse(api.CodeBadRequest, "the request's parameters cannot be read: %v", err)
	}
	p := &params{values: values, zone: zone}
	for name, v := range values {
		switch {
		case !slices.Contains(names, name):
			p.wrong("%q is not known here (known: %s)", clip(name), strings.Join(names, ", "))
		case len(v) > 1:
			p.wrong("%s is given %d times", name, len(v))
		case len(v[0]) > maxText:
			p.wrong("%s is longer than %d bytes", name, maxText)
		case !utf8.ValidString(v[0]) || strings.ContainsRune(v[0], 0):
			p.wrong("%s is not valid UTF-8 text", name)
		}
	}
	return p, p.check(true)
}

func (p *params) wrong(format string, args ...any) {
	p.errs = append(p.errs, fmt.Sprintf(format, args...))
}

// check reports what was wrong, or that the backend does not offer what was asked for.
func (p *params) check(offered bool) error {
	if len(p.errs) > 0 {
		slices.Sort(p.errs)
		return refuse(api.CodeBadRequest, "%s", strings.Join(p.errs, "; "))
	}
	if !offered {
		return notOffered()
	}
	return nil
}

func (p *params) has(name string) bool { return p.values.Get(name) != "" }

func (p *params) text(name string) string { return strings.TrimSpace(p.values.Get(name)) }

func (p *params) needed(name string) string {
	v := p.text(name)
	if v == "" {
		p.wrong("%s is needed", name)
	}
	return v
}

// turnIf reads the number of a turn; absent, it is nil.
func (p *params) turnIf(name string) *int {
	if !p.has(name) {
		return nil
	}
	n := p.number(name, 0, maxTurn, 0)
	return &n
}

// number reads a whole number in [low, high]; absent, it is fallback.
func (p *params) number(name string, low, high, fallback int) int {
	v := p.text(name)
	if v == "" {
		return fallback
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < low || n > high {
		p.wrong("%s has to be a whole number from %d to %d, not %q", name, low, high, clip(v))
	}
	return n
}

// oneOf reads a list with commas of some of the known values.
func (p *params) oneOf(name string, known ...string) []string {
	v := p.text(name)
	if v == "" {
		return nil
	}
	list := strings.Split(v, ",")
	for _, k := range list {
		if !slices.Contains(known, k) {
			p.wrong("%s has to be some of %s, not %q", name, strings.Join(known, ","), clip(k))
		}
	}
	return list
}

// time reads Unix seconds, an RFC 3339 time, or a date, which is the day's first second or, as an end, the first second
// after it. Absent, it is 0.
func (p *params) time(name string, end bool) int64 {
	v := p.text(name)
	if v == "" {
		return 0
	}
	if n, err := strconv.ParseInt(v, 10, 64); err == nil && n >= 0 && n <= maxTime {
		return n
	}
	if t, err := time.Parse(time.RFC3339, v); err == nil && t.Unix() >= 0 {
		return t.Unix()
	}
	if t, err := time.ParseInLocation(time.DateOnly, v, p.zone); err == nil && t.Unix() >= 0 {
		if end {
			t = t.AddDate(0, 0, 1)
		}
		return t.Unix()
	}
	p.wrong("%s has to be Unix seconds, a date such as 2026-05-01 or a time such as 2026-05-01T14:00:00Z, not %q", name, clip(v))
	return 0
}
