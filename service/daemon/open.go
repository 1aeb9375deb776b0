package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"dormouse/service/capture"
	"dormouse/service/capture/exclude"
	"dormouse/service/config"
	"dormouse/service/recall"
	"dormouse/service/redact"
	"dormouse/service/sleep"
	"dormouse/store/home"
	"dormouse/store/ledger"
	"dormouse/store/memory"
	"dormouse/store/project"
)

// derived are the parts of the memory folder that its git repository does not carry.
var derived = []string{"/timeline/", "/graph/", "/core.md", "/core/", "/facts.jsonl", "/segments.jsonl", "/tags/", "/candidates.jsonl",
	"/others.jsonl", "/quarantine/", ".tmp-*"}

// redactKey is the file of the key that makes placeholders of secrets.
const redactKey = "redact.key"

// toldArea is the area of the index in which is kept what sessions were told: ids alone.
const toldArea = "told"

// cursorArea is the area of the index in which capture keeps how far it has read.
const cursorArea = "capture"

// open takes the state folder and opens every store. What it opened is put away by close, also after an error.
func (d *Daemon) open() (err error) {
	h := d.p.Home
	if _, err := h.FormatOf(); err != nil { // before anything is touched
		return err
	}
	if err := h.Create(); err != nil {
		return err
	}
	if d.lock, err = h.Lock(); err != nil {
		return err
	}
	d.recallHealth()
	if err := d.migrate(); err != nil {
		return err
	}
	if err := d.settle(); err != nil {
		return err
	}
	if err := d.becomeNew(); err != nil {
		return err
	}
	if d.machine, err = h.Machine(); err != nil {
		return err
	}
	if err := d.openIndex(context.Background()); err != nil {
		return err
	}
	var problem string
	if d.nights, problem = openNights(h, d.p.Now()); problem != "" {
		d.notes = append(d.notes, problem)
	}
	d.dealt = newDealt(d.index.Area(distilledArea))
	d.shelf = &lateShelf{Area: d.index.Area(toldArea)}
	if err := d.told.Open(d.shelf); err != nil {
		return err
	}
	d.openLanguage()
	d.openSessions()
	if err := d.openLedger(); err != nil {
		return err
	}
	if err := d.openHiding(context.Background()); err != nil {
		return err
	}
	if err := d.buildCapture(); err != nil {
		return err
	}
	d.indexer = &recall.Indexer{Index: d.index, Sessions: d.sessions, Shown: d.shown}
	if err := d.eraseFromIndex(); err != nil {
		return err
	}
	d.searcher = &recall.Searcher{Index: d.index, TurnOf: d.turnOf}
	d.loop = sleep.New(sleep.Params{
		Settings: d.settings(), Now: d.p.Now, Log: d.p.Log.With("component", "sleep"),
		Look: d.look, Sleep: d.sleepOn, Machine: d.machineNow,
		Changed: func(p sleep.Phase) { d.publish("status", string(p)) },
	})
	return nil
}

// withRemedy says what a person can do where the state folder cannot be written to.
func withRemedy(err error, dir string) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("the disk with the state folder %s is full: make room and start again; nothing is lost: %w", dir, err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the state folder %s must be one that you may write to: change that, or set %s to use another: %w", dir, home.EnvHome, err)
	}
	return err
}

// settle gives a new state folder its config.toml and removes what interrupted writes left behind.
func (d *Daemon) settle() error {
	h := d.p.Home
	for _, dir := range []string{h.Dir(), h.Run(), h.Projects(), h.Memory()} {
		if err := home.RemoveTemps(dir); err != nil {
			return err
		}
	}
	if _, err := os.Stat(h.Config()); errors.Is(err, os.ErrNotExist) {
		return home.WriteFile(h.Config(), config.Template)
	}
	return nil
}

func (d *Daemon) openLedger() error {
	d.footing.limit = d.p.MemoryLimit
	repo, err := d.openRepo()
	if err != nil {
		return err
	}
	d.ledger = ledger.New(ledger.Options{Dir: d.p.Home.Memory(), Machine: d.machine, Now: d.p.Now,
		Commit: func(paths []string, message string, when time.Time) error {
			_, err := repo.CommitFiles(paths, message, when.Unix())
			return err
		},
		Committed: func() ([]ledger.Committed, error) { return committedLogs(repo) },
		Aside:     d.aside(), Live: d.liveNode, Holding: d.footing.ledgerHolds,
	})
	d.openSync(repo)
	if err := d.ledger.Open(); err != nil {
		return err
	}
	if err := d.sync.Erase(context.Background()); err != nil { // what an interrupted erase has left
		d.notes = append(d.notes, fmt.Sprintf("what was erased is still in the history of the memory repository: %v", err))
	}
	return nil
}

func (d *Daemon) buildCapture() error {
	key, err := d.p.Home.Secret(redactKey)
	if err != nil {
		return err
	}
	redactor, err := redact.New(redact.Options{Key: key, Extra: d.p.Config.Redact.Patterns})
	if err != nil {
		return fmt.Errorf("prepare redaction: %w", err)
	}
	d.openShadow(redactor)
	d.redact, d.redactor = redactor.Node, redactor
	d.openCommitter(redactor)
	table, err := chosen(capture.Table(), d.p.Config.Capture.Agents)
	if err != nil {
		return err
	}
	if err := knownAgents(d.p.Config.Inject.Except); err != nil {
		return err
	}
	cursors := d.index.Area(cursorArea)
	d.engine = capture.New(capture.Options{
		Table: withImports(table, capture.Table()), Roots: d.p.Config.Capture.Roots, Env: d.p.Env, Folders: d.projectFolders,
		Sessions: d.sessions, Redact: redactor.Node, Project: d.projectOf,
		Cursors: capture.Cursors{
			Get: func(k string) ([]byte, error) { v, _, err := cursors.Get(k); return v, err },
			Put: cursors.Put,
		},
		Room: d.room, Exclude: d.hiding.set, KeepImages: d.p.Config.Capture.KeepImages,
		OwnDir: d.p.Home.Dir(), Now: d.p.Now, Log: d.p.Log.With("component", "capture"),
		Progress: func(p capture.Progress) { d.captured(p) },
	})
	return nil
}

// chosen keeps the adapters that the settings name; none named means all.
func chosen(table []capture.Adapter, names []string) ([]capture.Adapter, error) {
	if len(names) == 0 {
		return table, nil
	}
	known := map[string]capture.Adapter{}
	for _, a := range table {
		known[a.Name] = a
	}
	var out []capture.Adapter
	for _, n := range names {
		a, ok := known[n]
		if !ok {
			return nil, fmt.Errorf("settings: capture.agents names %q, which Dormouse cannot read", n)
		}
		out = append(out, a)
	}
	return out, nil
}

// excluded are the folders of the setting.
func (p *Params) excluded() (*exclude.Set, error) {
	user, _ := os.UserHomeDir() // without one "~" is refused
	set, err := exclude.New(p.Config.Capture.Exclude, exclude.Env{Home: user, Get: p.Env})
	if err != nil {
		return nil, fmt.Errorf("settings: capture.exclude: %w", err)
	}
	return set, nil
}

// withImports adds the agents that were not chosen for imports alone: the person names a file of theirs.
func withImports(table, all []capture.Adapter) []capture.Adapter {
	out := slices.Clone(table)
	for _, a := range all {
		if slices.ContainsFunc(table, func(x capture.Adapter) bool { return x.Name == a.Name }) {
			continue
		}
		if a, ok := a.Imported(); ok {
			out = append(out, a)
		}
	}
	return out
}

func (d *Daemon) settings() sleep.Settings {
	s := d.p.Config.Sleep
	return sleep.Settings{IdleAfter: time.Duration(s.IdleAfter), DeepAt: time.Duration(s.DeepAt), Location: time.Local,
		Quiet: sleep.Quiet{Input: time.Duration(s.QuietAfter), Load: s.MaxLoad, Battery: s.OnBattery, Patience: time.Duration(s.WaitAtMost)}}
}

// projectOf says which project a session belongs to, from where it took place. A project that was moved there is noticed.
func (d *Daemon) projectOf(ctx context.Context, at capture.Place) (string, error) {
	d.discoverAbove(at.Cwd)
	p, err := d.projects.Resolve(ctx, project.Hints{Cwd: at.Cwd, URL: at.RepositoryURL})
	if err != nil {
		return "", err
	}
	return p.ID, nil
}

// projectName is a project's name, for what people and agents read.
func (d *Daemon) projectName(id string) string {
	if p, err := d.projects.Get(id); err == nil && p.Name != "" {
		return p.Called()
	}
	return id
}

// filedUnder is the name that a project's memories are filed under, whatever the person calls it.
func (d *Daemon) filedUnder(id string) string {
	if p, err := d.projects.Get(id); err == nil && p.Name != "" {
		return p.Name
	}
	return id
}

// projectPath is a project's folder on this machine, or where a session of it took place.
func (d *Daemon) projectPath(s memory.Session) string {
	if p, err := d.projects.Get(s.ProjectID); err == nil && p.Path != "" {
		return filepath.Clean(p.Path)
	}
	return s.Cwd
}
