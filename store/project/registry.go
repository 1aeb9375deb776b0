package project

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"dormouse/store/home"
	"dormouse/store/memory"
)

// StatusActive is the status of a project that sessions are captured for.
const StatusActive = "active"

// ErrNotFound says that no project answers to a name.
var ErrNotFound = errors.New("project not found")

// ErrAmbiguous says that several projects answer to a name.
var ErrAmbiguous = errors.New("more than one project has this name")

// Project is one entry of projects.json.
type Project struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Title      string   `json:"title,omitempty"` // the person's own name for it
	Path       string   `json:"path"`            // of its main folder on this machine; empty where it is not known
	IsDefault  bool     `json:"is_default"`
	SessionIDs []string `json:"session_ids,omitempty"`
	Status     string   `json:"status"`
	CreatedAt  int64    `json:"created_at"` // Unix seconds, when it was first seen here
	// Remote is the normalised address host/owner/name of its repository.
	Remote string `json:"remote,omitempty"`
	// FirstCommit is its oldest root commit; known only where there is no remote.
	FirstCommit string `json:"first_commit,omitempty"`
	// Roots are the git work trees on this machine that it was seen in, sorted.
	Roots []string `json:"roots,omitempty"`
	// BoundAt is when the person bound it, in Unix seconds; 0 where it was only found.
	BoundAt int64 `json:"bound_at,omitempty"`
	// AutoCommit says that the person wants what an agent changed in a turn to be committed.
	AutoCommit bool `json:"auto_commit,omitempty"`
	// ShadowOff says that the person wants no shadow history of the files that agents edit.
	ShadowOff bool `json:"shadow_off,omitempty"`
}

// Options say where the registry lies.
type Options struct {
	Dir  string           // the folder of projects.json: <home>/projects
	Home string           // the user's home folder, which is nobody's project
	Now  func() time.Time // time.Now when nil
}

// Registry is all projects of one state folder. One process at a time may use it.
type Registry struct {
	opts Options

	mu     sync.Mutex
	all    map[string]*Project // by id; nil before the file was read
	recent map[string]answer   // what Resolve answered of late
}

// New is the registry in o.Dir. It does no I/O.
func New(o Options) *Registry {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Registry{opts: o, recent: map[string]answer{}}
}

func (r *Registry) file() string { return filepath.Join(r.opts.Dir, "projects.json") }

// load reads projects.json once. Callers hold r.mu.
func (r *Registry) load() error {
	if r.all != nil {
		return nil
	}
	all := map[string]*Project{}
	b, err := os.ReadFile(r.file())
	if err == nil {
		if err := json.Unmarshal(b, &all); err != nil {
			return fmt.Errorf("read %s: %w; repair it, or delete it to have it made anew from the sessions that come", r.file(), err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read projects: %w", err)
	}
	for id, p := range all {
		if p == nil {
			delete(all, id)
			continue
		}
		p.ID = id
	}
	if all[memory.DefaultProject] == nil {
		all[memory.DefaultProject] = &Project{ID: memory.DefaultProject, Name: memory.DefaultProject, IsDefault: true,
			Status: StatusActive, CreatedAt: r.opts.Now().Unix()}
	}
	r.all = all
	return nil
}

// save writes projects.json.
func (r *Registry) save() error {
	if err := home.Mkdir(r.opts.Dir); err != nil {
		return err
	}
	b, err := json.MarshalIndent(r.all, "", "  ")
	if err != nil {
		return err
	}
	return home.WriteFile(r.file(), append(b, '\n'))
}

// List gives all projects by name, then id. The default project is among them.
func (r *Registry) List() ([]Project, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return nil, err
	}
	out := make([]Project, 0, len(r.all))
	for _, p := range r.all {
		out = append(out, p.clone())
	}
	slices.SortFunc(out, func(a, b Project) int { return cmp.Or(cmp.Compare(a.Called(), b.Called()), cmp.Compare(a.ID, b.ID)) })
	return out, nil
}

// Get is the project with this id.
func (r *Registry) Get(id string) (Project, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.load(); err != nil {
		return Project{}, err
	}
	if p := r.all[id]; p != nil {
		return p.clone(), nil
	}
	return Project{}, fmt.Errorf("%w: %s", ErrNotFound, id)
}

func (p *Project) clone() Project {
	c := *p
	c.Roots, c.SessionIDs = slices.Clone(p.Roots), slices.Clone(p.SessionIDs)
	return c
}
