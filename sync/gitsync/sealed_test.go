package gitsync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/store/gitrepo"
	"dormouse/sync/seal"
)

// withKeys is a machine that can use encrypted remotes.
func withKeys(t testing.TB, id string) *machine {
	t.Helper()
	dir := t.TempDir()
	m := &machine{t: t, id: id, dir: filepath.Join(dir, id), clock: day, keys: filepath.Join(dir, id+".keys")}
	m.open()
	return m
}

func (m *machine) setupSealed(url string) {
	m.t.Helper()
	if _, err := m.sync.SetupSealed(m.t.Context(), url, false); err != nil {
		m.t.Fatalf("%s: set up: %v", m.id, err)
	}
}

// letIn has one machine join by a code of another, which goes on exchanging meanwhile.
func letIn(t testing.TB, old, young *machine, url string) error {
	t.Helper()
	code, _, err := old.sync.Invite()
	if err != nil {
		t.Fatal(err)
	}
	return joinBy(t, old, young, url, code)
}

func joinBy(t testing.TB, old, young *machine, url, code string) error {
	young.sync.o.Pause = func(context.Context, time.Duration) error {
		young.clock = young.clock.Add(time.Minute)
		_, err := old.sync.Sync(context.Background())
		return err
	}
	_, err := young.sync.Join(t.Context(), url, code)
	young.clock = day
	return err
}

// everything is all that a repository holds, unpacked: contents, trees, commits, refs.
func everything(t testing.TB, remote string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(git(t, remote, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")) {
		oid, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind == "tree" {
			b.WriteString(git(t, remote, "ls-tree", oid) + "\n")
			continue
		}
		b.WriteString(git(t, remote, "cat-file", kind, oid) + "\n")
	}
	return b.String() + git(t, remote, "for-each-ref")
}

func TestEncryptedRemoteShowsNothingAndMachinesEndEqualThroughIt(t *testing.T) {
	t.Parallel()
	a, b, remote := withKeys(t, "aaaa1111"), withKeys(t, "bbbb2222"), bare(t)
	a.learn("the launch code", "a second matter")
	a.setupSealed(remote)
	if err := letIn(t, a, b, remote); err != nil {
		t.Fatal(err)
	}
	b.learn("a third matter")
	b.exchange()
	a.exchange()
	if a.knows() != "a second matter,a third matter,the launch code" || a.knows() != b.knows() || a.published() != b.published() {
		t.Errorf("a knows %s, b %s", a.knows(), b.knows())
	}
	seen := everything(t, remote)
	for _, secret := range []string{"launch", "matter", "aaaa1111", "bbbb2222", "log/", ".jsonl", "laptop", "2026-06-18", "sleep", "Join the logs"} {
		if strings.Contains(seen, secret) {
			t.Errorf("the remote shows %q", secret)
		}
	}
	for _, m := range []*machine{a, b} {
		if res := m.exchange(); res.Sent || res.Received != 0 {
			t.Errorf("%s does not come to rest: %+v", m.id, res)
		}
		m.sound()
	}
	tip := git(t, remote, "rev-parse", "main")
	a.open() // a new process
	if res := a.exchange(); res.Sent || git(t, remote, "rev-parse", "main") != tip {
		t.Errorf("after a new start: %+v", res)
	}
	info, err := os.Stat(a.keys)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the keys: %v %v", info, err)
	}
}

func TestANightsDeltaIsSmallThroughAnEncryptedRemote(t *testing.T) {
	t.Parallel()
	a, remote := withKeys(t, "aa"), bare(t)
	var many []string
	for i := range 3000 {
		many = append(many, fmt.Sprint("something that was learned in a long year, number ", i))
	}
	a.learn(many...)
	a.setupSealed(remote)
	before := size(t, remote)
	log, _ := os.Stat(a.log("aa"))
	a.learn("what one night has brought", "and another thing")
	after, _ := os.Stat(a.log("aa"))
	a.exchange()
	if sent, grew := size(t, remote)-before, after.Size()-log.Size(); sent > 3*grew || sent == 0 {
		t.Errorf("%d bytes were sent for %d bytes of log", sent, grew)
	}
}

// size is how many bytes the files of a repository hold.
func size(t testing.TB, dir string) (n int64) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "objects"), func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		n += info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestOnlyTheShownCodeLetsAMachineInOnceAndInTime(t *testing.T) {
	t.Parallel()
	a, remote := withKeys(t, "aa"), bare(t)
	a.learn("one")
	a.setupSealed(remote)
	if _, err := withKeys(t, "bb").sync.SetupSealed(t.Context(), remote, false); !errors.Is(err, seal.ErrNoDevice) || !strings.Contains(err.Error(), "devices invite") {
		t.Errorf("without a code: %v", err)
	}
	code, until, err := a.sync.Invite()
	if err != nil || !until.Equal(day.Add(inviteTime)) {
		t.Fatal(code, until, err)
	}
	c := withKeys(t, "cc")
	if err := joinBy(t, a, c, remote, "00000-00000"); !errors.Is(err, ErrNoAnswer) || c.knows() != "" {
		t.Errorf("with a guessed code: %v", err)
	}
	if err := joinBy(t, a, c, remote, strings.ToLower(code)); err != nil || c.knows() != "one" {
		t.Errorf("with the code: %v, it knows %s", err, c.knows())
	}
	if err := joinBy(t, a, withKeys(t, "dd"), remote, code); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("with a used code: %v", err)
	}
	code, _, _ = a.sync.Invite()
	a.clock = day.Add(inviteTime)
	if err := joinBy(t, a, withKeys(t, "ee"), remote, code); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("with a code that has run out: %v", err)
	}
	if in, left, err := a.sync.Devices(); err != nil || len(in) != 2 || len(left) != 0 || in[1].Name != "laptop cc" {
		t.Errorf("%+v %+v %v", in, left, err)
	}
}

func TestRevokedMachineReadsNothingMoreAndTheOthersGoOn(t *testing.T) {
	t.Parallel()
	a, b, lost, remote := withKeys(t, "aa"), withKeys(t, "bb"), withKeys(t, "cc"), bare(t)
	a.learn("old secret")
	a.setupSealed(remote)
	for _, m := range []*machine{b, lost} {
		if err := letIn(t, a, m, remote); err != nil {
			t.Fatal(err)
		}
	}
	b.learn("unsent")
	if kept, err := a.sync.Revoke(t.Context(), "cc"); err != nil || kept {
		t.Fatal(kept, err)
	}
	a.learn("new secret")
	a.exchange()
	b.exchange() // it was away meanwhile, and takes the new keys by the old ones
	a.exchange()
	if a.knows() != "new secret,old secret,unsent" || b.knows() != a.knows() {
		t.Errorf("a knows %s, b %s", a.knows(), b.knows())
	}
	lost.learn("poison")
	if _, err := lost.sync.Sync(t.Context()); !errors.Is(err, seal.ErrNoDevice) || lost.knows() != "old secret,poison" {
		t.Errorf("the lost one: %v, it knows %s", err, lost.knows())
	}
	if n := git(t, remote, "rev-list", "--count", "main"); n == "0" || strings.Contains(git(t, remote, "log", "--format=%H %P", "--max-parents=0", "main"), "\n") {
		t.Errorf("%s commits", n)
	}
	// Nothing that is left in the history opens with the keys that the lost one has.
	ring, _, _ := lost.sync.vault.ring(remote)
	opens := 0
	for line := range strings.Lines(git(t, remote, "rev-list", "--objects", "main")) {
		oid, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		if git(t, remote, "cat-file", "-t", oid) != "blob" || !strings.HasPrefix(path, sealedParts) {
			continue
		}
		o, _ := gitrepo.ParseOID(oid)
		_, raw, err := gitrepo.OpenBare(remote).Object(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ring.OpenSegment(raw); err == nil {
			t.Error("the lost machine can read ", path)
		}
		opens++
	}
	if opens == 0 {
		t.Error("no part was looked at")
	}
	if _, err := a.sync.Revoke(t.Context(), "aa"); err == nil {
		t.Error("it revoked itself")
	}
	if _, err := a.sync.Revoke(t.Context(), "cc"); err == nil || !strings.Contains(err.Error(), "dormouse devices") {
		t.Errorf("twice: %v", err)
	}
}
