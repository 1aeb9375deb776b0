package main

import (
	"context"
	"fmt"
	"image"
	_ "image/png" // the icons' format
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tc-hib/winres"
	"github.com/tc-hib/winres/version"
)

// windows makes the archive and, where all programs are there, the installer.
func (r *release) windows(ctx context.Context, b built, pages string) error {
	name := fmt.Sprintf("dormouse-%s-%s", r.version, b.slug())
	top := filepath.Join(r.work, "zip", b.slug())
	if err := r.portable(tree{filepath.Join(top, name)}, b, pages); err != nil {
		return err
	}
	if err := pack(top, filepath.Join(r.out, name+".zip"), r.made); err != nil {
		return err
	}
	return r.installer(ctx, b)
}

// installer makes the one for a person without an administrator's rights.
func (r *release) installer(ctx context.Context, b built) error {
	what := "installer for " + b.String()
	if !b.has("dormouse-desktop") {
		r.leave(what, "it has to hold the window")
		return nil
	}
	if _, err := exec.LookPath("makensis"); err != nil {
		r.leave(what, "there is no makensis (Debian: nsis)")
		return nil
	}
	for _, path := range b.programs {
		if err := os.Chtimes(path, r.made, r.made); err != nil {
			return err
		}
	}
	icon := filepath.Join(r.work, "dormouse.ico")
	if err := r.writeIcon(icon); err != nil {
		return err
	}
	plugins := filepath.Join(r.work, "plugins", b.slug())
	if err := r.stage(plugins); err != nil {
		return err
	}
	out := filepath.Join(r.out, fmt.Sprintf("Dormouse-%s-%s-setup.exe", r.version, b.slug()))
	r.step("build %s", filepath.Base(out))
	script := filepath.Join(r.root, "packaging", "windows", "dormouse.nsi")
	args := []string{"-V2", "-NOCD", "-WX", "-DVERSION=" + r.version, "-DNUMBERS=" + numbers(r.version), "-DBIN=" + filepath.Dir(b.programs["dormouse"]),
		"-DICON=" + icon, "-DPLUGINS=" + plugins, "-DLICENSE=" + filepath.Join(r.root, "LICENSE"), "-DOUT=" + out}
	if r.quick {
		args = append(args, "-DQUICK")
	}
	if err := r.command(ctx, nil, "makensis", append(args, script)...); err != nil {
		return err
	}
	return r.signWindows(ctx, out)
}

// numbers are a version as Windows writes it: four numbers.
func numbers(semver string) string {
	n := fourNumbers(semver)
	return fmt.Sprintf("%d.%d.%d.%d", n[0], n[1], n[2], n[3])
}

func fourNumbers(semver string) (out [4]uint16) {
	plain, _, _ := strings.Cut(semver, "-")
	plain, _, _ = strings.Cut(plain, "+")
	for i, part := range strings.SplitN(plain, ".", 3) {
		if n, err := strconv.ParseUint(part, 10, 16); err == nil {
			out[i] = uint16(n)
		}
	}
	return out
}

func (r *release) icon() (*winres.Icon, error) {
	var images []image.Image
	for _, size := range []int{16, 24, 32, 48, 64, 128, 256} {
		f, err := os.Open(filepath.Join(r.root, "assets", "app", "png", fmt.Sprintf("dormouse-%d.png", size)))
		if err != nil {
			return nil, err
		}
		img, _, err := image.Decode(f)
		if err := first(err, f.Close()); err != nil {
			return nil, err
		}
		images = append(images, img)
	}
	return winres.NewIconFromImages(images)
}

func (r *release) writeIcon(path string) error {
	icon, err := r.icon()
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return first(icon.SaveICO(f), f.Close())
}

// titles are what Windows shows of the programs.
var titles = map[string]string{"dormouse": "Dormouse", "dormouse-hook": "Dormouse hook", "dormouse-tray": "Dormouse tray", "dormouse-desktop": "Dormouse"}

// resources puts icon, manifest and version beside each program's sources, where go build links them in, until undo.
func (r *release) resources(t target) (undo func(), err error) {
	var made []string
	undo = func() {
		for _, path := range made {
			_ = os.Remove(path) //nolint:errcheck // git ignores what is left
		}
	}
	for _, p := range programs {
		set, err := r.resourcesOf(p)
		if err != nil {
			undo()
			return nil, err
		}
		path := filepath.Join(r.root, "cmd", p.name, "rsrc_windows_"+t.arch+".syso")
		f, err := os.Create(path)
		if err != nil {
			undo()
			return nil, err
		}
		made = append(made, path)
		if err := first(set.WriteObject(f, winres.Arch(t.arch)), f.Close()); err != nil {
			undo()
			return nil, err
		}
	}
	return undo, nil
}

func (r *release) resourcesOf(p program) (*winres.ResourceSet, error) {
	icon, err := r.icon()
	if err != nil {
		return nil, err
	}
	set := &winres.ResourceSet{}
	if err := set.SetIcon(winres.Name("APPICON"), icon); err != nil {
		return nil, err
	}
	set.SetManifest(winres.AppManifest{ExecutionLevel: winres.AsInvoker, DPIAwareness: winres.DPIPerMonitorV2, UseCommonControlsV6: true,
		LongPathAware: true, Compatibility: winres.Win10AndAbove})
	info := version.Info{FileVersion: fourNumbers(r.version), ProductVersion: fourNumbers(r.version)}
	for key, value := range map[string]string{version.ProductName: "Dormouse", version.FileDescription: titles[p.name],
		version.ProductVersion: r.version, version.FileVersion: r.version, version.OriginalFilename: p.name + ".exe",
		version.CompanyName: "The Dormouse developers", version.LegalCopyright: "The Dormouse developers, Apache-2.0"} {
		if err := info.Set(version.LangDefault, key, value); err != nil {
			return nil, err
		}
	}
	set.SetVersionInfo(info)
	return set, nil
}
