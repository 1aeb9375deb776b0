package gitsync

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

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

func TestEraseLeavesNothingOnAnEncryptedRemote(t *testing.T) {
	t.Parallel()
	a, b, remote := withKeys(t, "aa"), withKeys(t, "bb"), bare(t)
	a.learn("keep", "gone for good")
	a.setupSealed(remote)
	if err := letIn(t, a, b, remote); err != nil {
		t.Fatal(err)
	}
	if err := a.erase("gone for good"); err != nil {
		t.Fatal(err)
	}
	if err := a.sync.Erase(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.exchange()
	b.exchange()
	a.exchange()
	for _, m := range []*machine{a, b} {
		if m.knows() != "keep" || strings.Contains(files(t, m.dir, "log"), "gone for good") {
			t.Errorf("%s knows %s", m.id, m.knows())
		}
		if res := m.exchange(); res.Sent {
			t.Errorf("%s does not come to rest", m.id)
		}
		for line := range strings.Lines(git(t, m.dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")) {
			if oid, kind, _ := strings.Cut(strings.TrimSpace(line), " "); kind == "blob" && strings.Contains(git(t, m.dir, "cat-file", "blob", oid), "gone for good") {
				t.Errorf("%s has it in its repository", m.id)
			}
		}
	}
	// All that the remote's history holds, opened.
	ring, _, _ := a.sync.vault.ring(remote)
	for line := range strings.Lines(git(t, remote, "rev-list", "--objects", "main")) {
		oid, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(path, sealedParts) || git(t, remote, "cat-file", "-t", oid) != "blob" {
			continue
		}
		o, _ := gitrepo.ParseOID(oid)
		_, raw, err := gitrepo.OpenBare(remote).Object(o)
		if err != nil {
			t.Fatal(err)
		}
		if seg, err := ring.OpenSegment(raw); err != nil || bytes.Contains(seg.Data, []byte("gone for good")) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestHostileRemoteNeitherTakesNorLeaksAnything has the remote do what it can: it knows the recipients, and may change every file.
func TestHostileRemoteNeitherTakesNorLeaksAnything(t *testing.T) {
	t.Parallel()
	forged := func(t *testing.T, a *machine) []byte {
		id, err := a.sync.vault.identity()
		if err != nil {
			t.Fatal(err)
		}
		evil, _ := age.GenerateX25519Identity()
		r := seal.NewRing(seal.Device{Machine: "ee", Recipient: evil.Recipient().String()}).With(seal.Device{Machine: "aa", Recipient: id.Recipient().String()})
		r.Rewrite = 5
		raw, err := r.Seal()
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	for name, tt := range map[string]struct {
		change func(t *testing.T, a *machine, dir string)
		want   error // nil: the exchange goes on
	}{
		"other keys": {func(t *testing.T, a *machine, dir string) {
			edit(t, filepath.Join(dir, sealedKeys), func(string) string { return string(forged(t, a)) })
		}, seal.ErrNotOurs},
		"no keys":       {func(t *testing.T, _ *machine, dir string) { _ = os.Remove(filepath.Join(dir, sealedKeys)) }, gitrepo.ErrNotFound},
		"no mark":       {func(t *testing.T, _ *machine, dir string) { _ = os.Remove(filepath.Join(dir, sealedMark)) }, ErrRewound},
		"parts taken":   {func(t *testing.T, _ *machine, dir string) { _ = os.RemoveAll(filepath.Join(dir, sealedParts)) }, nil},
		"parts garbled": {func(t *testing.T, _ *machine, dir string) { garble(t, filepath.Join(dir, sealedParts)) }, nil},
		"a plain log": {func(t *testing.T, _ *machine, dir string) {
			edit(t, filepath.Join(dir, "log", "ee", "2026-06-18.jsonl"), func(string) string { return "{}\n" })
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, remote := withKeys(t, "aa"), bare(t)
			a.learn("one")
			a.setupSealed(remote)
			a.learn("two")
			tamper(t, remote, func(dir string) { tt.change(t, a, dir) })
			before := git(t, remote, "rev-parse", "main")
			_, err := a.sync.Sync(t.Context())
			if tt.want != nil && (!errors.Is(err, tt.want) || git(t, remote, "rev-parse", "main") != before) || tt.want == nil && err != nil {
				t.Errorf("%v, want %v", err, tt.want)
			}
			if a.knows() != "one,two" || strings.Contains(everything(t, remote), "two") {
				t.Errorf("it knows %s", a.knows())
			}
			if tt.want != nil {
				return
			}
			b := withKeys(t, "bb") // what was taken is there again
			if err := letIn(t, a, b, remote); err != nil || b.knows() != "one,two" {
				t.Errorf("another machine: %v, it knows %s", err, b.knows())
			}
		})
	}
}

func garble(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			edit(t, path, func(s string) string { return s[:len(s)-1] + "x" })
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRewoundEncryptedRemoteIsRefusedAndRestored(t *testing.T) {
	t.Parallel()
	a, b, remote := withKeys(t, "aa"), withKeys(t, "bb"), bare(t)
	a.learn("one")
	a.setupSealed(remote)
	if err := letIn(t, a, b, remote); err != nil {
		t.Fatal(err)
	}
	first := git(t, remote, "rev-parse", "main")
	a.learn("two")
	a.exchange()
	for name, to := range map[string]string{"rewound": first, "emptied": ""} {
		if to == "" {
			git(t, remote, "update-ref", "-d", "refs/heads/main")
		} else {
			git(t, remote, "update-ref", "refs/heads/main", to)
		}
		if _, err := a.sync.Sync(t.Context()); !errors.Is(err, ErrRewound) || !strings.Contains(err.Error(), "restore-remote") || a.knows() != "one,two" {
			t.Errorf("%s: %v, it knows %s", name, err, a.knows())
		}
		if _, err := a.sync.Setup(t.Context(), remote, true); err != nil {
			t.Fatal(name, err)
		}
		if strings.Contains(everything(t, remote), "aa/") {
			t.Errorf("%s: it was restored in the clear", name)
		}
	}
	if _, err := b.sync.Setup(t.Context(), remote, true); err != nil || b.knows() != "one,two" {
		t.Errorf("the other: %v, it knows %s", err, b.knows())
	}
	// An older ring, which a machine that was revoked since could still use, is no way back in.
	if _, err := a.sync.Revoke(t.Context(), "bb"); err != nil {
		t.Fatal(err)
	}
	git(t, remote, "update-ref", "refs/heads/main", first)
	if _, err := a.sync.Sync(t.Context()); !errors.Is(err, ErrRewound) {
		t.Errorf("to before a machine was revoked: %v", err)
	}
	if _, err := a.sync.Setup(t.Context(), remote, true); err != nil {
		t.Fatal(err)
	}
	if _, err := b.sync.Sync(t.Context()); !errors.Is(err, seal.ErrNoDevice) {
		t.Errorf("the revoked one after that: %v", err)
	}
}
