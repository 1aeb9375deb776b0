package ledger

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/store/disk"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// pageDir is the folder of the entities' pages.
const pageDir = "graph/views/entity"

// Limits of a page: of its history the newest lines are shown, and of its links the first ones.
const (
	maxHistory = 200
	maxLinks   = 200
	maxName    = 80 // bytes of a file's name, without its ending
)

// page is all that is known of one entity.
type page struct {
	name   string // relative to the memory folder, with slashes
	entity *memory.Entity
	facts  []*memory.Fact
	edges  []*memory.Edge
	events []*memory.Event
}

// entityPages are the pages of the entities that something is known of, by name, and the names of their files. No clock takes part: a fact's window
// is told, not whether it is open now.
func entityPages(s *memory.State) ([]*page, map[memory.Key]string) {
	pages := map[memory.Key]*page{}
	for k, e := range s.Entities {
		pages[k] = &page{entity: e}
	}
	of := func(scope memory.Scope, id string) *page { return pages[memory.Key{Scope: scope, ID: id}] }
	for _, f := range s.FactList() {
		for _, id := range slices.Compact([]string{f.Subject, f.Object}) {
			if p := of(f.Scope, id); p != nil {
				p.facts = append(p.facts, f)
			}
		}
	}
	for _, e := range s.EdgeList() {
		for _, id := range slices.Compact([]string{e.From, e.To}) {
			if p := of(e.Scope, id); p != nil {
				p.edges = append(p.edges, e)
			}
		}
	}
	for _, e := range s.Timeline() {
		for _, id := range e.Entities {
			if p := of(e.Scope, id); p != nil {
				p.events = append(p.events, e)
			}
		}
	}
	maps.DeleteFunc(pages, func(_ memory.Key, p *page) bool { return len(p.facts)+len(p.edges)+len(p.events) == 0 })
	names := pageNames(pages)
	out := make([]*page, 0, len(pages))
	for k, p := range pages {
		p.name = pageDir + "/" + names[k]
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *page) int { return strings.Compare(a.name, b.name) })
	return out, names
}

// pageNames gives each entity a file name that every system takes and that no other has, though it tells no cases apart.
func pageNames(pages map[memory.Key]*page) map[memory.Key]string {
	keys := slices.SortedFunc(maps.Keys(pages), func(a, b memory.Key) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Scope, b.Scope))
	})
	taken := map[string]bool{}
	out := make(map[memory.Key]string, len(keys))
	for _, k := range keys {
		name, whole := safeName(k.ID)
		if folded := strings.ToLower(name); !whole || taken[folded] {
			sum := sha256.Sum256([]byte(string(k.Scope) + "\x00" + k.ID))
			name += "-" + hex.EncodeToString(sum[:4])
		}
		taken[strings.ToLower(name)] = true
		out[k] = name + ".md"
	}
	return out
}

// safeName is an entity's id as a file name; whole reports whether no two ids of this length give the same.
func safeName(id string) (name string, whole bool) {
	whole = true
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '/':
			return '~'
		case r < ' ' || strings.ContainsRune(`<>:"\|?*~`, r):
			whole = false
			return '-'
		}
		return r
	}, strings.ToValidUTF8(id, "-"))
	if len(name) > maxName {
		whole = false
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	return strings.TrimRight(name, ". "), whole
}

func (p *page) draw(names map[memory.Key]string) string {
	var b strings.Builder
	e := p.entity
	fmt.Fprintf(&b, "# %s\n\n%s · %s\n", line(e.Name), line(e.Type), line(string(e.Scope)))
	if len(e.Aliases) > 0 {
		fmt.Fprintf(&b, "Also called: %s\n", line(strings.Join(e.Aliases, ", ")))
	}
	for _, k := range slices.Sorted(maps.Keys(e.Attrs)) {
		fmt.Fprintf(&b, "%s: %s\n", line(k), line(e.Attrs[k]))
	}
	if e.SupersededBy != "" {
		fmt.Fprintf(&b, "Now: %s\n", p.link(string(e.SupersededBy), names))
	}
	stand := func(f *memory.Fact) bool {
		return f.SupersededBy == "" && f.Status != memory.StatusCeased && f.Status != memory.StatusAbandoned
	}
	p.section(&b, "Facts", len(p.facts), func(i int) string {
		if f := p.facts[i]; stand(f) {
			return p.fact(f)
		}
		return ""
	})
	p.section(&b, "Facts of before", len(p.facts), func(i int) string {
		if f := p.facts[i]; !stand(f) {
			return p.fact(f)
		}
		return ""
	})
	p.section(&b, "Links", min(len(p.edges), maxLinks), func(i int) string { return p.edge(p.edges[i], names) })
	events := slices.Clone(p.events)
	slices.Reverse(events)
	p.section(&b, "History", min(len(events), maxHistory), func(i int) string { return history(events[i]) })
	return b.String()
}

// section writes a heading and its lines; nothing where all lines are empty.
func (p *page) section(b *strings.Builder, title string, n int, text func(int) string) {
	head := "\n## " + title + "\n\n"
	for i := range n {
		if t := text(i); t != "" {
			b.WriteString(head + "- " + t + "\n")
			head = ""
		}
	}
}

func (p *page) fact(f *memory.Fact) string {
	out := line(f.Text()) + " (" + string(f.Status)
	if f.ValidFrom != nil {
		out += ", from " + date(f.ValidFrom)
	}
	if f.ValidUntil != nil {
		out += ", until " + date(f.ValidUntil)
	}
	if f.SupersededBy != "" {
		out += ", replaced by " + string(f.SupersededBy)
	}
	return out + ")" + receipt(f.Provenance)
}

func (p *page) edge(e *memory.Edge, names map[memory.Key]string) string {
	old := ""
	if e.SupersededBy != "" {
		old = " (replaced by " + string(e.SupersededBy) + ")"
	}
	if e.From == p.entity.ID {
		return line(e.Relation) + " → " + p.link(e.To, names) + old + receipt(e.Provenance)
	}
	return p.link(e.From, names) + " → " + line(e.Relation) + " this" + old + receipt(e.Provenance)
}

// link leads to the page of another entity of the same scope, where it has one.
func (p *page) link(id string, names map[memory.Key]string) string {
	name, ok := names[memory.Key{Scope: p.entity.Scope, ID: id}]
	if !ok || strings.ContainsAny(name, "()<> ") {
		return line(id)
	}
	return "[" + line(id) + "](" + name + ")"
}

func history(e *memory.Event) string {
	text := date(e.Provenance.EventTime) + " " + string(e.Kind) + ": " + line(e.Summary)
	if e.SupersededBy != "" {
		text += " (replaced by " + string(e.SupersededBy) + ")"
	}
	return text + receipt(e.Provenance)
}

func receipt(p memory.Provenance) string {
	if p.SessionID == "" {
		return ""
	}
	return "  ↪ session:" + line(p.SessionID)
}

func date(at *int64) string {
	if at == nil {
		return "at an unknown time"
	}
	return time.Unix(*at, 0).UTC().Format(time.DateOnly)
}

// line makes a text of others one line that is no Markdown of its own.
func line(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	return strings.NewReplacer("[", "\\[", "]", "\\]", "<", "&lt;").Replace(s)
}

// drawPages writes the pages that changed and removes those of entities that are gone. They are not flushed to the disk one by
// one: what a crash takes is drawn again.
func (l *Ledger) drawPages() (changed int, err error) {
	l.mu.RLock()
	pages, urls := entityPages(l.state)
	l.mu.RUnlock()
	dir := filepath.Join(l.o.Dir, filepath.FromSlash(pageDir))
	if err := home.Mkdir(dir); err != nil {
		return 0, err
	}
	names, err := home.List(dir, "", ".md")
	if err != nil {
		return 0, err
	}
	there := make(map[string]bool, len(names))
	for _, n := range names {
		there[pageDir+"/"+filepath.Base(n)] = true
	}
	drawn, kept := make(map[string][32]byte, len(pages)), make([]string, 0, len(pages))
	for _, p := range pages {
		l.mu.RLock()
		data := []byte(p.draw(urls))
		l.mu.RUnlock()
		kept = append(kept, p.name)
		sum := sha256.Sum256(data)
		drawn[p.name] = sum
		path := filepath.Join(l.o.Dir, filepath.FromSlash(p.name))
		old, known := l.drawn[p.name]
		if !known && there[p.name] {
			have, err := os.ReadFile(path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return changed, fmt.Errorf("draw the page of an entity: %w", err)
			}
			old = sha256.Sum256(have)
		}
		if old == sum && there[p.name] {
			continue
		}
		if err := replaceFile(path, data); err != nil {
			return changed, err
		}
		changed++
	}
	removed, err := l.removeRest(pageDir, ".md", kept)
	if err == nil {
		l.drawn = drawn
	}
	return changed + removed, err
}

// replaceFile writes a file that can be made again: whole or not at all, without waiting for the disk.
func replaceFile(path string, data []byte) error {
	err := disk.Replace(filepath.Dir(path), ".tmp-*", path, false, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return fmt.Errorf("draw the page of an entity: %w", err)
	}
	return nil
}
