package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dormouse/service/capture/transcript"
)

// ErrUnknown says that a file is no export or store of any agent that is known.
var ErrUnknown = errors.New("it is no export of an agent that is known")

// Imported is what an import gave.
type Imported struct {
	Agent    string // that the file is from; empty while that is not known
	Found    int    // sessions that it holds
	Progress        // what was new
	// Problems are what could not be read.
	Problems []error
	// Skipped counts what of its sessions could not be used, by reason, also where that was found by an earlier import.
	Skipped map[string]transcript.Count
}

// Import captures what an export holds, or a copy of an agent's store: a file or a folder. What was captured before, of it or from
// elsewhere, is not captured again. The error says why nothing could be read, or joins the problems; what could be read is kept.
func (e *Engine) Import(ctx context.Context, path string) (out Imported, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return out, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return out, fmt.Errorf("import: %w", err)
	}
	a, err := e.importer(path, info.IsDir())
	if err != nil {
		return out, fmt.Errorf("import %s: %w", path, err)
	}
	if err := e.hasRoom(); err != nil {
		return out, fmt.Errorf("import %s: %w", path, err)
	}
	out.Agent = a.Name
	s := &shelf{agent: a.Name, path: path, files: map[string]stat{path: statOf(info)}, versions: map[string]string{}}
	e.reading.Lock()
	defer e.reading.Unlock()
	r := &round{e: e, tell: func(p Progress) { out.Progress = p; e.o.Progress(p) }}
	err = r.read(ctx, []*shelf{s}, transcript.Over)
	e.saveStatus()
	for _, l := range r.listed {
		out.Found += len(l.entries)
	}
	out.Problems, out.Skipped = r.failures(), r.skips()
	return out, errors.Join(append([]error{err}, out.Problems...)...)
}

// importer is the agent that a file or folder is from.
func (e *Engine) importer(path string, folder bool) (*Adapter, error) {
	for i := range e.o.Table {
		a := &e.o.Table[i]
		if a.Libraries == nil || a.Libraries.Imports == nil {
			continue
		}
		var head []byte
		if !folder {
			var err error
			if head, err = readHead(path, max(a.HeadSize, 4<<10)); err != nil {
				return nil, err
			}
		}
		if a.Libraries.Imports(path, head) {
			return a, nil
		}
	}
	return nil, ErrUnknown
}

// skips is what could not be used of the sessions that the round listed.
func (r *round) skips() map[string]transcript.Count {
	var t transcript.Tally
	for _, l := range r.listed {
		t.Join(l.unlisted)
		for _, entry := range l.entries {
			var c sessionCursor
			if found, err := r.e.get(sessionKeyOf(sessionKey{l.shelf.agent, entry.Session}), &c); found && err == nil {
				t.Join(c.Skipped)
			}
		}
	}
	return t.Counts()
}

// failures are the problems that the round left, which an import tells at once. A file is not looked for again.
func (r *round) failures() (all []error) {
	e := r.e
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, where := range r.places {
		if p := e.problems[where]; p != nil {
			all = append(all, fmt.Errorf("%s: %s", where, p.What))
			delete(e.problems, where)
		}
	}
	return all
}
