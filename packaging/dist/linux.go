package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/arch" // the formats that nfpm.Get knows
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// formats are the packages that are made for Linux, as nfpm names them.
var formats = []string{"deb", "rpm", "archlinux"}

// linux makes the packages and the archive.
func (r *release) linux(ctx context.Context, b built, pages string) error {
	if b.arch == "amd64" {
		r.leave("AppImage", "the runtime that it begins with is in no package that was found; see ARCHITECTURE.md")
	}
	usr := tree{filepath.Join(r.work, "root", b.slug())}
	if err := r.usr(usr, b, pages); err != nil {
		return err
	}
	for _, format := range formats {
		if err := r.nfpm(b.target, usr.dir, pages, format); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
	}
	name := fmt.Sprintf("dormouse-%s-%s", r.version, b.slug())
	top := filepath.Join(r.work, "tar", b.slug())
	if err := r.portable(tree{filepath.Join(top, name)}, b, pages); err != nil {
		return err
	}
	return pack(top, filepath.Join(r.out, name+".tar.gz"), r.made)
}

// usr lays out the files as a package of Linux installs them.
func (r *release) usr(t tree, b built, pages string) error {
	for name, path := range b.programs {
		if err := t.put(path, "usr/bin/"+name, 0o755); err != nil {
			return err
		}
	}
	own := func(name string) string { return filepath.Join(r.root, "packaging", "linux", name) }
	err := all(
		func() error { return t.put(own("dormouse.service"), "usr/lib/systemd/user/dormouse.service", 0o644) },
		func() error { return t.put(own("copyright"), "usr/share/doc/dormouse/copyright", 0o644) },
		func() error { return t.put(filepath.Join(r.root, "LICENSE"), "usr/share/doc/dormouse/LICENSE", 0o644) },
		func() error {
			return t.put(filepath.Join(r.root, "README.md"), "usr/share/doc/dormouse/README.md", 0o644)
		},
		func() error { return shells(t, pages, "usr/share/") },
		func() error { return r.plugins(t, "usr/share/dormouse/plugins") },
	)
	if err != nil || !b.has("dormouse-desktop") {
		return err
	}
	meta, err := os.ReadFile(own("app.dormouse.Dormouse.metainfo.xml"))
	if err != nil {
		return err
	}
	meta = bytes.ReplaceAll(meta, []byte("@VERSION@"), []byte(r.version))
	meta = bytes.ReplaceAll(meta, []byte("@DATE@"), []byte(r.made.Format(time.DateOnly)))
	return all(
		func() error { return t.write(meta, "usr/share/metainfo/app.dormouse.Dormouse.metainfo.xml", 0o644) },
		func() error {
			return t.put(own("app.dormouse.desktop"), "usr/share/applications/app.dormouse.desktop", 0o644)
		},
		func() error {
			return t.put(own("dormouse-tray.desktop"), "etc/xdg/autostart/dormouse-tray.desktop", 0o644)
		},
		func() error { return r.icons(t) },
	)
}

// shells are the manual pages and the completions. Where zsh looks differs from system to system: nfpm.yaml has it.
func shells(t tree, pages, share string) error {
	man, err := os.ReadDir(filepath.Join(pages, "man"))
	if err != nil {
		return err
	}
	for _, m := range man {
		if err := t.zip(filepath.Join(pages, "man", m.Name()), share+"man/man1/"+m.Name()+".gz"); err != nil {
			return err
		}
	}
	return all(
		func() error {
			return t.put(filepath.Join(pages, "dormouse.bash"), share+"bash-completion/completions/dormouse", 0o644)
		},
		func() error {
			return t.put(filepath.Join(pages, "dormouse.fish"), share+"fish/vendor_completions.d/dormouse.fish", 0o644)
		},
	)
}

func (r *release) icons(t tree) error {
	app := filepath.Join(r.root, "assets", "app")
	pngs, err := filepath.Glob(filepath.Join(app, "png", "dormouse-*.png"))
	if err != nil || len(pngs) == 0 {
		return errors.Join(err, fmt.Errorf("no icons in %s", app))
	}
	for _, p := range pngs {
		size := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(p), "dormouse-"), ".png")
		if err := t.put(p, "usr/share/icons/hicolor/"+size+"x"+size+"/apps/dormouse.png", 0o644); err != nil {
			return err
		}
	}
	return t.put(filepath.Join(app, "dormouse.svg"), "usr/share/icons/hicolor/scalable/apps/dormouse.svg", 0o644)
}

// portable lays out the files of an archive: it runs where it is unpacked.
func (r *release) portable(t tree, b built, pages string) error {
	for name, path := range b.programs {
		if err := t.put(path, "bin/"+b.exe(name), 0o755); err != nil {
			return err
		}
	}
	for _, name := range []string{"LICENSE", "README.md"} {
		if err := t.put(filepath.Join(r.root, name), name, 0o644); err != nil {
			return err
		}
	}
	if err := r.plugins(t, "share/dormouse/plugins"); err != nil {
		return err
	}
	if b.os == "windows" {
		return t.put(filepath.Join(pages, "dormouse.ps1"), "share/dormouse.ps1", 0o644)
	}
	return all(
		func() error { return shells(t, pages, "share/") },
		func() error {
			return t.put(filepath.Join(pages, "_dormouse"), "share/zsh/site-functions/_dormouse", 0o644)
		},
	)
}

// zshFolder is where a package puts the completions of zsh: Debian's own reads another folder than the others do.
var zshFolder = map[string]string{"deb": "/usr/share/zsh/vendor-completions/", "rpm": "/usr/share/zsh/site-functions/", "archlinux": "/usr/share/zsh/site-functions/"}

// contents are the files of a package, and the folders that are Dormouse's alone, which go with it. The others are the system's.
func (r *release) contents(root, pages, format string) (files.Contents, error) {
	list, err := entries(root)
	if err != nil {
		return nil, err
	}
	var out files.Contents
	add := func(from, to, kind string, mode fs.FileMode) {
		out = append(out, &files.Content{Source: from, Destination: to, Type: kind,
			FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.made}})
	}
	for _, e := range list {
		switch {
		case e.info.IsDir():
			if slices.Contains(strings.Split(e.name, "/"), "dormouse") {
				add("", "/"+e.name, files.TypeDir, 0o755)
			}
		case strings.HasPrefix(e.name, "etc/"):
			add(e.path, "/"+e.name, files.TypeConfig, e.mode())
		default:
			add(e.path, "/"+e.name, files.TypeFile, e.mode())
		}
	}
	add(filepath.Join(pages, "_dormouse"), zshFolder[format]+"_dormouse", files.TypeFile, 0o644)
	return out, nil
}

// nfpm makes one package of what lies below root. The name has what the format's tools expect of it.
func (r *release) nfpm(t target, root, pages, format string) (err error) {
	vars := map[string]string{"VERSION": r.version, "ARCH": t.arch}
	c, err := nfpm.ParseFileWithEnvMapping(filepath.Join(r.root, "packaging", "linux", "nfpm.yaml"), func(k string) string { return vars[k] })
	if err != nil {
		return err
	}
	info, err := c.Get(format)
	if err != nil {
		return err
	}
	info = nfpm.WithDefaults(info)
	info.MTime, info.DisableGlobbing = r.made, true
	if format == "archlinux" { // which knows no part for it, and nfpm would leave it out
		info.Version, info.Prerelease = info.Version+strings.ReplaceAll(info.Prerelease, "-", "_"), ""
	}
	if r.quick {
		info.Deb.Compression, info.RPM.Compression = "gzip", "gzip"
	}
	if info.Contents, err = r.contents(root, pages, format); err != nil {
		return err
	}
	for _, script := range []*string{&info.Scripts.PostInstall, &info.Scripts.PreRemove, &info.ArchLinux.Scripts.PostUpgrade} {
		*script = filepath.Join(r.root, *script)
	}
	p, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	name := p.ConventionalFileName(info)
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(r.out, name))
	if err != nil {
		return err
	}
	defer func() { err = first(err, f.Close()) }()
	return p.Package(info, f)
}
