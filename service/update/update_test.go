package update

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// signer makes feeds as a maker of releases does.
type signer struct {
	public  string
	private minisign.PrivateKey
}

func newSigner(t testing.TB) signer {
	t.Helper()
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := public.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return signer{lines[len(lines)-1], private}
}

// put writes a feed and its signature into a folder and gives its path.
func (s signer) put(t testing.TB, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "releases.json")
	for name, data := range map[string][]byte{path: text, path + suffix: minisign.Sign(s.private, text)} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func feedText(t testing.TB, f Feed) []byte {
	t.Helper()
	b, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func releases(versions ...string) Feed {
	f := Feed{Format: Format, ValidUntil: "2026-11-30"}
	for _, v := range versions {
		version, security := strings.CutSuffix(v, "!")
		f.Releases = append(f.Releases, Release{Version: version, Date: "2026-11-01", Security: security, URL: "https://example.org/" + version,
			Files: []File{{System: runtime.GOOS + "/" + runtime.GOARCH, Name: "ours"}, {System: "plan9/mips", Name: "theirs"}}})
	}
	return f
}

func TestTheNewestReleaseIsToldByItsVersion(t *testing.T) {
	s := newSigner(t)
	for _, tt := range []struct {
		current         string
		has             []string
		newest          string
		newer, security bool
	}{
		{"1.2.0", []string{"1.10.0", "1.9.0"}, "1.10.0", true, false},
		{"1.10.0", []string{"1.10.0", "1.9.0!"}, "1.10.0", false, false},
		{"1.8.0", []string{"1.9.0!", "1.10.0"}, "1.10.0", true, true},
		{"1.0.0", []string{"2.0.0-beta.1"}, "", false, false},
		{"2.0.0-beta.1", []string{"2.0.0-beta.2", "1.0.0"}, "2.0.0-beta.2", true, false},
		{"2.0.0-beta.1", []string{"2.0.0"}, "2.0.0", true, false},
		{"3.0.0", []string{"2.0.0!"}, "2.0.0", false, false},
		{"development build", []string{"2.0.0!"}, "2.0.0", false, false},
		{"1.0.0", nil, "", false, false},
	} {
		got, err := Check(t.Context(), Options{Feed: s.put(t, feedText(t, releases(tt.has...))), Key: s.public, Current: tt.current, Now: now})
		newest := ""
		if got.Newest != nil {
			newest = got.Newest.Version
			if len(got.Files) != 1 || got.Files[0].Name != "ours" {
				t.Errorf("files %+v", got.Files)
			}
		}
		if err != nil || newest != tt.newest || got.Newer != tt.newer || got.Security != tt.security {
			t.Errorf("%s of %v: %+v %v", tt.current, tt.has, got, err)
		}
	}
}

func TestAFeedThatCannotBeTrustedIsRefusedWithItsReason(t *testing.T) {
	s, other := newSigner(t), newSigner(t)
	good := feedText(t, releases("9.0.0"))
	tampered := s.put(t, good)
	if err := os.WriteFile(tampered, []byte(strings.Replace(string(good), "9.0.0", "9.0.1", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	unsigned := s.put(t, good)
	if err := os.Remove(unsigned + suffix); err != nil {
		t.Fatal(err)
	}
	late := releases("9.0.0")
	late.ValidUntil = "2026-11-29"
	newFormat := releases("9.0.0")
	newFormat.Format = 2
	odd := releases("9.0.0")
	odd.Releases[0].URL = "http://example.org"
	for name, tt := range map[string]struct {
		feed, key string
		is        error
		says      string
	}{
		"of another key":   {other.put(t, good), s.public, ErrUnsigned, "not signed by the key"},
		"changed":          {tampered, s.public, ErrUnsigned, "not signed"},
		"without":          {unsigned, s.public, ErrUnsigned, "its signature cannot be had"},
		"out of date":      {s.put(t, feedText(t, late)), s.public, ErrExpired, "2026-11-29"},
		"of a new format":  {s.put(t, feedText(t, newFormat)), s.public, nil, "format 2"},
		"no JSON":          {s.put(t, []byte("<html>")), s.public, nil, "cannot be read"},
		"without a day":    {s.put(t, []byte(`{"format": 1}`)), s.public, nil, "no day"},
		"an odd version":   {s.put(t, feedText(t, releases("new"))), s.public, nil, `"new"`},
		"an odd address":   {s.put(t, feedText(t, odd)), s.public, nil, "no https address"},
		"no key":           {s.put(t, good), "RWQ", nil, "update.key"},
		"a file that went": {filepath.Join(t.TempDir(), "x.json"), s.public, os.ErrNotExist, "ask the release feed"},
		"too long":         {s.put(t, make([]byte, maxFeed+1)), s.public, nil, "longer than"},
	} {
		_, err := Check(t.Context(), Options{Feed: tt.feed, Key: tt.key, Current: "1.0.0", Now: now})
		if err == nil || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheFeedIsAskedForAndNothingIsToldAtOnce(t *testing.T) {
	s := newSigner(t)
	text := feedText(t, releases("2.0.0"))
	var asked []*http.Request
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r)
		switch r.URL.Path {
		case "/releases.json":
			_, _ = w.Write(text)
		case "/releases.json" + suffix:
			_, _ = w.Write(minisign.Sign(s.private, text))
		case "/away.json":
			http.Redirect(w, r, "http://example.org/releases.json", http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	})
	server := httptest.NewTLSServer(mux)
	defer server.Close()
	check := func(path string) (Answer, error) {
		return Check(t.Context(), Options{Feed: server.URL + path, Key: s.public, Current: "1.0.0", Client: server.Client(), Now: now})
	}
	if got, err := check("/releases.json"); err != nil || !got.Newer {
		t.Fatalf("%+v %v", got, err)
	}
	if len(asked) != 2 {
		t.Errorf("%d requests", len(asked))
	}
	for _, r := range asked {
		if r.Method != http.MethodGet || r.URL.RawQuery != "" || r.UserAgent() != "dormouse" || r.Header.Get("Cookie") != "" || len(r.Header) > 2 {
			t.Errorf("it tells %s %s %v", r.Method, r.URL, r.Header)
		}
	}
	if _, err := check("/away.json"); err == nil || !strings.Contains(err.Error(), "not https") {
		t.Errorf("away from https: %v", err)
	}
	if _, err := check("/none.json"); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("none: %v", err)
	}
}

func FuzzFeedsOfAnyTextAreReadOrRefused(f *testing.F) {
	f.Add([]byte(`{"format": 1, "valid_until": "2026-12-01", "releases": [{"version": "1.0.0", "url": "https://x/"}]}`), "0.9.0")
	f.Add([]byte(`[]`), "")
	f.Fuzz(func(t *testing.T, text []byte, current string) {
		feed, err := parse(text, now)
		if err != nil {
			return
		}
		if a := feed.answer(current); a.Newer && !newer(a.Newest.Version, current) || a.Security && !a.Newer {
			t.Errorf("%+v", a)
		}
	})
}
