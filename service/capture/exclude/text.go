package exclude

import (
	"path"
	"path/filepath"
	"strings"
)

// mostAsked is how many words of one text the file system is asked for; wordBytes how much of a command is looked at word by word.
const (
	mostAsked = 64
	wordBytes = 256 << 10
)

// Command reports whether the words of a command name something in one of the folders, seen from the folder that it runs in, or from one
// that it changes to.
func (s *Set) Command(text, cwd string) bool {
	if s.Empty() {
		return false
	}
	if len(text) > wordBytes {
		if s.mayName(text[wordBytes:]) {
			return true
		}
		text = text[:wordBytes]
	}
	bases, changes, asked := []string{cwd}, false, 0
	for _, w := range words(text) {
		for _, w := range pieces(w) {
			for i, base := range bases {
				if i > 0 && rooted(w) {
					break
				}
				p, ok := s.path(w, base)
				if !ok {
					continue
				}
				if s.written(p) || s.covers(p) {
					return true
				}
				if strings.ContainsAny(w, `/\`) || changes {
					if asked++; asked <= mostAsked && s.Holds(p) {
						return true
					}
				}
				if changes && len(bases) < 8 {
					bases = append(bases, p)
				}
			}
		}
		changes = w == "cd" || w == "pushd" || w == "-C" || strings.EqualFold(w, "Set-Location") || w == "chdir" || w == "sl"
	}
	return false
}

// Path reports whether an argument of a call is a path, or a pattern of paths, in one of the folders.
func (s *Set) Path(p, cwd string) bool {
	if s.Empty() || p == "" || len(p) > 4096 || strings.ContainsAny(p, "\n\x00") {
		return false
	}
	full, ok := s.path(strings.TrimPrefix(p, "@"), cwd)
	return ok && (s.covers(full) || s.Holds(full))
}

// Lines reports whether lines of an output begin with files in one of the folders, as searches and lists have them, seen from some folders.
func (s *Set) Lines(text string, bases ...string) bool {
	if s.Empty() || !s.mayName(text) {
		return false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if len(line) > 1<<14 {
			line = line[:1<<14]
		}
		if s.mayName(line) && s.line(line, bases) {
			return true
		}
	}
	return false
}

// line reports whether a line of an output begins with a file in one of the folders.
func (s *Set) line(line string, bases []string) bool {
	p := strings.TrimLeft(line, " \t\"'")
	for _, mark := range []string{"--- a/", "+++ b/", "--- ", "+++ ", "diff --git a/"} {
		p = strings.TrimPrefix(p, mark)
	}
	from := 0
	if drive.MatchString(p) {
		from = 2
	}
	ends := []int{len(p)}
	if i := strings.IndexByte(p[from:], ':'); i >= 0 {
		ends = append(ends, from+i)
	}
	if i := strings.IndexAny(p, " \t\"'"); i >= 0 {
		ends = append(ends, i)
	}
	for _, end := range ends {
		word := p[:end]
		heading := strings.HasSuffix(p, ":") && end == len(p)-1
		for _, base := range bases {
			full, ok := s.path(word, base)
			if ok && s.written(full) && (heading || !s.is(full)) {
				return true
			}
		}
	}
	return false
}

// is reports whether a path is one of the folders itself.
func (s *Set) is(p string) bool {
	key := keyOf(p)
	for _, d := range s.dirs {
		if d.key == key {
			return true
		}
	}
	return false
}

// mayName reports whether a text holds the name of one of the folders at all.
func (s *Set) mayName(text string) bool {
	lower := ""
	for _, d := range s.dirs {
		base := path.Base(d.key)
		if strings.Contains(text, base) {
			return true
		}
		if windowsKey(d.key) {
			if lower == "" {
				lower = strings.ToLower(text)
			}
			if strings.Contains(lower, strings.ToLower(base)) {
				return true
			}
		}
	}
	return false
}

// path is a word as a path; ok is false for one that can be none.
func (s *Set) path(word, cwd string) (string, bool) {
	word = strings.TrimPrefix(word, "@")
	if word == "" || len(word) > 4096 {
		return "", false
	}
	if word[0] == '~' || strings.ContainsAny(word, "$%") {
		word, _ = s.expand(word)
	}
	full := Joined(cwd, word)
	return full, rooted(full)
}

// covers reports whether a pattern of paths may be one of the folders, or something in one.
func (s *Set) covers(p string) bool {
	if !strings.ContainsAny(p, "*?[{") {
		return false
	}
	pattern := strings.Split(keyOf(p), "/")
	for _, d := range s.dirs {
		if matches(pattern, strings.Split(d.key, "/")) {
			return true
		}
	}
	return false
}

// matches reports whether a pattern, element by element, may lead to a folder or into it.
func matches(pattern, dir []string) bool {
	for i, want := range dir {
		if i == len(pattern) {
			return false
		}
		if pattern[i] == "**" {
			return true
		}
		if pattern[i] == want {
			continue
		}
		if strings.Contains(pattern[i], "{") {
			if before, _, _ := strings.Cut(pattern[i], "{"); strings.HasPrefix(want, before) {
				continue
			}
			return false
		}
		if ok, err := path.Match(pattern[i], want); !ok && err == nil {
			return false
		}
	}
	return len(pattern) >= len(dir)
}

// words are the words of a command: what stands between blanks and the signs of a shell, and what is quoted, whole and in its parts.
func words(text string) []string {
	out := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`;|&<>()", r) })
	for _, quote := range []string{`"`, `'`} {
		for i, part := range strings.Split(text, quote) {
			if i%2 == 1 && strings.ContainsRune(part, ' ') && len(part) < 1024 && !strings.Contains(part, "\n") {
				out = append(out, part)
			}
		}
	}
	if strings.Contains(text, `\ `) {
		for _, w := range strings.Fields(strings.ReplaceAll(text, `\ `, "\x00")) {
			if strings.Contains(w, "\x00") {
				out = append(out, strings.ReplaceAll(w, "\x00", " "))
			}
		}
	}
	return out
}

// pieces are a word and what in it may be a path of its own: behind an equals sign, around colons and commas.
func pieces(w string) []string {
	out := []string{w}
	if _, v, ok := strings.Cut(w, "="); ok {
		out = append(out, v)
	}
	if strings.Contains(w, ",") {
		out = append(out, strings.Split(w, ",")...)
	}
	if strings.Contains(w, ":") && !drive.MatchString(w) && !strings.Contains(w, "://") {
		out = append(out, strings.Split(w, ":")...)
	}
	for _, p := range out { // what is added below begins with no dash
		if len(p) > 2 && p[0] == '-' && p[1] != '-' { // -I/folder
			if i := strings.IndexAny(p, "/~"); i > 0 {
				out = append(out, filepath.ToSlash(p[i:]))
			}
		}
	}
	return out
}
