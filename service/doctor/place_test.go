package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/home"
)

func TestFoldersThatAreCopiedOrOnTheNetworkAreTold(t *testing.T) {
	for path, want := range map[string]string{
		"/home/me/.dormouse": "",
		"/Users/me/Library/Mobile Documents/com~apple~CloudDocs/.d":    "iCloud",
		"C:/Users/me/OneDrive/.dormouse":                               "OneDrive",
		"C:/Users/me/OneDrive - Acme GmbH/.dormouse":                   "OneDrive",
		"/Users/me/Library/CloudStorage/OneDrive-Personal/d":           "OneDrive",
		"/home/me/Dropbox (Old)/d":                                     "Dropbox",
		"/home/me/code/onedriver/.dormouse":                            "",
		"/home/me/dropboxes":                                           "",
		"/Users/me/Library/CloudStorage/GoogleDrive-me@example.org/My": "Google Drive",
	} {
		if got := copiedBy(path); got != want {
			t.Errorf("%s is copied by %q, want %q", path, got, want)
		}
	}
	dir := t.TempDir()
	look := func(path, kind string) Finding {
		t.Helper()
		found := placeBy(home.At(path), func(string) string { return kind }).Look(t.Context())
		if len(found) != 1 {
			t.Fatalf("%+v", found)
		}
		return found[0]
	}
	if f := look(filepath.Join(dir, "not", "there"), ""); f.State != OK {
		t.Errorf("%+v", f)
	}
	if f := look(dir, "NFS"); f.State != Warn || !strings.Contains(f.Text, "NFS") || !strings.Contains(f.Remedy, home.EnvHome) {
		t.Errorf("%+v", f)
	}
	cloud := filepath.Join(dir, "OneDrive - Acme")
	if err := os.Mkdir(cloud, 0o700); err != nil {
		t.Fatal(err)
	}
	if f := look(filepath.Join(cloud, "dormouse"), ""); f.State != Warn || !strings.Contains(f.Text, "OneDrive") {
		t.Errorf("%+v", f)
	}
	if err := os.Symlink(cloud, filepath.Join(dir, "link")); err == nil {
		if f := look(filepath.Join(dir, "link", "dormouse"), ""); f.State != Warn {
			t.Errorf("behind a link: %+v", f)
		}
	}
	if f := Place(home.At(dir)).Look(t.Context()); len(f) != 1 {
		t.Errorf("%+v", f)
	}
}
