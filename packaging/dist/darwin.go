package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
)

// darwin makes the archive of the programs that need no C and, on a Mac, the bundle.
func (r *release) darwin(ctx context.Context, b built, pages string) error {
	name := fmt.Sprintf("dormouse-%s-%s", r.version, b.slug())
	top := filepath.Join(r.work, "tar", b.slug())
	if err := r.portable(tree{filepath.Join(top, name)}, b, pages); err != nil {
		return err
	}
	if err := pack(top, filepath.Join(r.out, name+".tar.gz"), r.made); err != nil {
		return err
	}
	if !b.has("dormouse-desktop") || !b.has("dormouse-tray") {
		r.leave("Dormouse.app for "+b.arch, "the window and the tray are built on a Mac")
		return nil
	}
	top = filepath.Join(r.work, "app", b.slug())
	app := filepath.Join(top, "Dormouse.app")
	if err := r.bundle(tree{app}, b); err != nil {
		return err
	}
	if err := r.signApple(ctx, app); err != nil {
		return err
	}
	return pack(top, filepath.Join(r.out, fmt.Sprintf("Dormouse-%s-%s.zip", r.version, b.slug())), r.made)
}

// bundle lays out Dormouse.app as macOS wants it. The tray is a bundle of its own inside, without an icon in the Dock. The LaunchAgent that
// starts the service is written by "dormouse service install"; the one here shows launchd the same for those who install without it.
func (r *release) bundle(t tree, b built) error {
	plist := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(r.root, "packaging", "macos", name))
		if err != nil {
			return nil
		}
		return bytes.ReplaceAll(text, []byte("@VERSION@"), []byte(r.version))
	}
	icon, err := icns(filepath.Join(r.root, "assets", "app", "png"))
	if err != nil {
		return err
	}
	const tray = "Contents/Library/LoginItems/DormouseTray.app/Contents/"
	for to, data := range map[string][]byte{
		"Contents/Info.plist": plist("Info.plist"), tray + "Info.plist": plist("Tray.plist"),
		"Contents/Library/LaunchAgents/app.dormouse.plist": plist("LaunchAgent.plist"),
		"Contents/PkgInfo": []byte("APPL????"), tray + "PkgInfo": []byte("APPL????"),
		"Contents/Resources/dormouse.icns": icon, tray + "Resources/dormouse.icns": icon,
	} {
		if len(data) == 0 {
			return fmt.Errorf("%s has no source in packaging/macos", to)
		}
		if err := t.write(data, to, 0o644); err != nil {
			return err
		}
	}
	for name, path := range b.programs {
		to := "Contents/MacOS/" + name
		if name == "dormouse-tray" {
			to = tray + "MacOS/" + name
		}
		if err := t.put(path, to, 0o755); err != nil {
			return err
		}
	}
	if err := r.plugins(t, "Contents/Resources/plugins"); err != nil {
		return err
	}
	return t.put(filepath.Join(r.root, "LICENSE"), "Contents/Resources/LICENSE", 0o644)
}

// icnsTypes are the kinds of an .icns file that hold a PNG of a size in pixels (Apple's icon types since macOS 10.7).
var icnsTypes = []struct {
	kind string
	size int
}{{"icp4", 16}, {"icp5", 32}, {"icp6", 64}, {"ic07", 128}, {"ic08", 256}, {"ic09", 512}}

// icns is an icon file of macOS: a header with the length of the whole, and for each size its type, its length and the PNG itself.
func icns(dir string) ([]byte, error) {
	var body bytes.Buffer
	for _, t := range icnsTypes {
		png, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("dormouse-%d.png", t.size)))
		if err != nil {
			return nil, err
		}
		body.WriteString(t.kind)
		body.Write(binary.BigEndian.AppendUint32(nil, uint32(8+len(png))))
		body.Write(png)
	}
	head := binary.BigEndian.AppendUint32([]byte("icns"), uint32(8+body.Len()))
	return append(head, body.Bytes()...), nil
}
