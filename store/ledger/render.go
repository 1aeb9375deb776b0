package ledger

import (
	"bytes"
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
var published = []string{"timeline", "graph", "core.md", "core"}

// Render writes the published files of the state: timeline/YYYY-MM.jsonl, graph/entities.jsonl and graph/edges.jsonl. Files
// whose bytes do not change are not touched; shards that hold nothing any more are removed. It returns the number of
// files that changed.
func (l *Ledger) Render() (changed int, err error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	files, err := renderState(l.state)
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
	removed, err := l.removeShards(files)
	return changed + removed, err
}

// Publish writes one more published file, such as core.md, unless it holds these bytes already.
func (l *Ledger) Publish(name string, data []byte) (changed bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.publish(name, data)
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
	entities, err := jsonl(s.EntityList())
	if err != nil {
		return nil, err
	}
	edges, err := jsonl(s.EdgeList())
	if err != nil {
		return nil, err
	}
	out = append(out, rendered{"graph/entities.jsonl", entities}, rendered{"graph/edges.jsonl", edges})
	slices.SortFunc(out, func(a, b rendered) int { return strings.Compare(a.name, b.name) })
	return out, nil
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
	var b bytes.Buffer
	for _, r := range records {
		line, err := memory.Encode(r)
		if err != nil {
			return nil, fmt.Errorf("render %T: %w", r, err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

func (l *Ledger) publish(name string, data []byte) (changed bool, err error) {
	if name != pathpkg.Clean(name) || !filepath.IsLocal(filepath.FromSlash(name)) || !slices.Contains(published, strings.SplitN(name, "/", 2)[0]) {
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

// removeShards deletes months of the timeline that no event falls into any more.
func (l *Ledger) removeShards(keep []rendered) (removed int, err error) {
	names, err := home.List(filepath.Join(l.o.Dir, "timeline"), "", ".jsonl")
	if err != nil {
		return 0, err
	}
	for _, path := range names {
		name := "timeline/" + filepath.Base(path)
		if slices.ContainsFunc(keep, func(r rendered) bool { return r.name == name }) {
			continue
		}
		if err := disk.Remove(path); err != nil {
			return removed, fmt.Errorf("remove empty month: %w", err)
		}
		removed++
	}
	return removed, nil
}
