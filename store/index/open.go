package index

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"dormouse/store/home"
	"dormouse/store/index/words"
)

// ErrBroken says that the index holds bytes that it did not write. The next Open makes a new one.
var ErrBroken = errors.New("the search index is broken; it is made again at the next start")

// Options of Open.
type Options struct {
	Dir    string       // <home>/index
	Logger *slog.Logger // nil: slog.Default()

	// Vectors says which vectors the documents get. Where the index holds those of another model, they go on answering queries until
	// MakeVectors has made all of the new ones.
	Vectors Vectors
	// KeepVectors has the zero Vectors leave those that are there as they are, instead of taking them away: the model that is meant can't be
	// had now.
	KeepVectors bool
	// Former finds an earlier model by its name, so that queries can still be compared with its vectors; ok is false where it can't be had.
	// May be nil.
	Former func(model string) (v Vectors, ok bool)

	// OnBroken is told, once, that the index turned out to be broken: nothing in it can be read or written until it is closed and
	// opened again. It must not block, and not call the index. May be nil.
	OnBroken func(error)

	// RestAfter is how long nobody has to use the index until its database is closed; the next use opens it again, within some milliseconds.
	// 0 keeps it open.
	RestAfter time.Duration

	// HotDocs is how many new documents are kept in memory before they become a segment; 0 means 4,096.
	HotDocs int
	// MergeFactor is how many neighbouring segments of like size become one; 0 means 4.
	MergeFactor int
	// SegmentDocs is the most documents of a segment, 262,144 at most; 0 means that.
	SegmentDocs int

	rules rules // tests set others
}

// rules are how a document is cut into terms, and how much of their postings is read.
type rules struct {
	version    int
	cut        func(*words.Analyzer, *Doc) *hotDoc
	exhaustive int // the most postings of a query that are all read
}

const maxSegmentDocs = 1 << 18

func (o *Options) setDefaults() {
	if o.OnBroken == nil {
		o.OnBroken = func(error) {}
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.rules.cut == nil {
		o.rules.version, o.rules.cut = termsVersion, analyze
	}
	if o.rules.exhaustive <= 0 {
		o.rules.exhaustive = exhaustive
	}
	if o.HotDocs <= 0 {
		o.HotDocs = 4096
	}
	if o.MergeFactor < 2 {
		o.MergeFactor = 4
	}
	if o.SegmentDocs <= 0 || o.SegmentDocs > maxSegmentDocs {
		o.SegmentDocs = maxSegmentDocs
	}
	o.HotDocs = min(o.HotDocs, o.SegmentDocs, 8192) // the keys of a flush must fit one transaction
}

// Index is an open index. It is safe for use by several goroutines.
type Index struct {
	opts      Options
	db        *lease
	codec     *codec
	analyzers words.Pool
	marks     sync.Pool // of *marks
	chosen    sync.Pool // of *[]codedSpot

	writing       sync.Mutex   // one writer at a time
	late          sync.Mutex   // held by MakeVectors, and while no other lock is
	maintaining   sync.Mutex   // held during a piece of work in the background; taken after writing and before mu
	mu            sync.RWMutex // guards what follows; held for reading during a search
	man           manifest
	pieces        []*piece // by document number: segments, then frozen ones; the hot one is last and always there
	next          uint32   // the next document's number
	gens          [slots]*generation
	formerDims    int      // of the vectors that others replaced
	garbage       []uint32 // numbers of vectors whose documents are gone
	records       records
	sampled       sampledVectors
	held          heldLists
	recordVersion int   // counts changes of documents that are no turns, and of their vectors
	embedding     error // why vectors could not be made the last time
	broken        error
	failed        error // of the last work in the background, until somebody was told

	wrote    atomic.Int64 // bytes since Open, about
	tables   atomic.Int64 // bytes that a compaction may write
	measured atomic.Int64 // when, in Unix nanoseconds

	progress *sync.Cond // on mu's read side: the maintainer finished something
	work     chan struct{}
	stop     chan struct{}
	done     chan struct{}
	close    sync.Once
}

// Open opens the index in o.Dir, or makes one. rebuild tells that the index is empty because there was none, or because
// what was there was broken, of another version, or not an index of ours: the caller fills it again. An index of ours is
// deleted for that, anything else is moved aside to <dir>.foreign-<n>.
func Open(o Options) (ix *Index, rebuild bool, err error) {
	o.setDefaults()
	if err := o.Vectors.check(); err != nil {
		return nil, false, fmt.Errorf("open the search index in %s: %w", o.Dir, err)
	}
	kept, err := prepare(&o)
	if err != nil {
		return nil, false, fmt.Errorf("open the search index in %s: %w", o.Dir, err)
	}
	if kept {
		if err = verify(o.Dir); err == nil {
			ix, err = load(o, false)
		}
		if err == nil {
			return ix, false, nil
		}
		if !spoilt(err) {
			return nil, false, fmt.Errorf("open the search index in %s: %w", o.Dir, err)
		}
		o.Logger.Warn("search index is broken and is made again", "component", "index", "dir", o.Dir, "error", err)
		if err := begin(o.Dir); err != nil {
			return nil, false, fmt.Errorf("make the search index in %s again: %w", o.Dir, err)
		}
	}
	if ix, err = load(o, true); err != nil {
		return nil, false, fmt.Errorf("open a new search index in %s: %w", o.Dir, err)
	}
	return ix, true, nil
}

// spoilt reports whether an error of opening says something about the bytes of the index, not about the machine.
func spoilt(err error) bool {
	for _, e := range []error{fs.ErrPermission, syscall.ENOSPC, syscall.EROFS, syscall.EMFILE, syscall.ENOMEM} {
		if errors.Is(err, e) {
			return false
		}
	}
	return !locked(err)
}

const (
	formatFile = "FORMAT"
	brokenFile = "BROKEN"
)

func formatLine(version int) string { return fmt.Sprintf("dormouse search index %d\n", version) }

// legible reports whether an index with a format line can be read.
func legible(line string) bool {
	for v := oldestVersion; v <= FormatVersion; v++ {
		if line == formatLine(v) {
			return true
		}
	}
	return false
}

// mark notes the version in a folder.
func mark(dir string) error {
	return home.WriteFile(filepath.Join(dir, formatFile), []byte(formatLine(FormatVersion)))
}

// prepare leaves a folder that is ours and of this version, and reports whether it was that before.
func prepare(o *Options) (kept bool, err error) {
	names, err := os.ReadDir(o.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if len(names) == 0 {
		return false, begin(o.Dir)
	}
	line, err := os.ReadFile(filepath.Join(o.Dir, formatFile))
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && !strings.HasPrefix(string(line), "dormouse search index "):
		aside, err := moveAside(o.Dir)
		if err != nil {
			return false, err
		}
		o.Logger.Warn("folder of the search index holds something else; it is moved aside", "component", "index", "to", aside)
		return false, begin(o.Dir)
	case err != nil:
		return false, err
	case !legible(string(line)):
		o.Logger.Info("search index is of another version and is made again", "component", "index")
		return false, begin(o.Dir)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, brokenFile)); err == nil {
		return false, begin(o.Dir)
	}
	if string(line) != formatLine(FormatVersion) {
		return true, mark(o.Dir) // before anything is written that a program of before can't read
	}
	return true, nil
}

// begin leaves an empty folder that is marked as ours. The mark is the first thing in it, so that what a crash leaves
// behind is known as ours.
func begin(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := home.Mkdir(dir); err != nil {
		return err
	}
	return mark(dir)
}

func moveAside(dir string) (string, error) {
	for n := 1; ; n++ {
		to := fmt.Sprintf("%s.foreign-%d", filepath.Clean(dir), n)
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return to, os.Rename(dir, to)
		}
	}
}

// load opens the database and reads what the manifest names; a new database gets a manifest.
func load(o Options, fresh bool) (*Index, error) {
	ix := &Index{opts: o, work: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	ix.progress = sync.NewCond(&ix.mu)
	ix.marks.New = func() any { return new(marks) }
	ix.chosen.New = func() any { return new([]codedSpot) }
	var err error
	if ix.codec, err = newCodec(); err != nil {
		return nil, err
	}
	ix.db = newLease(o)
	ix.db.beforeRest = ix.restful
	if err := ix.db.first(); err != nil {
		return nil, err
	}
	if fresh {
		err = ix.writeManifest()
	}
	if err == nil {
		err = ix.read()
	}
	if err != nil {
		ix.db.broken.Store(true)
		return nil, errors.Join(err, ix.db.close())
	}
	go ix.maintain()
	ix.kick()
	return ix, nil
}
