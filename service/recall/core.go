package recall

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"dormouse/store/memory"
)

// CoreBytes is how long a core.md is at most with the frame in which agents are told it, in bytes of UTF-8 whatever the script.
const CoreBytes = 2048

// CoreInfo says whose core.md is written, and when.
type CoreInfo struct {
	Project string // id; empty for the global one, which holds global records alone
	Name    string // of the project; empty for its id
	// At is when the memory was last consolidated, in Unix seconds. It is the only clock: recency counts from here. 0 means when
	// the newest of the records that it is made from was written down, so that it stays the same until one of them changes; where
	// there is none either, the header says that nothing was consolidated yet.
	At int64
	// Now decides which facts hold: what is planned for later or has lapsed is left out. 0 means At.
	Now int64
}

// The sections of core.md, in the order in which they stand there.
const (
	timelineSection = iota
	graphSection
	preferenceSection
	openSection
	sections
)

var titles = [sections]string{"[Timeline · recent]", "[Graph · current project]", "[Preferences]", "[Open]"}

// Each section is sure of its share of the bytes, in hundredths; what one leaves goes to the others in the order of filling.
var (
	shares  = [sections]int{timelineSection: 40, graphSection: 20, preferenceSection: 25, openSection: 15}
	filling = []int{preferenceSection, openSection, timelineSection, graphSection}
)

// Core writes core.md: the few lines that matter most now, each with the session that it leads to, between a header and a
// footer. Lines are ranked by importance (decisions, preferences and findings above work, work above what else happened;
// the person and what was observed above the agent) times recency. Equal input gives equal bytes.
func Core(s *memory.State, info CoreInfo) string {
	text, _ := CoreWithSources(s, info)
	return text
}

// CoreWithSources is Core with where each line that has a pointer comes from, in the order of these lines.
func CoreWithSources(s *memory.State, info CoreInfo) (string, []memory.Provenance) {
	text, lines := ExplainedCore(s, info)
	var sources []memory.Provenance
	for _, l := range lines {
		sources = append(sources, l.From)
	}
	return text, sources
}

// ExplainedCore is Core with the reasons for which each line that has a pointer stands there, in the order of these lines.
func ExplainedCore(s *memory.State, info CoreInfo) (string, []CoreLine) {
	if info.At == 0 {
		info.At = lastLearned(s, memory.View{Project: info.Project})
	}
	info.Now = cmp.Or(info.Now, info.At)
	name := plain(cmp.Or(info.Name, info.Project), 80)
	when := "last consolidated " + day(info.At)
	if info.At == 0 {
		when = "nothing consolidated yet"
	}
	header := "═══ Dormouse memory: project " + name + ", " + when + " ═══"
	footer := "For details: memory_open_session(<id>) / memory_git_log(" + plain(info.Project, 80) + ")"
	if info.Project == "" {
		header = "═══ Dormouse memory: all projects, " + when + " ═══"
		footer = "For details: memory_open_session(<id>) / memory_git_log(<project>)"
	}
	c := core{state: s, info: info, view: memory.View{Project: info.Project}}
	page := newPage(CoreBytes - frameBytes - len(header) - len(footer) - len("\n\n"))
	queues := [sections][]line{
		timelineSection: c.timeline(), graphSection: c.graph(), preferenceSection: c.preferences(), openSection: c.open(),
	}
	for _, sec := range filling {
		page.fill(sec, queues[sec], page.room*shares[sec]/100)
	}
	for _, sec := range filling {
		page.fill(sec, queues[sec], page.room)
	}
	text, lines := page.render()
	return header + "\n" + text + footer + "\n", lines
}

// lastLearned is when the newest record of a view was written down, in Unix seconds; 0 where there is none.
func lastLearned(s *memory.State, view memory.View) int64 {
	var at int64
	see := func(scope memory.Scope, p *memory.Provenance) {
		if view.Sees(scope) {
			at = max(at, p.IngestionTime)
		}
	}
	for _, e := range s.Events {
		see(e.Scope, &e.Provenance)
	}
	for _, e := range s.Entities {
		see(e.Scope, &e.Provenance)
	}
	for _, e := range s.Edges {
		see(e.Scope, &e.Provenance)
	}
	for _, f := range s.Facts {
		see(f.Scope, &f.Provenance)
	}
	return at
}

// core is what the lines of one core.md are made from.
type core struct {
	state *memory.State
	info  CoreInfo
	view  memory.View
}

// line is one line that may stand in core.md.
type line struct {
	text  string // without bullet and pointer
	from  memory.Provenance
	score int64
	at    *int64
	id    string // for an order among equals
	why   reasons
}

func (l line) String() string { return "· " + l.text + "  ↪ session:" + l.from.SessionID + "\n" }

// rank sorts lines, the most important first. Lines that lead nowhere are left out.
func rank(lines []line) []line {
	lines = slices.DeleteFunc(lines, func(l line) bool { return l.text == "" || l.from.SessionID == "" })
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(b.score, a.score), compareNewest(a.at, b.at), cmp.Compare(a.id, b.id))
	})
	return lines
}

// recencyDays is the age in days at which a record counts half; unknownDays the age of one without a date.
const (
	recencyDays = 30
	unknownDays = 90
)

// score is weight × recency in whole numbers, which come out the same on every machine.
func (c *core) score(weight int64, at *int64) int64 {
	return weight * 1_000_000 * recencyDays / (recencyDays + c.age(at))
}

// age is how old a record is, in days.
func (c *core) age(at *int64) int64 {
	if at == nil {
		return unknownDays
	}
	return max(0, (c.info.At-*at)/86400)
}

// plain is a text of others made safe for a line of core.md: one line, none of the page's own signs, at most max bytes, cut
// at a word.
func plain(s string, max int) string {
	s = oneLine(defuse(strings.ToValidUTF8(s, "\uFFFD")))
	if len(s) <= max {
		return s
	}
	return strings.TrimRight(s[:cutAt(s, max-len(ellipsis))], " ,;:") + ellipsis
}

func day(at int64) string { return time.Unix(at, 0).UTC().Format(time.DateOnly) }

// page collects lines until its room is used up.
type page struct {
	room  int
	used  int
	size  [sections]int
	lines [sections][]line
	seen  []fingerprint
	done  map[string]bool // lines that were taken or are like one that was
}

func newPage(room int) *page { return &page{room: room, done: map[string]bool{}} }

// fill takes lines of a section, in their order, while the section keeps to limit bytes and the page to its room. A line that
// says what another one says is passed over.
func (p *page) fill(sec int, lines []line, limit int) {
	for _, l := range lines {
		key := l.String()
		if p.done[key] {
			continue
		}
		cost := len(key)
		if p.size[sec] == 0 {
			cost += len(titles[sec]) + 1
		}
		if p.size[sec]+cost > limit || p.used+cost > p.room {
			continue
		}
		p.done[key] = true
		words := fingerprintOf(l.text)
		if slices.ContainsFunc(p.seen, func(f fingerprint) bool { return repeats(words, f) }) {
			continue
		}
		p.seen = append(p.seen, words)
		p.size[sec] += cost
		p.used += cost
		p.lines[sec] = append(p.lines[sec], l)
	}
}

// repeats reports whether one of two texts says hardly more than the other.
func repeats(a, b fingerprint) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a.alike(b, 0.7) || len(a) >= 5 && a.inside(b) >= 0.9
}

// inside is the share of a's words that b has, too.
func (a fingerprint) inside(b fingerprint) float64 {
	both := 0
	for _, w := range a {
		if _, ok := slices.BinarySearch(b, w); ok {
			both++
		}
	}
	return float64(both) / float64(max(1, len(a)))
}

// render writes the sections that have lines, and tells why each line is there. The timeline stands by date, the newest first.
func (p *page) render() (string, []CoreLine) {
	var b strings.Builder
	var out []CoreLine
	slices.SortStableFunc(p.lines[timelineSection], func(a, b line) int {
		return cmp.Or(compareNewest(a.at, b.at), cmp.Compare(a.id, b.id))
	})
	for sec, lines := range p.lines {
		if len(lines) == 0 {
			continue
		}
		b.WriteString(titles[sec] + "\n")
		for _, l := range lines {
			b.WriteString(l.String())
			out = append(out, l.explained(titles[sec]))
		}
	}
	return b.String(), out
}
