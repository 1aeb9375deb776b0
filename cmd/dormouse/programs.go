package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"dormouse/cmd/internal/text"
)

// programs is what is left of an installation once it is uninstalled: the programs, which only what installed them can remove.
type programs struct {
	Owner    string   `json:"owner"` // deb, rpm, pacman, homebrew, appimage, installer, app, or files
	Files    []string `json:"files"`
	Say      string   `json:"say"`
	Commands []string `json:"commands"`
}

// ownerTime is how long a package manager may take to say whose a file is.
const ownerTime = 5 * time.Second

// programNames are those of a whole installation.
var programNames = []string{"dormouse", "dormouse-hook", "dormouse-tray", "dormouse-desktop"}

// programs tells by whom this program was installed.
func (a *app) programs(ctx context.Context) programs {
	if image := a.Env("APPIMAGE"); image != "" {
		return programs{Owner: "appimage", Files: []string{image}, Say: "The program is one file. To remove it:", Commands: []string{deleting(image)}}
	}
	exe := a.Exe
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	slashed := filepath.ToSlash(exe)
	if _, _, ok := strings.Cut(slashed, "/Cellar/dormouse/"); ok {
		return programs{Owner: "homebrew", Files: []string{}, Say: "Homebrew installed the programs. To remove them:", Commands: []string{"brew uninstall dormouse"}}
	}
	if app, _, ok := strings.Cut(slashed, ".app/Contents/"); ok {
		return programs{Owner: "app", Files: []string{app + ".app"}, Say: "The programs are in one application. Put it into the Bin: " + text.Line(app) + ".app", Commands: []string{}}
	}
	if setup := filepath.Join(filepath.Dir(exe), "uninstall.exe"); runtime.GOOS == "windows" && isFile(setup) {
		return programs{Owner: "installer", Files: []string{filepath.Dir(exe)}, Say: "To remove the programs, uninstall Dormouse among the installed apps of Windows, or run:", Commands: []string{`"` + setup + `"`}}
	}
	if p, ok := a.packaged(ctx, exe); ok {
		return p
	}
	return beside(exe)
}

// managers are the package managers that know whose a file is: their question, and from its answer the package and the command that
// removes it.
var managers = []struct {
	owner   string
	ask     []string
	pkg     func(answer string) string
	removal string
}{
	{"deb", []string{"dpkg-query", "-S"}, func(s string) string { name, _, _ := strings.Cut(s, ":"); return name }, "sudo apt remove "},
	{"rpm", []string{"rpm", "-qf", "--qf", "%{NAME}\n"}, func(s string) string { return s }, "sudo dnf remove "},
	{"pacman", []string{"pacman", "-Qqo"}, func(s string) string { return s }, "sudo pacman -R "},
}

func (a *app) packaged(ctx context.Context, exe string) (programs, bool) {
	if runtime.GOOS != "linux" || exe == "" {
		return programs{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, ownerTime)
	defer cancel()
	nowhere, err := os.MkdirTemp("", "dormouse-*")
	if err != nil {
		return programs{}, false
	}
	defer os.RemoveAll(nowhere) //nolint:errcheck // what it holds is somebody else's
	for _, m := range managers {
		cmd := exec.CommandContext(ctx, m.ask[0], append(slices.Clone(m.ask[1:]), exe)...)
		cmd.Env = append(os.Environ(), "HOME="+nowhere) // where rpm is not the system's own, it makes a database in the home folder
		out, err := cmd.Output()
		if err != nil {
			continue // it is not here, or knows no such file
		}
		first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		if pkg := m.pkg(strings.TrimSpace(first)); pkg != "" && !strings.ContainsAny(pkg, " \t'\"") {
			return programs{Owner: m.owner, Files: []string{}, Say: "The programs are of the package " + pkg + ". To remove it:", Commands: []string{m.removal + pkg}}, true
		}
	}
	return programs{}, false
}

// beside are the programs that lie where this one does, put there by hand.
func beside(exe string) programs {
	out := programs{Owner: "files", Files: []string{}, Commands: []string{}}
	for _, name := range programNames {
		path := filepath.Join(filepath.Dir(exe), name+filepath.Ext(filepath.Base(exe)))
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			out.Files = append(out.Files, path)
		}
	}
	out.Say = "The programs were put in place by hand. To remove them, delete:"
	for _, f := range out.Files {
		out.Commands = append(out.Commands, text.Line(f))
	}
	if len(out.Files) == 0 {
		out.Say = "No programs are left to be removed."
	}
	return out
}

func deleting(path string) string {
	return "rm '" + strings.ReplaceAll(text.Line(path), "'", `'\''`) + "'"
}

// isHere reports whether a file or folder is there.
func isHere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
