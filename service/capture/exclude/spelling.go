package exclude

import (
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

var (
	// drive begins a path of Windows.
	drive = regexp.MustCompile(`^[A-Za-z]:(?:[\\/]|$)`)
	// mounted is a drive as WSL and Cygwin have it, bare as Git for Windows does, which is looked for on Windows alone.
	mounted = regexp.MustCompile(`^/(?:mnt|cygdrive)/([A-Za-z])(/.*)?$`)
	bare    = regexp.MustCompile(`^/([A-Za-z])(/.*)?$`)
	// wslShare is the root of a Linux system as Windows has it.
	wslShare = regexp.MustCompile(`(?i)^//wsl(?:\$|\.localhost)/[^/]+(/.*)?$`)
)

// rooted reports whether a path begins at a root, on this system or another.
func rooted(p string) bool {
	return filepath.IsAbs(p) || drive.MatchString(p) || strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\\`) || strings.HasPrefix(p, "file://")
}

// keyOf is what all spellings of one path share; empty for a relative path. It asks no file system.
func keyOf(p string) string {
	if !rooted(p) {
		return ""
	}
	if strings.HasPrefix(p, "file://") {
		if u, err := url.Parse(p); err == nil {
			if p = u.Path; len(p) > 2 && p[0] == '/' && drive.MatchString(p[1:]) {
				p = p[1:]
			}
		}
	}
	if drive.MatchString(p) || strings.HasPrefix(p, `\\`) || runtime.GOOS == "windows" {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	for _, long := range []string{"//?/", "//./"} { // Windows' long form
		if rest, ok := strings.CutPrefix(p, long); ok {
			if share, ok := strings.CutPrefix(rest, "UNC/"); ok {
				rest = "//" + share
			}
			p = rest
		}
	}
	if m := wslShare.FindStringSubmatch(p); m != nil {
		p = "/" + strings.TrimPrefix(m[1], "/")
	}
	share := strings.HasPrefix(p, "//")
	p = path.Clean(p)
	m := mounted.FindStringSubmatch(p)
	if m == nil && runtime.GOOS == "windows" {
		m = bare.FindStringSubmatch(p)
	}
	switch {
	case share:
		return strings.ToLower("/" + p)
	case drive.MatchString(p):
		return strings.ToLower(p)
	case m != nil:
		return strings.ToLower(m[1] + ":" + m[2])
	case runtime.GOOS == "darwin":
		return strings.ToLower(p)
	}
	return p
}

// windowsKey reports whether a key is that of a path of Windows.
func windowsKey(key string) bool {
	return len(key) > 1 && (key[1] == ':' || strings.HasPrefix(key, "//"))
}

// Joined is a path from a folder on; the path itself where it begins at a root.
func Joined(dir, p string) string {
	if rooted(p) || dir == "" {
		return p
	}
	if key := keyOf(dir); windowsKey(key) && !filepath.IsAbs(dir) || runtime.GOOS == "windows" {
		return strings.TrimRight(dir, `/\`) + "/" + strings.ReplaceAll(p, `\`, "/")
	}
	return filepath.Join(dir, p)
}
