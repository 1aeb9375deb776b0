package session

import (
	"os"
	"path/filepath"
	"time"

	"dormouse/store/memory"
)

// GrewAt is when a session got its newest node, for who asks how long it has been idle. Transcripts may tell of times that are still to come;
// such a session grew when it was written down here. Where that is to come too, the clock was set back, and the session counts as long idle.
func (s *Store) GrewAt(m memory.Session, now time.Time) time.Time {
	if at := time.Unix(m.UpdatedAt, 0); !at.After(now) {
		return at
	}
	x, err := s.Open(m.ID)
	if err != nil {
		return time.Time{}
	}
	info, err := os.Stat(filepath.Join(x.dir(), metaFile))
	if err != nil || info.ModTime().After(now) {
		return time.Time{}
	}
	return info.ModTime()
}
