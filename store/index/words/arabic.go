package words

import "strings"

// Arabic writes the article, some prepositions, possessors and plurals on to the word. What is taken off here is the list
// of light stemming (Larkey, Ballesteros, Connell 2007, "light10"): one beginning, then the endings in this order, as long as
// enough of the word is left.
var (
	arabicPrefixes = []string{"وال", "بال", "كال", "فال", "ال", "لل"}
	arabicSuffixes = []string{"ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي"}
)

// arabicLetter is the bytes of one Arabic letter in UTF-8.
const arabicLetter = 2

func stemArabic(word string) string {
	if rest, ok := strings.CutPrefix(word, "و"); ok && len(rest) >= 3*arabicLetter {
		word = rest
	}
	for _, p := range arabicPrefixes {
		if rest, ok := strings.CutPrefix(word, p); ok && len(rest) >= 2*arabicLetter {
			word = rest
			break
		}
	}
	for _, s := range arabicSuffixes {
		if rest, ok := strings.CutSuffix(word, s); ok && len(rest) >= 2*arabicLetter {
			word = rest
		}
	}
	return word
}

func isArabic(word string) bool {
	for _, r := range word {
		if r < 0x0621 || r > 0x064A {
			return false
		}
	}
	return true
}
