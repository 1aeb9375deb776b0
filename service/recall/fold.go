package recall

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"dormouse/store/index"
)

// sameShare is the share of all their words that two near-identical texts have in common.
const sameShare = 0.8

// folder knows the hits that are shown, to recognise near-identical ones.
type folder struct{ shown []shown }

type shown struct {
	kind    index.Kind
	session string
	turn    int
	words   fingerprint
}

// shownAt gives the place of the shown hit that d repeats: another piece of the same turn, or a text with nearly the same
// words. Entities are never alike: those of one name differ in type or scope. What repeats nothing counts as shown from now
// on, when show is set.
func (f *folder) shownAt(d *index.Doc, show bool) (at int, folded bool) {
	if d.Kind == index.KindTurn {
		for i, s := range f.shown {
			if s.kind == d.Kind && s.session == d.Session && s.turn == d.Turn {
				return i, true
			}
		}
	}
	mine := fingerprintOf(d.Body)
	for i, s := range f.shown {
		if s.kind == d.Kind && d.Kind != index.KindEntity && mine.alike(s.words, sameShare) {
			return i, true
		}
	}
	if show {
		f.shown = append(f.shown, shown{d.Kind, d.Session, d.Turn, mine})
	}
	return 0, false
}

// fingerprint is the hashes of a text's words, of characters of other scripts those of neighbours, ascending, each once.
type fingerprint []uint64

func fingerprintOf(text string) fingerprint {
	out := make(fingerprint, 0, len(text)/6+1)
	var word []byte
	flush := func() {
		if len(word) > 0 {
			out = append(out, xxhash.Sum64(word))
			word = word[:0]
		}
	}
	var prev rune
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z'):
			word = append(word, byte(r))
		case r >= 'A' && r <= 'Z':
			word = append(word, byte(r)+'a'-'A')
		case r >= utf8.RuneSelf && unicode.In(r, unicode.L, unicode.M, unicode.N):
			flush()
			pair := utf8.AppendRune(utf8.AppendRune(nil, prev), unicode.ToLower(r))
			out = append(out, xxhash.Sum64(pair))
			prev = unicode.ToLower(r)
			continue
		default:
			flush()
		}
		prev = 0
	}
	flush()
	slices.Sort(out)
	return slices.Compact(out)
}

// alike reports whether two texts have at least a share of all their words in common (Jaccard); two texts without any do. In
// ascending order, two such sets share one of their first few members, which settles most pairs after a fifth of the work.
func (a fingerprint) alike(b fingerprint, share float64) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if float64(len(a)) < share*float64(len(b)) {
		return false
	}
	head := func(f fingerprint) fingerprint {
		return f[:len(f)-int(math.Ceil(share*float64(len(f))))+min(1, len(f))]
	}
	if len(a) > 0 && common(head(a), head(b)) == 0 {
		return false
	}
	both := common(a, b)
	return float64(both) >= share*float64(len(a)+len(b)-both)
}

// common counts the members that both sets have.
func common(a, b fingerprint) int {
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			both, i, j = both+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return both
}
