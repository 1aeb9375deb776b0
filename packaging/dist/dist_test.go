package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var then = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// made is a release of the real sources around programs that are only text.
func made(t *testing.T, tgt target) (*release, built, string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	r := &release{root: root, out: t.TempDir(), work: t.TempDir(), version: "1.2.3", made: then, say: io.Discard}
	b := built{tgt, map[string]string{}}
	for _, p := range programs {
		b.programs[p.name] = filepath.Join(r.work, tgt.exe(p.name))
		write(t, b.programs[p.name], "this is "+p.name)
	}
	pages := t.TempDir()
	for _, name := range []string{"man/dormouse.1", "man/dormouse-status.1", "dormouse.bash", "_dormouse", "dormouse.fish", "dormouse.ps1"} {
		write(t, filepath.Join(pages, name), name)
	}
	return r, b, pages
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = data
	}
	return out
}

func TestTheSameCommitGivesTheSamePackages(t *testing.T) {
	var before map[string][]byte
	for range 2 {
		r, b, pages := made(t, target{"linux", "amd64"})
		if err := r.linux(t.Context(), b, pages); err != nil {
			t.Fatal(err)
		}
		now := contents(t, r.out)
		if len(now) != len(formats)+1 {
			t.Fatalf("%d files", len(now))
		}
		for name, data := range before {
			if !bytes.Equal(now[name], data) {
				t.Errorf("%s differs", name)
			}
		}
		before = now
	}
}

func TestDebHoldsWhatAPersonNeeds(t *testing.T) {
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("there is no dpkg-deb to read the package with")
	}
	r, b, pages := made(t, target{"linux", "arm64"})
	if err := r.linux(t.Context(), b, pages); err != nil {
		t.Fatal(err)
	}
	deb := filepath.Join(r.out, "dormouse_1.2.3-1_arm64.deb")
	list := output(t, "dpkg-deb", "-c", deb)
	for _, want := range []string{"-rwxr-xr-x root/root", "./usr/bin/dormouse\n", "./usr/bin/dormouse-hook\n", "./usr/bin/dormouse-tray\n",
		"./usr/bin/dormouse-desktop\n", "./usr/lib/systemd/user/dormouse.service\n", "./etc/xdg/autostart/dormouse-tray.desktop\n",
		"./usr/share/applications/app.dormouse.desktop\n", "./usr/share/metainfo/app.dormouse.Dormouse.metainfo.xml\n",
		"./usr/share/icons/hicolor/256x256/apps/dormouse.png\n", "./usr/share/man/man1/dormouse-status.1.gz\n",
		"./usr/share/bash-completion/completions/dormouse\n", "./usr/share/zsh/vendor-completions/_dormouse\n",
		"./usr/share/doc/dormouse/copyright\n", "./usr/share/dormouse/plugins/.claude-plugin/marketplace.json\n",
		"./usr/share/dormouse/plugins/opencode/hooks.js\n"} {
		if !strings.Contains(list, want) {
			t.Errorf("%q is not in\n%s", want, list)
		}
	}
	fields := output(t, "dpkg-deb", "-f", deb)
	for _, want := range []string{"Version: 1.2.3-1\n", "Architecture: arm64\n", "Depends: git\n", "libayatana-appindicator3-1"} {
		if !strings.Contains(fields, want) {
			t.Errorf("%q is not in\n%s", want, fields)
		}
	}
	dir := t.TempDir()
	output(t, "dpkg-deb", "-e", deb, dir)
	if conf, err := os.ReadFile(filepath.Join(dir, "conffiles")); err != nil || string(conf) != "/etc/xdg/autostart/dormouse-tray.desktop\n" {
		t.Errorf("%q %v", conf, err)
	}
	for _, script := range []string{"postinst", "prerm"} {
		output(t, "sh", "-n", filepath.Join(dir, script))
	}
}

func TestAPackageWithoutTheWindowOffersNone(t *testing.T) {
	r, b, pages := made(t, target{"linux", "arm64"})
	delete(b.programs, "dormouse-desktop")
	delete(b.programs, "dormouse-tray")
	usr := tree{t.TempDir()}
	if err := r.usr(usr, b, pages); err != nil {
		t.Fatal(err)
	}
	list, err := entries(usr.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if strings.Contains(e.name, "applications") || strings.Contains(e.name, "autostart") || strings.Contains(e.name, "metainfo") {
			t.Errorf("%s is of a program that is not there", e.name)
		}
	}
}

func TestRPMNamesItsFilesAlone(t *testing.T) {
	if _, err := exec.LookPath("rpm"); err != nil {
		t.Skip("there is no rpm to read the package with")
	}
	r, b, pages := made(t, target{"linux", "amd64"})
	if err := r.linux(t.Context(), b, pages); err != nil {
		t.Fatal(err)
	}
	rpm := filepath.Join(r.out, "dormouse-1.2.3-1.x86_64.rpm")
	list := strings.Fields(output(t, "rpm", "-qlp", rpm))
	if !slices.Contains(list, "/usr/bin/dormouse") || !slices.Contains(list, "/usr/share/zsh/site-functions/_dormouse") {
		t.Errorf("%v", list)
	}
	for _, name := range list {
		if strings.HasPrefix(name, "/usr/share/icons") && !strings.HasSuffix(name, ".png") && !strings.HasSuffix(name, ".svg") {
			t.Errorf("the package owns %s, which is the system's", name)
		}
	}
}

func TestArchivesRunWhereTheyAreUnpacked(t *testing.T) {
	r, b, pages := made(t, target{"linux", "amd64"})
	if err := r.linux(t.Context(), b, pages); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(r.out, "dormouse-1.2.3-linux-amd64.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	modes, last := map[string]int64{}, ""
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || !h.ModTime.Equal(then) || strings.TrimSuffix(h.Name, "/") < last {
			t.Errorf("%s of %d at %v after %s", h.Name, h.Uid, h.ModTime, last)
		}
		last = strings.TrimSuffix(h.Name, "/")
		modes[h.Name] = h.Mode
	}
	for name, mode := range map[string]int64{"bin/dormouse": 0o755, "bin/dormouse-tray": 0o755, "README.md": 0o644, "share/man/man1/dormouse.1.gz": 0o644,
		"share/dormouse/plugins/codex/.codex-plugin/plugin.json": 0o644} {
		if modes["dormouse-1.2.3-linux-amd64/"+name] != mode {
			t.Errorf("%s has mode %o", name, modes["dormouse-1.2.3-linux-amd64/"+name])
		}
	}
}

func TestWindowsArchive(t *testing.T) {
	r, b, pages := made(t, target{"windows", "arm64"})
	delete(b.programs, "dormouse-desktop")
	if err := r.windows(t.Context(), b, pages); err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(filepath.Join(r.out, "dormouse-1.2.3-windows-arm64.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close() //nolint:errcheck // only read
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	for _, want := range []string{"bin/dormouse-hook.exe", "share/dormouse/plugins/gemini-cli/gemini-extension.json"} {
		if !slices.Contains(names, "dormouse-1.2.3-windows-arm64/"+want) {
			t.Errorf("%s is not in %v", want, names)
		}
	}
	if len(r.left) != 1 || !strings.HasPrefix(r.left[0], "installer for windows/arm64") {
		t.Errorf("left out: %v", r.left)
	}
}

// The programs of an installer are only text here; that it installs is tried under wine.
func TestInstallerIsBuilt(t *testing.T) {
	if _, err := exec.LookPath("makensis"); err != nil {
		t.Skip("there is no makensis")
	}
	var before []byte
	for range 2 {
		r, b, _ := made(t, target{"windows", "amd64"})
		if err := r.installer(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		exe, err := os.ReadFile(filepath.Join(r.out, "Dormouse-1.2.3-windows-amd64-setup.exe"))
		if err != nil || !bytes.HasPrefix(exe, []byte("MZ")) {
			t.Fatal(err)
		}
		if before != nil && !bytes.Equal(before, exe) {
			t.Error("two installers of the same programs differ")
		}
		before = exe
	}
}

func TestBundleIsLaidOutAsMacOSWantsIt(t *testing.T) {
	r, b, _ := made(t, target{"darwin", "arm64"})
	app := tree{filepath.Join(t.TempDir(), "Dormouse.app")}
	if err := r.bundle(app, b); err != nil {
		t.Fatal(err)
	}
	const inner = "Contents/Library/LoginItems/DormouseTray.app/"
	for _, of := range []struct{ plist, key, want, folder string }{
		{"Contents/Info.plist", "CFBundleExecutable", "dormouse-desktop", "Contents/MacOS/"},
		{inner + "Contents/Info.plist", "CFBundleExecutable", "dormouse-tray", inner + "Contents/MacOS/"},
		{"Contents/Info.plist", "CFBundleShortVersionString", "1.2.3", ""},
		{"Contents/Info.plist", "CFBundleIdentifier", "app.dormouse.desktop", ""},
		{inner + "Contents/Info.plist", "CFBundleIdentifier", "app.dormouse.tray", ""},
		{"Contents/Library/LaunchAgents/app.dormouse.plist", "BundleProgram", "Contents/MacOS/dormouse", ""},
	} {
		keys := plist(t, filepath.Join(app.dir, of.plist))
		if keys[of.key] != of.want {
			t.Errorf("%s: %s is %q", of.plist, of.key, keys[of.key])
		}
		if of.folder == "" {
			continue
		}
		if info, err := os.Stat(filepath.Join(app.dir, of.folder, of.want)); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s: %v", of.want, err)
		}
	}
	if _, hidden := plist(t, filepath.Join(app.dir, inner, "Contents/Info.plist"))["LSUIElement"]; !hidden {
		t.Error("the tray would have an icon in the Dock")
	}
}

// plist reads the keys of a property list whose values are texts; of others the value is empty.
func plist(t *testing.T, path string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Dict struct {
			Parts []struct {
				XMLName xml.Name
				Text    string `xml:",chardata"`
			} `xml:",any"`
		} `xml:"dict"`
	}
	if err := xml.Unmarshal(data, &doc); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	out := map[string]string{}
	for i := 0; i+1 < len(doc.Dict.Parts); i += 2 {
		key, value := doc.Dict.Parts[i], doc.Dict.Parts[i+1]
		if key.XMLName.Local != "key" {
			t.Fatalf("%s: %s stands where a key should", path, key.XMLName.Local)
		}
		out[key.Text] = ""
		if value.XMLName.Local == "string" {
			out[key.Text] = value.Text
		}
	}
	return out
}

func TestIconsOfMacOS(t *testing.T) {
	data, err := icns("../../assets/app/png")
	if err != nil {
		t.Fatal(err)
	}
	if string(data[:4]) != "icns" || int(binary.BigEndian.Uint32(data[4:])) != len(data) {
		t.Fatalf("header %q", data[:8])
	}
	var sizes []int
	for rest := data[8:]; len(rest) > 0; {
		n := binary.BigEndian.Uint32(rest[4:])
		img, err := png.DecodeConfig(bytes.NewReader(rest[8:n]))
		if err != nil {
			t.Fatal(err)
		}
		sizes, rest = append(sizes, img.Width), rest[n:]
	}
	if !slices.Equal(sizes, []int{16, 32, 64, 128, 256, 512}) {
		t.Errorf("%v", sizes)
	}
}

func TestVersions(t *testing.T) {
	for version, want := range map[string]string{"1.2.3": "1.2.3.0", "0.1.0-dev.818.gabc": "0.1.0.0", "10.20.30-rc.1": "10.20.30.0", "1.2.99999": "1.2.0.0"} {
		if got := numbers(version); got != want {
			t.Errorf("%s is %s", version, got)
		}
	}
	for _, bad := range []string{"v1.2.3", "1.2", "1.2.3 4", ""} {
		if semantic.MatchString(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestAFolderOfOthersIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "dormouse-1.0.0-linux-amd64.tar.gz"), "old")
	write(t, filepath.Join(dir, "thesis.txt"), "mine")
	if err := emptied(dir); err == nil || !strings.Contains(err.Error(), "thesis.txt") {
		t.Errorf("%v", err)
	}
	if len(contents(t, dir)) != 2 {
		t.Error("something was removed")
	}
	if err := os.Remove(filepath.Join(dir, "thesis.txt")); err != nil {
		t.Fatal(err)
	}
	if err := emptied(dir); err != nil || len(contents(t, dir)) != 0 {
		t.Errorf("%v, %v", err, contents(t, dir))
	}
}

func TestChecksumsAreThoseOfSha256sum(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "dormouse-a"), "a")
	write(t, filepath.Join(dir, "dormouse-b"), "b")
	for range 2 { // its own file is not summed
		if _, err := checksums(dir); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.CommandContext(t.Context(), "sha256sum", "--check", "--strict", sumsFile)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil || strings.Count(string(out), "OK") != 2 {
		t.Errorf("%s %v", out, err)
	}
}

func TestTargetsAreChosenByName(t *testing.T) {
	got, err := chosen("linux/arm64, windows/amd64")
	if err != nil || !slices.Equal(got, []target{{"linux", "arm64"}, {"windows", "amd64"}}) {
		t.Errorf("%v %v", got, err)
	}
	if _, err := chosen("linux/riscv"); err == nil {
		t.Error("an unknown one is taken")
	}
}

func TestWindowsProgramsAreSignedWithAKeyAlone(t *testing.T) {
	for _, tool := range []string{"osslsigncode", "openssl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("there is no " + tool)
		}
	}
	r, _, _ := made(t, target{"windows", "amd64"})
	exe := filepath.Join(r.work, "small.exe")
	if err := r.command(t.Context(), []string{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS="}, "go", "build", "-o", exe, "./cmd/dormouse-hook"); err != nil {
		t.Fatal(err)
	}
	plain, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(keyP12, "")
	if err := r.signWindows(t.Context(), exe); err != nil {
		t.Fatal(err)
	}
	if same, err := os.ReadFile(exe); err != nil || !bytes.Equal(plain, same) {
		t.Fatal("signed without a key", err)
	}
	dir := t.TempDir()
	key, cert, p12, pass := filepath.Join(dir, "key"), filepath.Join(dir, "cert"), filepath.Join(dir, "p12"), filepath.Join(dir, "pass")
	write(t, pass, "open")
	output(t, "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "9999", "-subj", "/CN=Dormouse test",
		"-addext", "extendedKeyUsage=codeSigning")
	output(t, "openssl", "pkcs12", "-export", "-inkey", key, "-in", cert, "-out", p12, "-passout", "file:"+pass)
	t.Setenv(keyP12, p12)
	t.Setenv(keyPass, pass)
	if err := r.signWindows(t.Context(), exe); err != nil {
		t.Fatal(err)
	}
	if said := output(t, "osslsigncode", "verify", "-in", exe, "-CAfile", cert); !strings.Contains(said, "Signature verification: ok") {
		t.Errorf("%s", said)
	}
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// Each file that the plugins' maker writes is in a package, and nothing that only makes or tests them.
func TestPluginsAreWhole(t *testing.T) {
	r, _, _ := made(t, target{"linux", "amd64"})
	to := tree{t.TempDir()}
	if err := r.plugins(to, "p"); err != nil {
		t.Fatal(err)
	}
	list, err := entries(filepath.Join(to.dir, "p"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		if !e.info.IsDir() {
			got = append(got, e.name)
		}
	}
	fresh := t.TempDir()
	c := exec.Command("go", "run", "./packaging/plugins", "-out", fresh)
	c.Dir = r.root
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	list, err = entries(fresh)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, e := range list {
		if !e.info.IsDir() {
			want = append(want, e.name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
