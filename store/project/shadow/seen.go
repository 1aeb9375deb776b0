package shadow

import (
	"sync"
	"time"

	"dormouse/store/project/edit"
)

// Bounds of what is remembered of files that are about to be edited.
const (
	seenFiles = 256
	seenBytes = 32 << 20
)

// sighting is a file as it lay on the disk when an agent said that it was about to edit it.
type sighting struct {
	key   string
	at    int64 // Unix seconds
	state edit.State
}

// sightings are the newest ones, the oldest first.
type sightings struct {
	mu   sync.Mutex
	list []sighting
	size int
}

// See reads a file that an agent says it is about to edit, so that its content before is known where the session does not tell it.
// It is remembered until it is old or much else was seen. A file that is not the project's, or cannot be read, is passed over.
func (s *Store) See(roots []string, file string, now time.Time) {
	at := place(roots, file, s.o.Exclude)
	if at.why != "" {
		return
	}
	d, err := readDisk(at.root, at.rel, s.o.MaxFile)
	if err != nil {
		return
	}
	s.seen.add(sighting{key: at.root + "\x00" + at.rel, at: now.Unix(), state: edit.State{Exists: d.exists, Text: d.text}})
}

func (l *sightings) add(one sighting) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, one)
	l.size += len(one.state.Text)
	for len(l.list) > seenFiles || l.size > seenBytes {
		l.size -= len(l.list[0].state.Text)
		l.list = l.list[1:]
	}
}

// of gives what was seen of a file while some edits were about to be made, the newest first.
func (l *sightings) of(at placed, edits []*edited) []edit.State {
	first, last := edits[0], edits[len(edits)-1]
	slack := int64(clockSlack / time.Second)
	until := last.until
	if until == 0 {
		until = last.at + int64(notSince/time.Second)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []edit.State
	for i := len(l.list) - 1; i >= 0; i-- {
		if one := l.list[i]; one.key == at.root+"\x00"+at.rel && one.at >= first.at-slack && one.at <= until+slack {
			out = append(out, one.state)
		}
	}
	return out
}
