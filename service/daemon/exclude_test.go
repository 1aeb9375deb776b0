package daemon

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestTheTildeOfAnExcludedFolderIsTheHomeFolder(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	got, err := excluded([]string{"~", "~/a/", filepath.Join(home, "x", "..", "b")})
	if want := []string{home, filepath.Join(home, "a"), filepath.Join(home, "b")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	if got, err := excluded([]string{"~/a"}); err == nil {
		t.Errorf("without a home folder: %v", got)
	}
}
