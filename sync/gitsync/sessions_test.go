package gitsync

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/gitrepo"
)

func parcel(id, stamp, text string) Parcel {
	return Parcel{ID: id, Stamp: stamp, Write: func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}}
}

func (m *machine) carry(want Carried, parcels ...Parcel) {
	m.t.Helper()
	if got, err := m.sync.Carry(m.t.Context(), parcels); err != nil || got != want {
		m.t.Errorf("carried %+v, want %+v: %v", got, want, err)
	}
}

func (m *machine) bring(id string) (string, error) {
	m.t.Helper()
	got := ""
	err := m.sync.Bring(m.t.Context(), id, func(r io.Reader) error {
		raw, err := io.ReadAll(r)
		got = string(raw)
		return err
	})
	return got, err
}

// sessionsOn are the refs of sessions that a remote has.
func sessionsOn(t *testing.T, remote string) []string {
	t.Helper()
	return strings.Fields(git(t, remote, "for-each-ref", "--format=%(refname)", sessionRefs))
}

// long is a text of several parts that does not pack well.
func long() string {
	var b strings.Builder
	for i := range 60_000 {
		b.WriteString(gitrepo.Sum(gitrepo.Blob, []byte{byte(i), byte(i >> 8)}).String())
	}
	return b.String()
}

func TestASessionIsFetchedAloneByWhoNeedsItAndGoesWhenItsMachineSaysSo(t *testing.T) {
	t.Parallel()
	for name, encrypted := range map[string]bool{"plain": false, "encrypted": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			remote, a, b := bare(t), withKeys(t, "aa"), withKeys(t, "bb")
			a.learn("one")
			if encrypted {
				a.setupSealed(remote)
				if err := letIn(t, a, b, remote); err != nil {
					t.Fatal(err)
				}
			} else {
				a.setup(remote)
				b.setup(remote)
			}
			a.exchange()
			text := "a secret said in the session " + long()
			a.carry(Carried{Sent: 2}, parcel("cc_11111111", "1", text), parcel("cc_22222222", "1", "other"))
			refs := sessionsOn(t, remote)
			if len(refs) != 2 || strings.Contains(strings.Join(refs, " "), "cc_1") == encrypted {
				t.Errorf("%q", refs)
			}
			if encrypted && strings.Contains(everything(t, remote), "secret said") {
				t.Error("the remote can read it")
			}
			head := git(t, remote, "rev-parse", "main")
			b.exchange()
			if git(t, remote, "rev-parse", "main") != head || holdsText(t, b.dir, "secret said") != "" {
				t.Error("an exchange of the memory brings sessions, or sends something for them")
			}
			if got, err := b.bring("cc_11111111"); err != nil || got != text {
				t.Errorf("%d bytes of %d, %v", len(got), len(text), err)
			}
			if holdsText(t, b.dir, "secret said") != "" || holdsText(t, a.dir, "secret said") != "" {
				t.Error("what was sent or fetched lies in the repository still")
			}
			if got, err := b.bring("cc_33333333"); !errors.Is(err, ErrNoSession) {
				t.Errorf("%q %v", got, err)
			}
			if stale, err := b.sync.Stale(t.Context(), []string{"cc_11111111", "cc_22222222"}); err != nil || strings.Join(stale, " ") != "cc_22222222" {
				t.Errorf("%q %v", stale, err)
			}
			// Nothing new reaches nothing.
			if err := os.Rename(remote, remote+".away"); err != nil {
				t.Fatal(err)
			}
			a.carry(Carried{}, parcel("cc_11111111", "1", text), parcel("cc_22222222", "1", "other"))
			if err := os.Rename(remote+".away", remote); err != nil {
				t.Fatal(err)
			}
			a.open() // a start in between
			a.carry(Carried{Sent: 1, Removed: 1}, parcel("cc_11111111", "2", "shorter"))
			if got, err := b.bring("cc_11111111"); err != nil || got != "shorter" {
				t.Errorf("%q %v", got, err)
			}
			if _, err := b.bring("cc_22222222"); !errors.Is(err, ErrNoSession) || len(sessionsOn(t, remote)) != 1 {
				t.Errorf("it was taken off, and is there: %v, %q", err, sessionsOn(t, remote))
			}
			git(t, remote, "update-ref", "-d", sessionsOn(t, remote)[0]) // by somebody else
			a.carry(Carried{Removed: 0})
			a.sound()
			b.sound()
		})
	}
}

func TestARevokedMachineCannotReadSessionsThatAreThereAfterwards(t *testing.T) {
	t.Parallel()
	remote, a, b := bare(t), withKeys(t, "aa"), withKeys(t, "bb")
	a.learn("one")
	a.setupSealed(remote)
	if err := letIn(t, a, b, remote); err != nil {
		t.Fatal(err)
	}
	a.exchange()
	a.carry(Carried{Sent: 1}, parcel("cc_11111111", "1", "said"))
	before := sessionsOn(t, remote)
	if _, err := a.sync.Revoke(t.Context(), "bb"); err != nil {
		t.Fatal(err)
	}
	a.carry(Carried{Sent: 1, Removed: 1}, parcel("cc_11111111", "1", "said"))
	if after := sessionsOn(t, remote); len(after) != 1 || after[0] == before[0] {
		t.Errorf("%q, was %q", after, before)
	}
	if _, err := b.bring("cc_11111111"); !errors.Is(err, ErrNoSession) {
		t.Errorf("%v", err)
	}
}

// TestASessionThatWasTamperedWithIsNotTaken has the remote mix, cut and exchange the parts of encrypted sessions.
func TestASessionThatWasTamperedWithIsNotTaken(t *testing.T) {
	t.Parallel()
	remote, a := bare(t), withKeys(t, "aa")
	a.learn("one")
	a.setupSealed(remote)
	text := long()
	a.carry(Carried{Sent: 2}, parcel("cc_11111111", "1", text), parcel("cc_22222222", "1", text))
	ring, _, err := a.sync.vault.ring(remote)
	if err != nil {
		t.Fatal(err)
	}
	ref, other := sessionRefs+ring.SessionName("cc_11111111"), sessionRefs+ring.SessionName("cc_22222222")
	whole := git(t, remote, "rev-parse", ref)
	for name, change := range map[string]string{
		"cut at the end":                "git rm -q --cached parts/000003",
		"a part is gone":                "git rm -q --cached parts/000001",
		"two parts are exchanged":       "a=$(git rev-parse :parts/000000) b=$(git rev-parse :parts/000001); git update-index --cacheinfo 100644,$a,parts/000001 --cacheinfo 100644,$b,parts/000000",
		"a part of another session":     "git update-index --cacheinfo 100644,$(git rev-parse " + other + ":parts/000001),parts/000001",
		"another session in its place":  "git read-tree " + other,
		"a part is no part":             "git update-index --cacheinfo 100644,$(echo x | git hash-object -w --stdin),parts/000000",
		"nothing but the mark is there": "git rm -q -r --cached parts",
	} {
		script := "export GIT_INDEX_FILE=$PWD/tamper.index; git read-tree " + whole + " && " + change + " && git update-ref " + ref + " $(git commit-tree -m x $(git write-tree))"
		if out, err := shell(remote, script); err != nil {
			t.Fatalf("%s: %v %s", name, err, out)
		}
		if git(t, remote, "rev-parse", ref) == whole {
			t.Fatalf("%s: nothing was changed", name)
		}
		if got, err := a.bring("cc_11111111"); err == nil {
			t.Errorf("%s: taken, %d bytes", name, len(got))
		}
	}
	git(t, remote, "update-ref", ref, whole)
	if got, err := a.bring("cc_11111111"); err != nil || got != text {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if list, err := filepath.Glob(filepath.Join(a.dir, ".git", "dormouse-sessions.git", "objects", "??", "*")); err != nil || len(list) > 0 {
		t.Errorf("left: %q %v", list, err)
	}
}
