package daemon

import (
	"sync"

	"dormouse/store/index"
)

// lateShelf keeps what sessions were told, soon: an agent waits for the answer that it is written down for, and the index may have to be
// opened for it.
type lateShelf struct {
	index.Area

	mu      sync.Mutex
	waiting map[string][]byte // by key; nil deletes
	writing bool
	writer  sync.WaitGroup
}

// Put has an entry written.
func (s *lateShelf) Put(key string, entry []byte) error {
	s.later(key, entry)
	return nil
}

// Delete has an entry taken away.
func (s *lateShelf) Delete(key string) error {
	s.later(key, nil)
	return nil
}

func (s *lateShelf) later(key string, entry []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == nil {
		s.waiting = map[string][]byte{}
	}
	s.waiting[key] = entry
	if !s.writing {
		s.writing = true
		s.writer.Go(s.write)
	}
}

// write writes what waits, until nothing does. What can't be written is told again at worst.
func (s *lateShelf) write() {
	for {
		s.mu.Lock()
		now := s.waiting
		s.waiting = nil
		if len(now) == 0 {
			s.writing = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		for key, entry := range now {
			if entry == nil {
				_ = s.Area.Delete(key)
			} else {
				_ = s.Area.Put(key, entry)
			}
		}
	}
}

// wait waits until all is written.
func (s *lateShelf) wait() { s.writer.Wait() }
