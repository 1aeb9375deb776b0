package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// target is a system and a processor.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

// targets are all that a release is built for.
var targets = []target{{"linux", "amd64"}, {"linux", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}

// program is one of Dormouse's.
type program struct {
	name    string
	needsC  func(os string) bool
	console bool // on Windows; the others open no terminal
}

func always(string) bool { return true }
func never(string) bool  { return false }

var programs = []program{
	{"dormouse", never, true},
	{"dormouse-hook", never, true},
	{"dormouse-tray", func(os string) bool { return os != "windows" }, false},
	{"dormouse-desktop", always, false},
}

// built are the programs of a target.
type built struct {
	target
	programs map[string]string // paths by name, without the ending .exe
}

// has reports whether the window and the tray are among them.
func (b built) has(name string) bool { return b.programs[name] != "" }

// exe is the name of a program's file.
func (t target) exe(name string) string {
	if t.os == "windows" {
		return name + ".exe"
	}
	return name
}

// compile builds what can be built here of a target.
func (r *release) compile(ctx context.Context, t target) (built, error) {
	b := built{t, map[string]string{}}
	undo := func() {}
	if t.os == "windows" {
		var err error
		if undo, err = r.resources(t); err != nil {
			return b, err
		}
	}
	defer undo()
	for _, p := range programs {
		env := []string{"GOOS=" + t.os, "GOARCH=" + t.arch, "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=true -mod=readonly"}
		if p.needsC(t.os) {
			c, why := compiler(ctx, t)
			if why != "" {
				r.leave(p.name+" for "+t.String(), why)
				continue
			}
			env = append(env, c...)
		}
		flags := "-s -w -X main.release=" + r.version
		if t.os == "windows" && !p.console {
			flags += " -H=windowsgui"
		}
		path := filepath.Join(r.work, "bin", t.os+"-"+t.arch, t.exe(p.name))
		r.step("build %s %s", t, p.name)
		if err := r.command(ctx, env, "go", "build", "-ldflags", flags, "-o", path, "./cmd/"+p.name); err != nil {
			return b, err
		}
		if t.os == "windows" {
			if err := r.signWindows(ctx, path); err != nil {
				return b, err
			}
		}
		b.programs[p.name] = path
	}
	return b, nil
}

// cross names the C compilers that Debian has for other targets.
var cross = map[target]string{
	{"linux", "arm64"}: "aarch64-linux-gnu", {"linux", "amd64"}: "x86_64-linux-gnu", {"windows", "amd64"}: "x86_64-w64-mingw32",
}

// libraries are what the window and the tray are linked with on Linux, as pkg-config names them.
var libraries = []string{"ayatana-appindicator3-0.1", "gtk+-3.0", "gl", "x11", "xcursor", "xrandr", "xinerama", "xi", "xxf86vm"}

// compiler is the environment in which C is built for a target, or why it can't be here. A cgo program for Linux needs the libraries of
// the target's processor too: in a folder of their own (sysroot), or where Debian's multiarch puts them.
func compiler(ctx context.Context, t target) (env []string, why string) {
	if t.os == runtime.GOOS && t.arch == runtime.GOARCH {
		return []string{"CGO_ENABLED=1"}, ""
	}
	triplet, ok := cross[t]
	if !ok {
		return nil, "is built on " + map[string]string{"darwin": "a Mac", "windows": "Windows for this processor"}[t.os]
	}
	cc := triplet + "-gcc"
	if _, err := exec.LookPath(cc); err != nil {
		return nil, "there is no " + cc + help(t)
	}
	env = []string{"CGO_ENABLED=1", "CC=" + cc}
	if t.os != "linux" {
		return env, ""
	}
	libs := []string{"PKG_CONFIG_LIBDIR=/usr/lib/" + triplet + "/pkgconfig:/usr/share/pkgconfig"}
	if sys := sysroot(t); sys != "" {
		env[1] += " '--sysroot=" + sys + "'" // go build takes off the quotes
		libs = []string{"PKG_CONFIG_SYSROOT_DIR=" + sys, "PKG_CONFIG_LIBDIR=" + sys + "/usr/lib/" + triplet + "/pkgconfig:" + sys + "/usr/share/pkgconfig"}
	}
	c := exec.CommandContext(ctx, "pkg-config", append([]string{"--exists", "--print-errors"}, libraries...)...)
	c.Env = append(os.Environ(), libs...)
	if out, err := c.CombinedOutput(); err != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		return nil, "the libraries of its processor are not all there" + help(t) + ": " + said
	}
	return append(env, libs...), ""
}

// help names what installs what is missing for a target.
func help(t target) string {
	if t == (target{"linux", "arm64"}) {
		return " (packaging/dist-deps arm64)"
	}
	return ""
}

// sysrootEnv names a folder in which libraries for another processor lie as they do on its own system.
const sysrootEnv = "DORMOUSE_SYSROOT"

// sysroot is the folder with the libraries of a target for Linux: the one that the environment names, or the one that packaging/dist-deps
// made. It is empty where there is none.
func sysroot(t target) string {
	dir := os.Getenv(sysrootEnv)
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(cache, "dormouse-dist", t.slug())
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return ""
	}
	return dir
}

// pages are the manual pages and the completions of shells, written by dormouse itself.
func (r *release) pages(ctx context.Context) (string, error) {
	exe, dir := filepath.Join(r.work, "dormouse"), filepath.Join(r.work, "pages")
	if err := r.command(ctx, []string{"CGO_ENABLED=0", "GOFLAGS=-trimpath"}, "go", "build", "-o", exe, "./cmd/dormouse"); err != nil {
		return "", err
	}
	home := []string{"HOME=" + filepath.Join(r.work, "home")}
	if err := r.command(ctx, home, exe, "docs", "man", filepath.Join(dir, "man")); err != nil {
		return "", err
	}
	for shell, file := range map[string]string{"bash": "dormouse.bash", "zsh": "_dormouse", "fish": "dormouse.fish", "powershell": "dormouse.ps1"} {
		c := exec.CommandContext(ctx, exe, "completion", shell)
		c.Env = append(os.Environ(), home...)
		out, err := c.Output()
		if err != nil {
			return "", fmt.Errorf("dormouse completion %s: %w", shell, withOutput(err))
		}
		if err := os.WriteFile(filepath.Join(dir, file), out, 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// slug is a target as it stands in file names.
func (t target) slug() string { return strings.Join([]string{t.os, t.arch}, "-") }
