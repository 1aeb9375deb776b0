package ledger

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"dormouse/store/home"
	"dormouse/store/memory"
)

// Options says where a ledger lies and who writes it.
type Options struct {
	Dir     string // <home>/memory
	Machine string
	Now     func() time.Time
	// MaxFile is the size in bytes at which the log goes on in a new file; 0 means 8 MiB.
	MaxFile int64
	// Commit commits files, named relative to Dir, to the memory repository. It changes nothing when they are committed
	// already. Nil commits nothing.
	Commit func(paths []string, message string, when time.Time) error
	// Committed lists the log files of the newest commit of the memory repository. With it, Open brings back a log that was
	// cut, changed or deleted since. Nil lists nothing.
	Committed func() ([]Committed, error)
	// Live tells what a node of a session holds now, for records whose scope was changed; see memory.State.Verify. It is called while the
	// ledger is locked. Nil knows no node.
	Live memory.Live
	// Holding is told about how many bytes of memory the ledger takes, while it reads and adds up and when it has. It must not call the ledger.
	// Nil is not told.
	Holding func(bytes int64)
	// Aside is a folder for copies of damaged logs, outside the memory folder. Empty keeps none.
	Aside string
}

// Committed is a log file as it was committed.
type Committed struct {
	Path string // relative to Options.Dir, with slashes
	Same func(data []byte) bool
	Read func() ([]byte, error)
}

// Ledger is the logs of all machines, read, and this machine's log, open for appending. It is safe for concurrent use.
type Ledger struct {
	o Options

	reloading sync.Mutex // one Reload at a time

	drawing sync.Mutex          // held while files are rendered
	drawn   map[string][32]byte // sums of the entities' pages on the disk, by name

	mu           sync.RWMutex
	state        *memory.State
	mine, theirs contents // of the own log and of those of other machines
	gone         Erasures
	known        map[string]memory.KnownLog // what is here of other machines' logs
	lamport      uint64
	prev         string // hash of the last line of the own log
	current      logName
	size         int64 // of the current file
	committed    bool  // all files of the own log were found committed
	// What could not be read, in the own log and in those of other machines.
	problems, foreignProblems []string
	loose                     []string // log files that are not committed as they are
}

// New is a ledger that has read nothing yet.
func New(o Options) *Ledger {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxFile == 0 {
		o.MaxFile = defaultMaxFile
	}
	return &Ledger{o: o, mine: newContents(), theirs: newContents(), state: memory.Fold(nil)}
}

func (l *Ledger) logDir(machine string) string { return filepath.Join(l.o.Dir, "log", machine) }

// Open reads all logs. A log that is no longer what was committed, or goes on from it, is brought back; a torn or damaged end
// of the own log is cut off; lines that cannot be read are listed by Problems and the rest goes on.
func (l *Ledger) Open() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := home.Mkdir(l.logDir(l.o.Machine)); err != nil {
		return err
	}
	if err := l.removeTemps(); err != nil {
		return err
	}
	if err := l.restore(); err != nil {
		return err
	}
	bared, err := eraseIn(l.o.Dir) // what an interrupted erase has left
	if err != nil {
		return err
	}
	if err := l.scrubAside(false); err != nil {
		return err
	}
	for _, path := range bared {
		if name, err := filepath.Rel(l.o.Dir, path); err == nil {
			l.loose = append(l.loose, filepath.ToSlash(name))
		}
	}
	own, err := l.readOwn()
	if err != nil {
		return err
	}
	l.mine = own
	others, err := l.readOthers(l.resident())
	if err != nil {
		return err
	}
	l.problems = append(l.problems, own.problems...)
	l.take(own, others)
	l.fold()
	l.growing(l.resident(), 0)(0)
	return l.commitLeftOvers()
}

// readOwn reads the own log and makes its newest file ready for appending.
func (l *Ledger) readOwn() (contents, error) {
	c := newContents()
	c.grow = l.growing(0, readBytes)
	dir := l.logDir(l.o.Machine)
	files, err := logFiles(dir)
	if err != nil {
		return c, err
	}
	var last []byte
	for i, f := range files {
		path := filepath.Join(dir, f.String())
		if i == len(files)-1 {
			if err := l.cutDamage(path); err != nil {
				return c, err
			}
		}
		end, err := readLines(path, func(n int, line []byte) {
			last = append(last[:0], line...)
			c.take(path, n, line, l.o.Machine)
		})
		if err != nil {
			return c, err
		}
		l.current, l.size = f, end
	}
	if last != nil {
		if l.prev, err = lineHash(last); err != nil {
			return c, fmt.Errorf("the log in %s ends in a damaged line (%w): restore it from the memory repository with `git checkout -- log`", dir, err)
		}
	}
	return c, c.tidy()
}

// take makes what was read the contents of the ledger. The state does not follow yet.
func (l *Ledger) take(mine, theirs contents) {
	l.mine, l.theirs = mine, theirs
	l.mine.seen()
	l.theirs.seen()
	l.lamport = max(l.lamport, mine.lamport, theirs.lamport)
	l.foreignProblems = theirs.problems
	l.known = theirs.known()
	l.gone = erasuresOf(l.shelves())
}

// shelves are the decisions of all machines.
func (l *Ledger) shelves() []*shelf { return slices.Concat(l.mine.snapshot(), l.theirs.snapshot()) }

// fold adds up the decisions of all machines anew; mu is held.
func (l *Ledger) fold() {
	l.state = memory.Fold(nil) // so that there are not two
	l.state = foldOf(l.shelves(), l.growing(l.resident(), foldBytes))
	l.state.Verify(l.o.Live)
}

// Reassess holds the receipts of moved records against the nodes again: sessions came or went. It reports whether there are any.
func (l *Ledger) Reassess() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.state.Moves() {
		return false
	}
	l.state.Settle()
	return true
}

// foldOf adds up decisions, and tells grow of how many now and then.
func foldOf(shelves []*shelf, grow func(decisions int)) *memory.State {
	var rulings []memory.Decision
	undone := map[uint64]bool{}
	for _, s := range shelves {
		rulings = append(rulings, s.rulings...)
		for i := range s.rulings {
			if u := s.rulings[i].Undoes; u != "" {
				undone[hash64(string(u))] = true
			}
		}
	}
	for _, s := range shelves { // what an undo names is a ruling, too
		if len(undone) == 0 {
			break
		}
		for _, d := range s.matching(func(h decided) bool { return undone[h.id] }) {
			if !memory.Rules(&d) {
				rulings = append(rulings, memory.Outline(&d))
			}
		}
	}
	var open []*cursor
	for _, s := range shelves {
		open = append(open, s.from(0, true))
	}
	return memory.FoldEach(rulings, told(together(open), grow))
}

// commitLeftOvers commits what a crash between writing and committing left uncommitted in the own log.
func (l *Ledger) commitLeftOvers() error {
	own := slices.DeleteFunc(l.loose, func(name string) bool { return !strings.HasPrefix(name, "log/"+l.o.Machine+"/") })
	if l.o.Commit == nil {
		return nil
	}
	if len(own) > 0 {
		if err := l.o.Commit(own, leftOvers, l.o.Now()); err != nil {
			return err
		}
	}
	l.committed = true
	return nil
}

// leftOvers is the message of a commit of what is in the log already.
const leftOvers = "Keep what an interrupted sleep had written"

// commitOwn commits files of the own log: all of them, or the two newest ones, which are all that a failed commit can leave
// behind.
func (l *Ledger) commitOwn(all bool) error {
	if l.o.Commit == nil || l.current == (logName{}) {
		return nil
	}
	files, err := logFiles(l.logDir(l.o.Machine))
	if err != nil {
		return err
	}
	if !all {
		files = files[max(0, len(files)-2):]
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, l.relative(f))
	}
	if err := l.o.Commit(paths, leftOvers, l.o.Now()); err != nil {
		return err
	}
	l.committed = l.committed || all
	return nil
}

func (l *Ledger) relative(f logName) string {
	return filepath.ToSlash(filepath.Join("log", l.o.Machine, f.String()))
}

// Append writes decisions and the run that made them, in this order, makes them durable, and commits them together. It
// fills in id, lamport, machine and previous hash. After an error nothing of them counts, unless the error came from the
// commit alone (ErrNotCommitted): then they count, and the next Append or Open commits them. A run that covers very much is written as
// several. ErrTooLarge says that a decision does not fit into the log.
func (l *Ledger) Append(decisions []memory.Decision, run memory.Run) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() { l.growing(l.resident(), 0)(0) }()
	b := batch{machine: l.o.Machine, lamport: l.lamport, prev: l.prev, gone: l.gone}
	for _, d := range decisions {
		if err := b.decision(d); err != nil {
			return err
		}
	}
	run.Known = l.newlyKnown()
	if err := b.run(run); err != nil {
		return err
	}
	paths, err := l.write(&b)
	if err != nil {
		return err
	}
	l.lamport, l.prev = b.lamport, b.prev
	if err := l.addDecisions(b.decided); err != nil {
		return err
	}
	for _, r := range b.ran {
		l.mine.addRun(r)
	}
	if l.o.Commit == nil {
		return nil
	}
	if err := l.o.Commit(paths, message(b.ran[len(b.ran)-1]), l.o.Now()); err != nil {
		return fmt.Errorf("%w: %w", ErrNotCommitted, err)
	}
	return nil
}

// ErrNotCommitted says that decisions are in the log and durable, but not yet committed to the memory repository.
var ErrNotCommitted = errors.New("the log was written but not committed")

// addDecisions brings the state up to date. What reaches back needs a new fold.
func (l *Ledger) addDecisions(ds []memory.Decision) error {
	own := l.mine.shelf(l.o.Machine)
	for _, d := range ds {
		if err := own.add(d); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(ds, func(d memory.Decision) bool { return d.Action == memory.ActionErase }) {
		l.gone = erasuresOf(l.shelves())
	}
	if slices.ContainsFunc(ds, func(d memory.Decision) bool { return memory.ReachesBack(&d) }) {
		l.fold()
		return nil
	}
	for i := range ds {
		l.state.Apply(&ds[i])
	}
	l.state.Settle()
	return nil
}

// message is the commit's subject for a run.
func message(r memory.Run) string {
	if r.Kind == memory.RunDevices {
		return "Devices: what is known of the machines"
	}
	if r.Kind == memory.RunReview {
		return "Review: what the person decided"
	}
	c := r.Counts
	return fmt.Sprintf("%s sleep: %s, %s, %s from %s", r.Kind, plural(c.Events, "event"), plural(c.Entities, "entity"),
		plural(c.Edges, "edge"), plural(c.Turns, "turn"))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := cutY(noun); ok {
		return strconv.Itoa(n) + " " + stem + "ies"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func cutY(noun string) (string, bool) {
	if noun[len(noun)-1] != 'y' {
		return noun, false
	}
	return noun[:len(noun)-1], true
}
