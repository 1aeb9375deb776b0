package gitsync

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// schemes are the transports that can be both read and written.
var schemes = []string{"ssh", "git+ssh", "ssh+git", "https", "http", "file"}

var (
	// helper is git's "transport::address", which runs a program.
	helper = regexp.MustCompile(`^[A-Za-z0-9+.-]+::`)
	// scp is "host:path" or "user@host:path", where the colon comes before any slash; a lone letter is a drive of Windows.
	scp = regexp.MustCompile(`^(?:[^/\\:@\s]+@)?(?:\[[0-9A-Fa-f:.]+\]|[^/\\:@\s]{2,}):[^\s].*$`)
	// token is a user name that is no name but a key: what forges give out as tokens.
	token = regexp.MustCompile(`^(?:gh[a-z]_|github_pat_|glpat-|glptt-|gldt-|ATATT|ATBB|xox)|^[A-Za-z0-9_-]{36,}$`)
)

// CheckURL says whether a remote may be used, and how its address is kept: a folder's path cleaned, all else as it is. It
// refuses addresses that hold a password, since git's settings are no place for one, and those that would run a program. dir is
// the memory folder, which cannot be its own remote.
//
// This is the one gate in front of a remote. It looks at the address alone and reaches nothing.
func CheckURL(raw, dir string) (string, error) {
	raw = strings.TrimSpace(raw)
	switch {
	case raw == "":
		return "", errors.New("the address of the remote is missing")
	case strings.HasPrefix(raw, "-"), strings.ContainsFunc(raw, unicode.IsControl):
		return "", fmt.Errorf("%q is not the address of a repository", raw)
	case helper.MatchString(raw):
		return "", fmt.Errorf("%q would run a program; give an address that begins with ssh:// or https://, or a folder", raw)
	case strings.Contains(raw, "://"):
		return checkScheme(raw, dir)
	case filepath.IsAbs(raw):
		return checkFolder(filepath.Clean(raw), dir)
	case scp.MatchString(raw):
		return raw, nil
	}
	return "", fmt.Errorf("%q is not the address of a repository: give one such as git@host:me/memory.git, https://host/me/memory.git, or the whole path of a folder", raw)
}

func checkScheme(raw, dir string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return "", errors.New("the address cannot be read; is there a character in it that has to be written as %XX?") // the error would repeat a password
	}
	shown := u.Redacted()
	if !slices.Contains(schemes, u.Scheme) {
		return "", fmt.Errorf("%q: %s:// is not known; use ssh://, https:// or a folder", shown, u.Scheme)
	}
	if _, has := u.User.Password(); has || u.User != nil && strings.HasPrefix(u.Scheme, "http") && token.MatchString(u.User.Username()) {
		return "", fmt.Errorf("the address holds a password or token, which would lie open in the settings: take it out, and let a credential helper keep it (git config --global credential.helper; then log in once with: git ls-remote %s://%s%s), or use an ssh address",
			u.Scheme, u.Host, u.EscapedPath())
	}
	if u.Scheme == "file" {
		_, err := checkFolder(filepath.FromSlash(u.Path), dir)
		return raw, err
	}
	if u.Host == "" || strings.HasPrefix(u.Host, "-") {
		return "", fmt.Errorf("%q names no host", shown)
	}
	return raw, nil
}

// checkFolder refuses the memory itself as its own remote.
func checkFolder(path, dir string) (string, error) {
	if rel, err := filepath.Rel(resolve(dir), resolve(path)); err == nil && filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is the memory itself; take another folder: git init --bare FOLDER", path)
	}
	return path, nil
}

func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
