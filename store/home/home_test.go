package home

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dormouse/store/disk"
	"dormouse/store/process"
)

func TestDefaultFollowsTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	h, err := Default(func(k string) string { return map[string]string{EnvHome: dir}[k] })
	if err != nil || h.Dir() != dir {
		t.Fatalf("%v %v", h.Dir(), err)
	}
	h, err = Default(func(string) string { return "" })
	if err != nil || filepath.Base(h.Dir()) != ".dormouse" || h.Demo().Dir() != h.Dir()+"-demo" {
		t.Fatalf("%v %v", h.Dir(), err)
	}
}

func TestCreateClosesTheFolderToOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	dir := filepath.Join(t.TempDir(), "s")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	h := At(dir)
	if err := h.Create(); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir, h.Sessions(), h.Memory(), h.Index()} {
		info, err := os.Stat(d)
		if err != nil || info.Mode().Perm() != DirMode {
			t.Errorf("%s: %v %v", d, info.Mode(), err)
		}
	}
}

func TestWriteReplacesWholeOrNotAtAll(t *testing.T) {
	p := filepath.Join(t.TempDir(), "f")
	if err := WriteFile(p, []byte("old")); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	err := WriteTo(p, func(w io.Writer) error {
		_, _ = w.Write([]byte("half"))
		return boom
	})
	if !errors.Is(err, boom) || !strings.Contains(err.Error(), p) {
		t.Fatalf("error %v does not name the file and the cause", err)
	}
	if b, _ := os.ReadFile(p); string(b) != "old" {
		t.Errorf("content %q after a failed write", b)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(p), ".tmp-*"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := WriteFile(filepath.Join(filepath.Dir(p), "no", "f"), nil); err == nil {
		t.Error("writing into a folder that is not there succeeds")
	}
}

func TestRemoveTempsTakesOnlyLeftOvers(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{".tmp-1", "keep"} {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := RemoveTemps(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "keep")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".tmp-1")); err == nil {
		t.Error("left-over is still there")
	}
}

func TestSecondServiceIsRefusedAndToldWhy(t *testing.T) {
	if dir := os.Getenv("DORMOUSE_TEST_LOCK"); dir != "" { // the second process
		if _, err := At(dir).Lock(); errors.Is(err, ErrLocked) {
			os.Stdout.WriteString(err.Error())
			os.Exit(3)
		}
		os.Exit(0)
	}
	h := At(t.TempDir())
	l, err := h.Lock()
	if err != nil {
		t.Fatal(err)
	}
	second := func() (string, int) {
		c := exec.Command(os.Args[0], "-test.run=TestSecondServiceIsRefused")
		c.Env = append(os.Environ(), "DORMOUSE_TEST_LOCK="+h.Dir())
		out, _ := c.Output()
		return string(out), c.ProcessState.ExitCode()
	}
	if err := os.WriteFile(filepath.Join(h.Run(), "pid"), []byte("1\n"), 0o600); err != nil && runtime.GOOS == "linux" { // of another one
		t.Fatal(err)
	}
	out, code := second()
	if code != 3 || !strings.Contains(out, h.Dir()) || !strings.Contains(out, EnvHome) || runtime.GOOS == "linux" && !strings.Contains(out, process.Said(os.Getpid())) {
		t.Errorf("exit %d, %q", code, out)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	if out, code := second(); code != 0 {
		t.Errorf("after unlock: exit %d, %q", code, out)
	}
}

func TestMachineIDIsDrawnOnceAndChecked(t *testing.T) {
	h := At(t.TempDir())
	a, err := h.Machine()
	if err != nil || !validMachine(a) {
		t.Fatalf("%q %v", a, err)
	}
	if b, _ := h.Machine(); b != a {
		t.Errorf("id changes: %q %q", a, b)
	}
	if err := os.WriteFile(h.machineFile(), []byte("my laptop"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Machine(); err == nil || !strings.Contains(err.Error(), h.machineFile()) {
		t.Errorf("a broken file gives %v", err)
	}
}

func TestSecretIsDrawnOnceAndChecked(t *testing.T) {
	h := At(t.TempDir())
	a, err := h.Secret("key")
	if err != nil || len(a) != secretBytes {
		t.Fatalf("%x %v", a, err)
	}
	if b, err := h.Secret("key"); err != nil || string(a) != string(b) {
		t.Errorf("secret changes: %x %x %v", a, b, err)
	}
	path := filepath.Join(h.Dir(), "key")
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != FileMode {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Secret("key"); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a broken file gives %v", err)
	}
}

func TestUsedTellsAMemoryFromAnEmptyFolder(t *testing.T) {
	h := At(t.TempDir())
	if h.Used() {
		t.Error("a folder that is not there is used")
	}
	if err := h.Create(); err != nil {
		t.Fatal(err)
	}
	if h.Used() {
		t.Error("an empty state folder is used")
	}
	if err := os.Mkdir(filepath.Join(h.Sessions(), "cc_1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if !h.Used() || filepath.Dir(h.Config()) != h.Dir() {
		t.Error("a state folder with a session is not used")
	}
}

// TestFoldersThatCannotBeMadeAreNamed puts a file where a folder should be, which stops every user, root among them.
func TestFoldersThatCannotBeMadeAreNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h := At(filepath.Join(file, "home"))
	for name, do := range map[string]func() error{
		"create":  h.Create,
		"lock":    func() error { _, err := h.Lock(); return err },
		"machine": func() error { _, err := h.Machine(); return err },
		"secret":  func() error { _, err := h.Secret("key"); return err },
	} {
		if err := do(); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v does not name %s", name, err, file)
		}
	}
	if err := disk.SyncDir(filepath.Join(file, "x")); err == nil {
		t.Error("a folder that is not there was flushed")
	}
}

func TestAFolderIsFreeWhenItsServiceHasPutAllAway(t *testing.T) {
	h := At(t.TempDir())
	want := func(free bool, when string) {
		t.Helper()
		if got, err := h.Free(); err != nil || got != free {
			t.Errorf("%s: free %v, %v", when, got, err)
		}
	}
	want(true, "before there was a service")
	for range 2 { // looking leaves nothing behind that keeps a service out
		l, err := h.Lock()
		if err != nil {
			t.Fatal(err)
		}
		want(false, "while it runs")
		if err := l.Unlock(); err != nil {
			t.Fatal(err)
		}
		want(true, "afterwards")
	}
}
