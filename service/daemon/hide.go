package daemon

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"dormouse/service/api"
	"dormouse/service/capture/exclude"
	"dormouse/store/memory"
	"dormouse/store/project"
)

// hiding is what capture.exclude names: the folders, and the projects that are served on this machine to nobody, although their records
// came from others.
type hiding struct {
	set *exclude.Set

	mu      sync.Mutex
	ids     map[string]bool // projects
	at      time.Time
	looking bool
}

const (
	// lookForHidden is how old the list of excluded projects may become: repositories are cloned into excluded folders.
	lookForHidden = 5 * time.Minute
	// hiddenDepth and hiddenDirs bound the look for repositories in an excluded folder.
	hiddenDepth = 4
	hiddenDirs  = 5000
)

// openHiding reads the setting. What of the memory files was drawn up before it was made may tell of what is excluded now.
func (d *Daemon) openHiding(ctx context.Context) (err error) {
	if d.hiding.set, err = d.p.excluded(); err != nil {
		return err
	}
	if d.hiding.set.Empty() {
		d.drawHidden(nil)
		return nil
	}
	d.lookHidden(ctx)
	return nil
}

// hidden are the projects that are not served on this machine; nil for none. It never waits.
func (d *Daemon) hidden() map[string]bool {
	h := &d.hiding
	if h.set.Empty() {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if d.p.Now().Sub(h.at) > lookForHidden && !h.looking {
		h.looking = true
		go d.lookHidden(context.Background())
	}
	return h.ids
}

// lookHidden finds the projects whose folders on this machine are all excluded.
func (d *Daemon) lookHidden(ctx context.Context) {
	ids := map[string]bool{}
	known := map[string]bool{}
	list, err := d.projects.List()
	if err != nil {
		d.p.Log.Warn("which projects are excluded is not known", "component", "recall", "error", err) // status tells of the registry
	}
	for i := range list {
		known[list[i].ID] = true
		if d.hidesAll(&list[i]) {
			ids[list[i].ID] = true
		}
	}
	for _, dir := range d.hiding.set.Folders() {
		for _, repo := range reposBelow(dir) {
			id, main, err := d.projects.IDOf(ctx, repo)
			if err == nil && id != "" && !known[id] && id != memory.DefaultProject && d.hiding.set.Holds(main) {
				ids[id] = true
			}
		}
	}
	h := &d.hiding
	h.mu.Lock()
	h.ids, h.at, h.looking = ids, d.p.Now(), false
	h.mu.Unlock()
	d.drawHidden(ids)
}

// hiddenArea is the area of the index that says which projects the memory files and the index were made without.
const hiddenArea = "hidden"

// drawHidden has the memory files and the index made again when other projects are excluded than when they were made.
func (d *Daemon) drawHidden(ids map[string]bool) {
	area := d.index.Area(hiddenArea)
	now := strings.Join(slices.Sorted(maps.Keys(ids)), "\n")
	if had, _, err := area.Get("projects"); err != nil || string(had) == now {
		return
	}
	d.stale.Store(true)
	d.behind.Store(true)
	select {
	case d.wake <- struct{}{}:
	default:
	}
	if err := area.Put("projects", []byte(now)); err != nil {
		d.p.Log.Warn("which projects are excluded is not kept", "component", "recall", "error", err) // it is drawn up again at the next start
	}
}

// hidesAll reports whether a project has folders on this machine and all of them are excluded.
func (d *Daemon) hidesAll(p *project.Project) bool {
	var dirs, here []string
	for _, dir := range append([]string{p.Path}, p.Roots...) {
		if dir == "" {
			continue
		}
		dirs = append(dirs, dir)
		if _, err := os.Stat(dir); err == nil {
			here = append(here, dir)
		}
	}
	if len(here) > 0 {
		dirs = here
	}
	for _, dir := range dirs {
		if !d.hiding.set.Holds(dir) {
			return false
		}
	}
	return len(dirs) > 0
}

// reposBelow are a folder and the repositories in it, as far down as they are looked for.
func reposBelow(dir string) []string {
	out, seen := []string{dir}, 0
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return nil //nolint:nilerr // what cannot be read holds no repository for us
		}
		if seen++; seen > hiddenDirs {
			return fs.SkipAll
		}
		if path != dir {
			if _, err := os.Lstat(filepath.Join(path, ".git")); err == nil {
				out = append(out, path)
			}
		}
		rel, err := filepath.Rel(dir, path)
		if e.Name() == ".git" || e.Name() == "node_modules" || err == nil && strings.Count(rel, string(filepath.Separator)) >= hiddenDepth-1 {
			return fs.SkipDir
		}
		return nil
	})
	return out
}

// served shows the state as it is served on this machine: without the projects that the person excludes here.
func (d *Daemon) served(use func(*memory.State)) {
	hidden := d.hidden()
	d.ledger.Read(func(s *memory.State) { use(s.Without(hidden)) })
}

// hidesSession refuses to show an agent a session of an excluded project.
func (d *Daemon) hidesSession(m memory.Session) error {
	if !d.hidden()[m.ProjectID] {
		return nil
	}
	return &api.Error{Code: api.CodeForbidden, Message: "session " + m.ID + " is of a project that capture.exclude in config.toml keeps from agents on this machine"}
}

// isExcluded reports whether a folder is one that the person keeps from Dormouse.
func (d *Daemon) isExcluded(dir string) bool { return d.hiding.set.Holds(dir) }
