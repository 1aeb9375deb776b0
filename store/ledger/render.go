package ledger

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
//
// One file is in memory at a time, and what is appended waits for one file at most. So where something is appended meanwhile some of the files may
// tell of it and others not; whoever appends renders next.
func (l *Ledger) Render() (changed int, err error) {
	l.drawing.Lock()
	defer l.drawing.Unlock()
	l.mu.RLock()
	files := filesOf(l.state)
	l.mu.RUnlock()
	var room []byte
	kept := make([]string, 0, len(files))
	for _, f := range files {
		l.mu.RLock()
		room, err = f.lines(l.state, room[:0])
		l.mu.RUnlock()
		if err != nil {
			return changed, err
		}
		did, err := l.publish(f.name, room)
		if err != nil {
			return changed, err
		}
		if did {
			changed++
		}
		kept = append(kept, f.name)
	}
	removed, err := l.removeRest("timeline", ".jsonl", kept)
	if err != nil {
		return changed, err
	}
	drawn, err := l.drawPages()
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
	return l.removeRest(folder, ext, keep)
}

// isPublished reports whether a name is that of a published file or folder, or below one.
func isPublished(name string) bool {
	return name == pathpkg.Clean(name) && filepath.IsLocal(filepath.FromSlash(name)) && slices.Contains(published, strings.SplitN(name, "/", 2)[0])
}

// file is one that is published.
type file struct {
	name  string // relative to the memory folder, with slashes
	lines func(s *memory.State, b []byte) ([]byte, error)
}

// filesOf are the files that a state is published in, by name. The events of a month are those that it has now.
func filesOf(s *memory.State) []file {
	shards := map[string][]*memory.Event{}
	for _, e := range s.Timeline() {
		name := "timeline/" + shard(e.Provenance) + ".jsonl"
		shards[name] = append(shards[name], e)
	}
	out := []file{
		{"graph/entities.jsonl", func(s *memory.State, b []byte) ([]byte, error) { return jsonl(b, s.EntityList()) }},
		{"graph/edges.jsonl", func(s *memory.State, b []byte) ([]byte, error) { return jsonl(b, s.EdgeList()) }},
		{"facts.jsonl", func(s *memory.State, b []byte) ([]byte, error) { return jsonl(b, s.FactList()) }},
		{"segments.jsonl", func(s *memory.State, b []byte) ([]byte, error) { return jsonl(b, s.SegmentList()) }},
		{"tags/vocabulary.jsonl", func(s *memory.State, b []byte) ([]byte, error) { return jsonl(b, s.TagList()) }},
		{"tags/aliases.jsonl", func(s *memory.State, b []byte) ([]byte, error) { return jsonl(b, s.TagAliasList()) }},
		{"tags/summaries.jsonl", func(s *memory.State, b []byte) ([]byte, error) { return jsonl(b, s.TagSummaryList()) }},
		{"candidates.jsonl", func(s *memory.State, b []byte) ([]byte, error) { return jsonl(b, candidates(s)) }},
		{"others.jsonl", func(s *memory.State, b []byte) ([]byte, error) { return jsonl(b, others(s)) }},
	}
	for name, events := range shards {
		out = append(out, file{name, func(_ *memory.State, b []byte) ([]byte, error) { return jsonl(b, events) }})
	}
	slices.SortFunc(out, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return out
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

// jsonl writes records behind b, a line each.
func jsonl[T any](b []byte, records []*T) ([]byte, error) {
	for i, r := range records {
		from := len(b)
		var err error
		if b, err = memory.AppendLine(b, r); err != nil {
			return nil, fmt.Errorf("render %T: %w", r, err)
		}
		if i == 0 { // lines are about as long as each other, so that it is copied once at most
			b = slices.Grow(b, (len(b)-from)*len(records)*9/8)
		}
	}
	return b, nil
}

func (l *Ledger) publish(name string, data []byte) (changed bool, err error) {
	if !isPublished(name) {
		return false, fmt.Errorf("publish %q: not the name of a published file", name)
	}
	path := filepath.Join(l.o.Dir, filepath.FromSlash(name))
	if same, err := holds(path, data); err != nil || same {
		return false, err
	}
	if err := home.Mkdir(filepath.Dir(path)); err != nil {
		return false, err
	}
	return true, home.WriteFile(path, data)
}

// holds reports whether a file has these bytes. It is read piece by piece.
func holds(path string, data []byte) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("publish: %w", err)
	}
	defer f.Close() //nolint:errcheck // opened for reading
	if info, err := f.Stat(); err == nil && info.Size() != int64(len(data)) {
		return false, nil
	}
	piece := make([]byte, min(len(data)+1, 64<<10))
	for {
		n, err := f.Read(piece)
		if n > len(data) || !bytes.Equal(piece[:n], data[:n]) {
			return false, nil
		}
		data = data[n:]
		if errors.Is(err, io.EOF) {
			return len(data) == 0, nil
		}
		if err != nil {
			return false, fmt.Errorf("publish: %w", err)
		}
	}
}

// removeRest deletes the files of a published folder that are not among those to keep, such as months into which no event falls
// any more.
func (l *Ledger) removeRest(folder, ext string, keep []string) (removed int, err error) {
	names, err := home.List(filepath.Join(l.o.Dir, filepath.FromSlash(folder)), "", ext)
	if err != nil || len(names) == 0 {
		return 0, err
	}
	kept := make(map[string]bool, len(keep))
	for _, name := range keep {
		kept[name] = true
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
