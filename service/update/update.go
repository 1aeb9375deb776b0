// Package update asks a release feed which release of Dormouse is the newest one.
//
// It asks the feed that the person has set and nothing else, once, when it is told to. What it sends is a plain request for two files: no
// version, no id, no word on the machine. It never downloads a program and never installs anything.
package update

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"aead.dev/minisign"
	"golang.org/x/mod/semver"
)

// Format is the version of the feed's format that this package reads.
const Format = 1

// Feed is what the people who make Dormouse tell of its releases: one JSON document, with a signature of minisign beside it under the
// same name and ".minisig".
type Feed struct {
	Format     int       `json:"format"`
	ValidUntil string    `json:"valid_until"` // a day, as 2026-12-31: after it nothing is believed, so that an old feed cannot hide a new release
	Releases   []Release `json:"releases"`
}

// Release is one release.
type Release struct {
	Version  string `json:"version"` // by semver.org, as 1.4.0
	Date     string `json:"date"`    // a day
	Security bool   `json:"security,omitempty"`
	Notes    string `json:"notes,omitempty"` // what is new, in a line
	URL      string `json:"url"`             // where it is told of, and can be had
	Files    []File `json:"files,omitempty"`
}

// File is one file of a release.
type File struct {
	System string `json:"system"` // as Go names it, such as linux/amd64
	Name   string `json:"name"`
	URL    string `json:"url"`
	SHA256 string `json:"sha256"` // in hex
}

// Options are what Check needs. Feed, Key and Now must be set.
type Options struct {
	Feed    string // an https address, http on this machine, or the path of a file
	Key     string // the public key of minisign by which the feed is signed: its second line
	Current string // the version of this program; one that is no release is older than none and newer than none
	Client  *http.Client
	Now     time.Time
}

// Answer is what a feed says to somebody with the current version.
type Answer struct {
	Current string   `json:"current"`
	Release bool     `json:"release"` // the current version is one that can be compared
	Newest  *Release `json:"newest"`  // nil where the feed has none
	Newer   bool     `json:"newer"`   // than the current one
	// Security says that a release that is newer than the current one mends something of security.
	Security bool   `json:"security"`
	Files    []File `json:"files"` // of the newest one, for this system
}

// The reasons for which a feed is not believed.
var (
	ErrUnsigned = errors.New("the release feed is not signed by the key that is set")
	ErrExpired  = errors.New("the release feed is out of date")
)

const (
	maxFeed = 1 << 20 // bytes
	askTime = 20 * time.Second
	suffix  = ".minisig"
)

// Check asks the feed. An error says what of it failed, and wraps ErrUnsigned or ErrExpired where the feed was had and is not believed.
func Check(ctx context.Context, o Options) (Answer, error) {
	var key minisign.PublicKey
	if err := key.UnmarshalText([]byte(strings.TrimSpace(o.Key))); err != nil {
		return Answer{}, fmt.Errorf("update.key is no public key of minisign: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	text, err := o.read(ctx, o.Feed)
	if err != nil {
		return Answer{}, fmt.Errorf("ask the release feed: %w", err)
	}
	signature, err := o.read(ctx, o.Feed+suffix)
	if err != nil {
		return Answer{}, fmt.Errorf("%w: its signature cannot be had: %w", ErrUnsigned, err)
	}
	if !minisign.Verify(key, text, signature) {
		return Answer{}, fmt.Errorf("%w: %s", ErrUnsigned, o.Feed)
	}
	feed, err := parse(text, o.Now)
	if err != nil {
		return Answer{}, fmt.Errorf("the release feed %s: %w", o.Feed, err)
	}
	return feed.answer(o.Current), nil
}

// newer reports whether a is a later version than b; neither has to be valid.
func newer(a, b string) bool { return semver.Compare("v"+a, "v"+b) > 0 }

func valid(version string) bool { return semver.IsValid("v" + version) }

func parse(text []byte, now time.Time) (Feed, error) {
	var f Feed
	if err := json.Unmarshal(text, &f); err != nil {
		return f, fmt.Errorf("it cannot be read: %w", err)
	}
	if f.Format != Format {
		return f, fmt.Errorf("it has format %d, and this Dormouse reads %d; look for a new release by hand", f.Format, Format)
	}
	day, err := time.Parse(time.DateOnly, f.ValidUntil)
	if err != nil {
		return f, fmt.Errorf("valid_until is %q, which is no day", f.ValidUntil)
	}
	if now.After(day.Add(24 * time.Hour)) {
		return f, fmt.Errorf("%w since %s: whoever serves it may be holding a release back, or this machine's clock is wrong", ErrExpired, f.ValidUntil)
	}
	for i, r := range f.Releases {
		if !valid(r.Version) {
			return f, fmt.Errorf("release %d has the version %q, which is none", i+1, r.Version)
		}
		if u, err := url.Parse(r.URL); err != nil || u.Scheme != "https" || u.Host == "" {
			return f, fmt.Errorf("release %s: its url is no https address", r.Version)
		}
	}
	return f, nil
}

// answer is for somebody with a version. A pre-release is told of to those who have one.
func (f Feed) answer(current string) Answer {
	out := Answer{Current: current, Release: valid(current), Files: []File{}}
	early := semver.Prerelease("v"+current) != ""
	for i, r := range f.Releases {
		if semver.Prerelease("v"+r.Version) != "" && !early {
			continue
		}
		if out.Newest == nil || newer(r.Version, out.Newest.Version) {
			out.Newest = &f.Releases[i]
		}
		out.Security = out.Security || out.Release && r.Security && newer(r.Version, current)
	}
	if out.Newest == nil {
		return out
	}
	out.Newer = out.Release && newer(out.Newest.Version, current)
	for _, file := range out.Newest.Files {
		if file.System == runtime.GOOS+"/"+runtime.GOARCH {
			out.Files = append(out.Files, file)
		}
	}
	return out
}

// read is the text at an address or a path.
func (o Options) read(ctx context.Context, at string) ([]byte, error) {
	if filepath.IsAbs(at) {
		f, err := os.Open(at)
		if err != nil {
			return nil, err
		}
		defer f.Close() //nolint:errcheck // opened for reading
		return bounded(at, f)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "dormouse") // Go's own name would tell no less
	c := http.Client{CheckRedirect: safeRedirect}
	if o.Client != nil {
		c.Transport = o.Client.Transport
	}
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", at, resp.Status)
	}
	return bounded(at, resp.Body)
}

// safeRedirect follows no redirection away from https.
func safeRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) > 5:
		return errors.New("it leads from one address to the next")
	case req.URL.Scheme != "https" && via[0].URL.Scheme == "https":
		return fmt.Errorf("it leads to %s, which is not https", req.URL.Host)
	}
	return nil
}

func bounded(at string, r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxFeed+1))
	if err == nil && len(b) > maxFeed {
		err = fmt.Errorf("%s is longer than %d bytes", at, maxFeed)
	}
	return b, err
}
