package words

import (
	"strings"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/russian"
)

// stemCache is how many stems an Analyzer remembers. The words of a project are far fewer; more are forgotten at once.
const stemCache = 1 << 15

// stem is the form under which a folded word is indexed. Words that hold anything but letters stay as they are.
func (a *Analyzer) stem(word string) string {
	if len(word) < 3 {
		return word
	}
	if s, ok := a.stems[word]; ok {
		return s
	}
	s := word
	switch {
	case isLatin(word):
		s = english.Stem(word, true)
	case isCyrillic(word):
		s = russian.Stem(word, true)
	case isArabic(word):
		s = stemArabic(word)
	}
	if len(a.stems) >= stemCache {
		clear(a.stems)
	}
	a.stems[strings.Clone(word)] = s
	return s
}

func isLatin(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}

func isCyrillic(word string) bool {
	for _, r := range word {
		if r < 0x0430 || r > 0x044F {
			return false
		}
	}
	return true
}

// stopWords are the English function words that are no terms.
var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`
a an the and but if or nor so than too very as of at by for with about against between into through during before after
above below to from up down in out on off over under again further once here there when where why how what which who whom
whose all any both each few more most other some such no not only own same just now then this that these those
i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves am is are was were be been being have has had having do does did doing
will would shall should can could may might must because while until also`) {
		m[w] = true
	}
	return m
}()
