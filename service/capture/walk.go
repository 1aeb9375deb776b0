package capture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dormouse/service/capture/transcript"
)

// walk finds the transcripts of all agents and brings the engine's view of the files up to date.
func (e *Engine) walk(ctx context.Context) error {
	found, shelved := map[string]bool{}, shelving{}
	e.mu.Lock()
	before := make([]string, 0, len(e.found))
	for p := range e.found {
		before = append(before, p)
	}
	e.mu.Unlock()
	for i := range e.o.Table {
		a := &e.o.Table[i]
		odd := &transcript.Tally{}
		looked := false
		for _, root := range e.rootsOf(a) {
			looked = true
			if err := e.walkRoot(ctx, a, root, found, shelved, odd); err != nil {
				return err
			}
		}
		if looked {
			e.recount(a.Name, "capture/odd/"+a.Name, odd.Counts())
		}
	}
	e.shelve(shelved)
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, p := range before {
		if !found[p] {
			delete(e.found, p) // files that came meanwhile stay
		}
	}
	return nil
}

// walkRoot walks one folder. Only the end of ctx is an error.
func (e *Engine) walkRoot(ctx context.Context, a *Adapter, root string, found map[string]bool, shelved shelving, odd *transcript.Tally) error {
	real, err := filepath.EvalSymlinks(root)
	if errors.Is(err, fs.ErrNotExist) {
		if e.wasThere(root) {
			e.trouble(a.Name, root, wrap("the folder is gone; what was captured from it is kept", err))
		}
		return nil
	}
	if err != nil {
		e.trouble(a.Name, root, err)
		return nil
	}
	e.fine(root)
	e.seen(root)
	return filepath.WalkDir(real, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // it went away while we looked
		case err != nil:
			e.trouble(a.Name, path, err)
			return nil
		case d.IsDir() && a.prunes(real, path):
			return fs.SkipDir
		case d.IsDir():
			e.fine(path)
			if path != real && a.Match(path) && filepath.Ext(path) != "" {
				odd.Add(transcript.Skip{Reason: folderReason, File: path})
			}
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			if reason := unusableLink(real, path, a.Match(path)); reason != "" {
				odd.Add(transcript.Skip{Reason: reason, File: path})
				return nil
			}
			if !a.Match(path) {
				return nil
			}
		case !d.Type().IsRegular():
			if a.Match(path) {
				odd.Add(transcript.Skip{Reason: specialReason, File: path})
			}
			return nil
		case !a.Match(path):
			if a.Odd != nil && a.Odd(path) {
				odd.Add(transcript.Skip{Reason: oddReason, File: path, Line: 1})
			}
			return nil
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return nil // it went away while we looked
		}
		if library := a.library(path); library != "" {
			shelved.add(a.Name, library, path, statOf(info))
			return nil
		}
		found[path] = true
		e.meet(a, path, statOf(info))
		return nil
	})
}

// Reasons why what lies among the transcripts is not read. None of it is ever opened.
const (
	oddReason     = "file among the transcripts that is not named as one"
	specialReason = "named pipe, socket or device with the name of a transcript (never opened)"
	folderReason  = "folder with the name of a transcript"
	nowhereReason = "link with the name of a transcript that leads nowhere or in a circle"
	deviceReason  = "link with the name of a transcript that leads to a pipe, socket or device (never opened)"
	linkedReason  = "link to a folder (not followed; name the folder in capture.roots)"
)

// unusableLink says why a link is not read; empty for one to a file, and for one that is nobody's business. A link to a folder elsewhere may
// hide transcripts whatever its name is.
func unusableLink(root, path string, named bool) string {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		if led, err := filepath.EvalSymlinks(path); err == nil && liesIn(root, led) {
			return "" // it is walked where it lies
		}
		return linkedReason
	case !named || err == nil && info.Mode().IsRegular():
		return ""
	case err != nil:
		return nowhereReason
	}
	return deviceReason
}

func (e *Engine) wasThere(root string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.roots[root]
}

func (e *Engine) seen(root string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.roots[root] = true
}

// meet notes a file's version; the first time it loads the file's cursor.
func (e *Engine) meet(a *Adapter, path string, s stat) *fileState {
	e.mu.Lock()
	f := e.files[path]
	e.mu.Unlock()
	if f == nil {
		f = &fileState{agent: a.Name}
		found, err := e.get(fileKey(a.Name, path), &f.cursor)
		if err != nil {
			e.trouble(a.Name, "cursors", err)
		}
		f.known = found && f.cursor.File.Path == path && f.cursor.File.Session != ""
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if old := e.files[path]; old != nil {
		f = old
	} else {
		e.files[path] = f
		if f.known && f.cursor.Open {
			key := sessionKey{f.agent, f.cursor.File.Session}
			e.open[key] = max(e.open[key], f.cursor.Updated)
		}
	}
	f.stat = s
	e.found[path] = true
	return f
}

// identify says what a file is. ok is false while it does not say enough.
func (e *Engine) identify(path string) (ok bool) {
	e.mu.Lock()
	f := e.files[path]
	known := f.known
	e.mu.Unlock()
	if known {
		return true
	}
	file, ok, err := identified(e.adapter(f.agent), path)
	if err != nil {
		e.trouble(f.agent, path, err)
		return false
	}
	e.fine(path)
	if !ok {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	f.known, f.cursor.File = true, file
	return true
}

// identified asks the adapter what a file is.
func identified(a *Adapter, path string) (file transcript.File, ok bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("it cannot be told what it is because of a fault in Dormouse, please report it: %v", v)
		}
	}()
	head, err := readHead(path, a.HeadSize)
	if err != nil {
		return file, false, err
	}
	file, ok = a.Identify(path, head, sidecar)
	return file, ok, nil
}

// sidecar reads a small file; nil where there is none.
func sidecar(path string) []byte {
	b, err := readHead(path, 64<<10)
	if err != nil {
		return nil
	}
	return b
}

// sessionOf is the session that a file belongs to: that of the conversation which started it, also where that one was
// started by another. Callers hold e.mu.
func (e *Engine) sessionOf(f *fileState, agents map[sessionKey]transcript.File) sessionKey {
	key := sessionKey{f.agent, f.cursor.File.Session}
	for range 8 {
		up, ok := agents[key]
		if !ok || up.Session == key.id {
			break
		}
		key.id = up.Session
	}
	return key
}
