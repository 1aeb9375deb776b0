package words

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	snowballstem "github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// Language is a language of the Latin script whose words lose their endings by rules of their own. The zero Language is none of
// them: English, code, or what could not be told.
type Language uint8

const (
	unknown Language = iota
	germanWords
	spanishWords
	frenchWords
	italianWords
	portugueseWords
	dutchWords
	swedishWords
	danishWords
	norwegianWords
	finnishWords
	hungarianWords
	romanianWords
	turkishWords
	languages
)

// stemmers are the Snowball rules of each language.
var stemmers = [languages]func(*snowballstem.Env) bool{
	germanWords: german.Stem, spanishWords: spanish.Stem, frenchWords: french.Stem, italianWords: italian.Stem, portugueseWords: portuguese.Stem,
	dutchWords: dutch.Stem, swedishWords: swedish.Stem, danishWords: danish.Stem, norwegianWords: norwegian.Stem, finnishWords: finnish.Stem,
	hungarianWords: hungarian.Stem, romanianWords: romanian.Stem, turkishWords: turkish.Stem,
}

const (
	// toldBytes is how much of a text is read to tell its language.
	toldBytes = 4 << 10
	// functionShare is the part of a text's words, one of so many, that are function words of its language at least. In prose it is a
	// third to a half, in Finnish and Turkish, which say with endings what others say with words, a sixth; code and names stand between.
	functionShare = 12
	// tellingLetters is how many letters a function word of one language alone has, for it to tell the language by itself.
	tellingLetters = 4
)

// LanguageOf tells the language of texts by their function words: the one that has most of them, where it has more than English and any other.
func (a *Analyzer) LanguageOf(texts ...string) Language {
	t := teller{}
	for _, text := range texts {
		t.read(text)
	}
	return t.language()
}

// teller counts the function words of each language; at unknown those of English.
type teller struct {
	words   int
	hits    [languages]int
	alone   [languages]int // of these, what no other language has
	telling [languages]bool
}

func (t *teller) read(text string) {
	if len(text) > toldBytes {
		text = strings.ToValidUTF8(text[:toldBytes], "")
	}
	text = Normal(text)
	for i := 0; i < len(text); {
		if end := sameClass(text, i, letter); end > i {
			t.count(text[i:end])
			i = end
			continue
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		i += n
	}
}

func (t *teller) count(word string) {
	t.words++
	if len(word) > longestFunctionWord {
		return
	}
	word = fold(word)
	mask := functionWords[word]
	if stopWords[word] {
		mask |= 1 << unknown
	}
	only := mask&(mask-1) == 0
	for ; mask != 0; mask &= mask - 1 {
		l := bits.TrailingZeros16(mask)
		t.hits[l]++
		if only {
			t.alone[l]++
			t.telling[l] = t.telling[l] || len(word) >= tellingLetters
		}
	}
}

func (t *teller) language() Language {
	best, tie := unknown, false
	for l := unknown + 1; l < languages; l++ {
		switch {
		case t.hits[l] > t.hits[best] || t.hits[l] == t.hits[best] && t.alone[l] > t.alone[best]:
			best, tie = l, false
		case t.hits[l] == t.hits[best] && t.alone[l] == t.alone[best]:
			tie = true
		}
	}
	sure := t.alone[best] > 0 && (t.hits[best] > 1 || t.telling[best])
	if tie || !sure || t.hits[best]*functionShare < t.words {
		return unknown
	}
	return best
}

// stemOf is the form without its endings that a word has in a language, without accents; empty where it has none of its own.
func (a *Analyzer) stemOf(l Language, p part) string {
	if l == unknown || len(p.text) < 3 {
		return ""
	}
	word := p.exact
	if word == "" {
		word = p.text
	}
	key := languageWord{l, word}
	if s, ok := a.foreign[key]; ok {
		return s
	}
	s := ""
	if onlyLetters(word) {
		env := snowballstem.NewEnv(strings.ReplaceAll(word, "\u0307", "")) // the dot of a folded capital I with one
		stemmers[l](env)
		s = bare(env.Current())
	}
	if len(a.foreign) >= stemCache {
		clear(a.foreign)
	}
	a.foreign[languageWord{l, strings.Clone(word)}] = s
	return s
}

// languageWord is a word of a language.
type languageWord struct {
	language Language
	word     string
}

// onlyLetters reports whether a word has no digit and nothing beyond the Latin script.
func onlyLetters(word string) bool {
	for _, r := range word {
		if r < 'a' || r > 'z' && r < 0xC0 || r > 0x24F && r != 0x307 {
			return false
		}
	}
	return true
}

// isFunctionWord reports whether a word says nothing in a language.
func isFunctionWord(l Language, p part) bool {
	if l == unknown {
		return false
	}
	word := p.exact
	if word == "" {
		word = p.text
	}
	return functionWords[word]>>l&1 != 0
}
