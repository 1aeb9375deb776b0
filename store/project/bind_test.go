package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// again is a registry that reads the same file anew.
func (w *world) again() *Registry { return New(w.opts) }

func TestABoundFolderIsRememberedWithTheSameProject(t *testing.T) {
	w := newWorld(t)
	dir := repo(t, filepath.Join(w.home, "src", "shop"), "git@github.com:robin/shop.git")
	seen := w.resolve(t, Hints{Cwd: dir})
	bound, err := w.Bind(t.Context(), mkdir(t, filepath.Join(dir, "web")))
	if err != nil || bound.ID != seen.ID || bound.Status != StatusActive || bound.BoundAt != w.now.Unix() || !bound.Bound() {
		t.Fatalf("%+v, %v; seen before as %+v", bound, err, seen)
	}
	if kept, err := w.again().Get(bound.ID); err != nil || kept.BoundAt != bound.BoundAt || kept.Path != resolved(dir) {
		t.Errorf("after a new start: %+v, %v", kept, err)
	}
	w.now = w.now.Add(1e9)
	if twice, err := w.Bind(t.Context(), dir); err != nil || twice.BoundAt != bound.BoundAt {
		t.Errorf("bound twice: %+v, %v", twice, err)
	}
}

func TestAFolderWithoutGitIsAProjectByItsPath(t *testing.T) {
	w := newWorld(t)
	dir := mkdir(t, filepath.Join(w.home, "notes"))
	if seen := w.resolve(t, Hints{Cwd: dir}); seen.Bound() {
		t.Errorf("a folder that a session only passed through counts as bound: %+v", seen)
	}
	p, err := w.Bind(t.Context(), dir)
	if err != nil || p.Path != dir || p.Remote != "" || p.FirstCommit != "" || p.Name != "notes" || !p.Bound() {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".git")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("binding made a repository: %v", err)
	}
}

func TestUnbindingLeavesTheProjectAndItsFolderAlone(t *testing.T) {
	w := newWorld(t)
	dir := repo(t, filepath.Join(w.home, "shop"), "")
	before := git(t, dir, "for-each-ref") + git(t, dir, "status", "--porcelain", "--branch")
	p, err := w.Bind(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	gone, err := w.Unbind(p.ID)
	if err != nil || gone.Status != StatusUnbound || gone.Bound() || gone.Path != p.Path || gone.FirstCommit != p.FirstCommit {
		t.Fatalf("%+v, %v", gone, err)
	}
	if same := w.resolve(t, Hints{Cwd: dir}); same.ID != p.ID || same.Bound() {
		t.Errorf("a new session binds it again, or belongs elsewhere: %+v", same)
	}
	if after := git(t, dir, "for-each-ref") + git(t, dir, "status", "--porcelain", "--branch"); after != before {
		t.Errorf("the repository changed:\n%s\n%s", before, after)
	}
	if kept, err := w.again().Get(p.ID); err != nil || kept.Bound() {
		t.Errorf("after a new start: %+v, %v", kept, err)
	}
	if back, err := w.Bind(t.Context(), dir); err != nil || back.ID != p.ID || !back.Bound() {
		t.Errorf("bound again: %+v, %v", back, err)
	}
}

func TestARepositoryThatWasFoundCountsAsBoundUntilItIsUnbound(t *testing.T) {
	w := newWorld(t)
	p := w.resolve(t, Hints{Cwd: repo(t, filepath.Join(w.home, "x"), "")})
	if !p.Bound() || p.BoundAt != 0 {
		t.Errorf("%+v", p)
	}
	if p, err := w.Unbind(p.ID); err != nil || p.Bound() {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestWhatCannotBeBoundIsSaidWithWhatHelps(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(w.home, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"src/shop":                       "whole path",
		"":                               "whole path",
		filepath.Join(w.home, "nowhere"): "no such folder",
		file:                             "no such folder",
		w.home:                           "one project in it",
		string(filepath.Separator):       "one project in it",
	} {
		if _, err := w.Bind(t.Context(), path); !errors.Is(err, ErrCannotBind) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", path, err)
		}
	}
	if _, err := w.Unbind("proj_none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("unknown project: %v", err)
	}
	if _, err := w.Unbind("default"); !errors.Is(err, ErrCannotBind) {
		t.Errorf("default project: %v", err)
	}
}

func TestABindingThatCannotBeWrittenIsAnError(t *testing.T) {
	w := newWorld(t)
	dir := mkdir(t, filepath.Join(w.home, "notes"))
	p, err := w.Bind(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(w.opts.Dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.opts.Dir, nil, 0o600); err != nil { // a file where the folder should be
		t.Fatal(err)
	}
	if _, err := w.Unbind(p.ID); err == nil || !strings.Contains(err.Error(), "unbind notes") {
		t.Errorf("unbind: %v", err)
	}
	if _, err := w.Bind(t.Context(), mkdir(t, filepath.Join(w.home, "other"))); err == nil {
		t.Error("bind succeeds")
	}
	for _, call := range []func(*Registry) error{
		func(r *Registry) error { _, err := r.Bind(t.Context(), dir); return err },
		func(r *Registry) error { _, err := r.Unbind(p.ID); return err },
	} {
		if err := call(New(Options{Dir: w.opts.Dir})); err == nil {
			t.Error("a registry that cannot be read is used")
		}
	}
}
