package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cgi"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"dormouse/store/gitrepo"
	"dormouse/store/ledger"
	"dormouse/store/memory"
	"dormouse/sync/gitsync"
)

// syncWorld is a remote and what its machines are made with.
type syncWorld struct {
	dir, bare, url, over string
	encrypt              bool
	records, nights      int
	seed                 uint64
	profile              string // a folder
	server               *http.Server
}

// begin makes the remote, and serves it.
func (w *syncWorld) begin(over string) error {
	w.over, w.bare = over, filepath.Join(w.dir, "remote.git")
	w.url = w.bare
	for _, args := range [][]string{{"init", "-q", "--bare", "-b", "main", w.bare}, {"-C", w.bare, "config", "http.receivepack", "true"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	if over != "http" {
		return nil
	}
	core, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	backend := &cgi.Handler{Path: filepath.Join(strings.TrimSpace(string(core)), "git-http-backend"),
		Env: []string{"GIT_PROJECT_ROOT=" + w.dir, "GIT_HTTP_EXPORT_ALL=1"}}
	w.server = &http.Server{Handler: whole(backend), ReadHeaderTimeout: time.Minute}
	go w.server.Serve(ln) //nolint:errcheck // it ends with the bench
	w.url = "http://" + ln.Addr().String() + "/remote.git"
	return nil
}

// whole gives a handler a request's body with its length, which CGI needs and git does not tell of a large one.
func whole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.ContentLength < 0 {
			raw, err := io.ReadAll(r.Body)
			if err != nil {
				http.Error(rw, err.Error(), http.StatusBadRequest)
				return
			}
			r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(raw)), int64(len(raw)), nil
		}
		next.ServeHTTP(rw, r)
	})
}

func (w *syncWorld) end() {
	if w.server != nil {
		_ = w.server.Close()
	}
}

// syncMachine is one machine's memory.
type syncMachine struct {
	w       *syncWorld
	id, dir string
	repo    *gitrepo.Repo
	ledger  *ledger.Ledger
	syncer  *gitsync.Syncer
	clock   time.Time

	joinCPU, joinMB float64 // of the last time that something came in
	limited         bool    // the collector aims at what it does in the service
}

// fitMemory has the collector aim at what it does in a service whose ledger takes so many bytes and which has no index.
func fitMemory(ledger int64) { debug.SetMemoryLimit(serviceLimit + ledger) }

var syncBegin = time.Date(2025, 1, 1, 3, 0, 0, 0, time.UTC)

func (w *syncWorld) machine(id string) (*syncMachine, error) {
	dir := filepath.Join(w.dir, id, "memory")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	m, err := w.at(id, dir)
	if err != nil {
		return nil, err
	}
	return m, m.ledger.Open()
}

// at is a machine whose memory is in a folder. Its ledger is not open.
func (w *syncWorld) at(id, dir string) (*syncMachine, error) {
	m := &syncMachine{w: w, id: id, dir: dir, clock: syncBegin}
	m.repo = gitrepo.Open(m.dir)
	m.repo.Cold = gitsync.Cold
	if err := m.repo.Init([]string{"/timeline/", "/graph/", "/tags/", "/*.jsonl", "/quarantine/", ".tmp-*"}); err != nil {
		return nil, err
	}
	m.ledger = ledger.New(ledger.Options{Dir: m.dir, Machine: id, Now: func() time.Time { return m.clock },
		Holding: func(held int64) {
			if m.limited {
				fitMemory(held)
			}
		},
		Commit: func(paths []string, message string, when time.Time) error {
			_, err := m.repo.CommitFiles(paths, message, when.Unix())
			return err
		}})
	m.syncer = gitsync.New(gitsync.Options{Repo: m.repo, Machine: id, Commit: m.ledger.Commit, Erasures: m.ledger.Erasures,
		Keys: filepath.Join(w.dir, id, "keys.json"), Name: id, Joined: m.takeIn})
	return m, nil
}

// takeIn is what the service does when something came in: read, fold, render.
func (m *syncMachine) takeIn(context.Context) (n int, err error) {
	m.joinCPU, m.joinMB, err = m.costs(func() (err error) {
		n, err = m.ledger.Reload()
		return err
	})
	return n, err
}

// costs does something and renders, with the collector as it is in the service, and gives seconds of CPU and the most private memory, in 10^6 bytes.
func (m *syncMachine) costs(do func() error) (cpu, private float64, err error) {
	m.limited = true
	fitMemory(m.ledger.Resident())
	defer func() {
		m.limited = false
		debug.SetMemoryLimit(math.MaxInt64)
	}()
	debug.FreeOSMemory()
	cpu, peak := cpuSeconds(), watchMemory()
	if err = do(); err == nil {
		_, err = m.ledger.Render()
	}
	return cpuSeconds() - cpu, peak(), err
}

// refused has the person refuse what is known as the last record on another machine, and brings the log of that here.
func (m *syncMachine) refused() error {
	const other = "cccccccc"
	last, _ := m.ledger.Newest(1)
	d := last[0]
	d.Accepted, d.By, d.Reason = false, memory.ByPerson, "no"
	there := ledger.New(ledger.Options{Dir: filepath.Join(m.w.dir, other), Machine: other, Now: func() time.Time { return m.clock }})
	if err := there.Open(); err != nil {
		return err
	}
	err := there.Append([]memory.Decision{d}, memory.Run{Kind: memory.RunReview, Started: m.clock.Unix(), Ended: m.clock.Unix(), PolicyVersion: memory.PolicyVersion})
	if err != nil {
		return err
	}
	return os.CopyFS(filepath.Join(m.dir, "log", other), os.DirFS(filepath.Join(m.w.dir, other, "log", other)))
}

func (m *syncMachine) known() (n int) {
	m.ledger.Read(func(s *memory.State) { n = len(s.Events) })
	return n
}

func (m *syncMachine) setup(ctx context.Context) error {
	set := m.syncer.Setup
	if m.w.encrypt {
		set = m.syncer.SetupSealed
	}
	_, err := set(ctx, m.w.url, false)
	return err
}

func (m *syncMachine) sync(ctx context.Context) error {
	_, err := m.syncer.Sync(ctx)
	return err
}

// letIn prepares all that needs an old machine, and gives what the new one does by itself.
func (w *syncWorld) letIn(ctx context.Context, old, young *syncMachine) (func() error, error) {
	if !w.encrypt {
		return func() error { return young.setup(ctx) }, nil
	}
	code, _, err := old.syncer.Invite()
	if err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	return func() error {
		go func() {
			_, err := young.syncer.Join(ctx, w.url, code)
			done <- err
		}()
		for {
			select {
			case err := <-done:
				return err
			case <-time.After(200 * time.Millisecond):
				if err := old.sync(ctx); err != nil {
					return err
				}
			}
		}
	}, nil
}

// year has a machine learn night after night.
func (m *syncMachine) year(records, nights int, seed uint64) error {
	for night := range nights {
		n := records / nights
		if night == nights-1 {
			n = records - night*n
		}
		if err := m.learnNight(night, n, seed); err != nil {
			return err
		}
	}
	return nil
}

// learnNight writes one night's decisions, as a sleep does.
func (m *syncMachine) learnNight(night, records int, seed uint64) error {
	m.clock = syncBegin.AddDate(0, 0, night)
	rng := rand.New(rand.NewPCG(seed, uint64(night)))
	var ds []memory.Decision
	var nodes []string
	session := fmt.Sprintf("cc_%08x", rng.Uint32())
	for i := range records {
		node := memory.NodeID("sync", strconv.FormatUint(seed, 10), strconv.Itoa(night), strconv.Itoa(i))
		nodes = append(nodes, node)
		at := m.clock.Unix() - int64(rng.IntN(80_000))
		e := memory.Event{Summary: sentence(rng), Kind: memory.KindWork, Scope: memory.ProjectScope(fmt.Sprintf("proj_%08x", rng.IntN(12))), Trust: memory.TrustAgent,
			Provenance: memory.Provenance{ProjectID: "proj_1", SessionID: session, NodeIDs: []string{node}, EventTime: &at, IngestionTime: m.clock.Unix()}}
		e.ID = memory.EventID(memory.EventClaim(&e))
		raw, err := memory.Encode(e)
		if err != nil {
			return err
		}
		ds = append(ds, memory.Decision{Action: memory.ActionAdd, Accepted: true, Reason: "stated by the agent", PolicyVersion: memory.PolicyVersion, By: memory.ByRule, ObservedAt: m.clock.Unix(),
			EventDate: &at, Proposal: memory.Proposal{Kind: memory.RecordEvent, ClaimKey: memory.EventClaim(&e), RecordID: e.ID, Scope: e.Scope, Record: raw}})
	}
	return m.ledger.Append(ds, memory.Run{Kind: "deep", Started: m.clock.Unix(), Ended: m.clock.Unix() + 60, Extractor: "rules", PolicyVersion: memory.PolicyVersion,
		Coverage: []memory.Coverage{{SessionID: session, NodeIDs: nodes}}})
}

// sentence is a text of 6 to 20 words, of which some are frequent.
func sentence(rng *rand.Rand) string {
	var b strings.Builder
	for i := range 6 + rng.IntN(15) {
		if i > 0 {
			b.WriteByte(' ')
		}
		k := int(4000 * rng.Float64() * rng.Float64() * rng.Float64())
		for n := 2 + k%3; n > 0; n-- {
			b.WriteString([]string{"ba", "to", "ri", "en", "lo", "sta", "ve", "ku", "mi", "dra", "po", "sel"}[k%12])
			k = k/7 + n
		}
		if rng.IntN(6) == 0 {
			fmt.Fprintf(&b, "_%d.go", rng.IntN(300))
		}
	}
	return b.String()
}

// treeSize is how many bytes the files below a folder hold.
func treeSize(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// snapshot tells of every file and folder below a folder when it was changed.
func snapshot(dir string) (out []string) {
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil {
			if info, err := d.Info(); err == nil {
				out = append(out, fmt.Sprint(p, " ", info.ModTime().UnixNano(), " ", info.Size()))
			}
		}
		return nil
	})
	return out
}

// changes counts what differs.
func changes(before, after []string) (n int) {
	for _, s := range after {
		if !slices.Contains(before, s) {
			n++
		}
	}
	return n + max(0, len(before)-len(after))
}

// remoteSize is what a remote takes after its upkeep, and its largest blob, both in 10^6 bytes.
func (w *syncWorld) remoteSize() (whole, largest float64, err error) {
	if out, err := exec.Command("git", "-C", w.bare, "gc", "-q").CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("git gc: %w: %s", err, out)
	}
	out, err := exec.Command("git", "-C", w.bare, "cat-file", "--batch-all-objects", "--batch-check=%(objectsize) %(objecttype)").Output()
	for line := range strings.Lines(string(out)) {
		size, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseFloat(size, 64); err == nil && kind == "blob" {
			largest = max(largest, n/1e6)
		}
	}
	return float64(treeSize(w.bare)) / 1e6, largest, errors.Join(err)
}
