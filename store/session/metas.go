package session

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"dormouse/store/memory"
)

// metas keeps what the meta.json files said, with what tells that they still say so: by the name of a folder in the store's own, by the
// whole path of another one.
type metas struct {
	path string // of the file that a later start begins with; empty for none

	once    sync.Once
	mu      sync.Mutex
	by      map[string]*knownMeta
	changed bool // since the file was written
}

// knownMeta is what a file said when it had this stamp. It does not change.
type knownMeta struct {
	stamp stamp
	meta  memory.Session
}

// stamp tells whether a file is what it was. Changed is when its inode changed, where the system tells.
type stamp struct {
	size, time, changed int64 // bytes, nanoseconds
	inode               uint64
}

// settledAfter is how old a file must be when it is read for its time to tell the next change. Two changes within the file
// system's grain have one time.
const settledAfter = time.Second

func (s stamp) settled() bool { return time.Since(time.Unix(0, max(s.time, s.changed))) > settledAfter }

// load begins with what the file says.
func (c *metas) load() {
	c.once.Do(func() {
		known := readSummary(c.path)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.by = known
	})
}

// read is the meta.json of the folder key in parent, which has this stamp; nil where it has none.
func (c *metas) read(parent, key string, now *stamp) (*memory.Session, error) {
	if now != nil {
		c.mu.Lock()
		k := c.by[key]
		c.mu.Unlock()
		if k != nil && k.stamp == *now {
			return &k.meta, nil
		}
	}
	k := &knownMeta{}
	var err error
	if k.meta, err = readMeta(filepath.Join(parent, key)); err != nil || now == nil || !now.settled() {
		return &k.meta, err
	}
	k.stamp = *now
	c.mu.Lock()
	defer c.mu.Unlock()
	c.by[key], c.changed = k, true
	return &k.meta, nil
}

// keep writes down what is known of these folders, if there is anything new, and forgets the others.
func (c *metas) keep(keys map[string]bool) error {
	c.load()
	c.mu.Lock()
	for key := range c.by {
		if !keys[key] {
			delete(c.by, key)
			c.changed = true
		}
	}
	due := c.changed && c.path != ""
	var data []byte
	if due {
		data, c.changed = encodeSummary(c.by), false
	}
	c.mu.Unlock()
	if !due {
		return nil
	}
	return writeSummary(c.path, data)
}

// statMeta is the stamp of the meta.json of a folder.
func statMeta(dir string) *stamp {
	info, err := os.Stat(filepath.Join(dir, metaFile))
	if err != nil {
		return nil
	}
	s := stampOf(info)
	return &s
}

// names are the folders in the store's own, which are looked for when it changed.
type names struct {
	mu    sync.Mutex
	stamp stamp
	at    time.Time // that they were looked for
	found []string
}

// lookAgain is how long the time of a folder is believed: there are file systems that do not keep it.
const lookAgain = time.Minute

// list gives the names of the folders in dir that may be sessions.
func (n *names) list(dir string) ([]string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	info, err := os.Stat(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	now := stampOf(info)
	if n.found != nil && now == n.stamp && time.Since(n.at) < lookAgain {
		return n.found, nil
	}
	entries, err := readFolder(dir)
	if err != nil {
		return nil, err
	}
	list := make([]string, 0, len(entries))
	for _, d := range entries {
		if d.IsDir() && d.Name()[0] != '.' {
			list = append(list, d.Name())
		}
	}
	n.found, n.stamp, n.at = list, now, time.Now()
	if !now.settled() {
		n.stamp = stamp{}
	}
	return list, nil
}

// readFolder is os.ReadDir without the sorting.
func readFolder(dir string) ([]fs.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	return f.ReadDir(-1)
}
