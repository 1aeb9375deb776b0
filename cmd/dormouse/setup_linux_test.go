package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAWholeInstallationComesAndGoesWithoutATrace(t *testing.T) {
	built := binary(t) // before the home folder is another one, in which go would have no modules
	user, files := newcomer(t)
	for _, name := range []string{"dormouse", "dormouse-hook.exe"} {
		if err := os.Remove(filepath.Join(user, "bin", name)); err != nil {
			t.Fatal(err)
		}
	}
	p := &person{t, filepath.Join(user, "bin", "dormouse"), user}
	if err := os.Rename(built, p.exe); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(user, "bin", "dormouse-tray"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.run("stop") })
	before := tree(t, user)
	r := p.run("setup", "--yes", "--json")
	var got setupReport
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || got.Service != "installed" || got.Captured == nil || got.Captured.Sessions < 4 {
		t.Fatalf("%v %+v", err, r)
	}
	if s := p.report(); !s.Answers || s.System.State != "running" || !s.Tray.Installed {
		t.Errorf("%+v", s)
	}
	if r := p.run("setup", "--yes", "--json"); r.code != exitOK || !strings.Contains(r.out, `"service": "unchanged"`) {
		t.Errorf("again: %+v", r)
	}
	window := filepath.Join(user, ".config", "fyne", "app.dormouse.desktop") // as the window leaves it
	if err := os.MkdirAll(window, 0o700); err != nil {
		t.Fatal(err)
	}
	if c := changed(t, user, files); len(c) != len(files) {
		t.Errorf("changed are %v", c)
	}
	if r := p.run("uninstall", "--dry-run"); r.code != exitOK || !strings.Contains(r.out, "autostart/dormouse.desktop goes") || !strings.Contains(r.out, "Nothing was changed") {
		t.Errorf("%+v", r)
	}
	if r := p.run("uninstall"); r.code == exitOK || !strings.Contains(r.err, "nothing was uninstalled") || !p.report().Answers {
		t.Errorf("without an answer: %+v", r)
	}
	if r := p.run("uninstall", "--yes"); r.code != exitOK || !strings.Contains(r.out, "bin/dormouse-tray") {
		t.Errorf("%+v", r)
	}
	if s := p.report(); s.Answers || s.System.Installed || s.Tray.Installed {
		t.Errorf("it is still there: %+v", s)
	}
	sameTree(t, user, before)
	if r := p.run("uninstall", "--purge", "--yes"); r.code != exitOK || !strings.Contains(r.out, "Removed") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(user, ".dormouse")); !os.IsNotExist(err) {
		t.Errorf("the memory is still there: %v", err)
	}
	sameTree(t, user, before)
}
