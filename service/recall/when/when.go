package when

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// mostBytes of a question are looked at.
const mostBytes = 16 << 10

// Window is a time from Since to Until (exclusive) in Unix seconds. 0 is no bound.
type Window struct{ Since, Until int64 }

// Found is an expression of time in a question.
type Found struct {
	Text     string // as the question has it
	From, To int    // its bytes in the question
	Language string // of its words, such as "de"
	// Window is what it means. Where Anchor is set, it is not known yet: Anchored gives it.
	Window Window
	// Anchor holds the words for what happened, of "before the release".
	Anchor string

	r   reading
	now time.Time
}

// Find looks for the expression of a time in a question, as seen from now and in its zone. Of several it takes the one that says
// most.
func Find(question string, now time.Time) (Found, bool) {
	text := question
	for len(text) > mostBytes {
		_, size := utf8.DecodeLastRuneInString(text[:mostBytes])
		text = text[:mostBytes-size]
	}
	f := fold(text)
	var best Found
	weight := 0
	for _, l := range spoken(f.text) {
		p := newParser(l, f.text, now.Year())
		for _, read := range []func() (reading, bool){p.best, p.anchored} {
			r, ok := read()
			if !ok || r.weight <= weight {
				continue
			}
			found := Found{Language: l.name, r: r, now: now, Anchor: r.left.anchorOf()}
			found.From, found.To = f.at[p.ts[r.from].at], f.at[p.ts[r.to-1].end]
			found.Text = strings.TrimSpace(question[found.From:found.To])
			if found.Anchor == "" {
				if found.Window, ok = r.window(&clock{now: now}); !ok {
					continue
				}
			}
			best, weight = found, r.weight
		}
	}
	return best, weight > 0
}

// During reports whether the window is that of the anchor itself, not what lies before or after it.
func (f Found) During() bool { return f.Anchor != "" && f.r.rel == within && f.r.left.unit == 0 }

// Anchored is the window, once it is known that what the anchor names happened from one time to another (exclusive), in Unix
// seconds.
func (f Found) Anchored(from, to int64) (Window, bool) {
	z := f.now.Location()
	return f.r.window(&clock{now: f.now, anchor: &span{time.Unix(from, 0).In(z), time.Unix(to, 0).In(z)}})
}

func (e *expr) anchorOf() string { return e.anchor }

// spoken are the languages in which a text may be read, the likeliest first.
func spoken(text string) []*language {
	all := languages()
	switch {
	case strings.IndexFunc(text, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) >= 0:
		return []*language{all["ko"]}
	case strings.IndexFunc(text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }) >= 0:
		return []*language{all["ja"], all["en"]}
	case strings.IndexFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) >= 0:
		return []*language{all["zh"], all["ja"], all["en"]}
	}
	best, most := all["en"], 0
	for _, name := range latin {
		l, n := all[name], 0
		sample := text[:min(len(text), 2<<10)]
		for _, t := range lex(l, sample, 2000) {
			switch {
			case t.class == cWord && l.stop[sample[t.at:t.end]]:
				n += t.end - t.at
			case t.class != cWord && t.class != cFiller && inWord(rune(sample[t.at])) && !unicode.IsDigit(rune(sample[t.at])):
				n += 2 * (t.end - t.at)
			case t.class == cFiller && inWord(rune(sample[t.at])):
				n += t.end - t.at
			}
		}
		if n > most {
			best, most = l, n
		}
	}
	if best.name == "en" {
		return []*language{best}
	}
	return []*language{best, all["en"]}
}
