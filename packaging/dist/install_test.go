package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// manager is how a package manager is told to work in a root of its own.
type manager struct {
	format string
	suffix string // of the package's name
	tool   string
	shell  string   // what sh is on its system
	base   []string // folders and empty files (which end in no slash) of its books
	common []string // {root} stands for the root's folder
	put    []string
	list   []string // prints what is installed
	check  []string // says what is not as it was packed
	remove []string
}

var managers = []manager{
	{format: "deb", suffix: "_" + runtime.GOARCH + ".deb", tool: "dpkg", shell: "dash",
		base:   []string{"var/lib/dpkg/info/", "var/lib/dpkg/updates/", "var/lib/dpkg/triggers/", "var/lib/dpkg/status", "var/lib/dpkg/available"},
		common: []string{"--root={root}", "--force-depends"},
		put:    []string{"--install"}, list: []string{"--listfiles", "dormouse"}, check: []string{"--verify", "dormouse"}, remove: []string{"--purge", "dormouse"}},
	{format: "rpm", suffix: ".rpm", tool: "rpm", shell: "bash", base: []string{"var/lib/rpm/"},
		common: []string{"--root", "{root}", "--dbpath", "/var/lib/rpm"},
		put:    []string{"--upgrade", "--nodeps", "--force-debian"}, list: []string{"--query", "--list", "dormouse"},
		check: []string{"--verify", "--nodeps", "dormouse"}, remove: []string{"--erase", "--nodeps", "dormouse"}},
	{format: "archlinux", suffix: ".pkg.tar.zst", tool: "pacman", shell: "bash", base: []string{"var/lib/pacman/", "var/log/"},
		common: []string{"--root", "{root}", "--dbpath", "{root}/var/lib/pacman", "--logfile", "{root}/var/log/pacman.log", "--config", "{root}/var/lib/pacman.conf",
			"--noconfirm"},
		put: []string{"--upgrade", "--nodeps", "--nodeps"}, list: []string{"--query", "--list", "--quiet", "dormouse"},
		check: []string{"--query", "--check", "--check", "dormouse"}, remove: []string{"--remove", "--nodeps", "--nodeps", "dormouse"}},
}

func (m manager) run(t *testing.T, root string, args ...string) string {
	t.Helper()
	var all []string
	for _, a := range slices.Concat(m.common, args) {
		all = append(all, strings.ReplaceAll(a, "{root}", root))
	}
	return output(t, m.tool, all...)
}

// Each package is installed by its own manager into a root with little more than a shell, replaced twice by a newer one, and removed. The
// system there has one person logged in, and notes what it is told of that person's services.
func TestPackagesAreInstalledReplacedAndRemoved(t *testing.T) {
	if os.Geteuid() != 0 || runtime.GOOS != "linux" {
		t.Skip("packages are installed as root, on Linux")
	}
	versions := []string{"1.2.3-dev.9.gab", "1.2.3-dev.10.g0c", "1.2.3"}
	packages := map[string][]string{} // by format, in the order of the versions
	for i, v := range versions {
		for format, path := range packed(t, v, i == len(versions)-1) {
			packages[format] = append(packages[format], path)
		}
	}
	for _, m := range managers {
		t.Run(m.tool, func(t *testing.T) {
			if _, err := exec.LookPath(m.tool); err != nil {
				t.Skip("there is no " + m.tool)
			}
			root := smallRoot(t, m)
			before := state(t, root)
			for i, pkg := range packages[m.format] {
				said := m.run(t, root, append(slices.Clone(m.put), pkg)...)
				if strings.Contains(said, "downgrad") || strings.Contains(said, "reinstalling") || strings.Contains(said, "up to date") || strings.Contains(said, "scriptlet fail") {
					t.Fatalf("%s after %s: %s", versions[i], versions[max(0, i-1)], said)
				}
				if got := called(t, root); !slices.Equal(got, []string{"daemon-reload", "try-restart dormouse.service"}) {
					t.Errorf("at %s services were told %q; %s said %s", versions[i], got, m.tool, said)
				}
				if said := m.run(t, root, m.check...); regexp.MustCompile(`(?m)^\S*5|missing|[1-9]\d* altered`).MatchString(said) {
					t.Errorf("not as it was packed: %s", said)
				}
				known := map[string]bool{}
				for name := range strings.Lines(m.run(t, root, m.list...)) {
					known[strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(name), root), "/")] = true
				}
				for name, mode := range state(t, root) {
					if _, old := before[name]; !old && !known["/"+name] {
						t.Errorf("nobody owns %s (%s)", name, mode)
					}
				}
			}
			if got := output(t, "chroot", root, "/usr/bin/dormouse", "version"); !strings.HasPrefix(got, "dormouse 1.2.3 ") {
				t.Errorf("installed, it says that it is %q", got)
			}
			m.run(t, root, m.remove...)
			if got := called(t, root); !slices.Equal(got, []string{"stop dormouse.service"}) {
				t.Errorf("at the removal services were told %q", got)
			}
			after := state(t, root)
			for name, mode := range after {
				if before[name] != mode {
					t.Errorf("left: %s (%s)", name, mode)
				}
			}
			for name := range before {
				if _, there := after[name]; !there {
					t.Errorf("lost: %s", name)
				}
			}
		})
	}
}

// packed are the packages of a version by format. Their programs are texts, but for the command line where it is to be real.
func packed(t *testing.T, version string, real bool) map[string]string {
	t.Helper()
	r, b, pages := made(t, target{"linux", runtime.GOARCH})
	r.version, r.quick = version, true
	if real {
		exe, env := filepath.Join(r.work, "real"), []string{"CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false"}
		if err := r.command(t.Context(), env, "go", "build", "-ldflags", "-s -w -X main.release="+version, "-o", exe, "./cmd/dormouse"); err != nil {
			t.Fatal(err)
		}
		b.programs["dormouse"] = exe
	}
	usr := tree{filepath.Join(r.work, "usr")}
	if err := r.usr(usr, b, pages); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, m := range managers {
		if err := r.nfpm(b.target, usr.dir, pages, m.format); err != nil {
			t.Fatal(err)
		}
		match, err := filepath.Glob(filepath.Join(r.out, "*"+m.suffix))
		if err != nil || len(match) != 1 {
			t.Fatalf("%s: %v %v", m.format, match, err)
		}
		out[m.format] = match[0]
	}
	return out
}

// smallRoot is a system with a shell, what the packages' scripts call, and the folders that every system has. loginctl and systemctl are
// its own: one person is logged in, and what services are told is noted.
func smallRoot(t *testing.T, m manager) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"tmp", "run/systemd/system", "etc/xdg/autostart", "usr/bin", "usr/lib/systemd/user", "usr/share/applications", "usr/share/metainfo",
		"usr/share/man/man1", "usr/share/bash-completion/completions", "usr/share/fish/vendor_completions.d", "usr/share/zsh/vendor-completions",
		"usr/share/zsh/site-functions", "usr/share/doc", "usr/share/icons/hicolor/scalable/apps"} {
		mkdir(t, filepath.Join(root, dir))
		write(t, filepath.Join(root, dir, "of the system"), "") // or dpkg removes the folder as nobody's
	}
	for _, size := range []int{16, 22, 24, 32, 48, 64, 128, 256, 512} {
		dir := filepath.Join(root, fmt.Sprintf("usr/share/icons/hicolor/%dx%d/apps", size, size))
		mkdir(t, dir)
		write(t, filepath.Join(dir, "other.png"), "")
	}
	for _, name := range m.base {
		if strings.HasSuffix(name, "/") {
			mkdir(t, filepath.Join(root, name))
		} else {
			write(t, filepath.Join(root, name), "")
		}
	}
	if m.tool == "pacman" {
		write(t, filepath.Join(root, "var/lib/pacman.conf"), "[options]\nArchitecture = auto\nSigLevel = Never\nLocalFileSigLevel = Never\n")
	}
	write(t, filepath.Join(root, "dev/null"), "") // a file does
	for _, link := range []string{"bin", "sbin"} {
		if err := os.Symlink("usr/bin", filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{m.shell, "awk", "timeout"} {
		borrow(t, root, name)
	}
	if err := os.Rename(filepath.Join(root, "usr/bin", m.shell), filepath.Join(root, "usr/bin/sh")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"loginctl": "echo '1000 robin'", "systemctl": `[ "$1 $2 $3" = "--user -M robin@" ] && shift 3 && echo "$*" >>/tmp/called`} {
		path := filepath.Join(root, "usr/bin", name)
		write(t, path, "#!/bin/sh\n"+text+"\n")
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func mkdir(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

var library = regexp.MustCompile(`(/\S+) \(0x`)

// borrow copies a program of this machine into a root, with the libraries that it is linked with.
func borrow(t *testing.T, root, name string) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip("there is no " + name)
	}
	files := map[string]string{path: filepath.Join(root, "usr/bin", name)}
	for _, m := range library.FindAllStringSubmatch(output(t, "ldd", path), -1) {
		files[m[1]] = filepath.Join(root, m[1])
	}
	for from, to := range files {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		mkdir(t, filepath.Dir(to))
		if err := os.WriteFile(to, data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// called is what the services were told since the last time.
func called(t *testing.T, root string) []string {
	t.Helper()
	path := filepath.Join(root, "tmp/called")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return nil
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// state is every file and folder of a root by its name, with its mode and owner, but for the books of package managers.
func state(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if name == "var" || name == "tmp" || name == "." {
			if name == "." {
				return nil
			}
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		out[name] = info.Mode().String()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
