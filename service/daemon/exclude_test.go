package daemon

import (
	"path/filepath"
	"slices"
	"testing"

	"dormouse/service/config"
)

func TestTheTildeOfAnExcludedFolderIsTheHomeFolder(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	excluded := func(dirs ...string) ([]string, error) {
		p := Params{Config: config.Default(), Env: func(name string) string { return map[string]string{"WORK": home}[name] }}
		p.Config.Capture.Exclude = dirs
		set, err := p.excluded()
		return set.Folders(), err
	}
	got, err := excluded("~", "~/a/", filepath.Join(home, "x", "..", "b"), "$WORK/c")
	if want := []string{home, filepath.Join(home, "a"), filepath.Join(home, "b"), filepath.Join(home, "c")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	for _, dir := range []string{"~/a", "$NOWHERE/a"} {
		if got, err := excluded(dir); err == nil {
			t.Errorf("%s: %v", dir, got)
		}
	}
}
