package daemon

import (
	"context"
	"fmt"
	"strings"
	"time"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/service/recall/when"
	"dormouse/store/index"
	"dormouse/store/index/words"
	"dormouse/store/memory"
)

// anchor finds what "before the release" means: the newest event that says all of its words. Where none does it asks back.
func (x *question) anchor(ctx context.Context, f when.Found) (when.Window, error) {
	hits, err := x.d.searcher.Search(ctx, recall.Query{Text: f.Anchor, View: viewFor(x.project, x.q.Agent), Kinds: []index.Kind{index.KindEvent}, Limit: 50})
	if err != nil {
		return when.Window{}, err
	}
	now := x.d.p.Now().Unix()
	var best *memory.Event
	var close []string
	x.d.served(func(s *memory.State) {
		for _, h := range hits {
			e := s.Events[h.ID]
			if e == nil || e.Provenance.EventTime == nil || *e.Provenance.EventTime > now {
				continue
			}
			at := *e.Provenance.EventTime
			if !saysAll(e.Summary, f.Anchor) {
				if len(close) < 5 {
					close = append(close, time.Unix(at, 0).In(x.zone).Format(time.DateOnly)+"  "+clipped(e.Summary, 100))
				}
			} else if best == nil || at > *best.Provenance.EventTime {
				c := *e
				best = &c
			}
		}
	})
	if best == nil {
		return when.Window{}, noAnchor(f, close)
	}
	x.out.Understood.Anchor = &api.Anchor{Words: f.Anchor, Event: *best}
	from := *best.Provenance.EventTime
	to := from + 1
	if f.During() {
		y, m, d := time.Unix(from, 0).In(x.zone).Date()
		from, to = time.Date(y, m, d, 0, 0, 0, 0, x.zone).Unix(), time.Date(y, m, d+1, 0, 0, 0, 0, x.zone).Unix()
	}
	w, ok := f.Anchored(from, to)
	if !ok {
		return w, noAnchor(f, close)
	}
	return w, nil
}

func noAnchor(f when.Found, close []string) error {
	e := &api.Error{Code: api.CodeNotFound, Candidates: close, Message: fmt.Sprintf("%q: the timeline holds nothing of a known time that says %q; say a date instead", f.Text, f.Anchor)}
	if len(close) > 0 {
		e.Code = api.CodeAmbiguous
		e.Message += ", for example that of one of these:"
	}
	return e
}

// saysAll reports whether a text has all words of another one, whatever their forms.
func saysAll(text, wanted string) bool {
	a := words.New()
	has := map[string]bool{}
	for _, t := range a.Query(text) {
		has[t] = true
	}
	terms := a.Query(wanted)
	for _, t := range terms {
		if !has[t] {
			return false
		}
	}
	return len(terms) > 0 && strings.TrimSpace(wanted) != ""
}

// zoneName is the name of a zone as people know it.
func zoneName(z *time.Location, now time.Time) string {
	if name := z.String(); name != "Local" && name != "" {
		return name
	}
	name, _ := now.In(z).Zone()
	return name
}

// describeWindow says a window in words: its first and its last day, or with the time of day where it is not whole days.
func describeWindow(w when.Window, z *time.Location, zone string) string {
	from, to := time.Unix(w.Since, 0).In(z), time.Unix(w.Until, 0).In(z)
	whole := func(t time.Time) bool { y, m, d := t.Date(); return t.Equal(time.Date(y, m, d, 0, 0, 0, 0, z)) }
	const day, moment = "Mon 2006-01-02", "Mon 2006-01-02 15:04"
	first := from.Format(moment)
	if whole(from) {
		first = from.Format(day)
	}
	last := to.Format(moment)
	if whole(to) {
		last = to.AddDate(0, 0, -1).Format(day)
	}
	switch {
	case w == when.Window{}:
		return "all times"
	case w.Until == 0:
		return "since " + first + ", " + zone
	case w.Since == 0 && whole(to):
		return "until the end of " + last + ", " + zone
	case w.Since == 0:
		return "before " + last + ", " + zone
	case first == last:
		return first + ", " + zone
	}
	return first + " to " + last + ", " + zone
}
