package recall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dormouse/store/index"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// watermarks is the area of the index that says how far each session is indexed.
const watermarks = "indexed"

// Indexer brings the index up to date with the sessions and the records. It does only what is new since the last time, and
// goes on where it was interrupted.
type Indexer struct {
	Index    *index.Index
	Sessions *session.Store
	// Progress is told of each session that is up to date, in their order; it may be nil.
	Progress func(done, total int, session string)
	// Shown are the nodes of a turn that may be found: without what was erased, and none of a turn that is private; nil for all.
	Shown func(turn []memory.Node) []memory.Node
}

// watermark says what of a session is in the index: its first nodes, by their number.
type watermark struct {
	Nodes   int    `json:"nodes"`
	Project string `json:"project"` // whose scope the documents have
}

// Failure is a session that could not be indexed.
type Failure struct {
	Session string
	Err     error
}

// Sync indexes the new turns of the named sessions, or of all for nil, and takes out those that are gone.
// A session that can't be read is passed over and listed. An error means that the index failed or ctx ended.
func (x *Indexer) Sync(ctx context.Context, ids []string) (failed []Failure, err error) {
	valid, invalid, err := x.Sessions.List()
	if err != nil {
		return nil, fmt.Errorf("list the sessions to index: %w", err)
	}
	if err := x.forget(ctx, ids, valid, invalid); err != nil {
		return nil, err
	}
	if ids != nil {
		valid = slices.DeleteFunc(valid, func(m memory.Session) bool { return !slices.Contains(ids, m.ID) })
	}
	for i, meta := range valid {
		if err := ctx.Err(); err != nil {
			return failed, err
		}
		if err := x.session(ctx, meta); err != nil {
			var read readError
			if !errors.As(err, &read) {
				return failed, err
			}
			failed = append(failed, Failure{meta.ID, err})
		}
		if x.Progress != nil {
			x.Progress(i+1, len(valid), meta.ID)
		}
	}
	return failed, nil
}

// readError is an error of a session, not of the index.
type readError struct{ error }

func (e readError) Unwrap() error { return e.error }

func (x *Indexer) session(ctx context.Context, meta memory.Session) error {
	mark, err := x.mark(meta.ID)
	if err != nil {
		return err
	}
	if mark.Project != meta.ProjectID {
		mark = watermark{Project: meta.ProjectID}
	}
	if mark.Nodes == meta.Nodes {
		return nil
	}
	s, err := x.Sessions.Open(meta.ID)
	if err != nil {
		return readError{fmt.Errorf("open session %s to index it: %w", meta.ID, err)}
	}
	links := s.Skeleton()
	if len(links) < mark.Nodes || len(links) == 0 {
		return readError{fmt.Errorf("index session %s: its history can't be read, or has lost nodes; dormouse doctor tells more", meta.ID)}
	}
	turns := map[int]bool{}
	for _, l := range links[mark.Nodes:] {
		turns[l.Turn] = true
	}
	for _, turn := range sorted(turns) {
		if err := ctx.Err(); err != nil {
			return err
		}
		nodes, err := s.Turn(turn)
		if err != nil {
			return readError{fmt.Errorf("read turn %d of session %s to index it: %w", turn, meta.ID, err)}
		}
		if x.Shown != nil {
			nodes = x.Shown(nodes)
		}
		docs := DocsFromTurn(meta, turn, nodes)
		if err := x.replace(ctx, turnDocs(meta.ID, turn), docs); err != nil {
			return err
		}
	}
	raw, err := json.Marshal(watermark{Nodes: len(links), Project: meta.ProjectID})
	if err != nil {
		return err
	}
	return x.Index.Area(watermarks).Put(meta.ID, raw)
}

func (x *Indexer) mark(session string) (m watermark, err error) {
	raw, ok, err := x.Index.Area(watermarks).Get(session)
	if err != nil || !ok {
		return m, err
	}
	if json.Unmarshal(raw, &m) != nil {
		return watermark{}, nil
	}
	return m, nil
}

// Again has the next Sync of all sessions draw up every document anew. What is there stays until then.
func (x *Indexer) Again() error {
	area := x.Index.Area(watermarks)
	marks := map[string]watermark{}
	err := area.Each("", func(id string, raw []byte) error {
		var m watermark
		_ = json.Unmarshal(raw, &m) // one that can't be read counts as nothing
		marks[id] = watermark{Project: m.Project}
		return nil
	})
	if err != nil {
		return err
	}
	for id, m := range marks {
		raw, err := json.Marshal(m)
		if err != nil {
			return err
		}
		if err := area.Put(id, raw); err != nil {
			return err
		}
	}
	return nil
}

// replace puts documents and takes out the others whose ids begin with prefix.
func (x *Indexer) replace(ctx context.Context, prefix string, docs []index.Doc) error {
	if err := x.Index.Put(ctx, docs); err != nil {
		return err
	}
	have, err := x.Index.IDs(prefix)
	if err != nil {
		return err
	}
	keep := make(map[string]bool, len(docs))
	for i := range docs {
		keep[docs[i].ID] = true
	}
	gone := slices.DeleteFunc(have, func(id string) bool { return keep[id] })
	return x.Index.Delete(ctx, gone)
}

// Records makes the index hold exactly these documents of records, which DocsFromState made of the folded state.
func (x *Indexer) Records(ctx context.Context, docs []index.Doc) error {
	for _, prefix := range []string{eventPrefix, entityPrefix, factPrefix, segmentPrefix, tagSummaryPrefix} {
		var some []index.Doc
		for i := range docs {
			if strings.HasPrefix(docs[i].ID, prefix) {
				some = append(some, docs[i])
			}
		}
		if err := x.replace(ctx, prefix, some); err != nil {
			return err
		}
	}
	return nil
}

// forget takes out the documents of those of the named sessions, or of all for nil, that are gone. A session that is there and can't
// be read, or out of reach, keeps its own.
func (x *Indexer) forget(ctx context.Context, ids []string, valid []memory.Session, invalid []string) error {
	there := map[string]bool{}
	for _, m := range valid {
		there[m.ID] = true
	}
	for _, id := range invalid {
		there[id] = true
	}
	for _, a := range x.Sessions.Away() {
		there[a.Meta.ID] = true
	}
	gone := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return there[id] })
	if ids == nil {
		err := x.Index.Area(watermarks).Each("", func(id string, _ []byte) error {
			if !there[id] {
				gone = append(gone, id)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, id := range gone {
		if err := x.replace(ctx, sessionDocs(id), nil); err != nil {
			return err
		}
		if err := x.Index.Area(watermarks).Delete(id); err != nil {
			return err
		}
	}
	return nil
}

// Waiting counts the sessions that have nodes which are not indexed.
func (x *Indexer) Waiting() (int, error) {
	valid, _, err := x.Sessions.List()
	if err != nil {
		return 0, err
	}
	n := 0
	for _, m := range valid {
		mark, err := x.mark(m.ID)
		if err != nil {
			return 0, err
		}
		if mark.Nodes != m.Nodes || mark.Project != m.ProjectID {
			n++
		}
	}
	return n, nil
}

func sorted(set map[int]bool) []int {
	out := make([]int, 0, len(set))
	for v := range set {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}
