package project

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"dormouse/store/memory"
)

// Hints are what a transcript tells of where its session worked.
type Hints struct {
	Cwd  string   // working directory
	Dirs []string // other folders it is known by, best first: a worktree's original folder
	URL  string   // address of the repository, where the transcript names it
}

func (h Hints) dirs() []string {
	var out []string
	for _, d := range append([]string{h.Cwd}, h.Dirs...) {
		if d = cleanPath(d); d != "" && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// answer is a result of Resolve that is good for a while, since asking git for every session of an import costs too much.
type answer struct {
	id    string
	until time.Time
}

const (
	answerFor  = time.Minute
	maxAnswers = 4096
)

// Resolve is the project that a session belongs to; a new one is registered. In order: the repository that a folder lies in
// (by remote, else first commit), the address that the transcript names, for a folder that is gone the registered or the
// remaining repository above it, and the folder's path. Without a folder, or with none but the home folder, it is the
// default project.
func (r *Registry) Resolve(ctx context.Context, h Hints) (Project, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return Project{}, err
	}
	asked := strings.Join(append([]string{h.URL, h.Cwd}, h.Dirs...), "\x00")
	now := r.opts.Now()
	if a, ok := r.recent[asked]; ok && now.Before(a.until) && r.all[a.id] != nil {
		return r.all[a.id].clone(), nil
	}
	p, err := r.register(r.identify(ctx, h), h)
	if err != nil {
		return Project{}, err
	}
	if len(r.recent) >= maxAnswers {
		clear(r.recent)
	}
	r.recent[asked] = answer{p.ID, now.Add(answerFor)}
	return p.clone(), nil
}

// register finds the project with an identity, or makes it.
func (r *Registry) register(id identity, h Hints) (*Project, error) {
	if id.remote == "" && id.first == "" && len(id.roots) == 0 {
		if p := r.rootAbove(h); p != nil {
			return p, nil
		}
	}
	if id.key() == (&identity{}).key() {
		return r.all[memory.DefaultProject], nil
	}
	p := r.match(id)
	if p == nil {
		p = &Project{ID: r.freeID(id.key()), Name: id.name, Path: id.path, Status: StatusActive, CreatedAt: r.opts.Now().Unix()}
		r.all[p.ID] = p
	} else if !p.learns(id) {
		return p, nil
	}
	p.take(id)
	if err := r.save(); err != nil {
		return nil, fmt.Errorf("register project %s: %w", p.Name, err)
	}
	return p, nil
}

// match is the registered project with an identity: by remote, by first commit where neither has a remote, or by its main
// folder where one of the two does not say anything else.
func (r *Registry) match(id identity) *Project {
	list := slices.SortedFunc(maps.Values(r.all), func(a, b *Project) int { return cmp.Compare(a.ID, b.ID) })
	for _, same := range []func(p *Project) bool{
		func(p *Project) bool { return id.remote != "" && remoteKey(p.Remote) == remoteKey(id.remote) },
		func(p *Project) bool {
			return id.first != "" && id.remote == "" && p.Remote == "" && p.FirstCommit == id.first
		},
		func(p *Project) bool {
			return id.path != "" && p.Path != "" && pathKey(p.Path) == pathKey(id.path) &&
				agree(remoteKey(p.Remote), remoteKey(id.remote)) && agree(p.FirstCommit, id.first)
		},
	} {
		if i := slices.IndexFunc(list, same); i >= 0 {
			return list[i]
		}
	}
	return nil
}

// agree reports whether two facts do not contradict each other; an empty one is not known.
func agree(a, b string) bool { return a == "" || b == "" || a == b }

// learns reports whether an identity says something of the project that is not registered.
func (p *Project) learns(id identity) bool {
	old := p.clone()
	p.take(id)
	return old.Remote != p.Remote || old.FirstCommit != p.FirstCommit || old.Path != p.Path || !slices.Equal(old.Roots, p.Roots)
}

// take adds what an identity says. The main folder moves when the old one is gone.
func (p *Project) take(id identity) {
	p.Remote = cmp.Or(p.Remote, id.remote)
	p.FirstCommit = cmp.Or(p.FirstCommit, id.first)
	if id.path != "" && p.Path != id.path && (p.Path == "" || !isDir(p.Path)) {
		p.Path = id.path
	}
	p.Roots = append(p.Roots, id.roots...)
	slices.Sort(p.Roots)
	p.Roots = slices.Compact(p.Roots)
}

// rootAbove is the project with the nearest registered work tree above a folder that is gone.
func (r *Registry) rootAbove(h Hints) *Project {
	var best *Project
	length := 0
	for _, dir := range h.dirs() {
		if isDir(dir) {
			continue
		}
		for _, p := range r.all {
			for _, root := range p.Roots {
				if len(root) > length && !r.tooWide(root) && below(dir, root) {
					best, length = p, len(root)
				}
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// Below reports whether a path is root or lies in it, symlinks followed as far as they exist.
func Below(p, root string) bool { return below(p, root) || below(resolved(p), resolved(root)) }

// below reports whether a path is root or lies in it.
func below(p, root string) bool {
	p, root = pathKey(p), pathKey(root)
	rest, ok := strings.CutPrefix(p, root)
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '\\')
}

// freeID is the id for a key; longer when another project has it.
func (r *Registry) freeID(key string) string {
	for digits := 8; ; digits += 4 {
		if id := projectID(key, digits); r.all[id] == nil || digits > 56 {
			return id
		}
	}
}
