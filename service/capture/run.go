package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"dormouse/service/capture/transcript"
	"github.com/fsnotify/fsnotify"
)

// Run captures until ctx ends: it scans all folders, then follows what the system tells of changes, and scans again every
// minute for what it did not tell of. The error is that of ctx, or that the system cannot watch files at all.
func (e *Engine) Run(ctx context.Context) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		e.trouble("", watcherPlace, wrap("the system cannot tell of changed files; folders are scanned every minute", err))
		return e.rescan(ctx)
	}
	defer w.Close() //nolint:errcheck // nothing is left to do
	f := &follower{e: e, w: w, since: map[string]times{}, watched: map[string]bool{}, scanned: make(chan struct{}, 1)}
	return f.run(ctx)
}

// rescan is Run without a watcher.
func (e *Engine) rescan(ctx context.Context) error {
	for {
		if err := e.Scan(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rescanEvery):
		}
	}
}

// follower turns the system's notices into jobs. Its fields belong to the goroutine of run.
type follower struct {
	e        *Engine
	w        *fsnotify.Watcher
	since    map[string]times // files that changed
	watched  map[string]bool  // folders
	moved    bool             // one of them was, or is gone
	scanning bool
	scanned  chan struct{}
}

// times are the first and the newest change of a file that was not read since.
type times struct{ first, last time.Time }

func (f *follower) run(ctx context.Context) error {
	f.watchRoots()
	f.scan(ctx)
	slow := time.NewTicker(rescanEvery)
	defer slow.Stop()
	var due <-chan time.Time // while a changed file waits to be read
	defer func() {
		if f.scanning {
			<-f.scanned
		}
	}()
	for {
		if due == nil && (len(f.since) > 0 || f.moved) {
			due = time.After(quietAfter / 3)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case ev, ok := <-f.w.Events:
			if ok {
				f.notice(ev)
			}
		case err := <-f.w.Errors:
			if err != nil { // notices were lost: look at everything
				f.e.trouble("", watcherPlace, err)
				f.watchRoots()
				f.scan(ctx)
			}
		case <-f.scanned:
			f.scanning = false
		case <-due:
			due = nil
			if f.moved {
				f.moved = false
				f.watchRoots()
			}
			f.read(ctx)
		case <-slow.C:
			f.watchRoots()
			f.scan(ctx)
		}
	}
}

// scan scans in the background, so that live sessions are followed meanwhile.
func (f *follower) scan(ctx context.Context) {
	if f.scanning {
		return
	}
	f.scanning = true
	go func() {
		_ = f.e.Scan(ctx) // its only error is that of ctx
		f.scanned <- struct{}{}
	}()
}

// watcherPlace is where a Problem says that the system does not tell of all changes.
const watcherPlace = "watcher"

// watchRoots watches the agents' folders that are there. The system drops the watch of a folder that was moved, so what is watched
// is asked anew.
func (f *follower) watchRoots() {
	clear(f.watched)
	for _, path := range f.w.WatchList() {
		f.watched[path] = true
	}
	var failed error
	for i := range f.e.o.Table {
		a := &f.e.o.Table[i]
		for _, root := range f.e.rootsOf(a) {
			if real, err := filepath.EvalSymlinks(root); err == nil {
				failed = cmp.Or(failed, f.watch(real, a, real))
			}
		}
	}
	if failed == nil {
		f.e.fine(watcherPlace)
	}
}

// watch watches a folder below an agent's root and those in it. Where the system watches no more folders, the scan every minute has
// to do.
func (f *follower) watch(dir string, a *Adapter, root string) (failed error) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (a.prunes(root, path) || a.still(root, path)) {
			return fs.SkipDir
		}
		if err != nil || !d.IsDir() || f.watched[path] {
			return nil // the scan tells of what fails
		}
		switch err := f.w.Add(path); {
		case err == nil:
			f.watched[path] = true
		case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EMFILE):
			failed = fmt.Errorf("the system watches no more folders than %d (on Linux raise fs.inotify.max_user_watches); the others are scanned every minute: %w",
				len(f.watched), err)
			return fs.SkipAll
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
			failed = fmt.Errorf("the system does not watch %s; it is scanned every minute: %w", path, err)
		}
		return nil
	})
	if failed != nil {
		f.e.trouble("", watcherPlace, failed)
	}
	return failed
}

// notice takes one notice of the system.
func (f *follower) notice(ev fsnotify.Event) {
	now := time.Now()
	switch {
	case ev.Has(fsnotify.Remove), ev.Has(fsnotify.Rename):
		f.moved = f.moved || f.watched[ev.Name] // the watch of its new place may be dropped with the old one's
		delete(f.watched, ev.Name)
		return
	case ev.Has(fsnotify.Create):
		if info, err := os.Stat(ev.Name); err == nil && info.IsDir() {
			if a, root := f.e.rootOf(ev.Name, nil); a != nil {
				_ = f.watch(ev.Name, a, root) // noted
			}
			f.changedIn(ev.Name, now)
			return
		}
	case !ev.Has(fsnotify.Write):
		return
	}
	f.changed(ev.Name, now)
}

func (f *follower) changed(path string, now time.Time) {
	if f.e.adapterOf(path) == nil {
		return
	}
	t, ok := f.since[path]
	if !ok {
		t.first = now
	}
	t.last = now
	f.since[path] = t
}

func (f *follower) changedIn(dir string, now time.Time) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			f.changed(path, now)
		}
		return nil
	})
}

// read reads the files that have been quiet for a moment, and those that keep growing for too long.
func (f *follower) read(ctx context.Context) {
	now := time.Now()
	quiet, busy := map[string]bool{}, map[string]bool{}
	for path, t := range f.since {
		switch {
		case now.Sub(t.last) >= quietAfter:
			quiet[path] = true
			delete(f.since, path)
		case now.Sub(t.first) >= waitAtMost:
			busy[path] = true
			f.since[path] = times{first: now, last: t.last}
		}
	}
	f.later(f.e.follow(ctx, quiet, transcript.Quiet), quiet)
	f.later(f.e.follow(ctx, busy, transcript.Growing), busy)
}

// later keeps what could not be read because a scan reads it.
func (f *follower) later(busy bool, paths map[string]bool) {
	for path := range paths {
		if _, again := f.since[path]; busy && !again {
			f.since[path] = times{first: time.Now(), last: time.Now()}
		}
	}
}

// follow reads the sessions of some files. busy says that some of them wait for a scan that reads their library.
func (e *Engine) follow(ctx context.Context, paths map[string]bool, how transcript.Settle) (busy bool) {
	if len(paths) == 0 {
		return false
	}
	for path := range paths {
		a := e.adapterOf(path)
		info, err := os.Stat(path)
		if a == nil || err != nil || !info.Mode().IsRegular() {
			delete(paths, path)
			continue
		}
		if library := a.library(path); library != "" {
			e.shelf(a.Name, library).note(e, path, statOf(info))
			continue
		}
		e.meet(a, path, statOf(info))
	}
	jobs := e.plan(paths)
	for i := range jobs {
		if jobs[i].how == transcript.Quiet {
			jobs[i].how = how
		}
	}
	_ = e.run(ctx, jobs) // its only error is that of ctx
	busy = errors.Is(e.readLibraries(ctx, paths, how), errBusy)
	e.saveStatus()
	return busy
}

// adapterOf is the agent whose transcript a path may be.
func (e *Engine) adapterOf(path string) *Adapter {
	a, _ := e.rootOf(path, func(a *Adapter) bool { return a.Match(path) })
	return a
}

// rootOf is the agent below whose root a path lies, of those that may be asked for it.
func (e *Engine) rootOf(path string, may func(*Adapter) bool) (a *Adapter, root string) {
	for i := range e.o.Table {
		a := &e.o.Table[i]
		if may != nil && !may(a) {
			continue
		}
		for _, root := range e.rootsOf(a) {
			real, err := filepath.EvalSymlinks(root)
			if err != nil {
				continue
			}
			if rel, err := filepath.Rel(real, path); err == nil && filepath.IsLocal(rel) {
				return a, real
			}
		}
	}
	return nil, ""
}
