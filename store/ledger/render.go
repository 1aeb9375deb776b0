package ledger

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	pathpkg "path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dormouse/store/disk"
	"dormouse/store/home"
	"dormouse/store/memory"
)

// Published are the names, relative to the memory folder, of what is rendered from the logs and can be made again.
var published = []string{"timeline", "graph", "facts.jsonl", "segments.jsonl", "tags", "candidates.jsonl", "others.jsonl", "core.md", "core"}

// Render writes the published files of the state: timeline/YYYY-MM.jsonl, graph/entities.jsonl and graph/edges.jsonl, a page
// an entity in graph/views/entity, facts.jsonl, segments.jsonl, tags/vocabulary.jsonl, aliases.jsonl and summaries.jsonl,
// candidates.jsonl (what is not settled, and why) and others.jsonl (records of kinds that this version does not know). Files
// whose bytes do not change are not touched; months and pages that hold nothing any more are removed. It returns the number
// of files that changed.
func (l *Ledger) Render() (changed int, err error) {
	l.drawing.Lock()
	defer l.drawing.Unlock()
	l.mu.RLock()
	files, err := renderState(l.state)
	pages := entityPages(l.state)
	l.mu.RUnlock()
	if err != nil {
		return 0, err
	}
	for _, f := range files {
		did, err := l.publish(f.name, f.data)
		if err != nil {
			return changed, err
		}
		if did {
			changed++
		}
	}
	removed, err := l.removeRest("timeline", ".jsonl", files)
	if err != nil {
		return changed, err
	}
	drawn, err := l.drawPages(pages)
	return changed + removed + drawn, err
}

// Publish writes one more published file, such as core.md, unless it holds these bytes already.
func (l *Ledger) Publish(name string, data []byte) (changed bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.publish(name, data)
}

// Withdraw removes the files of a published folder with this ending that are not among keep, named relative to the memory
// folder: pages of what is no longer there.
func (l *Ledger) Withdraw(folder, ext string, keep []string) (removed int, err error) {
	if !isPublished(folder) {
		return 0, fmt.Errorf("withdraw from %q: not a published folder", folder)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	files := make([]rendered, len(keep))
	for i, name := range keep {
		files[i].name = name
	}
	return l.removeRest(folder, ext, files)
}

// isPublished reports whether a name is that of a published file or folder, or below one.
func isPublished(name string) bool {
	return name == pathpkg.Clean(name) && filepath.IsLocal(filepath.FromSlash(name)) && slices.Contains(published, strings.SplitN(name, "/", 2)[0])
}

type rendered struct {
	name string // relative to the memory folder, with slashes
	data []byte
}

func renderState(s *memory.State) ([]rendered, error) {
	shards := map[string][]*memory.Event{}
	for _, e := range s.Timeline() {
		name := "timeline/" + shard(e.Provenance) + ".jsonl"
		shards[name] = append(shards[name], e)
	}
	var out []rendered
	for name, events := range shards {
		data, err := jsonl(events)
		if err != nil {
			return nil, err
		}
		out = append(out, rendered{name, data})
	}
	for _, f := range []struct {
		name string
		data func() ([]byte, error)
	}{
		{"graph/entities.jsonl", func() ([]byte, error) { return jsonl(s.EntityList()) }},
		{"graph/edges.jsonl", func() ([]byte, error) { return jsonl(s.EdgeList()) }},
		{"facts.jsonl", func() ([]byte, error) { return jsonl(s.FactList()) }},
		{"segments.jsonl", func() ([]byte, error) { return jsonl(s.SegmentList()) }},
		{"tags/vocabulary.jsonl", func() ([]byte, error) { return jsonl(s.TagList()) }},
		{"tags/aliases.jsonl", func() ([]byte, error) { return jsonl(s.TagAliasList()) }},
		{"tags/summaries.jsonl", func() ([]byte, error) { return jsonl(s.TagSummaryList()) }},
		{"candidates.jsonl", func() ([]byte, error) { return jsonl(candidates(s)) }},
		{"others.jsonl", func() ([]byte, error) { return jsonl(others(s)) }},
	} {
		data, err := f.data()
		if err != nil {
			return nil, err
		}
		out = append(out, rendered{f.name, data})
	}
	slices.SortFunc(out, func(a, b rendered) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// candidate is a line of candidates.jsonl.
type candidate struct {
	Kind     memory.RecordKind `json:"kind"`
	ID       string            `json:"id"`
	Scope    memory.Scope      `json:"scope"`
	Reason   string            `json:"reason"`
	Contests []string          `json:"contests"`
}

// candidates are the records that are not settled, by kind, scope and id.
func candidates(s *memory.State) []*candidate {
	out := []*candidate{}
	for r := range s.Records() {
		if why, ok := s.IsCandidate(r); ok {
			c := &candidate{Kind: r.Ref().Kind, ID: r.Ref().ID, Scope: r.InScope(), Reason: why.Reason, Contests: why.Contests}
			if c.Contests == nil {
				c.Contests = []string{}
			}
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// other is a line of others.jsonl.
type other struct {
	Kind   memory.RecordKind `json:"kind"`
	Record json.RawMessage   `json:"record"`
}

func others(s *memory.State) []*other {
	out := []*other{}
	for _, ref := range s.OtherList() {
		out = append(out, &other{ref.Kind, s.Others[ref]})
	}
	return out
}

// shard is the month (UTC) of the event time, or of the ingestion time where that is unknown.
func shard(p memory.Provenance) string {
	at := p.IngestionTime
	if p.EventTime != nil {
		at = *p.EventTime
	}
	return time.Unix(at, 0).UTC().Format("2006-01")
}

func jsonl[T any](records []*T) ([]byte, error) {
	b := []byte{}
	for i, r := range records {
		var err error
		if b, err = memory.AppendLine(b, r); err != nil {
			return nil, fmt.Errorf("render %T: %w", r, err)
		}
		if i == 0 { // lines are about as long as each other, so that it is copied once at most
			b = slices.Grow(b, len(b)*len(records)*9/8)
		}
	}
	return b, nil
}

func (l *Ledger) publish(name string, data []byte) (changed bool, err error) {
	if !isPublished(name) {
		return false, fmt.Errorf("publish %q: not the name of a published file", name)
	}
	path := filepath.Join(l.o.Dir, filepath.FromSlash(name))
	old, err := os.ReadFile(path)
	if err == nil && bytes.Equal(old, data) {
		return false, nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, fmt.Errorf("publish: %w", err)
	}
	if err := home.Mkdir(filepath.Dir(path)); err != nil {
		return false, err
	}
	return true, home.WriteFile(path, data)
}

// removeRest deletes the files of a published folder that are not among those to keep, such as months into which no event falls
// any more.
func (l *Ledger) removeRest(folder, ext string, keep []rendered) (removed int, err error) {
	names, err := home.List(filepath.Join(l.o.Dir, filepath.FromSlash(folder)), "", ext)
	if err != nil || len(names) == 0 {
		return 0, err
	}
	kept := make(map[string]bool, len(keep))
	for _, f := range keep {
		kept[f.name] = true
	}
	for _, path := range names {
		if kept[folder+"/"+filepath.Base(path)] {
			continue
		}
		if err := disk.Remove(path); err != nil {
			return removed, fmt.Errorf("remove what is no longer published: %w", err)
		}
		removed++
	}
	return removed, nil
}
