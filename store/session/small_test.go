package session

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// layoutOf lists what lies in a session's folder, folders with a slash, packs without the hash in their names.
func layoutOf(t *testing.T, x *Session) (out []string) {
	t.Helper()
	err := filepath.WalkDir(x.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == x.Dir() {
			return err
		}
		rel, err := filepath.Rel(x.Dir(), path)
		name := filepath.ToSlash(rel)
		if dir, ok := strings.CutSuffix(name, filepath.Ext(name)); ok && strings.Contains(dir, "/pack-") {
			name = name[:strings.Index(name, "/pack-")] + "/pack-*" + filepath.Ext(name)
		}
		if d.IsDir() {
			name += "/"
		}
		out = append(out, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestASmallImportHasNoMoreFilesThanGitNeedsAndGrowsLikeAnyOther(t *testing.T) {
	defer func(n int) { fewNodes = n }(fewNodes)
	fewNodes = 4 * aTurn
	s := newStore(t)
	x, live := ensure(t, s, "a"), ensure(t, s, "b")
	add(t, x, true, true, talk(1, 3)...)
	want := []string{".git/", ".git/HEAD", ".git/config", ".git/exclude", ".git/index", ".git/objects/", ".git/objects/pack/",
		".git/objects/pack/pack-*.idx", ".git/objects/pack/pack-*.pack", ".git/packed-refs", ".git/refs/", metaFile}
	if got := layoutOf(t, x); !slices.Equal(got, want) {
		t.Errorf("it has\n%q, want\n%q", got, want)
	}
	add(t, live, false, true, talk(1, 3)...)
	agree := func(turns int) {
		t.Helper()
		for _, y := range []*Session{x, reopened(t, x)} {
			linksAgree(t, y)
			list, err := y.Commits()
			other, otherErr := live.Commits()
			if err != nil || otherErr != nil || len(list) != turns || list[0].SHA != other[0].SHA {
				t.Fatalf("%d commits of an import, %d of a live session, %v %v", len(list), len(other), err, otherErr)
			}
			for _, c := range list {
				got, err := y.Context(c.SHA)
				want, wantErr := live.Context(c.SHA)
				for _, v := range append(got.Views, want.Views...) {
					for i := range v.Items {
						v.Items[i].Tokens = 0 // an estimate, and arguments are stored without their blanks
					}
				}
				if err != nil || wantErr != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("the context of turn %d is\n%+v, of a live session\n%+v; %v %v", c.Turn, got, want, err, wantErr)
				}
			}
		}
		sound(t, x)
		clean(t, x)
	}
	agree(2)
	add(t, x, false, true, talk(3, 4)...)
	add(t, live, false, true, talk(3, 4)...)
	agree(3)
	if _, err := os.Stat(linksPath(x)); err == nil {
		t.Error("few nodes have a links file")
	}
	add(t, x, false, true, talk(4, 6)...)
	add(t, live, false, true, talk(4, 6)...)
	agree(5)
	if !reopened(t, x).savedWhole() {
		t.Error("many nodes have no whole links file")
	}
	if _, err := os.Stat(filepath.Join(x.Dir(), ".git", "info")); err == nil {
		t.Error("what git does not show is told twice")
	}
}
