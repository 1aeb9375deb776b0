package tagging

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Name is a name by which tags are found: a tag's own, an alias, or that of a tag that was merged or split.
type Name struct {
	Name string
	Tags []string // what it stands for, in the caller's own terms
}

// Found is a name that a text says.
type Found struct {
	Name string // as the vocabulary has it
	Tags []string
	// Weight is 1 where the text says the name itself, in any of its forms; less where it says another form of the word.
	Weight float64
}

// Vocabulary finds names of tags in texts. It is made once for the tags of a view and may be used by several goroutines.
type Vocabulary struct {
	byForm  map[string][]int // canonical form -> names
	byStem  map[string][]int
	names   []Name
	longest int   // words of the longest name
	inText  []int // names of scripts that set no spaces
}

// stemWeight is the weight of a name that is said in another form: "redacting" for "redaction".
const stemWeight = 0.6

// NewVocabulary makes names ready to be found.
func NewVocabulary(names []Name) *Vocabulary {
	v := &Vocabulary{byForm: map[string][]int{}, byStem: map[string][]int{}, names: names}
	for i, n := range names {
		form := Canonical(n.Name)
		if form == "" {
			continue
		}
		v.byForm[form] = append(v.byForm[form], i)
		if s := stem(form); len(s) >= minStem {
			v.byStem[s] = append(v.byStem[s], i)
		}
		v.longest = max(v.longest, 1+strings.Count(form, "-"))
		if unspaced(form) {
			v.inText = append(v.inText, i)
		}
	}
	return v
}

// maxTagged is how much of a text is looked through, in bytes. A query is shorter.
const maxTagged = 4 << 10

// Tag finds the names that a text says, the surest first, then the longest. It calls no model and takes microseconds for a query.
func (v *Vocabulary) Tag(text string) []Found {
	if len(text) > maxTagged {
		text = strings.ToValidUTF8(text[:maxTagged], "")
	}
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '+' && r != '#'
	})
	forms, stems := make([]string, len(words)), make([]string, len(words))
	for i, w := range words {
		forms[i] = Canonical(w)
		stems[i] = stem(forms[i])
	}
	weight := map[int]float64{}
	note := func(list []int, w float64) {
		for _, i := range list {
			weight[i] = max(weight[i], w)
		}
	}
	var form, root []byte // of the words from i on
	for i := range words {
		form, root = form[:0], root[:0]
		for n := i; n < min(i+v.longest, len(words)); n++ {
			if n == i || forms[n] != forms[n-1] { // as Canonical has it, what is said twice in a row counts once
				form = appendWord(form, forms[n])
				root = appendWord(root, stems[n])
			}
			note(v.byForm[string(form)], 1)
			if len(root) >= minStem {
				note(v.byStem[string(root)], stemWeight)
			}
		}
	}
	for _, i := range v.inText {
		if strings.Contains(text, v.names[i].Name) {
			note([]int{i}, 1)
		}
	}
	var out []Found
	for i, w := range weight {
		out = append(out, Found{v.names[i].Name, v.names[i].Tags, w})
	}
	slices.SortFunc(out, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(len(b.Name), len(a.Name)), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// appendWord appends a word after a dash.
func appendWord(form []byte, word string) []byte {
	if len(form) > 0 && word != "" {
		form = append(form, '-')
	}
	return append(form, word...)
}

// Near lists the names that are spelt nearly like one, for a person to choose from. They are suggestions and lead nowhere.
func (v *Vocabulary) Near(name string, alike func(a, b string) bool) []string {
	form := Canonical(name)
	var out []string
	for _, n := range v.names {
		if f := Canonical(n.Name); f != form && (alike(form, f) || len(form) > 2 && strings.HasPrefix(f, form)) {
			out = append(out, n.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

const minStem = 4

// stem takes the commonest English endings off each word of a name.
func stem(form string) string {
	words := strings.Split(form, "-")
	for i, w := range words {
		if strings.ContainsAny(w, "0123456789+#") {
			continue
		}
		for _, end := range []string{"ations", "ation", "ions", "ion", "ings", "ing", "ers", "er", "ors", "or", "ed", "es", "s"} {
			if len(w) >= len(end)+minStem && strings.HasSuffix(w, end) {
				w = strings.TrimSuffix(w, end)
				break
			}
		}
		if n := len(w); n > minStem && w[n-1] == w[n-2] {
			w = w[:n-1]
		}
		words[i] = strings.TrimSuffix(w, "e")
	}
	return strings.Join(words, "-")
}

// unspaced reports whether a name is of a script that sets no spaces between words.
func unspaced(s string) bool {
	for _, r := range s {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			return true
		}
	}
	return false
}
