package shadow

import (
	"strings"
)

// writable reports whether a path of the history can be written below a folder on a system (a value of GOOS): it never leads out
// of the folder, and on Windows no part of it is a device or a name that would be written as another one.
func writable(goos, rel string) bool {
	if rel == "" || strings.HasPrefix(rel, "/") || strings.ContainsRune(rel, 0) {
		return false
	}
	for part := range strings.SplitSeq(rel, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
		if goos == "windows" && !windowsName(part) {
			return false
		}
	}
	return true
}

func windowsName(part string) bool {
	if strings.ContainsAny(part, `<>:"|?*\`) || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
		return false
	}
	for _, r := range part {
		if r < ' ' {
			return false
		}
	}
	base, _, _ := strings.Cut(part, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return false
	}
	for _, device := range []string{"COM", "LPT"} {
		if n, ok := strings.CutPrefix(base, device); ok && len([]rune(n)) == 1 && strings.Contains("0123456789¹²³", n) {
			return false
		}
	}
	return true
}
