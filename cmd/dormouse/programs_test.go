package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestWhatRemovesTheProgramsIsWhatInstalledThem(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the package managers are those of Linux")
	}
	dir := t.TempDir()
	put := func(path, body string) string {
		t.Helper()
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, tt := range map[string]struct {
		exe, image      string
		manager, answer string // a package manager that is on PATH and what it prints
		owner, command  string
	}{
		"a Debian package":      {exe: "usr/bin/dormouse", manager: "dpkg-query", answer: `echo "dormouse: $2"`, owner: "deb", command: "sudo apt remove dormouse"},
		"one that makes files":  {exe: "usr/bin/dormouse", manager: "rpm", answer: `/bin/mkdir "$HOME/.rpmdb"; exit 1`, owner: "files"},
		"of both processors":    {exe: "usr/bin/dormouse", manager: "dpkg-query", answer: `echo "dormouse:amd64: $2"`, owner: "deb", command: "sudo apt remove dormouse"},
		"an RPM":                {exe: "usr/bin/dormouse", manager: "rpm", answer: "echo dormouse", owner: "rpm", command: "sudo dnf remove dormouse"},
		"an Arch package":       {exe: "usr/bin/dormouse", manager: "pacman", answer: "echo dormouse-bin", owner: "pacman", command: "sudo pacman -R dormouse-bin"},
		"nobody's":              {exe: "home/me/bin/dormouse", manager: "dpkg-query", answer: "echo no path found >&2; exit 1", owner: "files"},
		"an answer with blanks": {exe: "usr/bin/dormouse", manager: "rpm", answer: "echo file is not owned", owner: "files"},
		"Homebrew":              {exe: "opt/Cellar/dormouse/1.2/bin/dormouse", owner: "homebrew", command: "brew uninstall dormouse"},
		"an application":        {exe: "Applications/Dormouse.app/Contents/MacOS/dormouse", owner: "app"},
		"an AppImage":           {exe: "mnt/usr/bin/dormouse", image: "/home/me/it's mine.AppImage", owner: "appimage", command: `rm '/home/me/it'\''s mine.AppImage'`},
	} {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir()
			if tt.manager != "" {
				if err := os.WriteFile(filepath.Join(path, tt.manager), []byte("#!/bin/sh\n"+tt.answer+"\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", path)
			user := t.TempDir()
			t.Setenv("HOME", user)
			exe := put(tt.exe, "")
			put(filepath.Join(filepath.Dir(tt.exe), "dormouse-hook"), "")
			a := &app{Params: Params{Exe: exe, Env: func(k string) string { return map[string]string{"APPIMAGE": tt.image}[k] }}}
			got := a.programs(t.Context())
			if got.Owner != tt.owner || tt.command != "" && !slices.Equal(got.Commands, []string{tt.command}) {
				t.Errorf("%+v", got)
			}
			if tt.owner == "files" && !slices.Equal(got.Files, []string{exe, exe + "-hook"}) {
				t.Errorf("files %v", got.Files)
			}
			if left, err := os.ReadDir(user); err != nil || len(left) > 0 {
				t.Errorf("asking left %v in the home folder, %v", left, err)
			}
			if strings.Contains(got.Say, "\n") || got.Say == "" {
				t.Errorf("says %q", got.Say)
			}
		})
	}
}
