package project

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"unicode"
)

// windowsPath begins with a drive or is a share.
var windowsPath = regexp.MustCompile(`^(?:[A-Za-z]:[\\/]|\\\\)`)

// cleanPath is an absolute path without detours, empty for any other text. Paths of the other kind of system (in a transcript
// that came from there) are kept in their own form.
func cleanPath(p string) string {
	switch {
	case runtime.GOOS != "windows" && windowsPath.MatchString(p):
		return strings.ReplaceAll(path.Clean(strings.ReplaceAll(p, `\`, "/")), "/", `\`)
	case filepath.IsAbs(p):
		return filepath.Clean(p)
	case runtime.GOOS == "windows" && strings.HasPrefix(p, "/"):
		return path.Clean(p)
	}
	return ""
}

// resolved is a path with its symlinks followed, as far as it exists.
func resolved(p string) string {
	if r, err := filepath.EvalSymlinks(p); err == nil {
		return r
	}
	return p
}

// pathKey is what two spellings of one path share: slashes, and lower case where the file system does not tell it from upper
// case.
func pathKey(p string) string {
	if windowsPath.MatchString(p) {
		return strings.ToLower(strings.ReplaceAll(p, `\`, "/"))
	}
	if foldsCase(p) {
		return strings.ToLower(p)
	}
	return p
}

// foldsCase asks the file system whether it tells upper from lower case; of a path that is not there, the system's habit
// decides.
func foldsCase(p string) bool {
	base := []rune(filepath.Base(p))
	for i, r := range base {
		if other := flip(r); other != r {
			base[i] = other
			mine, err := os.Stat(p)
			if err != nil {
				break
			}
			theirs, err := os.Stat(filepath.Join(filepath.Dir(p), string(base)))
			return err == nil && os.SameFile(mine, theirs)
		}
	}
	return runtime.GOOS == "darwin" || runtime.GOOS == "windows"
}

func flip(r rune) rune {
	if unicode.IsUpper(r) {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}

// lastElement is a path's last part, in either kind of path.
func lastElement(p string) string {
	p = strings.TrimRight(p, `/\`)
	if windowsPath.MatchString(p) || strings.HasPrefix(p, `\`) {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	return path.Base(filepath.ToSlash(p))
}

// parents visits a path and the folders above it.
func parents(p string, visit func(string) bool) {
	for {
		if !visit(p) || filepath.Dir(p) == p {
			return
		}
		p = filepath.Dir(p)
	}
}
