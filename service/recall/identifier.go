package recall

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/store/index"
)

// mostIdentifiers is how many identifiers of a query are looked for.
const mostIdentifiers = 16

// identifiers are the words of a text that are written as only things of a program are: paths, file names, versions, ids of commits,
// flags, names in camelCase or with _. Each once, as it is written.
func identifiers(text string) (out []string) {
	seen := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		w = strings.TrimRight(strings.TrimLeft(w, "\"'`([{<*"), "\"'`)]}>*,;:.!?")
		if w != "" && !seen[w] && isIdentifier(w) {
			seen[w] = true
			if out = append(out, w); len(out) == mostIdentifiers {
				break
			}
		}
	}
	return out
}

func isIdentifier(w string) bool {
	if len(w) > 200 || len(w) < 3 || !utf8.ValidString(w) {
		return false
	}
	if strings.HasPrefix(w, "--") || isCommit(w) {
		return true
	}
	prev := rune(0)
	for i, r := range w {
		next, _ := utf8.DecodeRuneInString(w[i+utf8.RuneLen(r):])
		inner := (unicode.IsLetter(prev) || unicode.IsDigit(prev)) && (unicode.IsLetter(next) || unicode.IsDigit(next))
		switch {
		case (r == '/' || r == '\\' || r == '.' || r == '_') && inner,
			unicode.IsUpper(r) && unicode.IsLower(prev):
			return true
		}
		prev = r
	}
	return false
}

// leastCommit is how many digits of a commit's id are written at least.
const leastCommit = 7

// isCommit reports whether a word is the beginning of a commit's id: hexadecimal, with a digit and a letter.
func isCommit(w string) bool {
	if len(w) < leastCommit || len(w) > 64 {
		return false
	}
	digit, letter := false, false
	for i := range len(w) {
		switch c := w[i]; {
		case '0' <= c && c <= '9':
			digit = true
		case 'a' <= c && c <= 'f':
			letter = true
		default:
			return false
		}
	}
	return digit && letter
}

// identified is the share of some identifiers that a document has, letter for letter and not as a part of a longer word, 0 to 1.
func identified(d *index.Doc, ids []string) float64 {
	if len(ids) == 0 {
		return 0
	}
	n := 0
	for _, id := range ids {
		if hasWhole(d.Body, id) || hasWhole(d.Title, id) || hasWhole(d.Path, id) {
			n++
		}
	}
	return float64(n) / float64(len(ids))
}

// hasWhole reports whether a text has an identifier with no letter, digit or _ on either side. Of a commit the rest of its id may follow.
func hasWhole(text, id string) bool {
	part := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for from := 0; ; {
		i := strings.Index(text[from:], id)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(id):])
		if (i == 0 || !part(before)) && (i+len(id) == len(text) || !part(after) || isCommit(id)) {
			return true
		}
		from = i + len(id)
	}
}
