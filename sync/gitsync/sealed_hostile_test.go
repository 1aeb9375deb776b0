package gitsync

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"dormouse/store/gitrepo"
	"dormouse/sync/seal"
)

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
