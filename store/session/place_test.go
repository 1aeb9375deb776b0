package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"dormouse/store/memory"
)

// bound is a store whose sessions of the project proj_1 are to live in the folder that it returns, a repository with one commit.
type bound struct {
	*Store
	project string // "" binds nothing
	root    string // holds the project's folder and others
}

func newBound(t *testing.T) *bound {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bound{root: root, project: filepath.Join(root, "shop")}
	userRepo(t, b.project)
	b.Store = b.again(t)
	return b
}

// again is the store as the next start of the service finds it.
func (b *bound) again(t *testing.T) *Store {
	t.Helper()
	dir := filepath.Join(b.root, "state", "sessions")
	if b.Store != nil {
		dir = b.opts.Dir
	}
	return New(Options{Dir: dir, Machine: "00000001", Temps: []string{}, Inside: func(m memory.Session) string {
		if m.ProjectID != "proj_1" {
			return ""
		}
		return b.project
	}})
}

func userRepo(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	stock(t, dir, "init", "-q", "-b", "main")
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	stock(t, dir, "add", "-A")
	stock(t, dir, "commit", "-qm", "First")
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func listed(t *testing.T, s *Store) (ids []string) {
	t.Helper()
	valid, invalid, err := s.List()
	if err != nil || len(invalid) > 0 {
		t.Fatalf("%v %v", invalid, err)
	}
	for _, m := range valid {
		ids = append(ids, m.ID)
	}
	return ids
}

func TestCaseX3ASessionOfABoundProjectLivesInItsFolderAndIsNeverSeenByItsGit(t *testing.T) {
	b := newBound(t)
	x := ensure(t, b.Store, "a")
	if exists(filepath.Join(b.project, ownDir)) {
		t.Error("something was made before the first message")
	}
	before := stock(t, b.project, "ls-files", "--stage")
	add(t, x, false, true, talk(1, 3)...)
	if want := filepath.Join(b.project, ".dormouse", "sessions", x.id); x.Dir() != want {
		t.Fatalf("it lives in %s, not in %s", x.Dir(), want)
	}
	if out := stock(t, b.project, "status", "--porcelain", "--untracked-files=all"); out != "" {
		t.Errorf("git status of the project says %q", out)
	}
	stock(t, b.project, "add", "-A")
	if after := stock(t, b.project, "ls-files", "--stage"); after != before {
		t.Errorf("git add -A took in:\n%s", after)
	}
	sound(t, x)
	clean(t, x)
	for _, dir := range []string{filepath.Join(b.project, ownDir), inside(b.project), x.Dir()} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v %v", dir, info.Mode(), err)
		}
	}
	for _, name := range []string{metaFile, "history/" + nodeName(1, memory.RoleUser, talk(1, 2)[0].ID)} {
		if info, err := os.Stat(filepath.Join(x.Dir(), name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", name, err)
		}
	}
	y, err := b.again(t).Open(x.id)
	if err != nil || y.Len() != 10 || y.Dir() != x.Dir() {
		t.Errorf("found again: %v", err)
	}
	if same, err := b.again(t).Ensure(x.Meta(), "cc"); err != nil || same.Dir() != x.Dir() {
		t.Errorf("its agent goes on with another one: %v", err)
	}
}

func TestAllOtherSessionsLiveInTheStateFolderAndBothAreListedOnce(t *testing.T) {
	b := newBound(t)
	x := ensure(t, b.Store, "a")
	other, err := b.Ensure(memory.Session{Agent: "codex", AgentSessionID: "b", ProjectID: "proj_2"}, "cx")
	if err != nil {
		t.Fatal(err)
	}
	add(t, other, true, true, talk(1, 5)...)
	add(t, x, true, true, talk(1, 3)...)
	if other.Dir() != b.path(other.id) {
		t.Errorf("the other project's session lives in %s", other.Dir())
	}
	if got := listed(t, b.again(t)); !slices.Equal(got, []string{other.id, x.id}) { // the newer first, whatever its place
		t.Errorf("listed %v", got)
	}
	// A session that is in both places, as when a move was interrupted, is listed once, as the project's folder has it.
	if out, err := exec.Command("cp", "-r", x.Dir(), b.path(x.id)).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if got := listed(t, b.again(t)); len(got) != 2 {
		t.Errorf("listed %v", got)
	}
}

func TestRenameAndPinDoNotMoveASession(t *testing.T) {
	s := newStore(t)
	for i, n := range []int{2, 4, 3} {
		add(t, ensure(t, s, string(rune('a'+i))), true, true, talk(1, n)...)
	}
	before := listed(t, s)
	x, err := s.Open(before[2])
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Update(func(m *memory.Session) { m.Title, m.TitleBy, m.Pinned = "Mine", "user", true }); err != nil {
		t.Fatal(err)
	}
	if after := listed(t, New(s.opts)); !slices.Equal(before, after) {
		t.Errorf("%v became %v", before, after)
	}
	if m := reopened(t, x).Meta(); !m.Pinned || m.Title != "Mine" {
		t.Errorf("%+v", m)
	}
}

func TestSessionsNeverLiveWhereARemovalWouldLoseThem(t *testing.T) {
	b := newBound(t)
	linked := filepath.Join(b.root, "linked")
	stock(t, b.project, "worktree", "add", "-q", linked, "-b", "side")
	sub := filepath.Join(b.project, "lib")
	other := filepath.Join(b.root, "other")
	userRepo(t, other)
	stock(t, b.project, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "lib")
	bare := filepath.Join(b.root, "bare.git")
	stock(t, b.root, "init", "-q", "--bare", bare)
	file := filepath.Join(b.root, "file")
	temp := filepath.Join(b.root, "temp", "shop")
	blocked, foreign := filepath.Join(b.root, "blocked"), filepath.Join(b.root, "foreign")
	linkedOwn := filepath.Join(b.root, "symlink")
	for _, dir := range []string{temp, blocked, inside(foreign), linkedOwn} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{file: "", filepath.Join(blocked, ownDir): "",
		filepath.Join(foreign, ownDir, ignoreFile): "!*\n", filepath.Join(inside(foreign), ignoreFile): "!*\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(other, filepath.Join(linkedOwn, ownDir)); err != nil {
		t.Fatal(err)
	}
	b.opts.Temps = []string{filepath.Join(b.root, "temp")}
	for name, dir := range map[string]string{"linked worktree": linked, "submodule": sub, "bare repository": bare, "file": file,
		"temporary folder": temp, "gone": filepath.Join(b.root, "gone"), "blocked": blocked, "foreign ignore files": foreign,
		"symlink": linkedOwn, "state folder": filepath.Dir(b.opts.Dir)} {
		b.project = dir
		x := ensure(t, b.Store, name)
		add(t, x, false, true, talk(1, 2)...)
		if x.Dir() != b.path(x.id) || x.Len() != 5 {
			t.Errorf("%s: it lives in %s", name, x.Dir())
		}
	}
	if len(listed(t, b.again(t))) != 10 {
		t.Error("not all are listed")
	}
}

func TestTempFoldersAreThoseThatTheSystemEmpties(t *testing.T) {
	got := TempFolders(func(name string) string { return map[string]string{"TEMP": "/x/Temp/"}[name] })
	for _, want := range []string{os.TempDir(), "/tmp", "/var/folders", filepath.Clean("/x/Temp")} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among %v", want, got)
		}
	}
	if !within("/tmp/a/b", "/tmp") || within("/tmpx", "/tmp") || within("/", "/tmp") {
		t.Error("within")
	}
}

func TestIgnoreFileThatGitCleanTookIsMadeAgain(t *testing.T) {
	b := newBound(t)
	x := ensure(t, b.Store, "a")
	add(t, x, false, true, talk(1, 2)...)
	stock(t, b.project, "clean", "-fdxq") // leaves nested repositories alone
	if x.Len() != 5 || exists(filepath.Join(b.project, ownDir, ignoreFile)) {
		t.Fatal("git clean works otherwise than it is said to")
	}
	for _, mend := range []func() error{b.Note, func() error { return reopened(t, x).Begin(false).Close(true) }} {
		if err := mend(); err != nil {
			t.Fatal(err)
		}
		if out := stock(t, b.project, "status", "--porcelain"); out != "" {
			t.Errorf("git status says %q", out)
		}
		if err := os.Remove(filepath.Join(b.project, ownDir, ignoreFile)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestIgnoreFileOfThePersonStaysAndOneBelowItHidesTheSessions(t *testing.T) {
	b := newBound(t)
	mine := filepath.Join(b.project, ownDir, ignoreFile)
	if err := os.MkdirAll(filepath.Dir(mine), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine, []byte("*.log\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	stock(t, b.project, "add", "-A")
	stock(t, b.project, "commit", "-qm", "Second")
	x := ensure(t, b.Store, "a")
	add(t, x, false, true, talk(1, 2)...)
	if x.Dir() == b.path(x.id) || stock(t, b.project, "status", "--porcelain", "-uall") != "" {
		t.Errorf("it lives in %s; git status: %s", x.Dir(), stock(t, b.project, "status", "--porcelain", "-uall"))
	}
}

func TestHalfMadeSessionInAProjectIsSwept(t *testing.T) {
	b := newBound(t)
	x := ensure(t, b.Store, "a")
	add(t, x, false, true, talk(1, 2)...)
	for _, name := range []string{newPrefix + "cc_1", gonePrefix + "cc_2"} {
		if err := os.MkdirAll(filepath.Join(inside(b.project), name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if got := listed(t, b.again(t)); len(got) != 1 {
		t.Error(got)
	}
	if left, _ := filepath.Glob(filepath.Join(inside(b.project), ".*-*")); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

var fixed = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func TestSessionsAreShelteredInOneFolderAtOnce(t *testing.T) {
	b := newBound(t)
	for i := range 20 {
		if err := os.RemoveAll(filepath.Join(b.project, ownDir)); err != nil {
			t.Fatal(err)
		}
		errs := make(chan error)
		begin := make(chan struct{})
		for range 8 {
			go func() {
				<-begin
				errs <- b.shelter(b.project)
			}()
		}
		close(begin)
		for range 8 {
			if err := <-errs; err != nil {
				t.Errorf("round %d: %v", i, err)
			}
		}
	}
}
