package capture

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"dormouse/service/capture/exclude"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// Times of the engine. They are no settings: each follows from what the agents do.
const (
	// quietAfter is how long a file must not have grown until its last message counts as whole. Agents write the blocks of a
	// message within that.
	quietAfter = 700 * time.Millisecond
	// waitAtMost is how long a file that keeps growing is left alone.
	waitAtMost = 1500 * time.Millisecond
	// rescanEvery is how often all folders are walked, for what the system did not tell of.
	rescanEvery = time.Minute
	// overAfter is how old the newest record of a session must be until it counts as over: calls without a result get none.
	overAfter = 30 * time.Minute
)

// keptParsers is how many sessions that are being written keep their parser in memory.
const keptParsers = 32

// drainBytes is how much is read between two rounds of handing nodes on, which bounds the memory that nodes take.
const drainBytes = 1 << 20

// Place is where a session took place, as its transcript tells.
type Place struct {
	Cwd           string
	RepositoryURL string
}

// Cursors keeps small values by key. Get gives nil for a key that is not there.
type Cursors struct {
	Get func(key string) ([]byte, error)
	Put func(key string, value []byte) error
}

// Progress is how far a scan has come.
type Progress struct {
	FilesDone, FilesTotal int
	BytesDone, BytesTotal int64
	Sessions              int // that got nodes
	Nodes                 int // that were added
}

// Options are the parts that an engine works with. Sessions and Redact are needed; the rest has defaults.
type Options struct {
	Table []Adapter           // default: Table()
	Roots map[string][]string // folders of an agent, by its name; default: what its Adapter says
	Env   func(string) string // default: os.Getenv
	Home  string              // the user's home folder; default: os.UserHomeDir
	// Folders gives the folders of the known projects, for agents whose transcripts lie there; default: none.
	Folders func() []string

	Sessions *session.Store
	// Redact takes the secrets out of a node and counts them. Its error keeps the node from being written.
	Redact func(*memory.Node) (int, error)
	// Project gives the id of the project that a session belongs to; default: memory.DefaultProject.
	Project func(context.Context, Place) (string, error)
	Cursors Cursors // default: kept in memory
	// Room is asked before something is written; while it gives an error, capture is paused. Default: there is always room.
	Room   func() error
	OwnDir string // the state folder: what happens in it is Dormouse's own and is not captured

	// Exclude are folders: a session that began in one of them is not captured, and of others not what they did there. Default: none.
	Exclude *exclude.Set
	// KeepImages has the images stored that transcripts hold, beside the nodes that name them.
	KeepImages bool

	Now      func() time.Time // default: time.Now
	Progress func(Progress)   // called from several goroutines, at most some times a second
	Log      *slog.Logger     // default: none
	Workers  int              // sessions that are read at the same time; default: GOMAXPROCS
}

// Engine captures sessions. Its methods may be called from several goroutines.
type Engine struct {
	o       Options
	locks   keyed      // one session is read by one goroutine
	reading sync.Mutex // libraries are read in one round at a time
	swept   sync.Once
	long    sync.Mutex // long lines are read in one session at a time, which bounds the memory
	lies    answers    // whether folders lie in the state folder

	mu       sync.Mutex
	files    map[string]*fileState // by path
	found    map[string]bool       // paths that the newest walk found
	shelves  map[string]*shelf     // libraries, by agent and path
	parsers  parsers
	open     map[sessionKey]int64  // sessions that are not over, with the time of their newest record
	nodes    map[sessionKey]int    // of sessions, when they were read last
	looked   map[sessionKey]bool   // whether they were looked through for images to keep; as nodes
	unplaced map[sessionKey]string // sessions whose project could not be told, with the place of the Problem
	wanted   map[sessionKey]bool   // sessions that were deleted and are to be captured again
	restless map[sessionKey]bool   // sessions that were read while they grew: their last message waits
	problems map[string]*Problem
	roots    map[string]bool // that were there once
	status   map[string]*agentStatus
	counted  map[string]map[string]transcript.Count // what is stored by recount's keys, as far as it was read
	mend     mending
}

// sessionKey is the agent and its own id of a session.
type sessionKey struct{ agent, id string }

// New is an engine. It does no I/O.
func New(o Options) *Engine {
	if o.Table == nil {
		o.Table = Table()
	}
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Project == nil {
		o.Project = func(context.Context, Place) (string, error) { return memory.DefaultProject, nil }
	}
	if o.Cursors.Get == nil || o.Cursors.Put == nil {
		o.Cursors = inMemory()
	}
	if o.Room == nil {
		o.Room = func() error { return nil }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	e := &Engine{o: o, files: map[string]*fileState{}, found: map[string]bool{}, shelves: map[string]*shelf{}, open: map[sessionKey]int64{},
		restless: map[sessionKey]bool{}, wanted: map[sessionKey]bool{}, nodes: map[sessionKey]int{}, looked: map[sessionKey]bool{}, unplaced: map[sessionKey]string{},
		problems: map[string]*Problem{}, roots: map[string]bool{}, status: map[string]*agentStatus{},
		counted: map[string]map[string]transcript.Count{}}
	for _, a := range o.Table {
		e.status[a.Name] = &agentStatus{}
	}
	return e
}

func inMemory() Cursors {
	var mu sync.Mutex
	values := map[string][]byte{}
	return Cursors{
		Get: func(key string) ([]byte, error) {
			mu.Lock()
			defer mu.Unlock()
			return values[key], nil
		},
		Put: func(key string, value []byte) error {
			mu.Lock()
			defer mu.Unlock()
			values[key] = value
			return nil
		},
	}
}

func (e *Engine) adapter(name string) *Adapter {
	for i := range e.o.Table {
		if e.o.Table[i].Name == name {
			return &e.o.Table[i]
		}
	}
	return nil
}

// rootsOf are the folders of an agent.
func (e *Engine) rootsOf(a *Adapter) []string {
	if a.ImportOnly {
		return nil
	}
	if r, ok := e.o.Roots[a.Name]; ok {
		return r
	}
	home := e.o.Home
	if home == "" {
		home, _ = os.UserHomeDir() // without one there are only the folders that the environment names
	}
	return append(a.Roots(e.o.Env, home), e.projectRoots(a)...)
}

// projectRoots are the folders of projects that hold a transcript of an agent. Others are asked again with each walk.
func (e *Engine) projectRoots(a *Adapter) []string {
	if a.InProjects == "" || e.o.Folders == nil {
		return nil
	}
	var out []string
	folders := slices.Clone(e.o.Folders())
	slices.Sort(folders)
	for _, dir := range slices.Compact(folders) {
		if info, err := os.Lstat(filepath.Join(dir, a.InProjects)); err == nil && info.Mode().IsRegular() {
			out = append(out, dir)
		}
	}
	return out
}

// keyed is a lock for each session.
type keyed struct {
	mu   sync.Mutex
	held map[sessionKey]*sync.Mutex
}

func (k *keyed) lock(key sessionKey) (unlock func()) {
	k.mu.Lock()
	if k.held == nil {
		k.held = map[sessionKey]*sync.Mutex{}
	}
	m := k.held[key]
	if m == nil {
		m = &sync.Mutex{}
		k.held[key] = m
	}
	k.mu.Unlock()
	m.Lock()
	return m.Unlock
}

// parsers keeps the parsers of the sessions that were read last.
type parsers struct {
	order []sessionKey
	by    map[sessionKey]*active
}

// active is a parser with the places up to which it was fed.
type active struct {
	parser transcript.Parser
	tally  *transcript.Tally
	places map[string]transcript.Place // by path
	opened map[string]bool
	long   longTexts
	images *imageSpool // nil where images are not kept
	known  *knownNodes
	drawn  *transcript.Drawn
	hide   *hiding // nil where nothing is excluded
}

// drop gives up what waits for its nodes.
func (a *active) drop() {
	a.long.drop()
	a.images.drop()
}

// take gives a parser out; it is not in the store until it is put back.
func (p *parsers) take(key sessionKey) *active {
	a := p.by[key]
	if a != nil {
		p.drop(key)
	}
	return a
}

func (p *parsers) drop(key sessionKey) {
	delete(p.by, key)
	for i, k := range p.order {
		if k == key {
			p.order = append(p.order[:i:i], p.order[i+1:]...)
			return
		}
	}
}

func (p *parsers) put(key sessionKey, a *active) {
	if p.by == nil {
		p.by = map[sessionKey]*active{}
	}
	p.drop(key)
	p.by[key] = a
	p.order = append(p.order, key)
	for len(p.order) > keptParsers {
		p.by[p.order[0]].drop()
		p.drop(p.order[0])
	}
}
