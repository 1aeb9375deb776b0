package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"aead.dev/minisign"
)

func TestUpdateAsksTheFeedThatIsSetAndNothingElse(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	if r := dormouse(t, home, "update", "--check"); r.code != exitOK || !strings.Contains(r.out, "No release feed is set, so nothing was asked") {
		t.Errorf("%+v", r)
	}
	if r := dormouse(t, home, "update"); r.code != exitUsage || !strings.Contains(r.err, "never updates itself") {
		t.Errorf("%+v", r)
	}
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := public.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(key)), "\n")
	feed := filepath.Join(t.TempDir(), "releases.json")
	put := func(path string, text []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := fmt.Appendf(nil, `{"format": 1, "valid_until": "2999-01-01", "releases": [{"version": "9.1.0", "date": "2026-05-01", "security": true, "notes": "Quicker\u001b[31m",
		"url": "https://example.org/9.1.0", "files": [{"system": %q, "name": "dormouse.zip", "url": "https://example.org/x", "sha256": "ab12"}]}]}`, runtime.GOOS+"/"+runtime.GOARCH)
	put(feed, text)
	put(feed+".minisig", minisign.Sign(private, text))
	put(filepath.Join(home, "config.toml"), fmt.Appendf(nil, "[update]\nfeed = '%s'\nkey = %q\n", feed, lines[len(lines)-1]))
	release = "1.0.0"
	defer func() { release = "" }()
	r := dormouse(t, home, "update", "--check")
	for _, want := range []string{"Dormouse 9.1.0 is out", "this is 1.0.0", "security", "Quicker", "https://example.org/9.1.0", "dormouse.zip  sha256 ab12"} {
		if r.code != exitOK || !strings.Contains(r.out, want) || strings.Contains(r.out, "\x1b") {
			t.Errorf("no %q in %+v", want, r)
		}
	}
	if r := dormouse(t, home, "update", "--check", "--json"); !strings.Contains(r.out, `"newer": true`) || !strings.Contains(r.out, `"current": "1.0.0"`) {
		t.Errorf("%+v", r)
	}
	release = "9.1.0"
	if r := dormouse(t, home, "update", "--check"); r.out != "Dormouse 9.1.0 is the newest release.\n" {
		t.Errorf("%+v", r)
	}
	put(feed, append(text, ' '))
	if r := dormouse(t, home, "update", "--check"); r.code != exitFailure || !strings.Contains(r.err, "not signed by the key") || r.out != "" {
		t.Errorf("changed: %+v", r)
	}
}
