package home

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/disk"
)

// fakeSteps turn a.txt into "1", then "1 2" and so on, and make b.txt.
func fakeSteps() (out []Migration) {
	for from := 1; from < 8; from++ {
		out = append(out, Migration{From: from, Touches: []string{"a.txt", "sub/b.txt"}, Apply: func(h Home) error {
			a, err := os.ReadFile(filepath.Join(h.dir, "a.txt"))
			if err != nil {
				return err
			}
			if err := WriteFile(filepath.Join(h.dir, "a.txt"), fmt.Appendf(a, " %d", from+1)); err != nil {
				return err
			}
			if err := Mkdir(filepath.Join(h.dir, "sub")); err != nil {
				return err
			}
			b, _ := os.ReadFile(filepath.Join(h.dir, "sub", "b.txt"))
			return WriteFile(filepath.Join(h.dir, "sub", "b.txt"), append(b, 'x'))
		}})
	}
	return out
}

// olden is a state folder of the first format.
func olden(t *testing.T) Home {
	t.Helper()
	h := At(filepath.Join(t.TempDir(), "home"))
	if err := h.Create(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"machine": "0a1b2c3d\n", "a.txt": "1"} {
		if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), FileMode); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func reads(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s: %q %v, want %q", path, got, err, want)
	}
}

func TestANewStateFolderGetsItsFormatAndAnOlderOneIsBroughtUp(t *testing.T) {
	h := At(filepath.Join(t.TempDir(), "home"))
	if err := h.Create(); err != nil {
		t.Fatal(err)
	}
	if from, backups, err := h.Migrate(nil); from != 0 || backups != nil || err != nil {
		t.Fatal(from, backups, err)
	}
	if n, err := h.FormatOf(); n != Format || err != nil {
		t.Fatal(n, err)
	}
	h = olden(t)
	from, backups, err := h.migrate(fakeSteps(), 3)
	if from != 1 || len(backups) != 2 || err != nil {
		t.Fatal(from, backups, err)
	}
	reads(t, filepath.Join(h.dir, "a.txt"), "1 2 3")
	reads(t, filepath.Join(h.dir, "format"), "3\n")
	reads(t, filepath.Join(backups[0], "a.txt"), "1")
	reads(t, filepath.Join(backups[1], "a.txt"), "1 2")
	reads(t, filepath.Join(backups[1], "sub", "b.txt"), "x")
	if from, backups, err := h.migrate(fakeSteps(), 3); from != 3 || backups != nil || err != nil {
		t.Error("done twice", from, backups, err)
	}
	if _, _, err := h.migrate(fakeSteps(), 7); err != nil {
		t.Fatal(err)
	}
	if kept, _ := List(h.Backups(), "", ""); len(kept) != maxBackups {
		t.Errorf("kept %v", kept)
	}
}

func TestANewerFormatIsRefusedAndNothingIsChanged(t *testing.T) {
	h := olden(t)
	if err := h.setFormat(Format + 7); err != nil {
		t.Fatal(err)
	}
	n, err := h.FormatOf()
	if n != Format+7 || !errors.Is(err, ErrNewer) {
		t.Fatal(n, err)
	}
	for _, want := range []string{h.dir, fmt.Sprint("format ", Format+7), EnvHome, "newer version"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if _, _, err := h.Migrate(fakeSteps()); !errors.Is(err, ErrNewer) {
		t.Error(err)
	}
	reads(t, filepath.Join(h.dir, "a.txt"), "1")
	for _, junk := range []string{"", "x", "-1", "0"} {
		if err := os.WriteFile(h.formatFile(), []byte(junk), FileMode); err != nil {
			t.Fatal(err)
		}
		if _, err := h.FormatOf(); err == nil || !strings.Contains(err.Error(), h.formatFile()) {
			t.Errorf("%q: %v", junk, err)
		}
	}
}

// Each step on the disk fails in turn, or is the last one before the process ends; the next start ends where an undisturbed one does.
func TestAMigrationThatIsCutOffAnywhereIsDoneByTheNextStart(t *testing.T) {
	for fail := 0; ; fail++ {
		h := olden(t)
		n := 0
		stop := disk.Watch(func(s disk.Step) error {
			if n++; n > fail {
				return errors.New("cut off")
			}
			return nil
		})
		_, _, err := h.migrate(fakeSteps(), 3)
		stop()
		if n <= fail {
			if err != nil || fail < 20 {
				t.Fatalf("%d steps, %v", fail, err)
			}
			return
		}
		if err == nil {
			t.Errorf("step %d: no error", fail)
		}
		if _, _, err := h.migrate(fakeSteps(), 3); err != nil {
			t.Fatalf("step %d: %v", fail, err)
		}
		reads(t, filepath.Join(h.dir, "a.txt"), "1 2 3")
		reads(t, filepath.Join(h.dir, "sub", "b.txt"), "xx")
		reads(t, filepath.Join(h.backup(1), "a.txt"), "1")
		reads(t, filepath.Join(h.backup(2), "a.txt"), "1 2")
		if t.Failed() {
			t.Fatalf("after step %d", fail)
		}
	}
}

func TestAStepThatIsMissingIsSaid(t *testing.T) {
	h := olden(t)
	if _, _, err := h.migrate(nil, 2); err == nil || !strings.Contains(err.Error(), "no way from format 1") {
		t.Error(err)
	}
}
