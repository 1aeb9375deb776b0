package index

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Stats counts what is in the index. The zero Stats is that of a closed index.
func (ix *Index) Stats() Stats {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if ix.db.isClosed() {
		return Stats{}
	}
	s := Stats{Bytes: diskUse(ix.opts.Dir)}
	for _, p := range ix.pieces {
		s.Docs += p.live
		s.Dead += p.cols.count() - p.live
		if p.id == 0 {
			s.Hot += p.live
		} else {
			s.Segments++
		}
	}
	s.Outdated, s.Refreshing = ix.outdated(), ix.man.OldTerms != 0
	s.Vectors = ix.vectorStats(s.Docs)
	return s
}

// vectorStats counts the vectors of so many live documents; mu is held.
func (ix *Index) vectorStats(docs int) (s VectorStats) {
	if g := ix.gens[serving]; g != nil {
		s.Model, s.Waiting = g.entry.Model, ix.waiting(serving)
		s.Docs = docs - s.Waiting
	}
	if g := ix.gens[building]; g != nil {
		s.NextModel, s.NextWaiting = g.entry.Model, ix.waiting(building)
		s.NextDocs = docs - s.NextWaiting
	}
	if ix.embedding != nil {
		s.Error = ix.embedding.Error()
	}
	return s
}

// diskUse adds up the room that the files of a folder take, which is less than their sizes where the database made them longer than what
// it has written. Files that go away meanwhile count nothing.
func diskUse(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		if info, err := e.Info(); err == nil {
			n += allocated(info)
		}
		return nil
	})
	return n
}

// Close ends the work in the background and closes the database. Calls after it fail. It may be called twice. Where the disk is
// too full, or the folder is gone, the database stays open until the process ends, since closing it would not come back.
func (ix *Index) Close() error {
	var err error
	ix.close.Do(func() {
		close(ix.stop)
		ix.mu.Lock()
		ix.progress.Broadcast()
		ix.mu.Unlock()
		<-ix.done
		ix.writing.Lock()
		defer ix.writing.Unlock()
		ix.mu.Lock()
		defer ix.mu.Unlock()
		if err = ix.roomToClose(); err != nil { // its files stay as after a crash: what they hold is found at the next start
			ix.broken = fmt.Errorf("closed: %w", err)
			err = errors.Join(err, ix.codec.close())
			return
		}
		err = errors.Join(ix.db.close(), ix.codec.close())
	})
	if err != nil {
		return fmt.Errorf("close the search index: %w", err)
	}
	return nil
}
