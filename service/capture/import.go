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

// Import captures what an export holds, or a copy of an agent's store. What was captured before, of that file or from elsewhere, is not
// captured again. The result counts what was new. The error names what could not be read; what could is kept.
func (e *Engine) Import(ctx context.Context, path string) (added Progress, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return added, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return added, fmt.Errorf("import: %w", err)
	}
	a, err := e.importer(path)
	if err != nil {
		return added, fmt.Errorf("import %s: %w", path, err)
	}
	if err := e.hasRoom(); err != nil {
		return added, fmt.Errorf("import %s: %w", path, err)
	}
	s := &shelf{agent: a.Name, path: path, files: map[string]stat{path: statOf(info)}, versions: map[string]string{}}
	e.reading.Lock()
	defer e.reading.Unlock()
	r := &round{e: e, tell: func(p Progress) { added = p; e.o.Progress(p) }}
	err = r.read(ctx, []*shelf{s}, transcript.Over)
	e.saveStatus()
	return added, errors.Join(err, r.failures())
}

// importer is the agent that a file is from.
func (e *Engine) importer(path string) (*Adapter, error) {
	for i := range e.o.Table {
		a := &e.o.Table[i]
		if a.Libraries == nil || a.Libraries.Imports == nil {
			continue
		}
		head, err := readHead(path, max(a.HeadSize, 4<<10))
		if err != nil {
			return nil, err
		}
		if a.Libraries.Imports(path, head) {
			return a, nil
		}
	}
	return nil, ErrUnknown
}

// failures are the problems that the round left, which an import tells at once. A file is not looked for again.
func (r *round) failures() error {
	e := r.e
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []error
	for _, where := range r.places {
		if p := e.problems[where]; p != nil {
			all = append(all, fmt.Errorf("%s: %s", where, p.What))
			delete(e.problems, where)
		}
	}
	return errors.Join(all...)
}
