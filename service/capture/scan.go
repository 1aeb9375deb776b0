package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"dormouse/service/capture/transcript"
	"dormouse/store/session"
)

func wrap(what string, err error) error { return fmt.Errorf("%s: %w", what, err) }

// job is one session to be read.
type job struct {
	key   sessionKey
	files []transcript.File // main files first, then sub-agents'; each in the order of its name
	bases []baseFile        // whose beginnings this session goes on from, the oldest first
	bytes int64             // that are new
	fresh bool              // one of the files changed
	how   transcript.Settle
	held  []held // where it lies in libraries, the newest first; then files names those
}

// Scan looks through all folders once and captures what is new. Files whose cursor says that they did not change are not
// opened. What fails is a Problem, not an error; the error is that of ctx.
func (e *Engine) Scan(ctx context.Context) error {
	e.swept.Do(e.sweepLong)
	if err := e.walk(ctx); err != nil {
		return err
	}
	e.settleLost()
	e.repairSessions()
	err := e.run(ctx, e.plan(nil))
	if err == nil {
		err = e.readLibraries(ctx, nil, transcript.Quiet)
	}
	e.saveStatus()
	return err
}

// plan groups files into sessions and picks those with something to do: all of them, or with only, those that hold one of
// its paths.
func (e *Engine) plan(only map[string]bool) []job {
	e.mu.Lock()
	paths := make([]string, 0, len(e.found))
	for p := range e.found {
		if f := e.files[p]; f != nil && (f.changed() || f.known) {
			paths = append(paths, p)
		}
	}
	e.mu.Unlock()
	sort.Strings(paths)
	groups, parts := e.group(paths)
	var jobs []job
	for key, files := range groups {
		if only != nil && !slices.ContainsFunc(files, func(f transcript.File) bool { return only[f.Path] }) {
			continue
		}
		j := job{key: key, files: files, how: transcript.Quiet}
		if !e.due(&j) {
			continue
		}
		j.bases = bases(key.agent, files, parts)
		jobs = append(jobs, j)
	}
	sort.Slice(jobs, func(i, k int) bool { return jobs[i].key.id < jobs[k].key.id })
	return jobs
}

// group puts identified files together by session.
func (e *Engine) group(paths []string) (map[sessionKey][]transcript.File, map[string]transcript.File) {
	var known []string
	for _, p := range paths {
		if e.pathPaused(p) || unpackedToo(p, paths) {
			continue
		}
		if e.identify(p) {
			known = append(known, p)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	agents, parts := map[sessionKey]transcript.File{}, map[string]transcript.File{}
	for _, p := range known {
		f := e.files[p]
		if file := f.cursor.File; file.AgentID != "" {
			agents[sessionKey{f.agent, file.AgentID}] = file
		} else if file.Part != "" {
			parts[f.agent+"/"+file.Part] = file
		}
	}
	groups := map[sessionKey][]transcript.File{}
	for _, p := range known {
		f := e.files[p]
		key := e.sessionOf(f, agents)
		groups[key] = append(groups[key], f.cursor.File)
	}
	for _, files := range groups {
		slices.SortStableFunc(files, func(a, b transcript.File) int {
			if main := a.AgentID == ""; main != (b.AgentID == "") {
				if main {
					return -1
				}
				return 1
			}
			return strings.Compare(a.Path, b.Path)
		})
	}
	return groups, parts
}

// unpackedToo reports whether a packed file lies beside its unpacked one. paths are sorted.
func unpackedToo(path string, paths []string) bool {
	plain, ok := strings.CutSuffix(path, packedSuffix)
	if ok {
		_, ok = slices.BinarySearch(paths, plain)
	}
	return ok
}

func (e *Engine) pathPaused(path string) bool { return e.troubled(path) && e.paused(path) }

// due reports whether a session has something to do, and how much.
func (e *Engine) due(j *job) bool {
	where := whereOf(j.key)
	if e.paused(where) {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, file := range j.files {
		f := e.files[file.Path]
		if f.changed() {
			j.fresh = true
			if grown := f.stat.size - f.cursor.Place.Offset; grown > 0 {
				j.bytes += grown
			}
		}
	}
	updated, open := e.open[j.key]
	if open && e.over(updated) {
		j.how = transcript.Over
		return true
	}
	return j.fresh || e.restless[j.key] || e.askAgain(j.key) || e.unseen(j.key) || e.problems[where] != nil
}

// over reports whether a session whose newest record has this time is over. A time far in the future says that the clock was set
// back, and nothing of the session.
func (e *Engine) over(updated int64) bool {
	since := e.o.Now().Sub(time.Unix(updated, 0))
	return since >= overAfter || since <= -overAfter
}

func whereOf(key sessionKey) string { return "session " + key.agent + "/" + key.id }

// baseFile is a file of another session, and up to how many bytes it is read; 0 is all.
type baseFile struct {
	file  transcript.File
	limit int64
}

// bases are the files of other sessions that the files of a session go on from, the oldest first.
func bases(agent string, files []transcript.File, parts map[string]transcript.File) []baseFile {
	mine := map[string]bool{}
	for _, f := range files {
		mine[f.Part] = true
	}
	var out []baseFile
	for _, f := range files {
		for at := f; at.Base != "" && !mine[at.Base]; {
			base, ok := parts[agent+"/"+at.Base]
			if !ok {
				break
			}
			mine[at.Base] = true
			out = append([]baseFile{{base, at.BaseEnd}}, out...)
			at = base
		}
	}
	return out
}

// run works on jobs, several sessions at a time.
func (e *Engine) run(ctx context.Context, jobs []job) error {
	return e.runTelling(ctx, jobs, e.o.Progress)
}

func (e *Engine) runTelling(ctx context.Context, jobs []job, tell func(Progress)) error {
	if e.hasRoom() != nil {
		return ctx.Err()
	}
	p := newProgress(tell, jobs)
	queue := make(chan job)
	var wg sync.WaitGroup
	for range min(e.o.Workers, len(jobs)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range queue {
				e.work(ctx, j, p)
			}
		}()
	}
	for _, j := range jobs {
		select {
		case queue <- j:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(queue)
	wg.Wait()
	p.end()
	return ctx.Err()
}

// work reads one session. Its failure is noted; the parser is forgotten, so that the next attempt begins from what is stored.
func (e *Engine) work(ctx context.Context, j job, p *progress) {
	defer e.locks.lock(j.key)()
	err := e.hasRoom()
	switch {
	case err != nil:
	case len(j.held) > 0:
		err = e.ingestHeld(ctx, j, p)
	default:
		err = e.ingest(ctx, j, p)
	}
	p.done(j)
	switch where := whereOf(j.key); {
	case err == nil:
		e.fine(where)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, errPaused),
		errors.Is(err, session.ErrDeleted): // while it was read: the next scan passes over it
	default:
		e.sessionTrouble(j, err)
	}
}
