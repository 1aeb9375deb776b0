package session

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// nodeIDs are the ids of all nodes of a session, in their order.
func nodeIDs(t *testing.T, x *Session) (out []string) {
	t.Helper()
	for _, n := range all(t, x) {
		out = append(out, n.ID)
	}
	return out
}

func TestWhatOtherGitCommandsDoWhileTheServiceRunsLosesNothing(t *testing.T) {
	for name, script := range map[string][]string{
		"gc":               {"gc -q"},
		"gc of everything": {"reflog expire --expire=now --all", "gc -q --prune=now"},
		"repack":           {"repack -adq"},
		"loose":            {"unpack"},
		"pack-refs":        {"pack-refs --all"},
		"older commit":     {"checkout -q HEAD~3"},
		"new branch":       {"checkout -q -b x", "commit -q --allow-empty -m mine"},
		"back and forth":   {"checkout -q HEAD~2", "checkout -q main"},
		"own file":         {"write notes", "add notes", "commit -q -m notes"},
		"clean":            {"clean -fdq"},
		"reset":            {"reset -q --hard"},
		"stash":            {"stash -q"},
	} {
		for _, cold := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, cold %v", name, cold), func(t *testing.T) {
				x := ensure(t, newStore(t), "a")
				for turn := 1; turn <= 6; turn++ {
					add(t, x, cold, true, talk(turn, turn+1)...)
				}
				add(t, x, false, false, talk(7, 8)...) // the open turn
				for _, line := range script {
					runScript(t, x.Dir(), line)
				}
				add(t, x, false, true, talk(8, 10)...)
				var want []string
				for _, n := range talk(1, 10) {
					want = append(want, n.ID)
				}
				for _, y := range []*Session{x, reopened(t, x)} {
					if got := nodeIDs(t, y); !slices.Equal(got, want) {
						t.Errorf("%d nodes, want %d; problems %q", len(got), len(want), y.Problems())
					}
				}
				if n := strings.Count(stock(t, x.Dir(), "log", "--format=%s", "main"), "turn "); n != 9 {
					t.Errorf("main has %d turns", n)
				}
				if out := stock(t, x.Dir(), "fsck", "--strict", "--full", "--no-dangling"); out != "" {
					t.Errorf("git fsck says: %s", out)
				}
			})
		}
	}
}

func runScript(t *testing.T, dir, line string) {
	t.Helper()
	args := strings.Fields(line)
	switch args[0] {
	case "write":
		if err := os.WriteFile(filepath.Join(dir, args[1]), []byte("mine\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	case "unpack": // every object into a file of its own
		packs, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "*.pack"))
		if err != nil || len(packs) == 0 {
			t.Fatal(packs, err)
		}
		for _, p := range packs {
			away := filepath.Join(t.TempDir(), "p.pack")
			if err := os.Rename(p, away); err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(strings.TrimSuffix(p, ".pack") + ".idx")
			f, err := os.Open(away)
			if err != nil {
				t.Fatal(err)
			}
			c := exec.Command("git", "unpack-objects", "-q")
			c.Dir, c.Stdin = dir, f
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, out)
			}
			_ = f.Close()
		}
	default:
		stock(t, dir, args...)
	}
}

func TestDamageToOneNodeIsNamedAndTheRestIsRead(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, true, true, talk(1, 5)...)
	runScript(t, x.Dir(), "unpack")
	bad := talk(2, 3)[2]
	tree := stock(t, x.Dir(), "ls-tree", "-r", "main")
	i := strings.Index(tree, bad.ID)
	blob := tree[:i][strings.LastIndex(tree[:i], "blob ")+5:][:40]
	for name, spoil := range map[string]func(string) error{
		"missing": os.Remove,
		"cut off": func(p string) error { return os.WriteFile(p, []byte("x"), 0o600) },
	} {
		path := filepath.Join(x.Dir(), ".git", "objects", blob[:2], blob[2:])
		_ = os.Chmod(path, 0o600)
		if err := spoil(path); err != nil && name == "missing" {
			t.Fatal(err)
		}
		y := reopened(t, x)
		if _, err := y.Node(bad.ID); err == nil || !strings.Contains(err.Error(), blob) || !strings.Contains(err.Error(), x.Dir()) {
			t.Errorf("%s: %v", name, err)
		}
		for _, n := range append(talk(1, 2), talk(4, 5)...) {
			if got, err := y.Node(n.ID); err != nil || got.Output != n.Output {
				t.Errorf("%s: node %s: %v", name, n.ID, err)
			}
		}
		if nodes, err := y.Turn(4); err != nil || len(nodes) != 5 {
			t.Errorf("%s: the newest turn: %d nodes, %v", name, len(nodes), err)
		}
		if list, err := y.Commits(); err != nil || len(list) != 4 {
			t.Errorf("%s: %d commits, %v", name, len(list), err)
		}
	}
	add(t, reopened(t, x), false, true, talk(5, 6)...) // capture goes on
	if n := reopened(t, x).Len(); n != 25 {
		t.Errorf("%d nodes", n)
	}
}

func TestADamagedNewestCommitIsNamedWithItsRemedy(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, true, true, talk(1, 5)...)
	packs, _ := filepath.Glob(filepath.Join(x.Dir(), ".git", "objects", "pack", "*"))
	for _, p := range packs {
		if err := os.Remove(p); err != nil {
			t.Fatal(err)
		}
	}
	y := reopened(t, x)
	if p := y.Problems(); len(p) == 0 || !strings.Contains(p[0], x.Dir()) || !strings.Contains(p[0], "backup") {
		t.Errorf("problems %q", p)
	}
	found := Examine(x.Dir(), time.Now())
	if len(found) != 1 || !found[0].Broken || !strings.Contains(found[0].Text, x.Dir()) || found[0].Remedy == "" {
		t.Errorf("%+v", found)
	}
}

func TestALockThatAGitCommandLeftIsNamedAndTurnsAreCommittedMeanwhile(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, false, true, talk(1, 3)...)
	lock := filepath.Join(x.Dir(), ".git", "index.lock")
	if err := os.WriteFile(lock, []byte("DIRC"), 0o600); err != nil {
		t.Fatal(err)
	}
	add(t, x, false, true, talk(3, 4)...)
	if n := len(shas(t, x)); n != 3 {
		t.Errorf("%d commits", n)
	}
	if found := Examine(x.Dir(), time.Now()); len(found) != 0 {
		t.Errorf("a young lock is a fault: %+v", found)
	}
	found := Examine(x.Dir(), time.Now().Add(time.Hour))
	if len(found) != 1 || found[0].Broken || !strings.Contains(found[0].Text, lock) || !strings.Contains(found[0].Remedy, "rm "+lock) {
		t.Errorf("%+v", found)
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	add(t, x, false, true, talk(4, 5)...)
	clean(t, x)
	sound(t, x)
}

func TestExamineSaysNothingOfASoundSessionAndNamesWhatIsNone(t *testing.T) {
	s := newStore(t)
	x := ensure(t, s, "a")
	add(t, x, false, true, talk(1, 3)...)
	add(t, x, false, false, talk(3, 4)...)
	if found := Examine(x.Dir(), time.Now()); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if found := Examine(filepath.Join(s.opts.Dir, "gone"), time.Now()); len(found) != 0 {
		t.Errorf("a folder that is gone: %+v", found)
	}
	for name, meta := range map[string]string{"empty": "", "broken": "{"} {
		dir := filepath.Join(s.opts.Dir, name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, metaFile), []byte(meta), 0o600); err != nil {
			t.Fatal(err)
		}
		if found := Examine(dir, time.Now()); len(found) != 1 || !strings.Contains(found[0].Remedy, dir) {
			t.Errorf("%s: %+v", name, found)
		}
	}
	torn := filepath.Join(x.Dir(), historyDir, nodeName(16, "user", "torn"))
	if err := os.WriteFile(torn, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found := Examine(x.Dir(), time.Now()); len(found) != 1 || !strings.Contains(found[0].Text, filepath.Base(torn)) {
		t.Errorf("%+v", found)
	}
}

func TestALostHEADIsNamedAndMadeAgainWhenTheSessionIsThawedOrPacked(t *testing.T) {
	x := ensure(t, newStore(t), "a")
	add(t, x, false, true, talk(1, 3)...)
	for name, mend := range map[string]func() error{"packed": x.Compact, "thawed": x.Thaw} {
		if err := os.Remove(filepath.Join(x.Dir(), ".git", "HEAD")); err != nil {
			t.Fatal(err)
		}
		if found := Examine(x.Dir(), time.Now()); len(found) != 1 || !strings.Contains(found[0].Text, "HEAD") || !strings.Contains(found[0].Remedy, "dormouse open "+x.Meta().ID) {
			t.Errorf("%s: %+v", name, found)
		}
		if err := mend(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		clean(t, x)
		if found := Examine(x.Dir(), time.Now()); len(found) != 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// tinyDisk is a folder on a disk of its own of so many kilobytes.
func tinyDisk(t *testing.T, kilobytes int) string {
	t.Helper()
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("a small disk can only be mounted by root on Linux")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dk", kilobytes), "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("this system does not let us mount a small disk: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	return dir
}

// TestADiskThatIsFullAtAnyWriteLosesNothingThatWasCommitted leaves less and less room, so that each write of a turn is the one that
// fails, and then gives room again.
func TestADiskThatIsFullAtAnyWriteLosesNothingThatWasCommitted(t *testing.T) {
	disk := tinyDisk(t, 8<<10)
	s := New(Options{Dir: filepath.Join(disk, "sessions")})
	x := ensure(t, s, "a")
	add(t, x, false, true, talk(1, 2)...)
	filler, turn, failures := filepath.Join(disk, "filler"), 2, 0
	for pages := range 24 { // of 4 KB
		fillUpTo(t, filler, pages)
		b := x.Begin(pages%3 == 2)
		var err error
		for _, n := range talk(turn, turn+1) {
			if _, err = b.Append(n); err != nil {
				break
			}
		}
		if err == nil {
			err = b.Close(true)
		} else {
			b.Abort()
		}
		if err != nil {
			failures++
			if !strings.Contains(err.Error(), "no space left") || !strings.Contains(err.Error(), disk) && !strings.Contains(err.Error(), x.id) {
				t.Errorf("%d pages: %v", pages, err)
			}
		}
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		y := reopened(t, x)
		if n := y.Len(); n < 5*(turn-1) {
			t.Fatalf("%d pages: %d nodes, %d were committed", pages, n, 5*(turn-1))
		}
		add(t, x, false, true, talk(turn, turn+1)...) // what is there already is skipped
		turn++
		if n := len(nodeIDs(t, reopened(t, x))); n != 5*(turn-1) {
			t.Fatalf("%d pages: %d nodes with room again, want %d", pages, n, 5*(turn-1))
		}
	}
	if failures < 5 {
		t.Errorf("only %d turns met a full disk", failures)
	}
	if out := stock(t, x.Dir(), "fsck", "--strict", "--full", "--no-dangling"); out != "" {
		t.Errorf("git fsck says: %s", out)
	}
	clean(t, x)
}

// fillUpTo writes a file until the disk has just this many pages left.
func fillUpTo(t *testing.T, path string, pages int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size := int64(0)
	for page := make([]byte, 4096); ; size += int64(len(page)) {
		if _, err := f.Write(page); err != nil {
			break
		}
	}
	if err := f.Truncate(max(0, size-int64(pages)*4096)); err != nil {
		t.Fatal(err)
	}
}
