package shadow

import (
	"path"
	"path/filepath"
	"strings"
)

// Why a file's content is not kept.
const (
	WhyOutside  = "outside the project's folder"
	WhyIgnored  = "ignored by git"
	WhyExcluded = "excluded by the settings"
	WhyLong     = "longer than the limit"
	WhySecret   = "holds a secret"
	WhyName     = "its name has a meaning for git"
	WhyUnasked  = "git could not tell whether it is ignored"
)

// placed is a file of the project: the folder that it lies in and its path from there, with slashes. Where why is set it is not
// kept, and rel is its path as the call names it.
type placed struct {
	root, rel, why string
}

// place finds the project's folder that a file lies in: the innermost of roots. Folders are taken for what they are behind
// symbolic links, so that a file has one name however it is reached; the file itself may be a link.
func place(roots []string, file string, exclude []string) placed {
	best := placed{}
	if filepath.IsAbs(file) {
		real := filepath.Join(resolve(filepath.Dir(file)), filepath.Base(file))
		for _, root := range roots {
			if !filepath.IsAbs(root) {
				continue
			}
			root = resolve(root)
			if rel, ok := below(root, real); ok && len(root) > len(best.root) {
				best = placed{root: root, rel: rel}
			}
		}
	}
	switch {
	case best.root == "":
		return placed{rel: filepath.ToSlash(file), why: WhyOutside}
	case reserved(best.rel):
		best.why = WhyName
	case excluded(best.rel, exclude):
		best.why = WhyExcluded
	}
	return best
}

func below(root, file string) (string, bool) {
	if !filepath.IsAbs(file) {
		return "", false
	}
	rel, err := filepath.Rel(root, file)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// ownFolder is the product's own folder in a project, and in the trees of its shadow history.
const ownFolder = ".dormouse"

// reserved reports whether a path has a part that git or the product gives a meaning to. Git takes .git for its own in every
// spelling that some file system takes for it.
func reserved(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		folded := strings.ToLower(strings.TrimRight(visible(part), " ."))
		stream, _, _ := strings.Cut(folded, ":")
		switch {
		case part == "" || part == "." || part == "..":
			return true
		case stream == ".git", strings.HasPrefix(stream, "git~"), stream == ".gitmodules", strings.HasPrefix(stream, "gitmod~"), stream == ownFolder:
			return true
		case strings.ContainsAny(part, "\x00\\"):
			return true
		}
	}
	return false
}

// visible takes out the characters that HFS+ ignores in names.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return r
	}, s)
}

// excluded reports whether a path or a folder above it matches a pattern.
func excluded(rel string, patterns []string) bool {
	for at := rel; at != "." && at != "/"; at = path.Dir(at) {
		for _, p := range patterns {
			p = strings.Trim(p, "/")
			if ok, err := path.Match(p, at); ok && err == nil {
				return true
			}
			if !strings.Contains(p, "/") {
				if ok, err := path.Match(p, path.Base(at)); ok && err == nil {
					return true
				}
			}
		}
	}
	return false
}
