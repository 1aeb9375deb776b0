package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"dormouse/service/recall/when"
)

// temporalCase is one line of temporal.tsv: a text, when it is said, and which days it means; Alt is another answer that counts.
type temporalCase struct {
	id, lang, text, set string
	ref                 time.Time
	want                [][2]time.Time
}

// temporalRow is the figures of one set, in percent of its cases.
type temporalRow struct {
	Set      string  `json:"set"`
	N        int     `json:"n"`
	Answered int     `json:"answered"`
	Exact    float64 `json:"exact"`   // both days equal
	Start    float64 `json:"start"`   // the first day equal
	Lenient  float64 `json:"lenient"` // half of the days shared, or the one day within a week
}

// temporalBench reads expressions of time and compares their days with those that are meant.
func temporalBench(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("temporal", flag.ContinueOnError)
	file := fs.String("data", "", "file with one case a line, in tab-separated columns that its first line names")
	asJSON := fs.Bool("json", false, "print the figures as JSON")
	half := fs.String("half", "", "only one half of the cases, even or odd, by the hash of their ids")
	misses := fs.String("misses", "", "print what was not exact of this set")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *file == "" {
		return errors.New("temporal: --data FILE is needed")
	}
	if *half != "" && *half != "even" && *half != "odd" {
		return fmt.Errorf("temporal: --half is even or odd, not %q", *half)
	}
	cases, err := readTemporal(*file)
	if err != nil {
		return fmt.Errorf("temporal: %w", err)
	}
	if *half != "" {
		odd := *half == "odd"
		cases = slices.DeleteFunc(cases, func(c temporalCase) bool { return (sha256.Sum256([]byte(c.id))[0]%2 == 1) != odd })
	}
	if *misses != "" {
		return printMisses(stdout, cases, *misses)
	}
	rows := temporalRows(cases)
	if *asJSON {
		return json.NewEncoder(stdout).Encode(map[string]any{"rows": rows})
	}
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "set\tcases\tanswered\texact %\tstart %\tlenient %")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.1f\t%.1f\t%.1f\n", r.Set, r.N, r.Answered, r.Exact, r.Start, r.Lenient)
	}
	return w.Flush()
}

func readTemporal(file string) ([]temporalCase, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimRight(string(raw), "\n"), "\n")
	column := map[string]int{}
	for i, name := range strings.Split(lines[0], "\t") {
		column[name] = i
	}
	for _, name := range []string{"id", "lang", "ref", "text", "start", "end", "alt_start", "alt_end", "set"} {
		if _, ok := column[name]; !ok {
			return nil, fmt.Errorf("%s:1: there is no column %s", file, name)
		}
	}
	var out []temporalCase
	for no, line := range lines[1:] {
		f := strings.Split(strings.TrimRight(line, "\r"), "\t")
		if len(f) < len(column) {
			return nil, fmt.Errorf("%s:%d: %d columns, not %d", file, no+2, len(f), len(column))
		}
		at := func(name string) string { return f[column[name]] }
		c := temporalCase{id: at("id"), lang: at("lang"), text: at("text"), set: at("set")}
		if c.ref, err = time.Parse("2006-01-02T15:04:05", at("ref")); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, no+2, err)
		}
		for _, pair := range [][2]string{{at("start"), at("end")}, {at("alt_start"), at("alt_end")}} {
			if pair[0] == "" {
				continue
			}
			from, err1 := time.Parse("2006-01-02T15:04:05", pair[0])
			to, err2 := time.Parse("2006-01-02T15:04:05", pair[1])
			if err := errors.Join(err1, err2); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, no+2, err)
			}
			c.want = append(c.want, wholeDays(from, to))
		}
		out = append(out, c)
	}
	return out, nil
}

// wholeDays are the first day and the day after the last one.
func wholeDays(from, to time.Time) [2]time.Time {
	day := func(t time.Time) time.Time { return t.Truncate(24 * time.Hour) }
	s, e := day(from), day(to)
	if !e.Equal(to) || e.Equal(s) {
		e = e.AddDate(0, 0, 1)
	}
	return [2]time.Time{s, e}
}

// predicted is what the service would take the text to mean; an open end is now.
func predicted(c temporalCase) (days [2]time.Time, ok bool) {
	f, ok := when.Find(c.text, c.ref)
	if !ok || f.Window.Since == 0 {
		return days, false
	}
	to := f.Window.Until
	if to == 0 {
		to = c.ref.Unix()
	}
	return wholeDays(time.Unix(f.Window.Since, 0).UTC(), time.Unix(to, 0).UTC()), true
}

func temporalRows(cases []temporalCase) []temporalRow {
	type sums struct{ n, answered, exact, start, lenient int }
	sets := map[string]*sums{}
	for _, c := range cases {
		for _, name := range []string{c.set, c.set + "/" + c.lang} {
			if sets[name] == nil {
				sets[name] = &sums{}
			}
			s := sets[name]
			s.n++
			got, ok := predicted(c)
			if !ok {
				continue
			}
			s.answered++
			exact, start, lenient := compareDays(c.want, got)
			s.exact += exact
			s.start += start
			s.lenient += lenient
		}
	}
	var out []temporalRow
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		s := sets[name]
		of := func(n int) float64 { return 100 * float64(n) / float64(s.n) }
		out = append(out, temporalRow{name, s.n, s.answered, of(s.exact), of(s.start), of(s.lenient)})
	}
	return out
}

func compareDays(want [][2]time.Time, got [2]time.Time) (exact, start, lenient int) {
	count := func(from, to time.Time) int { return int(to.Sub(from).Hours()) / 24 }
	for _, w := range want {
		if w == got {
			exact = 1
		}
		if w[0].Equal(got[0]) {
			start = 1
		}
		from, to := w[0], w[1]
		if got[0].After(from) {
			from = got[0]
		}
		if got[1].Before(to) {
			to = got[1]
		}
		shared := max(0, count(from, to))
		all := count(w[0], w[1]) + count(got[0], got[1]) - shared
		if all > 0 && 2*shared >= all || count(w[0], w[1]) == 1 && shared == 1 && count(got[0], got[1]) <= 7 {
			lenient = 1
		}
	}
	return exact, start, lenient
}

func printMisses(stdout io.Writer, cases []temporalCase, set string) error {
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', 0)
	for _, c := range cases {
		if c.set != set {
			continue
		}
		got, ok := predicted(c)
		if exact, _, _ := compareDays(c.want, got); ok && exact == 1 {
			continue
		}
		said := "nothing"
		if ok {
			f, _ := when.Find(c.text, c.ref)
			said = fmt.Sprintf("%s %s [%s %s]", got[0].Format(time.DateOnly), got[1].Format(time.DateOnly), f.Language, f.Text)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\twant %s %s\tgot %s\n", c.ref.Format(time.DateOnly), c.lang, c.text, c.want[0][0].Format(time.DateOnly), c.want[0][1].Format(time.DateOnly), said)
	}
	return w.Flush()
}
