package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var errStep = errors.New("no more")

// steps takes every kind of step once, in a folder.
func steps(dir string) map[string]func() error {
	at := func(name string) string { return filepath.Join(dir, name) }
	open := func(do func(*File) error) func() error {
		return func() error {
			f, err := OpenFile(at("open"), os.O_RDWR, 0)
			if err != nil {
				return err
			}
			return errors.Join(do(f), f.Close())
		}
	}
	return map[string]func() error{
		"make folder":   func() error { return Mkdir(at("made"), 0o700) },
		"make folders":  func() error { return MkdirAll(at("all/of/it"), 0o700) },
		"rename":        func() error { return Rename(at("old"), at("new")) },
		"link":          func() error { return Link(at("keep"), at("second")) },
		"symbolic link": func() error { return Symlink("keep", at("symbolic")) },
		"remove":        func() error { return Remove(at("gone")) },
		"remove all":    func() error { return RemoveAll(at("tree")) },
		"cut":           func() error { return Truncate(at("long"), 1) },
		"flush folder":  func() error { return SyncDir(dir) },
		"create":        func() error { f, err := OpenFile(at("fresh"), os.O_WRONLY|os.O_CREATE, 0o600); return closed(f, err) },
		"temporary":     func() error { f, err := CreateTemp(dir, ".tmp-*"); return closed(f, err) },
		"write":         open(func(f *File) error { _, err := f.WriteString("x"); return err }),
		"write at":      open(func(f *File) error { _, err := f.WriteAt([]byte("x"), 3); return err }),
		"copy":          open(func(f *File) error { _, err := io.Copy(f, strings.NewReader("x")); return err }),
		"write new":     func() error { return WriteNew(at("once"), 0o600, true, []byte("x")) },
		"cut open":      open(func(f *File) error { return f.Truncate(1) }),
		"flush":         open(func(f *File) error { return f.Sync() }),
	}
}

func closed(f *File, err error) error {
	if err == nil {
		err = f.Close()
	}
	return err
}

func bed(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"open", "old", "keep", "gone", "long", "tree/a/b"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("content"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree is what lies in a folder, with contents.
func tree(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			var b []byte
			b, err = os.ReadFile(path)
			path += " " + string(b)
		}
		out = append(out, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEveryStepCanBeRefusedAndChangesNothingThen(t *testing.T) {
	for name := range steps("") {
		dir := bed(t)
		before := tree(t, dir)
		stop := Watch(func(Step) error { return errStep })
		err := steps(dir)[name]()
		stop()
		if !errors.Is(err, errStep) || !slices.Equal(tree(t, dir), before) {
			t.Errorf("%s: %v", name, err)
		}
		if name == "flush" || name == "flush folder" {
			continue
		}
		if err := steps(dir)[name](); err != nil || slices.Equal(tree(t, dir), before) {
			t.Errorf("%s, not watched: %v", name, err)
		}
	}
}

func TestANewFileHoldsItsContentWatchedOrNot(t *testing.T) {
	for _, content := range []string{"", "x", strings.Repeat("0123456789", 200_000)} {
		for _, watched := range []bool{false, true} {
			dir := t.TempDir()
			var ops []string
			stop := func() {}
			if watched {
				stop = Watch(func(s Step) error { ops = append(ops, s.Op); return nil })
			}
			err := WriteNew(filepath.Join(dir, "a"), 0o600, true, []byte(content))
			lost := WriteNew(filepath.Join(dir, "none", "a"), 0o600, true, []byte(content))
			stop()
			got, readErr := os.ReadFile(filepath.Join(dir, "a"))
			if err != nil || readErr != nil || string(got) != content {
				t.Errorf("watched %v: %d of %d bytes, %v %v", watched, len(got), len(content), err, readErr)
			}
			if !errors.Is(lost, os.ErrNotExist) || !strings.Contains(lost.Error(), filepath.Join("none", "a")) {
				t.Errorf("watched %v, in a folder that is not there: %v", watched, lost)
			}
			if want := []string{"create", "write", "flush", "create"}; watched && !slices.Equal(ops, want) {
				t.Errorf("steps %q, want %q", ops, want)
			}
		}
	}
}

func TestReplaceLeavesTheOldContentWhereverItFails(t *testing.T) {
	fill := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	for k, n := 1, 99; k <= n; k++ {
		dir := bed(t)
		taken := 0
		stop := Watch(func(s Step) error {
			if taken++; taken == k {
				return errStep
			}
			return nil
		})
		err := Replace(dir, ".tmp-*", filepath.Join(dir, "old"), true, fill)
		stop()
		if taken < k { // it has fewer steps
			n = 0
			if err != nil || k != 6 {
				t.Errorf("%d steps, %v", taken, err)
			}
			continue
		}
		got, _ := os.ReadFile(filepath.Join(dir, "old"))
		if want := map[bool]string{true: "new", false: "content"}[k == 5]; !errors.Is(err, errStep) || string(got) != want {
			t.Errorf("step %d: %v, it holds %q", k, err, got)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".tmp-*")); len(left) > 0 {
			t.Errorf("step %d: left %v", k, left)
		}
	}
}

func TestWhatIsThereAlreadyIsNoStep(t *testing.T) {
	dir := bed(t)
	defer Watch(func(s Step) error { t.Errorf("%+v", s); return nil })()
	for _, err := range []error{MkdirAll(dir, 0o700), RemoveAll(filepath.Join(dir, "none"))} {
		if err != nil {
			t.Error(err)
		}
	}
}
