package gitsync

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/ledger"
	"dormouse/store/memory"
)

var day = time.Date(2026, 6, 18, 12, 0, 0, 0, time.UTC)

// machine is one state folder with its memory, open.
type machine struct {
	t       testing.TB
	id, dir string
	repo    *gitrepo.Repo
	ledger  *ledger.Ledger
	sync    *Syncer
	clock   time.Time
	joined  int
	connect func(string) Remote
	step    func(string) error
	keys    string // of encrypted remotes
	through func(*gitrepo.Repo, string) Remote
}

// newMachine makes a state folder for a machine, with a memory that holds nothing.
func newMachine(t testing.TB, id string) *machine {
	t.Helper()
	return machineAt(t, filepath.Join(t.TempDir(), id), id)
}

func machineAt(t testing.TB, dir, id string) *machine {
	t.Helper()
	m := &machine{t: t, id: id, dir: dir, clock: day}
	m.open()
	return m
}

// open opens the memory, as a service does when it starts.
func (m *machine) open() {
	m.t.Helper()
	if err := home.Mkdir(m.dir); err != nil {
		m.t.Fatal(err)
	}
	m.repo = gitrepo.Open(m.dir)
	m.repo.Cold = Cold
	if err := errors.Join(m.repo.Init([]string{"/timeline/", "/graph/", "/tags/", "/*.jsonl", "/quarantine/", ".tmp-*"}), m.repo.RemoveTemps()); err != nil {
		m.t.Fatal(err)
	}
	m.ledger = ledger.New(ledger.Options{Dir: m.dir, Machine: m.id, Now: func() time.Time { return m.clock },
		Commit: func(paths []string, message string, when time.Time) error {
			_, err := m.repo.CommitFiles(paths, message, when.Unix())
			return err
		}})
	if err := m.ledger.Open(); err != nil {
		m.t.Fatal(err)
	}
	m.sync = New(Options{Repo: m.repo, Machine: m.id, Commit: m.ledger.Commit, Erasures: m.ledger.Erasures, Connect: m.connect, ConnectSealed: m.through,
		Keys: m.keys, Name: "laptop " + m.id, Now: func() time.Time { return m.clock },
		Pause: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }, Jitter: func() float64 { return 0.5 },
		Joined: func(context.Context) (int, error) {
			m.joined++
			n, err := m.ledger.Reload()
			if err == nil {
				_, err = m.ledger.Render()
			}
			return n, err
		}})
	if m.step != nil {
		m.sync.step = m.step
	}
}

// learn makes the machine decide on events with these summaries.
func (m *machine) learn(summaries ...string) {
	m.t.Helper()
	if err := m.tryLearn(summaries...); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) tryLearn(summaries ...string) error {
	var ds []memory.Decision
	var nodes []string
	for _, s := range summaries {
		d := addOf(m.t, s)
		ds = append(ds, d)
		nodes = append(nodes, nodeOf(s))
	}
	return m.ledger.Append(ds, memory.Run{Kind: "light", Extractor: "rules", Coverage: []memory.Coverage{{SessionID: "s_" + m.id, NodeIDs: nodes}}})
}

// nodeOf is the node that an event comes from. Its id tells nothing of the event, as real ones do not.
func nodeOf(summary string) string { return memory.NodeID("test", summary) }

func eventOf(summary string) memory.Event {
	at := day.Unix() - int64(len(summary))*86400
	e := memory.Event{Summary: summary, Kind: memory.KindWork, Scope: memory.ProjectScope("p"), Trust: memory.TrustAgent,
		Provenance: memory.Provenance{ProjectID: "p", SessionID: "s1", NodeIDs: []string{nodeOf(summary)}, EventTime: &at, IngestionTime: day.Unix()}}
	e.ID = memory.EventID(memory.EventClaim(&e))
	return e
}

func addOf(t testing.TB, summary string) memory.Decision {
	e := eventOf(summary)
	raw, err := memory.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	return memory.Decision{Action: memory.ActionAdd, Accepted: true, Reason: "stated", PolicyVersion: memory.PolicyVersion, By: "rule",
		Proposal: memory.Proposal{Kind: memory.RecordEvent, ClaimKey: memory.EventClaim(&e), RecordID: e.ID, Scope: e.Scope, Record: raw}}
}

func (m *machine) setup(url string) Result {
	m.t.Helper()
	res, err := m.sync.Setup(m.t.Context(), url, false)
	if err != nil {
		m.t.Fatalf("%s: set up: %v", m.id, err)
	}
	return res
}

func (m *machine) exchange() Result {
	m.t.Helper()
	res, err := m.sync.Sync(m.t.Context())
	if err != nil {
		m.t.Fatalf("%s: sync: %v", m.id, err)
	}
	return res
}

// knows lists the events of the machine's timeline.
func (m *machine) knows() string {
	var out []string
	m.ledger.Read(func(s *memory.State) {
		for _, e := range s.Timeline() {
			out = append(out, e.Summary)
		}
	})
	slices.Sort(out)
	return strings.Join(out, ",")
}

func (m *machine) log(machine string) string {
	return filepath.Join(m.dir, "log", machine, "2026-06-18.jsonl")
}

func (m *machine) head() gitrepo.OID {
	m.t.Helper()
	oid, err := m.repo.Ref(gitrepo.MainBranch)
	if err != nil {
		m.t.Fatal(err)
	}
	return oid
}

// published is what the memory shows to people: every file but logs and git's own.
func (m *machine) published() string {
	m.t.Helper()
	if _, err := m.ledger.Render(); err != nil {
		m.t.Fatal(err)
	}
	return files(m.t, m.dir, "timeline", "graph")
}

// files are the names and contents of all files below folders of dir.
func files(t testing.TB, dir string, below ...string) string {
	t.Helper()
	var b strings.Builder
	for _, top := range below {
		err := filepath.WalkDir(filepath.Join(dir, top), func(p string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(p)
			rel, _ := filepath.Rel(dir, p)
			fmt.Fprintf(&b, "== %s\n%s", filepath.ToSlash(rel), data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// sound makes sure that git finds nothing wrong and nothing uncommitted, and that every log's chain holds.
func (m *machine) sound() {
	m.t.Helper()
	if out := git(m.t, m.dir, "fsck", "--strict", "--full", "--no-dangling"); out != "" {
		m.t.Errorf("%s: git fsck says %s", m.id, out)
	}
	if out := git(m.t, m.dir, "status", "--porcelain"); out != "" {
		m.t.Errorf("%s: git status says\n%s", m.id, out)
	}
	if _, faults, err := m.ledger.Verify(); err != nil || len(faults) > 0 {
		m.t.Errorf("%s: %v %v", m.id, faults, err)
	}
	if p := m.ledger.Problems(); len(p) > 0 {
		m.t.Errorf("%s: problems %q", m.id, p)
	}
}

// git runs the git command and returns what it prints.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := tryGit(dir, args...)
	if err != nil {
		t.Fatalf("git %s in %s: %v\n%s", strings.Join(args, " "), dir, err, out)
	}
	return out
}

func tryGit(dir string, args ...string) (string, error) {
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := c.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// shell runs a script of git commands in a folder.
func shell(dir, script string) (string, error) {
	c := exec.Command("sh", "-ec", script)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := c.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// bare makes an empty repository to exchange through.
func bare(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "remote.git")
	git(t, t.TempDir(), "init", "-q", "--bare", "-b", "main", dir)
	return dir
}

// tamper changes the remote's main branch by a clone, as somebody with a git command would.
func tamper(t testing.TB, remote string, change func(dir string)) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, t.TempDir(), "clone", "-q", "-b", "main", remote, dir)
	change(dir)
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "tamper")
	git(t, dir, "push", "-q", "origin", "HEAD:main")
}

func edit(t testing.TB, path string, change func(string) string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(change(string(b))), 0o600); err != nil {
		t.Fatal(err)
	}
}

// gitIn is git with something to read.
func gitIn(t testing.TB, dir string, in *os.File, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Stdin = dir, in
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}
