package gitsync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/gitrepo"
)

// pair is two machines in step through a remote, with two events each.
func pair(t *testing.T) (remote string, a, b *machine) {
	t.Helper()
	remote, a, b = bare(t), newMachine(t, "aa"), newMachine(t, "bb")
	a.learn("a1", "a2")
	b.learn("b1", "b2")
	a.setup(remote)
	b.setup(remote)
	a.exchange()
	return remote, a, b
}

func TestCaseY3ARewoundRemoteIsRefusedAndComesBackWhenTheMachineSaysSo(t *testing.T) {
	t.Parallel()
	for name, rewind := range map[string]func(t *testing.T, remote, first string){
		"rewound": func(t *testing.T, remote, first string) { git(t, remote, "update-ref", "refs/heads/main", first) },
		"emptied": func(t *testing.T, remote, _ string) { git(t, remote, "update-ref", "-d", "refs/heads/main") },
		"replaced": func(t *testing.T, remote, _ string) {
			tree := git(t, remote, "mktree")
			git(t, remote, "update-ref", "refs/heads/main", git(t, remote, "commit-tree", "-m", "other", tree))
		},
		"replaced by another memory": func(t *testing.T, remote, _ string) {
			c := newMachine(t, "cc")
			c.learn("c1")
			other := bare(t)
			c.setup(other)
			git(t, remote, "fetch", "-q", other, "+main:main")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			remote, a, b := pair(t)
			first := git(t, remote, "rev-list", "--max-parents=0", "main")
			first, _, _ = strings.Cut(first, "\n")
			a.learn("a3")
			before, logs := a.head(), files(t, a.dir, "log")
			rewind(t, remote, first)
			now, _ := tryGit(remote, "rev-parse", "-q", "--verify", "main")
			for range 2 {
				_, err := a.sync.Sync(t.Context())
				if !errors.Is(err, ErrRewound) || !strings.Contains(err.Error(), "dormouse sync restore-remote") {
					t.Fatalf("%v", err)
				}
			}
			if got, _ := tryGit(remote, "rev-parse", "-q", "--verify", "main"); got != now || files(t, a.dir, "log") != logs {
				t.Error("something was sent or changed")
			}
			if ok, err := a.repo.Reader().Descends(a.head(), before); err != nil || !ok {
				t.Errorf("the own branch lost commits: %v", err)
			}
			if _, err := a.sync.Setup(t.Context(), remote, false); !errors.Is(err, ErrRewound) {
				t.Errorf("setting up again is no agreement: %v", err)
			}
			if res, err := a.sync.Setup(t.Context(), remote, true); err != nil || !res.Sent {
				t.Fatalf("%+v %v", res, err)
			}
			b.exchange() // sees that nothing is missing
			a.exchange()
			want := "a1,a2,a3,b1,b2"
			if name == "replaced by another memory" {
				want += ",c1"
			}
			if a.knows() != want || b.knows() != want || a.head() != b.head() {
				t.Errorf("a knows %s, b %s", a.knows(), b.knows())
			}
			a.sound()
			b.sound()
		})
	}
}

func TestRemoteThatIsGoneOrOfflineLeavesTheMemoryAndSaysWhatHelps(t *testing.T) {
	t.Parallel()
	remote, a, _ := pair(t)
	aside := remote + ".away"
	if err := os.Rename(remote, aside); err != nil {
		t.Fatal(err)
	}
	a.learn("a3")
	logs := files(t, a.dir, "log")
	if _, err := a.sync.Sync(t.Context()); err == nil || !strings.Contains(err.Error(), "git init --bare") || !strings.Contains(err.Error(), remote) {
		t.Errorf("%v", err)
	}
	if files(t, a.dir, "log") != logs || a.knows() != "a1,a2,a3,b1,b2" {
		t.Error("the memory changed")
	}
	for url, want := range map[string]string{
		"http://127.0.0.1:1/memory.git": "offline",
		"ssh://127.0.0.1:1/memory.git":  "offline",
	} {
		if _, err := a.sync.Setup(t.Context(), url, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", url, err)
		}
	}
	if url, err := a.sync.Remote(); err != nil || url != remote {
		t.Errorf("a remote that does not work was set: %q %v", url, err)
	}
	if err := os.Rename(aside, remote); err != nil {
		t.Fatal(err)
	}
	if res := a.exchange(); !res.Sent {
		t.Errorf("%+v", res)
	}
	a.sound()
}

func TestRepositoryOfSomethingElseIsNotJoinedAndAFreshOneOfAForgeIs(t *testing.T) {
	t.Parallel()
	for file, refused := range map[string]bool{"main.go": true, "README.md": false} {
		remote, a := bare(t), newMachine(t, "aa")
		a.learn("one")
		clone := t.TempDir()
		git(t, clone, "clone", "-q", remote, ".")
		edit(t, filepath.Join(clone, file), func(string) string { return "text" })
		git(t, clone, "add", "-A")
		git(t, clone, "commit", "-q", "-m", "first")
		git(t, clone, "push", "-q", "origin", "HEAD:main")
		_, err := a.sync.Setup(t.Context(), remote, false)
		if refused != errors.Is(err, ErrNotMemory) || !refused && err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if got := git(t, remote, "ls-tree", "-r", "--name-only", "main"); !strings.Contains(got, file) || refused == strings.Contains(got, "log/") {
			t.Errorf("%s: the remote holds %q", file, got)
		}
		if _, err := os.Stat(filepath.Join(a.dir, file)); err == nil {
			t.Errorf("%s was written to the memory", file)
		}
	}
}

func TestARepositoryWithAnotherBranchThanMainIsNotBegunIn(t *testing.T) {
	t.Parallel()
	remote, a := bare(t), withKeys(t, "aa")
	a.learn("one")
	clone := t.TempDir()
	git(t, clone, "clone", "-q", remote, ".")
	edit(t, filepath.Join(clone, "main.go"), func(string) string { return "text" })
	git(t, clone, "add", "-A")
	git(t, clone, "commit", "-q", "-m", "first")
	git(t, clone, "push", "-q", "origin", "HEAD:master", "HEAD:topic/one")
	before := git(t, remote, "for-each-ref")
	for how, setup := range map[string]func(context.Context, string, bool) (Result, error){"plain": a.sync.Setup, "encrypted": a.sync.SetupSealed} {
		if _, err := setup(t.Context(), remote, false); !errors.Is(err, ErrNotMemory) || !strings.Contains(err.Error(), "it has the branch master and no main") {
			t.Errorf("%s: %v", how, err)
		}
	}
	if after := git(t, remote, "for-each-ref"); after != before {
		t.Errorf("the remote changed: %s", after)
	}
	if url, err := a.sync.Remote(); err != nil || url != "" {
		t.Errorf("the remote was set: %q %v", url, err)
	}
}

func TestDamagedFileOfAnotherMachineIsMadeWholeAgain(t *testing.T) {
	t.Parallel()
	_, a, b := pair(t)
	for name, harm := range map[string]func(string){
		"deleted":   func(p string) { _ = os.Remove(p) },
		"emptied":   func(p string) { edit(t, p, func(string) string { return "" }) },
		"overwrite": func(p string) { edit(t, p, func(s string) string { return strings.ToUpper(s) }) },
	} {
		harm(a.log("bb"))
		a.open()
		a.exchange()
		if a.knows() != "a1,a2,b1,b2" {
			t.Errorf("%s: a knows %s", name, a.knows())
		}
	}
	a.sound()
	b.sound()
}

func TestDeletedRepositoryOfTheMemoryIsFilledAgain(t *testing.T) {
	t.Parallel()
	_, a, b := pair(t)
	url, err := a.sync.Remote()
	if err != nil {
		t.Fatal(err)
	}
	a.clock = a.clock.AddDate(0, 0, 1)
	a.learn("a3")
	a.clock = a.clock.AddDate(0, 0, 1)
	a.learn("a4")
	a.clock = a.clock.AddDate(0, 0, 1)
	a.learn("a5")
	if err := os.RemoveAll(filepath.Join(a.dir, ".git")); err != nil {
		t.Fatal(err)
	}
	a.open()
	a.setup(url)
	b.exchange()
	if a.knows() != "a1,a2,a3,a4,a5,b1,b2" || a.published() != b.published() {
		t.Errorf("a knows %s, b %s", a.knows(), b.knows())
	}
	a.sound()
}

func TestSyncCanBeOffAndSaysSo(t *testing.T) {
	t.Parallel()
	remote, a, _ := pair(t)
	if err := a.sync.Off(t.Context()); err != nil {
		t.Fatal(err)
	}
	if url, err := a.sync.Remote(); err != nil || url != "" {
		t.Errorf("%q %v", url, err)
	}
	if _, err := a.sync.Sync(t.Context()); !errors.Is(err, ErrOff) {
		t.Errorf("%v", err)
	}
	if got := git(t, a.dir, "remote"); got != "" {
		t.Errorf("git still knows %q", got)
	}
	a.setup(remote)
	if got := git(t, a.dir, "remote", "get-url", "origin"); got != remote {
		t.Errorf("git knows %q", got)
	}
	if got := git(t, a.dir, "config", "core.checkStat"); got != "minimal" {
		t.Errorf("setting up changed other settings: %q", got)
	}
	a.sound()
}

func TestCaseY5MachinesGoOnAfterGitCollectedTheRemoteAndPackedTheMemory(t *testing.T) {
	t.Parallel()
	remote, a, b := pair(t)
	for i := range 3 {
		a.learn(fmt.Sprint("x", i))
		a.exchange()
		git(t, remote, "gc", "-q", "--prune=now")
		git(t, a.dir, "gc", "-q", "--prune=now")
		b.exchange()
	}
	if a.knows() != b.knows() || !strings.Contains(b.knows(), "x2") {
		t.Errorf("b knows %s", b.knows())
	}
	if ref, err := a.repo.Ref(metRef(remote)); err != nil || ref == (gitrepo.OID{}) {
		t.Errorf("packing lost what is known of the remote: %v", err)
	}
	a.sound()
	b.sound()
}
